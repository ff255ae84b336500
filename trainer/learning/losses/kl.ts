import * as tf from '@tensorflow/tfjs';

export type KlEstimator = 'k1' | 'k2' | 'k3';

/**
 * Per-token estimate of KL(policy || reference) from the log-probs of one sampled token, in nats.
 * Source: J. Schulman, "Approximating KL Divergence" (2020), where r = reference / policy:
 * k1 = -log r (unbiased, either sign), k2 = (log r)^2 / 2 (biased, low variance), k3 = r - 1 - log r (unbiased, never
 * negative). GRPO and TRL use k3. These are estimates of the value: the gradient of k1 is 0 in expectation.
 *
 * @param logprobs           policy, any shape, nats
 * @param referenceLogprobs  reference, same shape, nats
 * @returns same shape, nats; caller disposes
 */
export function estimateKl(estimator: KlEstimator, logprobs: tf.Tensor, referenceLogprobs: tf.Tensor): tf.Tensor {
  return tf.tidy(() => {
    const logRatio = tf.sub(referenceLogprobs, logprobs); // log r
    switch (estimator) {
      case 'k1':
        return tf.neg(logRatio);
      case 'k2':
        return tf.mul(tf.square(logRatio), 0.5);
      case 'k3':
        return tf.sub(tf.sub(tf.exp(logRatio), logRatio), 1);
    }
  });
}
