import * as tf from '@tensorflow/tfjs';
import { type ScalarLike, withoutGradient } from './tensorTools';

/** Below any entropy, so that masked positions sort last. */
const NOT_A_TOKEN = -1e9;

/**
 * The share `quantile` of the trained tokens with the highest entropy ("80/20 rule", arXiv:2506.01939; as TRL 1.16
 * `get_high_entropy_mask`, over this micro-batch). A constant for the backward pass.
 *
 * @param entropies  [batch, seq], nats, finite
 * @param mask       [batch, seq], 1 = trained
 * @param quantile   share kept, in (0, 1); baked, with it the static k of the sort
 * @param threshold  the cut in nats when it is known already, else null
 * @returns [batch, seq], 1 = entropy at or above the cut and trained; caller disposes
 */
export function topEntropyMask(
  entropies: tf.Tensor,
  mask: tf.Tensor,
  quantile: number,
  threshold: ScalarLike | null,
): tf.Tensor {
  return withoutGradient([entropies], (values) => {
    const cut = threshold ?? entropyThreshold(values, mask, quantile);
    return tf.mul(tf.cast(tf.greaterEqual(values, cut), 'float32'), mask);
  });
}

/**
 * torch.quantile(entropies[mask], 1 - quantile) with linear interpolation. The number of tokens is known only to the
 * graph, so k covers the case that all positions are trained, and the two neighbours are gathered by a computed index.
 */
function entropyThreshold(entropies: tf.Tensor, mask: tf.Tensor, quantile: number): tf.Tensor {
  const size = entropies.size;
  const k = Math.min(size, Math.ceil(quantile * (size - 1)) + 2);
  const candidates = tf.where(tf.greater(mask, 0), entropies, tf.fill(entropies.shape, NOT_A_TOKEN));
  const descending = tf.topk(tf.reshape(candidates, [size]), k, true).values; // [k]
  const last = tf.maximum(tf.sub(tf.sum(mask), 1), 0); // ascending rank of the largest
  const rank = tf.mul(last, 1 - quantile);
  const at = (ascending: tf.Tensor): tf.Tensor => tf.gather(descending, tf.cast(tf.sub(last, ascending), 'int32'));
  const lower = tf.floor(rank);
  const low = at(lower);
  return tf.add(low, tf.mul(tf.sub(at(tf.ceil(rank)), low), tf.sub(rank, lower)));
}
