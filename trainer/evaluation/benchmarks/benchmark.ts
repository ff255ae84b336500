/** What benchmarks have in common: what they are asked with, and what comes of their questions. */
import { wilson } from '../../protocol/interval';
import type { Success } from '../../protocol/messages';
import type { EvaluateModel, MeasuredModel } from '../evaluate';

export type BenchmarkOptions = MeasuredModel & Pick<Parameters<EvaluateModel>[0], 'signal' | 'now' | 'onProgress'>;

export interface BenchmarkSuccess extends Success {
  /** what was wrong first, by the benchmark's name for it, the commonest first */
  reasons: Record<string, number>;
  /** questions that were too long to be asked; they count as wrong */
  noRoom: number;
}

/** A question as it was answered. fault: what was wrong first; null: nothing */
export interface Answered {
  tag: string;
  fault: string | null;
}

/** @param noRoom the fault of a question that was not asked */
export function summaryOf(answered: readonly Answered[], noRoom: string): BenchmarkSuccess {
  const byTag = new Map<string, { n: number; right: number }>();
  const reasons = new Map<string, number>();
  for (const { tag, fault } of answered) {
    const { n, right } = byTag.get(tag) ?? { n: 0, right: 0 };
    byTag.set(tag, { n: n + 1, right: right + Number(fault === null) });
    if (fault !== null) reasons.set(fault, (reasons.get(fault) ?? 0) + 1);
  }
  const n = answered.length;
  const right = answered.filter(({ fault }) => fault === null).length;
  return {
    n,
    success: n > 0 ? right / n : null,
    ci95: wilson(right, n),
    byTag: Object.fromEntries([...byTag].map(([tag, part]) => [tag, { n: part.n, success: part.right / part.n }])),
    reasons: Object.fromEntries([...reasons].sort((a, b) => b[1] - a[1])),
    noRoom: reasons.get(noRoom) ?? 0,
  };
}
