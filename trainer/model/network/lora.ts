import * as tf from '@tensorflow/tfjs';
import { assertShape, withoutGradient } from '../../learning/losses/tensorTools';

/**
 * What a LoRA adapter adds to a linear layer: (x A^T) B^T * scaling.
 * Source: LoRA, arXiv:2106.09685; layout of PEFT 0.21. No dropout.
 *
 * @param x  [..., in]
 * @param A  [r, in]
 * @param B  [out, r]
 * @returns [..., out]; caller disposes
 * @throws ShapeError when the layouts disagree
 */
export function loraDelta(x: tf.Tensor, A: tf.Tensor2D, B: tf.Tensor2D, scaling: number): tf.Tensor {
  const inputs = x.shape[x.rank - 1];
  assertShape('loraDelta', 'A', A, [A.shape[0], inputs]);
  assertShape('loraDelta', 'B', B, [B.shape[0], A.shape[0]]);
  return tf.tidy(() => {
    const rows = tf.reshape(x, [-1, inputs]); // [rows, in]: one 2-D product is the fast path on every back end
    const low = tf.matMul(rows, A, false, true); // [rows, r]
    return tf.reshape(tf.mul(tf.matMul(low, B, false, true), scaling), [...x.shape.slice(0, -1), B.shape[0]]);
  });
}

/**
 * A linear layer with a DoRA adapter: y = magnitude / norm * (x (W + scaling B A)^T) + bias, norm = the row norms of
 * W + scaling B A, a constant for the backward pass (DoRA, arXiv:2402.09353, section 4.3; as PEFT 0.21).
 *
 * @param x          [..., in]
 * @param weight     [out, in]
 * @param bias       [out] or null; magnitude does not scale it
 * @param A          [r, in]
 * @param B          [out, r]
 * @param magnitude  [out]
 * @returns [..., out]; caller disposes
 */
export function doraLinear(
  x: tf.Tensor,
  weight: tf.Tensor2D,
  bias: tf.Tensor1D | null,
  A: tf.Tensor2D,
  B: tf.Tensor2D,
  magnitude: tf.Tensor1D,
  scaling: number,
): tf.Tensor {
  const [outputs, inputs] = weight.shape;
  assertShape('doraLinear', 'magnitude', magnitude, [outputs]);
  return tf.tidy(() => {
    const rows = tf.reshape(x, [-1, inputs]); // [rows, in]
    const base = tf.reshape(tf.matMul(rows, weight, false, true), [...x.shape.slice(0, -1), outputs]); // [..., out]
    const norms = withoutGradient([weight, A, B], (w, a, b) =>
      rowNorms(mergeLora(w as tf.Tensor2D, a as tf.Tensor2D, b as tf.Tensor2D, scaling)),
    );
    const scaled = tf.mul(tf.add(base, loraDelta(x, A, B, scaling)), tf.div(magnitude, norms));
    return bias === null ? scaled : tf.add(scaled, bias);
  });
}

/** W + scaling B A, [out, in]: the weight that needs no adapter any more. Caller disposes. */
export function mergeLora(weight: tf.Tensor2D, A: tf.Tensor2D, B: tf.Tensor2D, scaling: number): tf.Tensor2D {
  assertShape('mergeLora', 'A', A, [A.shape[0], weight.shape[1]]);
  assertShape('mergeLora', 'B', B, [weight.shape[0], A.shape[0]]);
  return tf.tidy(() => tf.add(weight, tf.mul(tf.matMul(B, A), scaling)));
}

/** magnitude / norm * (W + scaling B A), [out, in]. Caller disposes. */
export function mergeDora(
  weight: tf.Tensor2D,
  A: tf.Tensor2D,
  B: tf.Tensor2D,
  magnitude: tf.Tensor1D,
  scaling: number,
): tf.Tensor2D {
  return tf.tidy(() => {
    const merged = mergeLora(weight, A, B, scaling);
    return tf.mul(merged, tf.expandDims(tf.div(magnitude, rowNorms(merged)), 1));
  });
}

/** Euclidean norm of each row: [out, in] -> [out]. */
function rowNorms(weight: tf.Tensor2D): tf.Tensor1D {
  return tf.sqrt(tf.sum<tf.Tensor1D>(tf.square(weight), 1));
}
