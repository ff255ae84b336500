import { attentionSize, type TrainedTrace } from '../algorithms/batch';
import type { RunConfig } from '../protocol/runConfig';

/** Elements of one micro-batch's attention scores, per head: bounds its memory. */
const ATTENTION_BUDGET = 1_200_000;

/** Groups (sequences of one prompt) -> micro-batches within the budgets of tokens and attention; one group at least. */
export function microBatches<T extends TrainedTrace>(groups: readonly T[][], config: Pick<RunConfig, 'tokensPerMicroBatch'>): T[][][] {
  const out: T[][][] = [];
  let attention = Infinity;
  let tokens = Infinity;
  for (const group of groups) {
    const size = attentionSize(group);
    if (attention + size > ATTENTION_BUDGET || tokens + Math.sqrt(size) > config.tokensPerMicroBatch) {
      out.push([]);
      attention = tokens = 0;
    }
    out[out.length - 1].push(group);
    attention += size;
    tokens += Math.sqrt(size);
  }
  return out;
}
