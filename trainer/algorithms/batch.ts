import * as tf from '@tensorflow/tfjs';
import { temperatureOf, type Temperatures } from '../model/sample';
import { fillRows, packedLength, packRows, type Place, type SharedPrefix } from '../model/packedRows';
import { bucket } from '../model/decoder';
import type { BatchShape } from '../model/memoryPlan';
import type { Trace } from '../protocol/trace';

/** What training needs of a trace: its tokens, for each trained place the ids that it was chosen from (null: all), and how hot. */
export interface TrainedTrace {
  trace: { tokens: Pick<Trace['tokens'], 'ids' | 'logprobs' | 'completionMask'> };
  allowed: ReadonlyMap<number, ArrayLike<number> | null>;
  /** of the distribution that is trained: for GRPO the one that was sampled from; default 1 */
  temperatures?: Temperatures;
}

/**
 * One micro-batch as tensors: the door into the tensor world. What all sequences begin with is computed once, what a group begins with once a row
 * (packedRows.ts); only trained tokens reach the logits, and the loss as columns: [sequences, columns].
 */
export interface Batch {
  sequences: number;
  columns: number;
  /** [P] int32: what all sequences begin with; P may be 0 */
  prefix: tf.Tensor1D;
  /** [rows, length] int32 */
  ids: tf.Tensor2D;
  /** [rows, length] int32 */
  positions: tf.Tensor2D;
  /** [rows, 1, length, P + length], 0 or -1e9 */
  mask: tf.Tensor4D;
  /** [N] int32, N trained tokens and padding: where the token before each one lies in [P + rows * length] */
  places: tf.Tensor1D;
  /** [N] int32 */
  targets: tf.Tensor1D;
  /** [N, vocab], 0 where the sampler could choose, -1e9 elsewhere; [1, 1], 0, where it could choose anything everywhere */
  bias: tf.Tensor2D;
  /** [N, 1], what the logits are divided by */
  temperatures: tf.Tensor2D;
  /** [sequences * columns] int32: index into the N; 0 where there is none */
  slots: tf.Tensor1D;
  /** [sequences, columns] float32, 1 = trained */
  completionMask: tf.Tensor2D;
  /** [sequences, columns], nats, as recorded at sampling; 0 where nothing was sampled */
  sampledLogprobs: tf.Tensor2D;
  tokens: number;
  dispose(): void;
}

/** Sizes are rounded up to these, so that few graphs are compiled. */
const ROW_LENGTHS = [64, 128, 192, 256, 320, 384, 448, 512, 640, 768, 896, 1024, 1280, 1536, 2048, 3072, 4096];
const COLUMNS = [32, 128, 512];
const TRAINED = [32, 128, 256, 512, 768, 1024, 1536, 2048, 3072, 4096];
const ROWS = [1, 2, 3, 4, 6, 8, 10, 12, 14, 16, 20, 24, 32];
/** Rows are this long where no sequence is longer: attention costs their square, padding their number. */
const USUAL_ROW = 256;
/** The common prefix is rounded down to a multiple of this, for the same reason. */
const PREFIX_STEP = 32;

/** A group's common prompt, and what each sequence has behind it. Tokens behind the last trained one of a sequence are left out: nothing looks back from there. */
function shareOf(group: readonly TrainedTrace[]): SharedPrefix {
  const promptLength = Math.min(...group.map(({ trace }) => trace.tokens.completionMask.indexOf(1)).filter((n) => n >= 0), ...group.map(({ trace }) => trace.tokens.ids.length));
  // the token before the first trained one belongs to the branch, which predicts from it
  const n = Math.max(0, Math.min(promptLength, commonStart(group.map(({ trace }) => trace.tokens.ids))) - 1);
  return { prefix: group[0].trace.tokens.ids.slice(0, n), branches: group.map(({ trace }) => trace.tokens.ids.slice(n, Math.max(n + 1, trace.tokens.completionMask.lastIndexOf(1) + 1))) };
}

/** How many ids the lists have in common at their start. */
function commonStart(lists: readonly (readonly number[])[]): number {
  const shortest = Math.min(...lists.map((ids) => ids.length));
  let n = 0;
  while (n < shortest && lists.every((ids) => ids[n] === lists[0][n])) n++;
  return n;
}

interface Layout {
  prefix: readonly number[];
  rows: SharedPrefix[][];
  /** by group, then sequence */
  places: Place[][];
  length: number;
  /** of each group's own prompt, without the common prefix */
  prompts: number[];
}

function layOut(groups: readonly (readonly TrainedTrace[])[]): Layout {
  const shares = groups.map(shareOf);
  const common = Math.floor(commonStart(shares.map((s) => s.prefix)) / PREFIX_STEP) * PREFIX_STEP;
  const own = shares.map(({ prefix, branches }) => ({ prefix: prefix.slice(common), branches }));
  const longest = Math.max(...own.map((s) => s.prefix.length + Math.max(...s.branches.map((b) => b.length))));
  const length = bucket(ROW_LENGTHS, Math.max(longest, Math.min(USUAL_ROW, own.reduce((n, s) => n + packedLength(s), 0))));
  const { rows, places } = fillRows(own, length);
  const padding = Array.from({ length: bucket(ROWS, rows.length) - rows.length }, (): SharedPrefix[] => []);
  return { prefix: shares[0].prefix.slice(0, common), rows: [...rows, ...padding], places, length, prompts: own.map((s) => s.prefix.length) };
}

/** Tokens computed for these groups, and elements of one head's attention scores: what a micro-batch is bounded by. */
export function batchSize(groups: readonly (readonly TrainedTrace[])[]): { tokens: number; attention: number } {
  const { prefix, rows, length } = layOut(groups);
  return { tokens: prefix.length + rows.length * length, attention: prefix.length ** 2 + rows.length * length * (prefix.length + length) };
}

/** The sizes of the tensors that makeBatch makes of these groups, without making them. */
export function batchShape(groups: readonly (readonly TrainedTrace[])[]): BatchShape {
  const { prefix, rows, length } = layOut(groups);
  const sequences = groups.flat();
  const trained = sequences.reduce((n, { trace }) => n + trace.tokens.completionMask.reduce((a: number, b) => a + b, 0), 0);
  return { sequences: sequences.length, prefix: prefix.length, rows: rows.length, length, trained: bucket(TRAINED, Math.max(1, trained)) };
}

/**
 * @param groups each a list of traces with one prompt
 * @param vocabSize of the model
 * @returns tensors that the caller disposes. Shapes are rounded up, so that few graphs are compiled.
 */
export function makeBatch(groups: readonly (readonly TrainedTrace[])[], vocabSize: number): Batch {
  const { prefix, rows, places: placed, length, prompts } = layOut(groups);
  const start = prefix.length;
  const packed = packRows(rows, length, start);
  const sequences = groups.flatMap((group, g) => group.map((t, i) => ({ ...t, at: placed[g][i], before: start + prompts[g] })));
  const trained = sequences.map(({ trace }) => trace.tokens.completionMask.flatMap((m, t) => (m === 1 ? [t] : [])));
  const columns = bucket(COLUMNS, Math.max(1, ...trained.map((t) => t.length)));
  const n = bucket(TRAINED, Math.max(1, trained.reduce((sum, t) => sum + t.length, 0)));
  const places = new Int32Array(n);
  const targets = new Int32Array(n);
  const isHeld = sequences.some(({ allowed }) => allowed.size > 0);
  const bias = new Float32Array(isHeld ? n * vocabSize : 1);
  const temperatures = new Float32Array(n).fill(1);
  const slots = new Int32Array(sequences.length * columns);
  const completionMask = new Float32Array(slots.length);
  const sampledLogprobs = new Float32Array(slots.length);
  let next = 0;
  sequences.forEach(({ trace, allowed, temperatures: hot, at, before }, i) => {
    trained[i].forEach((t, c) => {
      places[next] = start + packed.place(at.row, at.piece, at.branch, t - 1 - before);
      targets[next] = trace.tokens.ids[t];
      const slot = i * columns + c;
      slots[slot] = next;
      completionMask[slot] = 1;
      sampledLogprobs[slot] = trace.tokens.logprobs[t] ?? 0;
      const ids = allowed.get(t);
      if (hot) temperatures[next] = temperatureOf(hot, ids, vocabSize);
      if (ids) {
        bias.fill(-1e9, next * vocabSize, (next + 1) * vocabSize);
        for (let j = 0; j < ids.length; j++) bias[next * vocabSize + ids[j]] = 0;
      }
      next++;
    });
  });
  const tensors = {
    prefix: tf.tensor1d(prefix.slice(), 'int32'), ids: tf.tensor2d(packed.ids, [packed.rows, length], 'int32'), positions: tf.tensor2d(packed.positions, [packed.rows, length], 'int32'),
    mask: tf.tensor4d(packed.mask, [packed.rows, 1, length, start + length]), places: tf.tensor1d(places, 'int32'), targets: tf.tensor1d(targets, 'int32'), bias: tf.tensor2d(bias, isHeld ? [n, vocabSize] : [1, 1]), temperatures: tf.tensor2d(temperatures, [n, 1]),
    slots: tf.tensor1d(slots, 'int32'), completionMask: tf.tensor2d(completionMask, [sequences.length, columns]), sampledLogprobs: tf.tensor2d(sampledLogprobs, [sequences.length, columns]),
  };
  const tokens = start + rows.flat().reduce((sum, piece) => sum + packedLength(piece), 0);
  return { sequences: sequences.length, columns, ...tensors, tokens, dispose: () => tf.dispose(Object.values(tensors)) };
}
