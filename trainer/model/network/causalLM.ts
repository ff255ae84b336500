import * as tf from '@tensorflow/tfjs';
import { checkpointed } from '../engine/checkpointed';
import { productOfGradient } from '../engine/matMulNBits';
import type { Accuracy, PackedWeights } from '../engine/packedWeights';
import { TOGETHER, weightShapes, type ModelConfig } from './config';
import { rmsNorm, rotary, rotaryTables, swiGlu } from './layers';
import { type Projected, project, causalMask, type Attend, wholeRows, attend } from './attention';
import { type LoraPair, weight, wanted, linear, linears, rowsOf, EMBEDDING, times } from './projections';
import { addedLogits, type AddedRows } from './addedRows';

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
  /** Of tokens behind those of the weights: config.vocabSize counts them, too. */
  added?: AddedRows;
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
export function logitsOf(model: CausalLM, hidden: tf.Tensor): tf.Tensor {
  const name = headName(model.config);
  const logits = times(model, hidden, name);
  const rows = model.added?.get(name);
  return rows ? tf.concat([logits, addedLogits(rows, hidden, model.isDecoding)], 1) : logits;
}

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

/**
 * What is trained of the head, [vocab, hiddenSize] or of added tokens alone, and the model with another one in its
 * place.
 */
export function trainedHead(model: CausalLM): tf.Tensor[] {
  const name = headName(model.config);
  if (model.isWhollyTrained) return [weight(model, name)];
  const rows = model.added?.get(name);
  return rows ? [rows] : [];
}
export function withHead(model: CausalLM, head: tf.Tensor | undefined): CausalLM {
  if (!head) return model;
  const name = headName(model.config);
  return model.isWhollyTrained
    ? { ...model, weights: new Map([...model.weights, [name, head]]) }
    : { ...model, added: new Map([...model.added!, [name, head]]) };
}
