/** What a stretch of tokens taught: how many were trained, how sure the policy was, and its least likely choice. */
import { advantageAt, type Trace } from '../../trainer/protocol/trace';

export interface TokenStats {
  tokens: number;
  trained: number;
  forced: number;
  /** mean log-probability of the trained tokens, nats; null = none was trained */
  meanLogprob: number | null;
  /** index of the trained token with the lowest probability; null = none was trained */
  leastLikely: number | null;
  /** the advantage that its trained tokens got, as its first token has it; null = not trained on */
  advantage: number | null;
}

export function tokenStats(trace: Trace, start: number, end: number): TokenStats {
  const { logprobs, completionMask, writer } = trace.tokens;
  let trained = 0;
  let forced = 0;
  let sum = 0;
  let measured = 0;
  let leastLikely: number | null = null;
  for (let i = start; i < end; i++) {
    if (writer[i] === 'f') forced++;
    if (completionMask[i] !== 1) continue;
    trained++;
    const logprob = logprobs[i];
    if (logprob === null || logprob === undefined) continue;
    sum += logprob;
    measured++;
    if (leastLikely === null || logprob < logprobs[leastLikely]!) leastLikely = i;
  }
  return {
    tokens: end - start,
    trained,
    forced,
    meanLogprob: measured > 0 ? sum / measured : null,
    leastLikely,
    advantage: trained > 0 ? advantageAt(trace, start) : null,
  };
}
