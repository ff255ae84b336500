import * as tf from '@tensorflow/tfjs';
import { checkpointed } from '../engine/checkpointed';
import { gatherNBits, matMulNBits, productOfGradient, type Accuracy, type PackedWeights } from '../engine/matMulNBits';
import { frozen, thinProduct, wholeProduct, wholeProducts } from '../engine/whole';
import { projectionName, TOGETHER, weightShapes, type ModelConfig, type Projection } from './config';
import { attention, byHead, rmsNorm, rotary, rotaryTables, swiGlu, type Rotary, type Wanted } from './layers';

/** Low-rank adapter of one projection: A [r, in], B [out, r] (PEFT's layout). */
export interface LoraPair {
  a: tf.Tensor;
  b: tf.Tensor;
}

/** Weights by Hugging Face name; adapter by projection name. The caller owns and disposes all of them. */
export interface CausalLM {
  config: ModelConfig;
  weights: ReadonlyMap<string, tf.Tensor>;
  /** Frozen weights of 4 or 8 bits, of projections, embedding and head; they are not among `weights`. */
  packed?: PackedModel;
  adapter: {
    pairs: ReadonlyMap<string, LoraPair>;
    scaling: number /** what the adapter sees of its input [rows, in] (model/dropout.ts); default: all */;
    dropout?: (x: tf.Tensor, name: string) => tf.Tensor;
  } | null;
  /** Gradients compute each layer and each piece of the logits again instead of keeping it (engine/checkpointed.ts). */
  isCheckpointed?: boolean;
  /** Gradients flow to the weights themselves (wholeModel.ts). */
  isWhollyTrained?: boolean;
  /** Set by cachedForward.ts: no gradients are asked for. */
  isDecoding?: true;
  /** Set by cachedForward.ts: the tokens are few, so that products read large weights as they lie (engine/whole.ts). */
  isThin?: boolean;
  rotary: { cos: tf.Tensor; sin: tf.Tensor };
  /**
   * Weights so few that each of the half a dozen graphs that decode may hold a copy of its own, packed for the
   * processor.
   */
  isSmall: boolean;
}
/** What a projection reads of a model. */
type ProjectionWeights = Pick<CausalLM, 'weights' | 'adapter'> & Partial<CausalLM>;
/** 32 MB. */
const SMALL_PARAMETERS = 2 ** 23;

export interface PackedModel {
  weights: ReadonlyMap<string, PackedWeights>;
  /** Those of TOGETHER as one, by the first one's name. */
  joined?: ReadonlyMap<string, PackedWeights>;
  /**
   * Of products while decoding; whole sequences are always computed in float32, so that gradients are those of the
   * weights.
   */
  decoding: Accuracy;
}

/** The rotary tables are made for `positions` places, kept, and the caller's to dispose. */
export function causalLM(
  config: ModelConfig,
  weights: ReadonlyMap<string, tf.Tensor>,
  positions: number,
  adapter: CausalLM['adapter'] = null,
): CausalLM {
  const { cos, sin } = rotaryTables(config, positions);
  const parameters = [...weightShapes(config).values()].reduce(
    (sum, shape) => sum + shape.reduce((a, b) => a * b, 1),
    0,
  );
  return {
    config,
    weights,
    adapter,
    isSmall: parameters <= SMALL_PARAMETERS,
    rotary: {
      cos: tf.keep(tf.tensor2d(cos, [positions, config.headDim])),
      sin: tf.keep(tf.tensor2d(sin, [positions, config.headDim])),
    },
  };
}

const wanted = ({ isDecoding, isWhollyTrained }: CausalLM): Wanted =>
  isDecoding ? 'none' : isWhollyTrained ? 'all' : 'input';

/** Graphs that decode hold the weights. */
const isHeld = ({ isSmall, isWhollyTrained }: ProjectionWeights): boolean => isSmall === true && !isWhollyTrained;
/**
 * Whether few tokens are computed by other products than many, which round otherwise: then each token has to be one of
 * few or of many whatever its batch is.
 */
export const hasThinProducts = (model: CausalLM): boolean => !model.packed && !isHeld(model);

export function weight(model: ProjectionWeights, name: string): tf.Tensor {
  const w = model.weights.get(name);
  if (!w) throw new Error(`causalLM: no weight ${name}`);
  return model.isDecoding && isHeld(model) ? frozen(w) : w;
}

/** x [rows, in] times the weight's transpose, and what that is added to: [rows, out]. */
export function times(model: ProjectionWeights, x: tf.Tensor, name: string, onto?: tf.Tensor): tf.Tensor {
  const packed = model.packed?.weights.get(name);
  if (!packed && model.isDecoding && !model.isThin) return wholeProduct(x, weight(model, name), onto);
  const y = packed
    ? matMulNBits(x, packed, model.isDecoding ? model.packed!.decoding : 'float32')
    : model.isThin
      ? thinProduct(x, weight(model, name))
      : tf.matMul(x, weight(model, name), false, true);
  return onto ? tf.add(onto, y) : y;
}

export const EMBEDDING = 'model.embed_tokens.weight';

/** Rows of the embedding or the head, [N, hiddenSize]. */
export function rowsOf(model: CausalLM, name: string, ids: tf.Tensor): tf.Tensor {
  const packed = model.packed?.weights.get(name);
  return packed ? gatherNBits(packed, ids) : tf.gather(weight(model, name), ids as tf.Tensor1D);
}

/**
 * x [rows, in] -> [rows, out]; weight [out, in], plus scaling * x A^T B^T where the adapter has a pair (Hu et al.,
 * arXiv:2106.09685), plus `onto`.
 */
export function linear(
  model: ProjectionWeights,
  x: tf.Tensor,
  layer: number,
  p: Projection,
  onto?: tf.Tensor,
): tf.Tensor {
  const name = projectionName(layer, p);
  return adapted(model, x, name, times(model, x, `${name}.weight`, onto));
}
/** Those of the same x: in decoding as one product where that is possible. */
function linears<P extends (typeof TOGETHER)[number]>(
  model: CausalLM,
  x: tf.Tensor,
  layer: number,
  ps: P,
): { [K in keyof P]: tf.Tensor } {
  const names = ps.map((p) => projectionName(layer, p));
  const ys = model.isDecoding
    ? productsTogether(
        model,
        x,
        names.map((name) => `${name}.weight`),
      )
    : null;
  return names.map((name, i) => adapted(model, x, name, ys?.[i] ?? times(model, x, `${name}.weight`))) as unknown as {
    [K in keyof P]: tf.Tensor;
  };
}
function productsTogether(model: CausalLM, x: tf.Tensor, names: readonly string[]): tf.Tensor[] | null {
  const { packed } = model;
  const all = packed?.joined?.get(names[0]!);
  if (all)
    return tf.split(
      matMulNBits(x, all, packed!.decoding),
      names.map((name) => packed!.weights.get(name)!.shape[0]),
      1,
    );
  return !packed && isHeld(model)
    ? wholeProducts(
        x,
        names.map((name) => weight(model, name)),
      )
    : null;
}
/** y, the product of x, plus what else its projection has. */
function adapted(model: ProjectionWeights, x: tf.Tensor, name: string, y: tf.Tensor): tf.Tensor {
  const bias = model.weights.get(`${name}.bias`);
  const biased = bias ? tf.add(y, bias) : y;
  const pair = model.adapter?.pairs.get(name);
  if (!pair) return biased;
  const { scaling, dropout } = model.adapter!;
  const narrow = tf.matMul(dropout?.(x, name) ?? x, pair.a, false, true); // [rows, r]
  return model.isDecoding
    ? wholeProduct(narrow, pair.b, biased, scaling)
    : tf.add(biased, tf.matMul(tf.mul(narrow, scaling), pair.b, false, true));
}

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
interface Projected {
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
function project(model: CausalLM, x: tf.Tensor, layer: number): Projected {
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

/** A layer around its attention. @param look from the projections of all tokens to what each has seen */
export function block(
  model: CausalLM,
  x: tf.Tensor,
  layer: number,
  look: (projected: Projected) => tf.Tensor,
): tf.Tensor {
  const name = `model.layers.${layer}`;
  const normed = (y: tf.Tensor, norm: string): tf.Tensor =>
    rmsNorm(y, weight(model, `${name}.${norm}.weight`), model.config.rmsNormEps, wanted(model));
  const y = linear(model, look(project(model, normed(x, 'input_layernorm'), layer)), layer, 'o_proj', x);
  const z = normed(y, 'post_attention_layernorm');
  const [gate, up] = linears(model, z, layer, TOGETHER[1]);
  return linear(model, swiGlu(gate, up, wanted(model)), layer, 'down_proj', y);
}

/** [1, 1, T, T]: 0 on and below the diagonal, -1e9 above. */
export function causalMask(t: number): tf.Tensor {
  return tf.tidy(() =>
    tf.reshape(
      tf.mul(tf.cast(tf.greater(tf.range(0, t).reshape([1, t]), tf.range(0, t).reshape([t, 1])), 'float32'), -1e9),
      [1, 1, t, t],
    ),
  );
}

/**
 * Where rows are more than plain left-to-right text: positions [B, T] int32 and what may be seen, [B, 1, T, P + T] with
 * 0 or -1e9 (packedRows.ts).
 * `prefix` [P] int32: tokens that every row begins with, computed once for all. `keys`: these were computed before, and
 * left this behind (prefixKeys.ts).
 */
export interface Layout {
  positions: tf.Tensor;
  mask: tf.Tensor;
  prefix?: tf.Tensor;
  keys?: readonly tf.Tensor[];
}

/** Of a table its first n rows, [1, 1, n, headDim]; what stands behind its end is padding. */
export const firstRows = (table: tf.Tensor, n: number): tf.Tensor =>
  tf.reshape(
    tf.pad(tf.slice(table, [0, 0], [Math.min(n, table.shape[0]!), table.shape[1]!]), [
      [0, Math.max(0, n - table.shape[0]!)],
      [0, 0],
    ]),
    [1, 1, n, table.shape[1]!],
  );

/**
 * Final hidden states of whole sequences, for training.
 * @param ids [B, T] int32; padding at the right needs no mask (later places are never seen)
 * @returns [B * T, hiddenSize], after the last norm; with a prefix that is computed here [P + B * T, hiddenSize], the
 * prefix first
 */
export function hiddenStates(model: CausalLM, ids: tf.Tensor, layout?: Layout): tf.Tensor {
  const [b, t] = ids.shape as [number, number];
  const { headDim: d } = model.config;
  const p = layout?.keys ? 0 : (layout?.prefix?.shape[0] ?? 0);
  const rows = (table: tf.Tensor): tf.Tensor =>
    layout ? tf.reshape(tf.gather(table, tf.reshape(layout.positions, [b * t])), [b, 1, t, d]) : firstRows(table, t);
  const { cos, sin } = model.rotary;
  const tables = [
    rows(cos),
    rows(sin),
    layout ? layout.mask : causalMask(t),
    ...(p > 0 ? [firstRows(cos, p), firstRows(sin, p), causalMask(p)] : []),
  ];
  const flat = tf.reshape(ids, [b * t]);
  let x = rowsOf(model, EMBEDDING, p > 0 ? tf.concat([layout!.prefix!, flat]) : flat);
  for (let layer = 0; layer < model.config.layers; layer++) {
    const run: LayerRun = (given, y, [cosine, sine, mask, ...prefix], [k, v]) =>
      block(given, y, layer, (projected) => {
        const at: Attend = { rotary: rotary(cosine!, sine!), mask: mask!, ...wholeRows(model.config, b, t) };
        if (p === 0) return attend(given, projected, layer, k && v ? { ...at, prefix: { k, v } } : at).seen;
        const part = (from: number, n: number): Projected => ({
          q: cut(projected.q, from, n),
          k: cut(projected.k, from, n),
          v: cut(projected.v, from, n),
        });
        const shared = attend(given, part(0, p), layer, {
          rotary: rotary(prefix[0]!, prefix[1]!),
          mask: prefix[2]!,
          ...wholeRows(model.config, 1, p),
        });
        return tf.concat([shared.seen, attend(given, part(p, b * t), layer, { ...at, prefix: shared }).seen]);
      });
    const keys = layout?.keys?.slice(2 * layer, 2 * layer + 2) ?? [];
    x = model.isCheckpointed ? checkpointedLayer(model, layer, x, tables, run, keys) : run(model, x, tables, keys);
  }
  return rmsNorm(x, weight(model, 'model.norm.weight'), model.config.rmsNormEps, wanted(model));
}

/**
 * A layer on x [tokens, hiddenSize]. @param keys its keys and values of tokens that were computed before; may be none
 */
type LayerRun = (model: CausalLM, x: tf.Tensor, tables: tf.Tensor[], keys: tf.Tensor[]) => tf.Tensor;

/** `run` with gradients to x, to what is trained of the layer and to the keys. */
export function checkpointedLayer(
  model: CausalLM,
  layer: number,
  x: tf.Tensor,
  tables: readonly tf.Tensor[],
  run: LayerRun,
  keys: readonly tf.Tensor[] = [],
): tf.Tensor {
  const { adapter } = model;
  const isOwn = ([name]: readonly [string, unknown]): boolean => name.startsWith(`model.layers.${layer}.`);
  const own = [...(adapter?.pairs ?? [])].filter(isOwn);
  const ownWeights = model.isWhollyTrained ? [...model.weights].filter(isOwn) : [];
  return checkpointed(
    ([y, ...rest], constants) => {
      const given = rest.slice(keys.length);
      const pairs = new Map(own.map(([name], i) => [name, { a: given[2 * i]!, b: given[2 * i + 1]! }]));
      const weights =
        ownWeights.length === 0
          ? model.weights
          : new Map([...model.weights, ...ownWeights.map(([name], i) => [name, given[2 * own.length + i]!] as const)]);
      return run(
        { ...model, weights, adapter: adapter && { ...adapter, pairs } },
        y!,
        constants,
        rest.slice(0, keys.length),
      );
    },
    [x, ...keys, ...own.flatMap(([, { a, b }]) => [a, b]), ...ownWeights.map(([, weight]) => weight)],
    tables,
  );
}

const cut = (x: tf.Tensor, from: number, n: number): tf.Tensor => tf.slice(x, [from, 0], [n, x.shape[1]!]);

export const headName = ({ tiedEmbeddings }: ModelConfig): string => (tiedEmbeddings ? EMBEDDING : 'lm_head.weight');

/** hidden [N, hiddenSize] -> logits [N, vocab] */
export const logitsOf = (model: CausalLM, hidden: tf.Tensor): tf.Tensor => times(model, hidden, headName(model.config));

/**
 * For each id the sum of `share` [N, vocab] times the head's rows, taken from the id's own row: [N, hiddenSize]. With
 * a softmax as share: how an id's logprob changes with the hidden state.
 */
export function pulls(model: CausalLM, share: tf.Tensor2D, ids: tf.Tensor1D): tf.Tensor2D {
  const name = headName(model.config);
  const packed = model.packed?.weights.get(name);
  return tf.sub(
    rowsOf(model, name, ids),
    packed ? productOfGradient(share, packed) : tf.matMul(share, weight(model, name)),
  );
}

/** What is trained of the head, [vocab, hiddenSize], and the model with another one in its place. */
export const trainedHead = (model: CausalLM): tf.Tensor[] =>
  model.isWhollyTrained ? [weight(model, headName(model.config))] : [];
export const withHead = (model: CausalLM, head: tf.Tensor | undefined): CausalLM =>
  head ? { ...model, weights: new Map([...model.weights, [headName(model.config), head]]) } : model;
