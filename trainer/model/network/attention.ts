import * as tf from '@tensorflow/tfjs';
import { TOGETHER, type ModelConfig } from './config';
import { attention, byHead, rmsNorm, type Rotary } from './layers';
import type { CausalLM } from './causalLM';
import { linears, weight, wanted } from './projections';

/** Keys, rotated, and values. */
export interface KeysAndValues {
  k: tf.Tensor;
  v: tf.Tensor;
}

/** What attention sees beside the new tokens. */
export interface Attend {
  rotary: Rotary;
  /**
   * 0 where it may look, -1e9 where not: among the prefix and the new tokens [B or 1, 1, T, P + T]; with a cache or
   * what is common among all of it, [B, 1, rows, S + C + T]
   */
  mask: tf.Tensor;
  /** [tokens, n * headDim] -> [B, n, T, headDim], and back */
  heads: (x: tf.Tensor, n: number) => tf.Tensor;
  joined: (seen: tf.Tensor) => tf.Tensor;
  /** keys, values [B, kvHeads, C, headDim] of one layer */
  cache?: KeysAndValues;
  /**
   * keys, values [kvHeads, S, headDim] of one layer: earlier tokens that all rows have in common, seen by every new
   * one
   */
  common?: KeysAndValues;
  /** [1, kvHeads, P, headDim], of tokens that every row begins with; P is 0 without */
  prefix?: KeysAndValues;
}
/** Of the new tokens, [tokens, heads * headDim]. */
export interface Projected {
  q: tf.Tensor;
  k: tf.Tensor;
  v: tf.Tensor;
}

/** Where tokens are B times T. */
export const wholeRows = (
  { heads: h, headDim: d }: ModelConfig,
  b: number,
  t: number,
): Pick<Attend, 'heads' | 'joined'> => ({
  heads: (x, n) => tf.transpose(tf.reshape(x, [b, t, n, d]), [0, 2, 1, 3]),
  joined: (seen) => tf.reshape(tf.transpose(tf.reshape(seen, [b, h, t, d]), [0, 2, 1, 3]), [b * t, h * d]),
});
export function project(model: CausalLM, x: tf.Tensor, layer: number): Projected {
  const [q, k, v] = linears(model, x, layer, TOGETHER[0]);
  return { q, k, v };
}

/** @returns what was seen, [tokens, heads * headDim], and the new keys and values [B, kvHeads, T, headDim] */
export function attend(
  model: CausalLM,
  x: Projected,
  layer: number,
  at: Attend,
): { seen: tf.Tensor; k: tf.Tensor; v: tf.Tensor } {
  const { heads: h, kvHeads, headDim: d, rmsNormEps } = model.config;
  const name = `model.layers.${layer}.self_attn`;
  let q = at.heads(x.q, h);
  let k = at.heads(x.k, kvHeads);
  const v = at.heads(x.v, kvHeads);
  if (model.config.qkNorm) {
    q = rmsNorm(q, weight(model, `${name}.q_norm.weight`), rmsNormEps, wanted(model));
    k = rmsNorm(k, weight(model, `${name}.k_norm.weight`), rmsNormEps, wanted(model));
  }
  q = at.rotary.q(q);
  k = at.rotary.k(k);
  const [b, , t] = q.shape as [number, number, number, number];
  // query heads that share a key head become rows of it, so nothing is broadcast
  const rows = (h / kvHeads) * t;
  if (at.cache || at.common)
    return { seen: at.joined(seenByParts(tf.reshape(q, [b, kvHeads, rows, d]), { k, v }, at)), k, v };
  const visible = at.prefix ? { k: behind(at.prefix.k, k), v: behind(at.prefix.v, v) } : { k, v };
  const n = visible.k.shape[2]!;
  const byKeyHead = (y: tf.Tensor, size: number): tf.Tensor => tf.reshape(y, [b * kvHeads, size, d]);
  return {
    seen: at.joined(
      attention(byKeyHead(q, rows), byKeyHead(visible.k, n), byKeyHead(visible.v, n), at.mask, [b, h, t, n]),
    ),
    k,
    v,
  };
}

/**
 * One softmax over the scores of what is common, of the cache and of the new tokens, and the sum of what each makes of
 * its share. @param q [B, kvHeads, rows, headDim]
 */
function seenByParts(
  q: tf.Tensor,
  own: KeysAndValues,
  { mask, cache, common }: Pick<Attend, 'mask' | 'cache' | 'common'>,
): tf.Tensor {
  const [b, kvHeads, rows] = q.shape as [number, number, number, number];
  // all queries at once against the keys that all have in common: one product a key head
  const together = (y: tf.Tensor): tf.Tensor =>
    tf.reshape(tf.transpose(y, [1, 0, 2, 3]), [kvHeads, b * rows, y.shape[3]!]);
  const apart = (y: tf.Tensor): tf.Tensor => tf.transpose(tf.reshape(y, [kvHeads, b, rows, y.shape[2]!]), [1, 0, 2, 3]);
  const each = ({ k, v }: KeysAndValues): Part => ({
    size: k.shape[2]!,
    scores: byHead(q, k, true),
    mixed: (p) => byHead(p, v),
  });
  const ofAll = ({ k, v }: KeysAndValues): Part => ({
    size: k.shape[1]!,
    scores: apart(byHead(together(q), k, true)),
    mixed: (p) => apart(byHead(together(p), v)),
  });
  const parts = [...(common ? [ofAll(common)] : []), ...(cache ? [each(cache)] : []), each(own)];
  const p = tf.softmax(
    tf.add(
      tf.concat(
        parts.map(({ scores }) => scores),
        3,
      ),
      mask,
    ),
  );
  const shares = tf.split(
    p,
    parts.map(({ size }) => size),
    3,
  );
  return parts.map(({ mixed }, i) => mixed(shares[i]!)).reduce((x, y) => tf.add(x, y));
}
interface Part {
  size: number;
  /** [B, kvHeads, rows, size] */
  scores: tf.Tensor;
  mixed: (p: tf.Tensor) => tf.Tensor;
}

/** The prefix's rows [1, kvHeads, P, headDim] before those of each sequence [B, kvHeads, T, headDim]. */
const behind = (prefix: tf.Tensor, own: tf.Tensor): tf.Tensor =>
  tf.concat([tf.add(prefix, tf.zeros([own.shape[0], 1, 1, 1])), own], 2);

/** [1, 1, T, T]: 0 on and below the diagonal, -1e9 above. */
export function causalMask(t: number): tf.Tensor {
  return tf.tidy(() =>
    tf.reshape(
      tf.mul(tf.cast(tf.greater(tf.range(0, t).reshape([1, t]), tf.range(0, t).reshape([t, 1])), 'float32'), -1e9),
      [1, 1, t, t],
    ),
  );
}
