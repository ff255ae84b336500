/**
 * Products with frozen weights of 4 or 8 bits: one op on the onnx engine (com.microsoft.MatMulNBits), dequantised at
 * use on the others. No float copy of the
 * weights stays anywhere.
 */
import * as tf from '@tensorflow/tfjs';
import { type PackedWeights, type Accuracy, dequantise, isOnnx } from './packedWeights';

/** Dequantised weights that exist at one time, at most: 4 MB. */
const LARGEST_PIECE = 1 << 20;

/**
 * x [..., inputs] times the weights' transpose: [..., outputs]. The weights are frozen: there is a gradient to x alone,
 * and inside of a recorded function they
 * must be plain tensors from outside of it, not arguments or variables.
 * @param accuracy float32: the weights are dequantised piece by piece at each use, from the one copy that all graphs
 * share: for training, where that is a small
 * part of the work. int8: x is rounded to 8 bits, too, right to about 1 %, and the weights are packed for the processor
 * once more, in each graph, though
 * once for all sizes: for decoding, whose time is that of reading weights. Only the onnx engine knows it, the others
 * compute in float32.
 */
export function matMulNBits(x: tf.Tensor, weights: PackedWeights, accuracy: Accuracy = 'float32'): tf.Tensor {
  const inputs = weights.shape[1];
  if (x.shape.at(-1) !== inputs)
    throw new Error(`matMulNBits: x [${x.shape.join(', ')}] must end in the weights' ${inputs} inputs`);
  const op = tf.customGrad((a) => ({
    value: product(a as tf.Tensor, weights, accuracy),
    gradFunc: (dy) => productOfGradient(dy as tf.Tensor, weights),
  }));
  return op(x) as tf.Tensor;
}

/** Rows of the weights, [count, inputs]: an embedding. No gradient. @param indices int32 [count] */
export function gatherNBits(weights: PackedWeights, indices: tf.Tensor): tf.Tensor2D {
  return tf.tidy(() => {
    const {
      bits,
      packed,
      scales,
      offsets,
      blockSize,
      shape: [, inputs],
    } = weights;
    const flat = tf.reshape(indices, [-1]);
    const count = flat.shape[0]!;
    const rows = isOnnx()
      ? (tf.engine().runKernel('GatherNBits', { packed, scales, indices: flat }, { bits, blockSize }) as tf.Tensor2D)
      : dequantise({
          ...weights,
          shape: [count, inputs],
          packed: tf.gather(packed, flat),
          scales: tf.gather(scales, flat),
          offsets: null,
        });
    return offsets === null ? rows : addToBlocks(rows, tf.gather(offsets, flat), weights);
  });
}

function product(x: tf.Tensor, weights: PackedWeights, accuracy: Accuracy): tf.Tensor {
  const {
    bits,
    blockSize,
    packed,
    scales,
    offsets,
    shape: [outputs, inputs],
  } = weights;
  return tf.tidy(() => {
    const rows = tf.reshape(x, [-1, inputs]) as tf.Tensor2D;
    const isOneOp = accuracy === 'int8' && isOnnx();
    const y = isOneOp
      ? (tf
          .engine()
          .runKernel(
            'MatMulNBits',
            { x: rows, packed, scales, ...(offsets && { offsets }) },
            { bits, blockSize },
          ) as tf.Tensor2D)
      : tf.concat2d(
          pieces(weights).map((part) => productOfPart(rows, weights, part)),
          1,
        );
    const all =
      isOneOp || offsets === null
        ? y
        : tf.add(
            y,
            tf.matMul(
              tf.sum<tf.Tensor2D>(tf.reshape(rows, [-1, inputs / blockSize, blockSize]), 2),
              offsets,
              false,
              true,
            ),
          );
    return tf.reshape(all, [...x.shape.slice(0, -1), outputs]);
  });
}

/** rows [n, inputs] times some of the weights, their offsets left out: [n, count]. */
function productOfPart(rows: tf.Tensor2D, weights: PackedWeights, { from, count }: Rows): tf.Tensor2D {
  const { bits, blockSize, packed, scales } = weights;
  if (isOnnx())
    return tf
      .engine()
      .runKernel('MatMulDequantized', { x: rows, packed, scales }, { bits, blockSize, from, count }) as tf.Tensor2D;
  return tf.matMul(rows, piece(weights, { from, count }, rows), false, true);
}

/** dy [..., outputs] times the weights: [..., inputs]. */
export function productOfGradient(dy: tf.Tensor, weights: PackedWeights): tf.Tensor {
  const {
    offsets,
    shape: [outputs, inputs],
  } = weights;
  return tf.tidy(() => {
    const rows = tf.reshape(dy, [-1, outputs]) as tf.Tensor2D;
    const parts = pieces(weights).map(({ from, count }) => {
      const own = count === outputs ? rows : tf.slice2d(rows, [0, from], [rows.shape[0], count]);
      return tf.matMul(own, piece(weights, { from, count }, own));
    });
    const dx = parts.reduce((sum, part) => tf.add(sum, part)) as tf.Tensor2D;
    return tf.reshape(offsets === null ? dx : addToBlocks(dx, tf.matMul(rows, offsets), weights), [
      ...dy.shape.slice(0, -1),
      inputs,
    ]);
  });
}

interface Rows {
  from: number;
  count: number;
}

/** Rows of the weights that are dequantised together. */
function pieces({ shape: [outputs, inputs] }: PackedWeights): Rows[] {
  const most = Math.max(1, Math.floor(LARGEST_PIECE / inputs));
  return Array.from({ length: Math.ceil(outputs / most) }, (_, i) => ({
    from: i * most,
    count: Math.min(most, outputs - i * most),
  }));
}

/**
 * (q - zero) * scale of some rows, [count, inputs], computed once `after` is there: else a graph may compute all
 * weights first, and hold them.
 */
function piece(weights: PackedWeights, { from, count }: Rows, after: tf.Tensor2D): tf.Tensor2D {
  const { bits, blockSize, packed, scales } = weights;
  if (!isOnnx()) return dequantise({ ...weights, offsets: null }, from, count);
  return tf
    .engine()
    .runKernel('DequantizeNBits', { packed, scales, after }, { bits, blockSize, from, count }) as tf.Tensor2D;
}

/** x [rows, inputs] plus one number for each of its blocks [rows, inputs / blockSize]. */
function addToBlocks(
  x: tf.Tensor2D,
  perBlock: tf.Tensor,
  { blockSize, shape: [, inputs] }: PackedWeights,
): tf.Tensor2D {
  const blocks = inputs / blockSize;
  return tf.reshape(tf.add(tf.reshape(x, [-1, blocks, blockSize]), tf.reshape(perBlock, [-1, blocks, 1])), [
    -1,
    inputs,
  ]);
}
