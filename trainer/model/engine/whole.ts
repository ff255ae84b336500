/**
 * Ops that ONNX Runtime has whole or faster, without gradients; on the other engines they are composed of tfjs' own.
 */
import * as tf from '@tensorflow/tfjs';

/**
 * Rows of a product that are one block of ONNX Runtime's, whose sums are added in the same order for 2 rows as for 16.
 */
const THIN = 16;

/**
 * One op of ONNX Runtime where tfjs composes 5 to 7: of small tensors, as decoding has them, a node's own cost is most
 * of its time. It has no gradient.
 * @param kernel of onnx/kernels/whole.ts @param composed the same of tfjs' ops, for the other engines
 */
export function whole<T extends tf.Tensor | tf.Tensor[]>(
  kernel: string,
  inputs: Record<string, tf.Tensor>,
  attrs: Record<string, number | boolean>,
  composed: () => T,
): T {
  return tf.getBackend() === 'onnx' ? (tf.engine().runKernel(kernel, inputs, attrs) as T) : composed();
}

/**
 * A tensor from outside of the recorded function that never changes: a compiled graph holds it, as the second matrix of
 * a product packed for the processor, so
 * that it is neither passed nor packed at each run. For weights that are few.
 */
export const frozen = (w: tf.Tensor): tf.Tensor => whole('Frozen', { x: w }, {}, () => w);

/** onto [rows, out], if given, plus scale times x [rows, in] times w [out, in], transposed. */
export function wholeProduct(x: tf.Tensor, w: tf.Tensor, onto?: tf.Tensor, scale = 1): tf.Tensor {
  return whole('Product', { x, w, ...(onto && { onto }) }, { scale }, () => {
    const y = tf.matMul(scale === 1 ? x : tf.mul(x, scale), w, false, true);
    return onto ? tf.add(onto, y) : y;
  });
}

/** x [rows, in] times each frozen w [out, in], transposed: one product, cut. @returns [rows, out] each */
export function wholeProducts(x: tf.Tensor, ws: readonly tf.Tensor[]): tf.Tensor[] {
  return whole('Products', { x, ...Object.fromEntries(ws.map((w, i) => [`w${i}`, w])) }, {}, () =>
    ws.map((w) => tf.matMul(x, w, false, true)),
  );
}

/**
 * x [rows, in] times w [out, in], transposed, for few rows and a large w, which is read as it lies: ONNX Runtime packs
 * the second matrix of a product anew at
 * each run, so w is made the first (all of SmolLM2's products: 23 -> 17 ms for 2 rows, 31 -> 18 for 16, 58 -> 49 for
 * 64; slower from 256 on). Sums round
 * otherwise than the usual product's, and alike for any number of rows above 1.
 * @returns [rows, out]
 */
export function thinProduct(x: tf.Tensor, w: tf.Tensor): tf.Tensor {
  const [rows, inputs] = x.shape as [number, number];
  if (tf.getBackend() !== 'onnx') return tf.matMul(x, w, false, true);
  if (rows < THIN) return tf.transpose(tf.matMul(w, x, false, true));
  const pieces = Math.ceil(rows / THIN);
  const missing = pieces * THIN - rows;
  const cut = tf.reshape(
    missing > 0
      ? tf.pad(x, [
          [0, missing],
          [0, 0],
        ])
      : x,
    [pieces, THIN, inputs],
  );
  const y = tf.reshape(tf.transpose(tf.matMul(tf.expandDims(w), cut, false, true), [0, 2, 1]), [
    pieces * THIN,
    w.shape[0]!,
  ]);
  return missing > 0 ? tf.slice(y, [0, 0], [rows, w.shape[0]!]) : y;
}
