import * as tf from '@tensorflow/tfjs';

/** Logits that exist at one time where they are made in pieces, numbers: 32 MB. */
export const LARGEST_PIECE = 1 << 23;

/** Of each row its target, as indices [N, 2]. */
const placesOf = (targets: tf.Tensor1D): tf.Tensor2D =>
  tf.stack([tf.range(0, targets.size, 1, 'int32'), targets], 1) as tf.Tensor2D;

/**
 * log softmax(logits)[target], row by row. The gradient is written out (onehot - p), so neither a log-softmax nor a
 * one-hot of [N, vocab] is kept.
 * @param logits [N, vocab], already divided by the temperature and masked; targets [N] int32
 * @returns [N], nats
 */
export function selectedLogprobs(logits: tf.Tensor2D, targets: tf.Tensor1D): tf.Tensor1D {
  const places = placesOf(targets);
  const op = tf.customGrad((...args: unknown[]) => {
    const [z, save] = args as [tf.Tensor2D, tf.GradSaveFunc];
    const p = tf.softmax(z);
    // the largest probability is exp(0) / sum of exp(z - top): its log is what the sum takes off
    const value = tf.add(tf.sub(tf.gatherND(z, places), tf.max(z, 1)), tf.log(tf.max(p, 1))) as tf.Tensor1D;
    save([p, places]);
    return {
      value,
      gradFunc: (dy: tf.Tensor, [softmax, at]: tf.Tensor[]) =>
        gradientOf(softmax as tf.Tensor2D, at as tf.Tensor2D, dy as tf.Tensor1D),
    };
  });
  return op(logits) as tf.Tensor1D;
}
/** Of the logprobs at `places` to the logits: dy (onehot - p). */
const gradientOf = (p: tf.Tensor2D, places: tf.Tensor2D, dy: tf.Tensor1D): tf.Tensor2D =>
  tf.add(tf.mul(p, tf.reshape(tf.neg(dy), [-1, 1])), tf.scatterND(places, dy, p.shape));

/** The same and the entropies, [N, 2]; of the logprobs alone a gradient flows. */
export function logprobsAndEntropies(logits: tf.Tensor2D, targets: tf.Tensor1D): tf.Tensor2D {
  const places = placesOf(targets);
  const op = tf.customGrad((...args: unknown[]) => {
    const [z, save] = args as [tf.Tensor2D, tf.GradSaveFunc];
    const { p, columns } = scoresOf(z, places);
    save([p, places]);
    return {
      value: tf.concat(columns, 1),
      gradFunc: (dy: tf.Tensor, [softmax, at]: tf.Tensor[]) =>
        gradientOf(
          softmax as tf.Tensor2D,
          at as tf.Tensor2D,
          tf.reshape(tf.slice2d(dy as tf.Tensor2D, [0, 0], [targets.size, 1]), [-1]),
        ),
    };
  });
  return op(logits) as tf.Tensor2D;
}

/** Of each row softmax, [N, vocab], and the logprob at its place and the entropy, [N, 1]. */
function scoresOf(logits: tf.Tensor2D, places: tf.Tensor2D): { p: tf.Tensor2D; columns: [tf.Tensor2D, tf.Tensor2D] } {
  const shifted = tf.sub<tf.Tensor2D>(logits, tf.max(logits, 1, true));
  const p = tf.softmax(shifted);
  const logSum = tf.neg(tf.log(tf.max(p, 1, true))); // the largest is exp(0) / sum
  const chosen = tf.reshape(tf.gatherND(shifted, places), [-1, 1]);
  // masked places: 0 * -1e9
  return { p, columns: [tf.sub(chosen, logSum), tf.sub(logSum, tf.sum(tf.mul(p, shifted), 1, true))] };
}

/**
 * Logprobs and entropies as above, and what the logprob's gradient to the hidden states needs, at one go: each logprob
 * depends on its own hidden state alone, so that the
 * gradient is a row for each token, times what flows back to it, and no tensor of [N, vocab] need outlive this.
 * @param pull (softmax [N, vocab], targets) -> [N, hiddenSize]: the head's row of each target, less the softmax times
 * the head; null: no gradient is wanted
 * @returns [N, 2 + hiddenSize], or [N, 2]
 */
export function scoresAndPulls(
  logits: tf.Tensor2D,
  targets: tf.Tensor1D,
  pull: ((p: tf.Tensor2D, targets: tf.Tensor1D) => tf.Tensor2D) | null,
): tf.Tensor2D {
  const { p, columns } = scoresOf(logits, placesOf(targets));
  return tf.concat([...columns, ...(pull ? [pull(p, targets)] : [])], 1) as tf.Tensor2D;
}

/** Entropy of softmax(logits), [N], nats; no gradient is meant to flow. Masked places (-1e9) count nothing. */
export function entropies(logits: tf.Tensor2D): tf.Tensor1D {
  const p = tf.softmax(logits);
  return tf.neg(tf.sum(tf.mul(p, tf.log(tf.maximum(p, 1e-12))), 1)) as tf.Tensor1D;
}
