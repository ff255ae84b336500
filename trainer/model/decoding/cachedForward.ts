/**
 * The model's forward pass in decoding: some new tokens for each of several sequences, behind what lies in their
 * caches.
 */
import * as tf from '@tensorflow/tfjs';
import { tensorOver } from '../engine/tensorOver';
import { block, logitsOf, type CausalLM } from '../network/causalLM';
import { EMBEDDING, hasThinProducts, rowsOf, weight } from '../network/projections';
import { attend, causalMask, type Attend, type KeysAndValues } from '../network/attention';
import type { ModelConfig } from '../network/config';
import { rmsNorm, rotaryAt } from '../network/layers';

/** N tokens among the next T of each of B sequences (int32). */
export interface Feed {
  /** [N] */
  ids: tf.Tensor;
  /** [B, T] of each place in its sequence */
  positions: tf.Tensor;
  /** [B, 1, 1, 1] filled rows of the cache */
  lengths: tf.Tensor;
  /** null: T is 1, and token i belongs to sequence i */
  places: Places | null;
}
/** Where tokens belong (int32; what is padded points anywhere). */
export interface Places {
  /** [B, heads, T] of each place and head: its row among those of all tokens, N * heads */
  queries: tf.Tensor;
  /** [B, kvHeads, T], the same of N * kvHeads */
  keys: tf.Tensor;
  /** [N, heads] of each token and head: its row among B * heads * T */
  seen: tf.Tensor;
  /** [B] of each sequence: its last token */
  last: tf.Tensor;
}

/**
 * Up to T more tokens for each of B sequences whose earlier tokens lie in the cache. All but attention is computed for
 * the N tokens alone, so
 * sequences may be fed different numbers of them.
 * @param cache k, v [layers, B, kvHeads, C, headDim], or null at the start of all sequences
 * @param common k, v [layers, kvHeads, S, headDim] of what all sequences begin with, which is in none of their caches;
 * null where they have nothing in common
 * @param isFew the tokens are few: hasThinProducts
 * @returns logits [B, vocab] of each row's last token; k, v [layers * B, kvHeads, T, headDim], the new rows
 */
export function cachedForward(
  given: CausalLM,
  feed: Feed,
  cache: KeysAndValues | null,
  common: KeysAndValues | null = null,
  isFew = false,
): { logits: tf.Tensor; k: tf.Tensor; v: tf.Tensor } {
  const model: CausalLM = { ...given, isDecoding: true, isThin: isFew && hasThinProducts(given) };
  const { layers } = model.config;
  const { positions, places } = feed;
  const at: Attend = {
    rotary: rotaryAt(model.rotary, positions, !hasThinProducts(model)),
    mask: maskOf(model.config, feed, cache, common),
    ...(places ? placed(model.config, feed.ids.shape[0]!, places) : oneEach(model.config, positions.shape[0]!)),
  };
  const ofLayer = (all: tf.Tensor, l: number): tf.Tensor =>
    tf.reshape(tf.slice(all, [l, ...all.shape.slice(1).map(() => 0)], [1, ...all.shape.slice(1)]), all.shape.slice(1));
  const pick = ({ k, v }: KeysAndValues, l: number): KeysAndValues => ({ k: ofLayer(k, l), v: ofLayer(v, l) });
  const ks: tf.Tensor[] = [];
  const vs: tf.Tensor[] = [];
  let x = rowsOf(model, EMBEDDING, feed.ids);
  for (let l = 0; l < layers; l++) {
    x = block(model, x, l, (projected) => {
      const out = attend(model, projected, l, {
        ...at,
        ...(cache ? { cache: pick(cache, l) } : {}),
        ...(common ? { common: pick(common, l) } : {}),
      });
      ks.push(out.k);
      vs.push(out.v);
      return out.seen;
    });
  }
  const hidden = rmsNorm(
    places ? tf.gather(x, places.last as tf.Tensor1D) : x,
    weight(model, 'model.norm.weight'),
    model.config.rmsNormEps,
    'none',
  );
  return { logits: logitsOf(model, hidden), k: tf.concat(ks, 0), v: tf.concat(vs, 0) };
}

const oneEach = ({ heads: h, headDim: d }: ModelConfig, b: number): Pick<Attend, 'heads' | 'joined'> => ({
  heads: (x, n) => tf.reshape(x, [b, n, 1, d]),
  joined: (seen) => tf.reshape(seen, [b, h * d]),
});
/** One op moves tokens, head by head, to their places, one back. */
const placed = (
  { heads: h, headDim: d }: ModelConfig,
  tokens: number,
  { queries, keys, seen: back }: Places,
): Pick<Attend, 'heads' | 'joined'> => ({
  heads: (x, n) => tf.gather(tf.reshape(x, [tokens * n, d]), n === h ? queries : keys),
  joined: (seen) => tf.reshape(tf.gather(tf.reshape(seen, [queries.size, d]), back), [tokens, h * d]),
});

/**
 * What new tokens may see, Attend.mask: all of what is common, the filled rows of the cache, and of the new tokens
 * those before each.
 */
function maskOf(
  { heads: h, kvHeads }: ModelConfig,
  { positions, lengths, places }: Feed,
  cache: KeysAndValues | null,
  common: KeysAndValues | null,
): tf.Tensor {
  const t = positions.shape[1]!;
  if (!cache && !common) return causalMask(t);
  const start = common?.k.shape[2] ?? 0;
  const earlier = start + (cache?.k.shape[3] ?? 0);
  const filled = start === 0 ? lengths : tf.add(lengths, tf.scalar(start, 'int32'));
  const behindFilled = (at: tf.Tensor): tf.Tensor => tf.mul(tf.cast(tf.greaterEqual(at, filled), 'float32'), -1e9);
  // leaves, and not fills where all numbers are equal: all sizes have one graph
  const numbers = (rows: number, columns: number, of: (i: number) => number): tf.Tensor =>
    tensorOver(
      Int32Array.from({ length: rows * columns }, (_, i) => of(i)),
      [1, 1, rows, columns],
    );
  // the one new token counts as one before all
  if (!places) return behindFilled(numbers(1, earlier + 1, (i) => (i < earlier ? i : -1)));
  // by row and token: a new token that it may see counts as one before all, one that it may not as one behind all
  const n = (h / kvHeads) * t;
  const isHidden = tf.cast(
    tf.greater(
      numbers(1, t, (i) => i),
      numbers(n, 1, (i) => i % t),
    ),
    'int32',
  );
  const own = tf.sub(tf.mul(isHidden, tf.scalar(2 ** 30, 'int32')), tf.scalar(1, 'int32'));
  // an addition of zeros, and no broadcast: it is there for one row, too
  return behindFilled(
    tf.concat(
      [
        tf.add(
          numbers(1, earlier, (i) => i),
          numbers(n, 1, () => 0),
        ),
        own,
      ],
      3,
    ),
  );
}
