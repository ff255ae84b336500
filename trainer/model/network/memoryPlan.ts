import { LARGEST_PIECE } from './logprobs';
import { projectionShape, weightShapes, type ModelConfig, type Projection } from './config';
import { packedBytes, product } from './weightBytes';

/** The tensors of one micro-batch, as sizes (algorithms/batch.ts). */
export interface BatchShape {
  sequences: number;
  /** the prefix is computed apart: the rows are given its keys and values, and return the gradients to these */
  isBehind: boolean;
  /** tokens that all rows begin with, computed once */
  prefix: number;
  rows: number;
  /** of a row, in tokens, without the prefix */
  length: number;
  /** tokens whose logits are computed, padding included */
  trained: number;
}

/** What a run holds in memory, as far as it is known before anything is loaded. */
export interface PlannedRun {
  model: ModelConfig;
  /** how many there are: their schemas, checks and words, and the calls that tasks were made from */
  tools: number;
  /** the frozen weights lie in 4 and 8 bits (checkpoint/baseModel.ts) */
  isPacked: boolean;
  /** 'whole': a copy of all weights is trained instead */
  adapter:
    | { rank: number; targets: readonly Projection[] /** some of its inputs are dropped */; isDropped?: boolean }
    | 'whole';
  /** adapters that stay as they are beside the trained one: 1 where the run starts from another run's */
  frozenAdapters: number;
  /** whole episode, tokens */
  maxTokens: number;
  /** episodes that decode together at most, and what the cache of each holds behind what all begin with, tokens */
  lanes: number;
  cached: number;
  /** of a prompt in tokens, and what all of them begin with */
  prompt: { whole: number; shared: number };
  /** the largest micro-batch that is trained on */
  batch: BatchShape;
  /** tokens whose logits are compared with the reference's at once, without gradients */
  compared: number;
  /** decoding is constrained, so that there is a mask [trained, vocab] of what was allowed */
  isHeld: boolean;
  /**
   * gradients flow through the logits to the head or to the entropies; else the logits are made and left a piece at a
   * time (optim/tokenScores.ts)
   */
  isHeadTrained: boolean;
  /** layers and pieces of the logits are computed again for the gradient */
  isCheckpointed: boolean;
  /**
   * true: the step runs as one compiled graph, which frees what nothing needs any more; false: op by op, where all of
   * it stays until the gradients are there
   */
  isCompiled: boolean;
}

/**
 * Bytes. `total` is the most that the process takes: decoding and training take turns, but not all that one gave back
 * to the allocator does the other get.
 */
export interface MemoryPlan {
  weights: number;
  /** the reference model is the policy with its adapter off and costs nothing of its own; a start adapter does */
  reference: number;
  /** or the weights that are trained */
  adapter: number;
  optimiser: number;
  kv: number;
  /** of the largest micro-batch's forward pass, kept for its backward pass */
  activations: number;
  logits: number;
  /** what decoding takes beside its cache, at a time when activations and logits are not there */
  decoding: number;
  /** Node, TensorFlow.js, the engine, compiled graphs */
  overhead: number;
  total: number;
}

const FLOAT = 4;
/**
 * Measured: a process that has loaded all but a model takes 200 MB, a run's own graphs, traces, tasks and garbage as
 * much again.
 */
const OVERHEAD = 400e6;
/**
 * Measured with 2,000 tools: a run that had made 5,500 calls of them for its tasks held 942 MB before it planned, one
 * with tasks of its own 498 MB.
 */
const PER_TOOL = 0.4e6;
/**
 * How much is held of what is kept: a compiled graph's allocator a little more than is in use (1.05 to 1.2 on nano and
 * SmolLM2), op by op what lies between, too (5.3 measured on wasm with nano; 5.8 from the 3.3 GB that engine.md has of
 * tfjs-node).
 */
const HELD = { compiled: 1.1, eager: 5.5 };
/**
 * Tensors [tokens, vocab] that are there at once. Compiled: logits, softmax and two between them; op by op (counted):
 * all twelve of the forward pass and the four of its gradient.
 */
const LOGIT_COPIES = { compiled: 4, eager: 16 };
/** Where decoding is constrained: the mask of what was allowed, as an array and as an input. */
const MASK_COPIES = 2;
/** Caches double when they grow (decoder.ts), and the old one is there until the rows were moved. */
const GROWTH = 0.5;
/**
 * Of what is computed apart from the rows: its keys and values, the gradients to them of all micro-batches and of one.
 */
const KEY_COPIES = 3;
/**
 * Share of what was freed that stays with the process and is of no use to other sizes (measured 0.25 to 0.9 after
 * training steps).
 */
const RETAINED = 0.5;

/** Of the layer that is computed again: what it keeps, and what its gradient has beside it. */
const AGAIN = 2;

const sum = (numbers: Iterable<number>): number => [...numbers].reduce((a, b) => a + b, 0);

/**
 * Bytes a number of this weight takes: on a compiled engine packed twice, in the processor's own order for decoding.
 */
function bytesPerWeight({ isPacked, isCompiled }: PlannedRun, name: string): number {
  const packed = isPacked ? packedBytes(name) : null;
  return packed === null ? FLOAT : (isCompiled ? 2 : 1) * packed;
}

/** Numbers that a layer keeps for each token: what the gradients of its products need. */
function keptPerToken(model: ModelConfig, adapter: PlannedRun['adapter']): number {
  const { hiddenSize: d, heads, kvHeads, headDim, intermediateSize: f } = model;
  const q = heads * headDim;
  const kv = kvHeads * headDim;
  const isTrained = (target: 'o_proj' | 'down_proj'): boolean =>
    adapter === 'whole' || adapter.targets.includes(target);
  // both norms' inputs and outputs; queries, keys and values as attention takes them; what was seen, by head, and by
  // token where what multiplies it is trained; gate and up, and what they make likewise
  const base = 4 * d + q + 2 * kv + (isTrained('o_proj') ? 2 : 1) * q + (isTrained('down_proj') ? 3 : 2) * f;
  if (adapter === 'whole') return base;
  const { rank, targets, isDropped } = adapter;
  return (
    base + targets.length * rank + (isDropped ? 2 * sum(targets.map((target) => projectionShape(model, target)[1])) : 0)
  ); // what is left, and which
}

/**
 * Numbers of a layer's softmax: every query with every key, for the prefix among itself and for the rows among prefix
 * and row; and the keys and values that stand there once a row.
 */
function keptOfAttention(
  { heads, kvHeads, headDim }: ModelConfig,
  { isBehind, prefix, rows, length }: BatchShape,
): number {
  return (
    heads * ((isBehind ? 0 : prefix ** 2) + product(rows, length, prefix + length)) +
    (prefix > 0 ? product(2, kvHeads, headDim, rows, prefix) : 0)
  );
}

/** Numbers that a micro-batch's forward pass keeps for its backward pass. */
function keptOf({ model, adapter, isCheckpointed }: PlannedRun, batch: BatchShape): number {
  const tokens = (batch.isBehind ? 0 : batch.prefix) + batch.rows * batch.length;
  const ofLayer = tokens * keptPerToken(model, adapter) + keptOfAttention(model, batch);
  return isCheckpointed ? model.layers * tokens * model.hiddenSize + AGAIN * ofLayer : model.layers * ofLayer;
}

/** Keys and values of so many episodes that have all grown to so many tokens, bytes. */
export const cacheBytes = ({ layers, kvHeads, headDim }: ModelConfig, lanes: number, tokens: number): number =>
  FLOAT * product(2, layers, lanes, kvHeads, tokens, headDim);

/**
 * New tokens, padding included, that a decoder computes at once before its first step: what they take of memory, three
 * times their keys and values, is bounded by 200 MB.
 */
export const tokensAtOnce = (model: ModelConfig): number =>
  Math.min(4096, Math.floor(200e6 / 3 / cacheBytes(model, 1, 1)));

/**
 * What a run takes at most, from sizes alone. Float32 throughout but for packed weights. In bytes, with L layers:
 * - weights: each weight once, for policy, reference, training and decoding alike (packed ones: bytesPerWeight); and
 * the rotary tables
 * - adapter: rank * (in + out) for each projection of each layer, or all weights once more; the optimiser four times
 * that (both moments, summed and new gradients)
 * - kv: 2 * L * lanes * kvHeads * cached * headDim (cacheBytes), and once what all begin with
 * - activations: L * (tokens * keptPerToken + keptOfAttention), tokens = prefix + rows * length; checkpointed: L *
 * tokens * hiddenSize, and twice that of one layer. Where the prefix is computed
 *   apart, that of it or of the rows, which take turns, whichever is more, and three times its keys and values
 * - logits: copies * tokens of a piece * vocabulary (optim/tokenScores.ts), of all that are trained where isHeadTrained
 * and not checkpointed; and the masks
 * - decoding: keys and values of the tokens computed at once, three times (each layer's, stacked, read out); one
 * layer's attention; the smaller cache while one grows
 * - total: the rest, and the larger of training (activations and logits) and decoding, and half of the smaller
 *
 * Measured beside it: every run that tries its longest sample notes its peak (recipes/tryLongest.ts): nano was 5 %
 * below what is planned of it, SmolLM2-135M 11 %, checkpointed 4 % and in 4 bits 14 %; the whole runs 10, 36, 31 and
 * 13 % below the plan.
 */
export function memoryPlan(run: PlannedRun): MemoryPlan {
  const { model, batch, lanes, cached, maxTokens } = run;
  const { layers, heads, headDim, vocabSize } = model;
  const bytesOf = (perWeight: (name: string) => number): number =>
    sum([...weightShapes(model)].map(([name, shape]) => product(...shape) * perWeight(name)));
  const weights = bytesOf((name) => bytesPerWeight(run, name)) + FLOAT * product(2, maxTokens, headDim);
  const adapter =
    run.adapter === 'whole'
      ? bytesOf(() => FLOAT)
      : FLOAT *
        product(
          layers,
          run.adapter.rank,
          sum(run.adapter.targets.map((target) => sum(projectionShape(model, target)))),
        );
  const kv = cacheBytes(model, lanes, cached) + cacheBytes(model, 1, run.prompt.shared);
  const kept = batch.isBehind
    ? Math.max(keptOf(run, batch), keptOf(run, { ...batch, isBehind: false, rows: 0 }))
    : keptOf(run, batch);
  const how = run.isCompiled ? 'compiled' : 'eager';
  const activations =
    Math.round(FLOAT * kept * HELD[how]) + (batch.isBehind ? KEY_COPIES * cacheBytes(model, 1, batch.prefix) : 0);
  const piece = Math.ceil(LARGEST_PIECE / vocabSize);
  const atOnce = Math.max(
    run.isHeadTrained && !run.isCheckpointed ? batch.trained : Math.min(batch.trained, piece),
    Math.min(run.compared, piece),
  );
  const logits =
    FLOAT *
    vocabSize *
    (LOGIT_COPIES[how] * atOnce + (run.isHeld ? MASK_COPIES * Math.max(batch.trained, run.compared) : 0));
  const opening = Math.max(tokensAtOnce(model), 2 * (run.prompt.whole - run.prompt.shared)); // two prompts at least
  const decoding =
    3 * cacheBytes(model, 1, opening) +
    FLOAT * product(3, heads, opening, Math.min(maxTokens, 1024)) +
    Math.round(kv * GROWTH);
  const parts = {
    weights,
    reference: run.frozenAdapters * adapter,
    adapter,
    optimiser: 4 * adapter,
    kv,
    activations,
    logits,
    decoding,
    overhead: OVERHEAD + run.tools * PER_TOOL,
  };
  const training = activations + logits;
  const inTurn = Math.max(training, decoding) + RETAINED * Math.min(training, decoding);
  return {
    ...parts,
    total: Math.round(sum(Object.values({ ...parts, activations: 0, logits: 0, decoding: 0 })) + inTurn),
  };
}
