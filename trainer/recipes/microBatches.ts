import { batchSize, type TrainedTrace } from '../algorithms/batch';
import type { RunConfig } from '../protocol/runConfig';

/** Elements of one micro-batch's attention scores, per head: bounds its memory, and keeps what a layer writes in the processor's cache (a row of nano takes a fifth less). */
const ATTENTION_BUDGET = 600_000;

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
