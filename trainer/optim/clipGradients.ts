import * as tf from '@tensorflow/tfjs';
import type { ScalarLike } from '../algorithms/tensorTools';

/** torch adds it to the norm it divides by. */
const NORM_EPSILON = 1e-6;

export interface ClippedGradients {
  /** Same names and shapes; new tensors. */
  gradients: Record<string, tf.Tensor>;
  /** Global norm before the clip (TRL's grad_norm), scalar. */
  norm: tf.Scalar;
}

/**
 * Scales all gradients by min(1, maxNorm / (norm + 1e-6)), norm the Euclidean norm over all of them together.
 * Source: torch.nn.utils.clip_grad_norm_. Only tensor ops; maxNorm is baked when given as a number.
 *
 * @param gradients  any shapes, at least one; stay the caller's
 * @returns new tensors; caller disposes
 */
export function clipGradients(gradients: Record<string, tf.Tensor>, maxNorm: ScalarLike): ClippedGradients {
  const names = Object.keys(gradients);
  if (names.length === 0) throw new Error('clipGradients: there must be at least one gradient, got none');
  const result = tf.tidy(() => {
    const squares = names.map((name) => tf.sum(tf.square(gradients[name])) as tf.Scalar);
    const norm = tf.sqrt(tf.addN(squares)) as tf.Scalar;
    const factor = tf.minimum(tf.div(maxNorm, tf.add(norm, NORM_EPSILON)), 1);
    return { norm, gradients: Object.fromEntries(names.map((name) => [name, tf.mul(gradients[name], factor)])) };
  });
  return result as ClippedGradients;
}
