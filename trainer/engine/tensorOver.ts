import * as tf from '@tensorflow/tfjs';
import { OnnxBackend } from './onnx/backend';
import { leaf, sizeOf } from './onnx/value';

/**
 * A tensor that takes `data` over: on the onnx engine without a copy (weights of gigabytes), elsewhere as tf.tensor does. The caller writes into it no more,
 * and disposes the tensor. @throws where the data do not fill the shape
 */
export function tensorOver(data: Float32Array | Int32Array, shape: readonly number[]): tf.Tensor {
  const dtype = data instanceof Float32Array ? 'float32' : 'int32';
  const backend = tf.backend();
  if (!(backend instanceof OnnxBackend)) return tf.tensor(data, [...shape], dtype);
  if (sizeOf(shape) !== data.length) throw new Error(`tensorOver: ${data.length} numbers do not fill [${shape.join(', ')}]`);
  return backend.tensor(leaf(data, shape, dtype));
}
