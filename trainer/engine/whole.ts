/** Ops that ONNX Runtime has whole or faster, without gradients; on the other engines they are composed of tfjs' own. */
import * as tf from '@tensorflow/tfjs';

/**
 * One op of ONNX Runtime where tfjs composes 5 to 7: of small tensors, as decoding has them, a node's own cost is most of its time. It has no gradient.
 * @param kernel RmsNorm, RotaryEmbedding or Silu (onnx/kernels/whole.ts) @param composed the same of tfjs' ops, for the other engines
 */
export function whole(kernel: string, inputs: Record<string, tf.Tensor>, attrs: Record<string, number | boolean>, composed: () => tf.Tensor): tf.Tensor {
  return tf.getBackend() === 'onnx' ? tf.engine().runKernel(kernel, inputs, attrs) : composed();
}

/**
 * onto [rows, out], if given, plus x [rows, in] times w [out, in], transposed.
 * @param isFrozen a compiled graph holds w, packed for the processor, so that it is neither passed nor packed at each run: for weights that are few and never change
 */
export function wholeProduct(x: tf.Tensor, w: tf.Tensor, onto: tf.Tensor | undefined, isFrozen: boolean): tf.Tensor {
  return whole('Product', { x, w, ...(onto && { onto }) }, { isFrozen }, () => {
    const y = tf.matMul(x, w, false, true);
    return onto ? tf.add(onto, y) : y;
  });
}
