import * as tf from '@tensorflow/tfjs';
import { packedLength, packRows, type SharedPrefix } from '../model/packedRows';
import type { Trace } from '../protocol/trace';

/** What training needs of a trace: its tokens, and for each trained place the ids that it was chosen from (null: all). */
export interface TrainedTrace {
  trace: { tokens: Pick<Trace['tokens'], 'ids' | 'logprobs' | 'completionMask'> };
  allowed: ReadonlyMap<number, ArrayLike<number> | null>;
}

/**
 * One micro-batch as tensors: the door into the tensor world. Sequences of one group share their prefix (packedRows.ts); of each sequence only
 * the trained tokens reach the loss, as columns: [sequences, columns].
 */
export interface Batch {
  sequences: number;
  columns: number;
  /** [rows, length] int32 */
  ids: tf.Tensor2D;
  /** [rows, length] int32 */
  positions: tf.Tensor2D;
  /** [rows, 1, length, length], 0 or -1e9 */
  mask: tf.Tensor4D;
  /** [sequences * columns] int32: where the token before each trained one lies in [rows * length] */
  places: tf.Tensor1D;
  /** [sequences * columns] int32 */
  targets: tf.Tensor1D;
  /** [sequences * columns, vocab], 0 where the sampler could choose, -1e9 elsewhere */
  bias: tf.Tensor2D;
  /** [sequences, columns] float32, 1 = trained */
  completionMask: tf.Tensor2D;
  /** [sequences, columns], nats, as recorded at sampling; 0 where nothing was sampled */
  sampledLogprobs: tf.Tensor2D;
  tokens: number;
  dispose(): void;
}

const ROW_LENGTHS = [64, 128, 192, 256, 320, 384, 448, 512, 640, 768, 896, 1024, 1280, 1536, 2048, 3072, 4096];
const COLUMNS = [4, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512];
const roundUp = (sizes: readonly number[], n: number): number => sizes.find((s) => s >= n) ?? n;

/** Groups of sequences with one prompt -> rows. Tokens behind the last trained one of a sequence are left out: nothing looks back from there. */
function shareOf(group: readonly TrainedTrace[]): SharedPrefix {
  const promptLength = Math.min(...group.map(({ trace }) => trace.tokens.completionMask.indexOf(1)).filter((n) => n >= 0), ...group.map(({ trace }) => trace.tokens.ids.length));
  const same = (t: number): boolean => group.every(({ trace }) => trace.tokens.ids[t] === group[0].trace.tokens.ids[t]);
  let n = 0;
  while (n < promptLength && same(n)) n++;
  n = Math.max(0, n - 1); // the token before the first trained one belongs to the branch, which predicts from it
  return { prefix: group[0].trace.tokens.ids.slice(0, n), branches: group.map(({ trace }) => trace.tokens.ids.slice(n, Math.max(n + 1, trace.tokens.completionMask.lastIndexOf(1) + 1))) };
}

/** Elements of the attention of one packed row; what a micro-batch is bounded by beside its tokens. */
export const attentionSize = (group: readonly TrainedTrace[]): number => roundUp(ROW_LENGTHS, packedLength(shareOf(group))) ** 2;

/**
 * @param groups each a list of traces with one prompt
 * @param vocabSize of the model
 * @returns tensors that the caller disposes. Shapes are rounded up, so that few graphs are compiled.
 */
export function makeBatch(groups: readonly (readonly TrainedTrace[])[], vocabSize: number): Batch {
  const shares = groups.map(shareOf);
  const packed = packRows(shares, roundUp(ROW_LENGTHS, Math.max(...shares.map(packedLength))));
  const flat = groups.flatMap((group, row) => group.map((t, branch) => ({ ...t, row, branch, prefix: shares[row].prefix.length })));
  const trained = flat.map(({ trace }) => trace.tokens.completionMask.flatMap((m, t) => (m === 1 ? [t] : [])));
  const sequences = flat.length;
  const columns = roundUp(COLUMNS, Math.max(1, ...trained.map((t) => t.length)));
  const n = sequences * columns;
  const places = new Int32Array(n);
  const targets = new Int32Array(n);
  const bias = new Float32Array(n * vocabSize);
  const completionMask = new Float32Array(n);
  const sampledLogprobs = new Float32Array(n);
  flat.forEach(({ trace, allowed, row, branch, prefix }, i) => {
    trained[i].forEach((t, c) => {
      const at = i * columns + c;
      places[at] = packed.place(row, branch, t - 1 - prefix);
      targets[at] = trace.tokens.ids[t];
      completionMask[at] = 1;
      sampledLogprobs[at] = trace.tokens.logprobs[t] ?? 0;
      const ids = allowed.get(t);
      if (!ids) return;
      bias.fill(-1e9, at * vocabSize, (at + 1) * vocabSize);
      for (let j = 0; j < ids.length; j++) bias[at * vocabSize + ids[j]] = 0;
    });
  });
  const tensors = {
    ids: tf.tensor2d(packed.ids, [packed.rows, packed.length], 'int32'), positions: tf.tensor2d(packed.positions, [packed.rows, packed.length], 'int32'),
    mask: tf.tensor4d(packed.mask, [packed.rows, 1, packed.length, packed.length]), places: tf.tensor1d(places, 'int32'), targets: tf.tensor1d(targets, 'int32'),
    bias: tf.tensor2d(bias, [n, vocabSize]), completionMask: tf.tensor2d(completionMask, [sequences, columns]), sampledLogprobs: tf.tensor2d(sampledLogprobs, [sequences, columns]),
  };
  return { sequences, columns, ...tensors, tokens: shares.reduce((k, s) => k + packedLength(s), 0), dispose: () => tf.dispose(Object.values(tensors)) };
}
