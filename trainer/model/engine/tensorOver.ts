import * as tf from '@tensorflow/tfjs';
import { OnnxBackend } from './onnx/backend';
import { leafOver } from './onnx/value';

/**
 * A tensor that takes `data` over: on the onnx engine without a copy (weights of gigabytes), elsewhere as tf.tensor
 * does. The caller writes into it no more,
 * and disposes the tensor. @throws where the data do not fill the shape
 */
export function tensorOver(data: Float32Array | Int32Array, shape: readonly number[]): tf.Tensor {
  const backend = tf.backend();
  return backend instanceof OnnxBackend
    ? backend.tensor(leafOver('tensorOver', data, shape))
    : tf.tensor(data, [...shape]);
}

/** A copy of the first rows of t [rows, columns], as many as it has. Caller disposes. */
export function firstRowsOf(t: tf.Tensor2D, count: number): tf.Tensor2D {
  const [rows, columns] = [Math.min(count, t.shape[0]), t.shape[1]];
  return tensorOver(t.dataSync<'float32' | 'int32'>().slice(0, rows * columns), [rows, columns]) as tf.Tensor2D;
}
