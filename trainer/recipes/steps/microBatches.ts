import { batchSize, type TrainedTrace } from '../../learning/batch';
import { sharedStart } from '../../learning/rowLayout';
import type { RunConfig } from '../../protocol/runConfig';

/**
 * Elements of one micro-batch's attention scores, per head: bounds its memory, and keeps what a layer writes in the
 * processor's cache (a row of nano takes a fifth less).
 */
const ATTENTION_BUDGET = 600_000;

type Budget = Pick<RunConfig, 'tokensPerMicroBatch'>;

/** How a step's groups are computed. */
export interface StepParts<T> {
  /**
   * tokens that all of its sequences begin with and that are computed once for all micro-batches (makeBatch); 0: each
   * computes what it begins with
   */
  shared: number;
  /** micro-batches of groups */
  parts: T[][][];
}

/**
 * One micro-batch where the budgets let all of a step be one, which computes what is shared but once; else what all
 * begin with apart from the micro-batches, which have
 * more room without it. By lengths and equal tokens alone, so that the same step is always computed alike.
 * @param isDivisible groups may be cut; each part then computes the rest of the prompt again
 */
export function stepParts<T extends TrainedTrace>(
  groups: readonly T[][],
  config: Budget,
  isDivisible: boolean,
): StepParts<T> {
  const partsOf = (shared: number): T[][][] =>
    microBatches(isDivisible ? splitGroups(groups, config, shared) : groups, config, shared);
  const whole = partsOf(0);
  const shared = whole.length > 1 ? sharedStart(groups.flat()) : 0;
  return { shared, parts: shared > 0 ? partsOf(shared) : whole };
}

/**
 * Groups that are beyond the budget of tokens alone -> parts of them that are not, of about equal size; each computes
 * the prompt again, without what is shared. One sequence at least.
 */
export function splitGroups<T extends TrainedTrace>(
  groups: readonly T[][],
  { tokensPerMicroBatch }: Budget,
  shared = 0,
): T[][] {
  return groups.flatMap((group) => {
    for (let parts = 1; ; parts++) {
      const size = Math.ceil(group.length / parts);
      const split = Array.from({ length: Math.ceil(group.length / size) }, (_, i) =>
        group.slice(i * size, (i + 1) * size),
      );
      if (size === 1 || split.every((part) => batchSize([part], shared).tokens <= tokensPerMicroBatch)) return split;
    }
  });
}

/** Groups (sequences of one prompt) -> micro-batches within the budgets of tokens and attention; one group at least. */
export function microBatches<T extends TrainedTrace>(groups: readonly T[][], config: Budget, shared = 0): T[][][] {
  const out: T[][][] = [];
  for (const group of groups) {
    const last = out.at(-1);
    const size = last ? batchSize([...last, group], shared) : null;
    if (last && size!.attention <= ATTENTION_BUDGET && size!.tokens <= config.tokensPerMicroBatch) last.push(group);
    else out.push([group]);
  }
  return out;
}
