/** Products with weights of 4 bits: one op on the onnx engine (com.microsoft.MatMulNBits), dequantised at each call on the others. */
import * as tf from '@tensorflow/tfjs';

/** Weights [outputs, inputs] in blocks along the inputs: value = (q - 8) * scale of its block, q from 0 to 15. */
export interface Weights4 {
  readonly shape: readonly [outputs: number, inputs: number];
  /** Weights that share a scale: a power of 2, 16 or more. */
  readonly blockSize: number;
  /** Two weights a byte, the earlier one in the low half, and four such bytes a number: int32 [outputs, inputs / 8]. */
  readonly packed: tf.Tensor2D;
  /** [outputs, inputs / blockSize] */
  readonly scales: tf.Tensor2D;
}

/**
 * Rounds to the nearest of 15 steps, symmetric: the greatest weight of a block becomes -8 or 7 steps. Caller disposes `packed` and `scales`.
 * @param weights [outputs, inputs], row by row
 * @throws when inputs is no multiple of the block, or the block no power of 2 of 16 or more
 */
export function quantise4(weights: Float32Array, [outputs, inputs]: readonly [number, number], blockSize = 32): Weights4 {
  if (blockSize < 16 || (blockSize & (blockSize - 1)) !== 0) throw new Error(`quantise4: the block must be a power of 2 of 16 or more, got ${blockSize}`);
  if (inputs % blockSize !== 0) throw new Error(`quantise4: ${inputs} inputs are no multiple of the block ${blockSize}`);
  if (weights.length !== outputs * inputs) throw new Error(`quantise4: ${weights.length} weights do not fill [${outputs}, ${inputs}]`);
  const bytes = new Uint8Array(weights.length / 2);
  const scales = new Float32Array(weights.length / blockSize);
  for (let block = 0; block < scales.length; block++) {
    const from = block * blockSize;
    let greatest = 0; // with its sign: it becomes -8, so that 8 steps are used on its side
    for (let i = from; i < from + blockSize; i++) if (Math.abs(weights[i]!) > Math.abs(greatest)) greatest = weights[i]!;
    const scale = Math.fround(greatest / -8);
    scales[block] = scale;
    for (let i = from; i < from + blockSize; i++) {
      const q = scale === 0 ? 8 : Math.min(15, Math.max(0, Math.round(weights[i]! / scale) + 8));
      bytes[i >> 1]! |= q << ((i & 1) * 4);
    }
  }
  return { shape: [outputs, inputs], blockSize, packed: tf.tensor2d(new Int32Array(bytes.buffer), [outputs, inputs / 8], 'int32'), scales: tf.tensor2d(scales, [outputs, inputs / blockSize]) };
}

/** The weights as numbers, [outputs, inputs]. Caller disposes. */
export function dequantise4({ shape, blockSize, packed, scales }: Weights4): tf.Tensor2D {
  const [codes, steps] = [packed.dataSync() as Int32Array, scales.dataSync() as Float32Array];
  const bytes = new Uint8Array(codes.buffer, codes.byteOffset, codes.byteLength);
  const out = new Float32Array(shape[0] * shape[1]);
  for (let i = 0; i < out.length; i++) out[i] = (((bytes[i >> 1]! >> ((i & 1) * 4)) & 15) - 8) * steps[Math.floor(i / blockSize)]!;
  return tf.tensor2d(out, [...shape]);
}

/**
 * x [..., inputs] times the weights' transpose: [..., outputs]. The weights are frozen: there is a gradient to x alone, and inside of a recorded
 * function they must be plain tensors from outside of it, not arguments or variables, since they are packed once for the processor.
 * @param accuracy `int8` also rounds x to 8 bits, which is faster and right to about 1 %; only the onnx engine knows it
 */
export function matMulNBits(x: tf.Tensor, weights: Weights4, accuracy: 'float32' | 'int8' = 'float32'): tf.Tensor {
  const inputs = weights.shape[1];
  if (x.shape.at(-1) !== inputs) throw new Error(`matMulNBits: x [${x.shape.join(', ')}] must end in the weights' ${inputs} inputs`);
  const op = tf.customGrad((a) => {
    const input = a as tf.Tensor;
    const product = tf.getBackend() === 'onnx'
      ? tf.engine().runKernel('MatMulNBits', { x: input, packed: weights.packed, scales: weights.scales }, { blockSize: weights.blockSize, accuracyLevel: accuracy === 'int8' ? 4 : 1 })
      : dense(input, weights, true);
    return { value: product as tf.Tensor, gradFunc: (dy) => dense(dy as tf.Tensor, weights, false) };
  });
  return op(x) as tf.Tensor;
}

/** x times the dequantised weights, or their transpose. */
function dense(x: tf.Tensor, weights: Weights4, isTransposed: boolean): tf.Tensor {
  return tf.tidy(() => {
    const [outputs, inputs] = weights.shape;
    const rows = tf.reshape(x, [-1, isTransposed ? inputs : outputs]) as tf.Tensor2D;
    return tf.reshape(tf.matMul(rows, dequantise4(weights), false, isTransposed), [...x.shape.slice(0, -1), isTransposed ? outputs : inputs]);
  });
}
