import * as tf from '@tensorflow/tfjs';

/**
 * One op of ONNX Runtime where tfjs composes 5 to 7: of small tensors, as decoding has them, a node's own cost is most of its time. It has no gradient.
 * @param kernel RmsNorm, RotaryEmbedding or Silu (onnx/kernels/whole.ts) @param composed the same of tfjs' ops, for the other engines
 */
export function whole(kernel: string, inputs: Record<string, tf.Tensor>, attrs: Record<string, number>, composed: () => tf.Tensor): tf.Tensor {
  return tf.getBackend() === 'onnx' ? tf.engine().runKernel(kernel, inputs, attrs) : composed();
}
