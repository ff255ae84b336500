import { batchSize, type TrainedTrace } from '../algorithms/batch';
import type { RunConfig } from '../protocol/runConfig';

/** Elements of one micro-batch's attention scores, per head: bounds its memory, and keeps what a layer writes in the processor's cache (a row of nano takes a fifth less). */
const ATTENTION_BUDGET = 600_000;

/** Groups that are beyond the budget of tokens alone -> parts of them that are not, of about equal size; each computes the prompt again. One sequence at least. */
export function splitGroups<T extends TrainedTrace>(groups: readonly T[][], { tokensPerMicroBatch }: Pick<RunConfig, 'tokensPerMicroBatch'>): T[][] {
  return groups.flatMap((group) => {
    for (let parts = 1; ; parts++) {
      const size = Math.ceil(group.length / parts);
      const split = Array.from({ length: Math.ceil(group.length / size) }, (_, i) => group.slice(i * size, (i + 1) * size));
      if (size === 1 || split.every((part) => batchSize([part]).tokens <= tokensPerMicroBatch)) return split;
    }
  });
}

/** Groups (sequences of one prompt) -> micro-batches within the budgets of tokens and attention; one group at least. */
export function microBatches<T extends TrainedTrace>(groups: readonly T[][], config: Pick<RunConfig, 'tokensPerMicroBatch'>): T[][][] {
  const out: T[][][] = [];
  for (const group of groups) {
    const last = out.at(-1);
    const size = last ? batchSize([...last, group]) : null;
    if (last && size!.attention <= ATTENTION_BUDGET && size!.tokens <= config.tokensPerMicroBatch) last.push(group);
    else out.push([group]);
  }
  return out;
}
