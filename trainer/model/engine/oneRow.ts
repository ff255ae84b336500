import * as tf from '@tensorflow/tfjs';
import type { Engine } from './engine';
import { OnnxBackend } from './onnx/backend';

/**
 * Whether a row of a product is the same to the bit alone as beside another one: a processor has kernels of its own for
 * one row, and some of them add in another
 * order. Tried on two rows, on the onnx engine's processor; elsewhere false without a try.
 * @param product [rows, inputs] -> [rows, outputs], for engine.jit
 */
export function isAlikeAlone(engine: Engine, product: (x: tf.Tensor) => tf.Tensor, inputs: number): boolean {
  const backend = tf.backend();
  if (!(backend instanceof OnnxBackend) || backend.devices.includes('webgpu')) return false;
  const run = engine.jit(product, 'a product', 'any');
  const numbers = Float32Array.from({ length: 2 * inputs }, (_, i) => Math.sin(i + 1));
  const of = (row: number, rows: number): ArrayLike<number> =>
    tf.tidy(() => run(tf.tensor2d(numbers.subarray(row * inputs, (row + rows) * inputs), [rows, inputs])).dataSync());
  try {
    const both = of(0, 2);
    return [of(0, 1), of(1, 1)].every((alone, row) =>
      Array.from(alone).every((y, i) => Object.is(y, both[row * alone.length + i])),
    );
  } finally {
    run.forget();
  }
}
