import * as tf from '@tensorflow/tfjs';
import { assertShape, withoutGradient } from './tensorTools';

export interface TokenLogprobs {
  /** log p(target), [rows], nats. */
  logprobs: tf.Tensor1D;
  /** Entropy of the whole distribution, [rows], nats. */
  entropies: tf.Tensor1D;
  /** 1 = the target is the most likely token, [rows]; no gradient. */
  isCorrect: tf.Tensor1D;
}

/**
 * log-prob, entropy and correctness of one target token per row, from logits divided by the temperature. Holds three
 * [rows, vocab] tensors at once: for a large vocabulary call it on chunks of rows. Differentiable in the logits, also
 * the entropies (TRL's fused head sends no gradient through its entropy).
 * Source: TRL 1.16 `selective_log_softmax`, `entropy_from_logits` and `_ChunkedLogProbFunction`.
 *
 * @param logits       [rows, vocab], finite: mask a token with a large negative number, not with -Infinity
 * @param targets      [rows], int32 ids in [0, vocab)
 * @param temperature  the sampling temperature, baked
 * @returns three tensors; caller disposes
 */
export function tokenLogprobs(logits: tf.Tensor2D, targets: tf.Tensor1D, temperature = 1): TokenLogprobs {
  const [rows, vocab] = logits.shape;
  assertShape('tokenLogprobs', 'targets', targets, [rows]);
  const result = tf.tidy(() => {
    const ids = tf.cast(targets, 'int32');
    const logits2d = temperature === 1 ? logits : tf.div(logits, temperature);
    const all = tf.logSoftmax(logits2d); // [rows, vocab]
    const isTarget = tf.cast(tf.oneHot(ids, vocab), 'float32'); // [rows, vocab]
    return {
      logprobs: tf.sum(tf.mul(all, isTarget), 1),
      entropies: tf.neg(tf.sum(tf.mul(tf.exp(all), all), 1)),
      isCorrect: withoutGradient([logits], (values) => tf.cast(tf.equal(tf.cast(tf.argMax(values, 1), 'int32'), ids), 'float32')),
    };
  });
  return result as unknown as TokenLogprobs;
}
