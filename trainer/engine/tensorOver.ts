import * as tf from '@tensorflow/tfjs';
import { OnnxBackend } from './onnx/backend';
import { leafOver } from './onnx/value';

/**
 * A tensor that takes `data` over: on the onnx engine without a copy (weights of gigabytes), elsewhere as tf.tensor does. The caller writes into it no more,
 * and disposes the tensor. @throws where the data do not fill the shape
 */
export function tensorOver(data: Float32Array | Int32Array, shape: readonly number[]): tf.Tensor {
  const backend = tf.backend();
  return backend instanceof OnnxBackend ? backend.tensor(leafOver('tensorOver', data, shape)) : tf.tensor(data, [...shape]);
}
