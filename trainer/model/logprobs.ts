import * as tf from '@tensorflow/tfjs';

/** Logits that exist at one time where they are made in pieces, numbers: 32 MB. */
export const LARGEST_PIECE = 1 << 23;

/**
 * log softmax(logits)[target], row by row. The gradient is written out (onehot - p), so neither a log-softmax nor a one-hot of [N, vocab] is kept.
 * @param logits [N, vocab], already divided by the temperature and masked; targets [N] int32
 * @returns [N], nats
 */
export function selectedLogprobs(logits: tf.Tensor2D, targets: tf.Tensor1D): tf.Tensor1D {
  const [n, v] = logits.shape;
  const places = tf.stack([tf.range(0, n, 1, 'int32'), targets], 1); // [N, 2]
  const op = tf.customGrad((...args: unknown[]) => {
    const [z, save] = args as [tf.Tensor2D, tf.GradSaveFunc];
    const p = tf.softmax(z);
    const top = tf.max(z, 1, true);
    const shifted = tf.sub(z, top);
    const value = tf.sub(tf.gatherND(shifted, places), tf.log(tf.sum(tf.exp(shifted), 1))) as tf.Tensor1D;
    save([p, places]);
    return {
      value,
      gradFunc: (dy: tf.Tensor, saved: tf.Tensor[]) => tf.add(tf.mul(saved[0], tf.reshape(tf.neg(dy), [n, 1])), tf.scatterND(saved[1], dy, [n, v])) as tf.Tensor2D,
    };
  });
  return op(logits) as tf.Tensor1D;
}

/** Entropy of softmax(logits), [N], nats; no gradient is meant to flow. Masked places (-1e9) count nothing. */
export function entropies(logits: tf.Tensor2D): tf.Tensor1D {
  const p = tf.softmax(logits);
  return tf.neg(tf.sum(tf.mul(p, tf.log(tf.maximum(p, 1e-12))), 1)) as tf.Tensor1D;
}
