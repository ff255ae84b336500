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

/** softmax and the logits less their largest, [N, vocab], and the log of the sum that divides them, [N, 1]. */
function softmaxOf(logits: tf.Tensor2D): { p: tf.Tensor2D; shifted: tf.Tensor2D; logSum: tf.Tensor2D } {
  const shifted = tf.sub<tf.Tensor2D>(logits, tf.max(logits, 1, true));
  const p = tf.softmax(shifted);
  return { p, shifted, logSum: tf.neg(tf.log(tf.max(p, 1, true))) as tf.Tensor2D }; // the largest is exp(0) / sum
}

/** Of each row softmax, [N, vocab], and the logprob at its place and the entropy, [N, 1]. */
function scoresOf(logits: tf.Tensor2D, places: tf.Tensor2D): { p: tf.Tensor2D; columns: [tf.Tensor2D, tf.Tensor2D] } {
  const { p, shifted, logSum } = softmaxOf(logits);
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

/**
 * Of each row the sum of `shares` times log softmax(logits) at `ids`: with a teacher's probabilities as shares, what is
 * left of KL(teacher || student) beside the teacher's own entropy. The gradient is written out, as above.
 * @param logits [N, vocab]
 * @param ids [N, k] int32, different ones in a row
 * @param shares [N, k]; of an id that is masked (-1e9) it must be 0
 * @returns [N], nats
 */
export function sharedLogprobs(logits: tf.Tensor2D, ids: tf.Tensor2D, shares: tf.Tensor2D): tf.Tensor1D {
  const [n, k] = ids.shape;
  const rows = tf.tile(tf.reshape(tf.range(0, n, 1, 'int32'), [n, 1]), [1, k]);
  const places = tf.stack([tf.reshape(rows, [n * k]), tf.reshape(ids, [n * k])], 1) as tf.Tensor2D;
  const op = tf.customGrad((...args: unknown[]) => {
    const [z, save] = args as [tf.Tensor2D, tf.GradSaveFunc];
    const { p, shifted, logSum } = softmaxOf(z);
    const logprobs = tf.sub(tf.reshape(tf.gatherND(shifted, places), [n, k]), logSum);
    save([p, places, shares]);
    return {
      value: tf.sum(tf.mul(shares, logprobs), 1) as tf.Tensor1D,
      gradFunc: (dy: tf.Tensor, [softmax, at, parts]: tf.Tensor[]) => {
        const weights = tf.mul(parts!, tf.reshape(dy, [n, 1])); // [N, k]
        const total = tf.sum(weights, 1, true);
        return tf.sub(tf.scatterND(at!, tf.reshape(weights, [n * k]), z.shape), tf.mul(softmax!, total));
      },
    };
  });
  return op(logits) as tf.Tensor1D;
}
