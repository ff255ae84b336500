/**
 * What a difference of two success rates may be called. Only an interval that leaves 0 outside is a change; everything
 * else is called
 * what it is, possible chance, however large the difference looks.
 */
import { sideOf } from '../../trainer/protocol/interval';
import type { RunResult, Success } from '../../trainer/protocol/messages';

export type Verdict = 'gain' | 'loss' | 'chance' | 'unmeasured';
export interface Change {
  verdict: Verdict;
  /** after - before, fraction; null where one of them was not measured */
  difference: number | null;
  ci95: readonly [number, number] | null;
}

/** Below this many tasks a sentence adds that there are few. */
export const FEW_TASKS = 30;

/** Below this many tasks an interval says nothing that the number does not: it is left out. */
const FEWEST_FOR_INTERVAL = 5;
export const hasInterval = (n: number): boolean => n >= FEWEST_FOR_INTERVAL;

export function judge(difference: number, ci95: readonly [number, number]): Verdict {
  if (!Number.isFinite(difference) || !Number.isFinite(ci95[0]) || !Number.isFinite(ci95[1])) return 'unmeasured';
  const side = sideOf(ci95);
  return side > 0 ? 'gain' : side < 0 ? 'loss' : 'chance';
}

/** The run's own paired interval. */
export function gainChange(gain: RunResult['gain'], n: number): Change {
  if (n === 0) return { verdict: 'unmeasured', difference: null, ci95: null };
  return { verdict: judge(gain.mean, gain.ci95), difference: gain.mean, ci95: gain.ci95 };
}

/**
 * Before and after as if they were two samples, from their Wilson intervals (Newcombe's hybrid score interval, method
 * 10 in
 * Newcombe, Statist. Med. 17, 1998). On the same tasks it is wider than a paired interval, so it never calls too much a
 * change.
 */
export function change(before: Success | undefined, after: Success | undefined): Change {
  if (!before || !after || before.success === null || after.success === null)
    return { verdict: 'unmeasured', difference: null, ci95: null };
  const p = before.success;
  const q = after.success;
  const [pLo, pHi] = before.ci95 ?? [0, 1];
  const [qLo, qHi] = after.ci95 ?? [0, 1];
  const difference = q - p;
  const ci95: [number, number] = [difference - Math.hypot(q - qLo, pHi - p), difference + Math.hypot(qHi - q, p - pLo)];
  return { verdict: judge(difference, ci95), difference, ci95 };
}
