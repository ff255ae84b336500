/**
 * What a step of a trace teaches, in words: how many tokens the model chose, how sure it was, which way it was pushed.
 * Pure, free of `vscode`.
 */
import type { Trace } from '../../trainer/protocol/trace';

/** One line a turn. Advantages only where they were trained on. */
export function stepFacts({ turns, tokens, phase, ...trace }: Trace): string[] {
  return turns.map(({ start, end, advantage = trace.advantage }) => {
    let chosen = 0;
    let sum = 0;
    for (let i = start; i < end; i++) {
      const logprob = tokens.logprobs[i] ?? null;
      if (tokens.completionMask[i] !== 1 || logprob === null) continue;
      chosen++;
      sum += logprob;
    }
    const mean = chosen === 0 ? null : sum / chosen;
    const sure =
      mean === null ? '' : `mean log-probability ${mean.toFixed(2)} (probability ${Math.exp(mean).toFixed(2)})`;
    const pushed =
      phase !== 'train' || advantage === null || chosen === 0
        ? ''
        : advantage === 0
          ? 'advantage 0: it taught nothing'
          : `advantage ${advantage > 0 ? '+' : '−'}${Math.abs(advantage).toFixed(2)}: made ` +
            `${advantage > 0 ? 'likelier' : 'less likely'}`;
    return [`${end - start} tokens, ${chosen} of them the model's choice`, sure, pushed].filter(Boolean).join(' · ');
  });
}
