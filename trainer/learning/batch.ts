import * as tf from '@tensorflow/tfjs';
import { temperatureOf, type Temperatures } from '../model/decoding/sample';
import { packRows } from '../model/network/packedRows';
import { bucket } from '../model/decoding/decoderGraphs';
import type { BatchShape } from '../model/network/memoryPlan';
import { advantageAt, type Trace } from '../protocol/trace';
import { type Layout, layOut, TRAINED, COLUMNS } from './rowLayout';

/**
 * What training needs of a trace: its tokens, for each trained place the ids that it was chosen from (null: all), and
 * how hot.
 */
export interface TrainedTrace {
  trace: { tokens: Pick<Trace['tokens'], 'ids' | 'logprobs' | 'completionMask'> };
  allowed: ReadonlyMap<number, ArrayLike<number> | null>;
  /** of the distribution that is trained: for GRPO the one that was sampled from; default 1 */
  temperatures?: Temperatures;
}

/**
 * One micro-batch as tensors: the door into the tensor world. What all sequences begin with is computed once, what some
 * of them begin with once a row
 * (packedRows.ts); what all micro-batches of a step begin with may be computed once for all of them (isBehind); only
 * trained tokens reach the logits, those that are the same in every way once, and the loss as columns: [sequences,
 * columns].
 */
export interface Batch {
  sequences: number;
  columns: number;
  /** the prefix is computed apart from the rows, which are given its keys and values (model/prefixKeys.ts) */
  isBehind: boolean;
  /** [P] int32: what all sequences begin with, and padding that nothing sees; P may be 0 */
  prefix: tf.Tensor1D;
  /** [rows, length] int32 */
  ids: tf.Tensor2D;
  /** [rows, length] int32 */
  positions: tf.Tensor2D;
  /** [rows, 1, length, P + length], 0 or -1e9 */
  mask: tf.Tensor4D;
  /**
   * [N] int32, N different trained tokens and padding: where the token before each one lies in [P + rows * length],
   * or, behind a prefix, in [rows * length]
   */
  places: tf.Tensor1D;
  /** [N] int32 */
  targets: tf.Tensor1D;
  /**
   * [N, vocab], 0 where the sampler could choose, -1e9 elsewhere; [1, 1], 0, where it could choose anything everywhere
   */
  bias: tf.Tensor2D;
  /** [N, 1], what the logits are divided by */
  temperatures: tf.Tensor2D;
  /** [sequences * columns] int32: index into the N; 0 where there is none */
  slots: tf.Tensor1D;
  /** [sequences, columns] float32, 1 = trained */
  completionMask: tf.Tensor2D;
  /** [sequences, columns], nats, as recorded at sampling; 0 where nothing was sampled */
  sampledLogprobs: tf.Tensor2D;
  /** that are computed here */
  tokens: number;
  dispose(): void;
}

/** One for a whole sequence, or one for each token of its trace. */
export type Advantage = number | ArrayLike<number>;

/**
 * What the batch's tokens are weighed by in the loss. A sequence's one number is the special case: it holds for all of
 * its tokens.
 * @param advantages by sequence, in the order of the groups
 * @param columns of the batch
 * @returns [sequences, 1] where each sequence has one, else [sequences, columns]; caller disposes
 */
export function advantageColumns(
  groups: readonly (readonly TrainedTrace[])[],
  advantages: readonly Advantage[],
  columns: number,
): tf.Tensor2D {
  const sequences = groups.flat();
  const single = advantages.filter((of) => typeof of === 'number');
  if (single.length === sequences.length) return tf.tensor2d(single, [sequences.length, 1]);
  const out = new Float32Array(sequences.length * columns);
  sequences.forEach(({ trace: { tokens } }, i) => {
    const of = advantages[i]!;
    let at = i * columns;
    tokens.completionMask.forEach((isTrained, t) => {
      if (isTrained === 1) out[at++] = typeof of === 'number' ? of : of[t]!;
    });
  });
  return tf.tensor2d(out, [sequences.length, columns]);
}

/** A trained token: where the one before it lies, and what it was chosen from. */
interface Item {
  place: number;
  target: number;
  temperature: number;
  allowed: ArrayLike<number> | null;
}

/**
 * The different ones among a batch's trained tokens, and for each sequence its own: where in the sequence, and which
 * of the items. @param first place of the rows' first token
 */
function itemsOf(
  groups: readonly (readonly TrainedTrace[])[],
  { prefix, places, length }: Layout,
  first: number,
  vocabSize: number,
): { items: Item[]; bySequence: { t: number; item: number }[][] } {
  const items: Item[] = [];
  const known = new Map<string, number[]>();
  const numberOf = (item: Item): number => {
    const key = `${item.place} ${item.target} ${item.temperature}`;
    const alike = known.get(key) ?? [];
    const same = alike.find((n) => isSame(items[n]!.allowed, item.allowed));
    if (same !== undefined) return same;
    known.set(key, [...alike, items.length]);
    return items.push(item) - 1;
  };
  const bySequence = groups.flat().map(({ trace: { tokens }, allowed, temperatures }, i) => {
    const { row, places: inRow } = places[i]!;
    return tokens.completionMask.flatMap((isTrained, t) => {
      if (isTrained !== 1) return [];
      const from = allowed.get(t) ?? null;
      // all that is trained stands behind the prefix, and one token between
      return [
        {
          t,
          item: numberOf({
            place: first + row * length + inRow[t - 1 - prefix.length]!,
            target: tokens.ids[t]!,
            temperature: temperatures ? temperatureOf(temperatures, from, vocabSize) : 1,
            allowed: from,
          }),
        },
      ];
    });
  });
  return { items, bySequence };
}

function isSame(a: ArrayLike<number> | null, b: ArrayLike<number> | null): boolean {
  if (a === b) return true;
  if (a === null || b === null || a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

/**
 * Tokens computed for these groups, and elements of one head's attention scores: what a micro-batch is bounded by.
 * @param shared tokens that are computed apart, once a step
 */
export function batchSize(
  groups: readonly (readonly TrainedTrace[])[],
  shared = 0,
): { tokens: number; attention: number } {
  const { start, rows, length } = layOut(groups, shared);
  const own = shared > 0 ? 0 : start;
  return { tokens: own + rows.length * length, attention: own ** 2 + rows.length * length * (start + length) };
}

/** The sizes of the tensors that makeBatch makes of these groups, without making them. */
export function batchShape(groups: readonly (readonly TrainedTrace[])[], vocabSize: number, shared = 0): BatchShape {
  const layout = layOut(groups, shared);
  const { items, bySequence } = itemsOf(groups, layout, 0, vocabSize);
  return {
    sequences: bySequence.length,
    isBehind: shared > 0,
    prefix: layout.start,
    rows: layout.rows.length,
    length: layout.length,
    trained: bucket(TRAINED, Math.max(1, items.length)),
  };
}

/**
 * @param groups each a list of traces with one prompt
 * @param vocabSize of the model
 * @param shared how many tokens all of the step's sequences begin with (sharedStart), where these are computed once a
 * step; 0: what these groups begin with is computed with them
 * @returns tensors that the caller disposes. Shapes are rounded up, so that few graphs are compiled.
 */
export function makeBatch(groups: readonly (readonly TrainedTrace[])[], vocabSize: number, shared = 0): Batch {
  const layout = layOut(groups, shared);
  const { prefix, start, rows, length } = layout;
  const packed = packRows(rows, length, prefix.length, start);
  const { items, bySequence } = itemsOf(groups, layout, shared > 0 ? 0 : start, vocabSize);
  const columns = bucket(COLUMNS, Math.max(1, ...bySequence.map((list) => list.length)));
  const n = bucket(TRAINED, Math.max(1, items.length));
  const isHeld = groups.flat().some(({ allowed }) => allowed.size > 0);
  const [places, targets, temperatures] = [new Int32Array(n), new Int32Array(n), new Float32Array(n).fill(1)];
  const bias = new Float32Array(isHeld ? n * vocabSize : 1);
  items.forEach(({ place, target, temperature, allowed }, i) => {
    [places[i], targets[i], temperatures[i]] = [place, target, temperature];
    if (!allowed) return;
    bias.fill(-1e9, i * vocabSize, (i + 1) * vocabSize);
    for (let j = 0; j < allowed.length; j++) bias[i * vocabSize + allowed[j]!] = 0;
  });
  const slots = new Int32Array(bySequence.length * columns);
  const [completionMask, sampledLogprobs] = [new Float32Array(slots.length), new Float32Array(slots.length)];
  groups.flat().forEach(({ trace: { tokens } }, i) =>
    bySequence[i]!.forEach(({ t, item }, c) => {
      const slot = i * columns + c;
      slots[slot] = item;
      completionMask[slot] = 1;
      sampledLogprobs[slot] = tokens.logprobs[t] ?? 0;
    }),
  );
  const tensors = {
    prefix: tf.tensor1d([...prefix, ...new Array<number>(start - prefix.length).fill(0)], 'int32'),
    ids: tf.tensor2d(packed.ids, [packed.rows, length], 'int32'),
    positions: tf.tensor2d(packed.positions, [packed.rows, length], 'int32'),
    mask: tf.tensor4d(packed.mask, [packed.rows, 1, length, start + length]),
    places: tf.tensor1d(places, 'int32'),
    targets: tf.tensor1d(targets, 'int32'),
    bias: tf.tensor2d(bias, isHeld ? [n, vocabSize] : [1, 1]),
    temperatures: tf.tensor2d(temperatures, [n, 1]),
    slots: tf.tensor1d(slots, 'int32'),
    completionMask: tf.tensor2d(completionMask, [bySequence.length, columns]),
    sampledLogprobs: tf.tensor2d(sampledLogprobs, [bySequence.length, columns]),
  };
  return {
    sequences: bySequence.length,
    columns,
    isBehind: shared > 0,
    ...tensors,
    tokens: (shared > 0 ? 0 : prefix.length) + rows.reduce((sum, tree) => sum + tree.size, 0),
    dispose: () => tf.dispose(Object.values(tensors)),
  };
}

/** What a trace's tokens are trained by: its advantage, or one a token where turns have advantages of their own. */
export function tokenAdvantages(trace: Pick<Trace, 'advantage' | 'turns' | 'tokens'>): number | Float32Array {
  if (trace.turns.every(({ advantage }) => advantage === undefined)) return trace.advantage ?? 0;
  return Float32Array.from(trace.tokens.ids, (_, t) => advantageAt(trace, t) ?? 0);
}
