/**
 * What it takes until the first success, with and without stopping attempts that are expected to fail. Pure.
 *
 * Attempts are independent: p succeeds, and takes S; else it takes F; each but the last is followed by a reset R. A
 * predictor stops a failing attempt with probability TPR and, wrongly, a succeeding one with FPR, after A each. By the
 * renewal identity (mean of a try over the probability that it ends the search):
 *   M0 = S + ((1 - p) / p) (F + R)
 *   M1 = [p (1 - FPR) S + (p FPR + (1 - p) TPR) (A + R) + (1 - p) (1 - TPR) (F + R)] / [p (1 - FPR)]
 * Source: the setting of arXiv:2301.10846, whose own closed form comes from a Markov jump process; this identity needs
 * no assumption on the lengths but their means.
 */
import type { Random } from '../../base/random';

/** Means; lengths in one unit. */
export interface Attempts {
  /** 0..1: share that succeeds */
  p: number;
  /** of a success, of a failure, until a stop; 0 where there is none */
  success: number;
  failure: number;
  stopped: number;
  reset: number;
  /** shares of the failures, and of the successes, that are stopped */
  tpr: number;
  fpr: number;
}

/** M0; Infinity where nothing succeeds */
export const makespan = ({ p, success, failure, reset }: Attempts): number =>
  p === 0 ? Infinity : success + ((1 - p) / p) * (failure + reset);

/** M1; Infinity where nothing succeeds, or all that would is stopped */
export function makespanStopping({ p, success, failure, stopped, reset, tpr, fpr }: Attempts): number {
  const ends = p * (1 - fpr);
  if (ends === 0) return Infinity;
  return (
    (ends * success + (p * fpr + (1 - p) * tpr) * (stopped + reset) + (1 - p) * (1 - tpr) * (failure + reset)) / ends
  );
}

/** One attempt that was let run to its end; stoppedAt: its length where a predictor would have stopped it, or null. */
export interface Seen {
  passed: boolean;
  length: number;
  stoppedAt: number | null;
}

export function attemptsOf(seen: readonly Seen[], reset: number): Attempts {
  const [passed, failed] = [seen.filter((one) => one.passed), seen.filter((one) => !one.passed)];
  const stopped = seen.filter((one) => one.stoppedAt !== null);
  const share = (of: readonly Seen[]): number =>
    of.length === 0 ? 0 : of.filter((one) => one.stoppedAt !== null).length / of.length;
  return {
    p: seen.length === 0 ? 0 : passed.length / seen.length,
    success: mean(passed.map(({ length }) => length)),
    failure: mean(failed.map(({ length }) => length)),
    stopped: mean(stopped.map((one) => one.stoppedAt!)),
    reset,
    tpr: share(failed),
    fpr: share(passed),
  };
}

const mean = (values: readonly number[]): number =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;

const RESAMPLES = 400;

/** What stopping saves of M0, and the bound that 95 of 100 resamples of the same attempts lie above (bootstrap). */
export function savingOf(seen: readonly Seen[], reset: number, random: Random): { saving: number; lower: number } {
  const saved = (of: readonly Seen[]): number => {
    const attempts = attemptsOf(of, reset);
    const [without, stopping] = [makespan(attempts), makespanStopping(attempts)];
    return without === Infinity || stopping === Infinity ? -Infinity : 1 - stopping / without;
  };
  const resampled = Array.from({ length: RESAMPLES }, () => saved(seen.map(() => random.pick(seen)))).sort((a, b) =>
    a < b ? -1 : a > b ? 1 : 0,
  );
  return { saving: saved(seen), lower: resampled[Math.floor(0.05 * RESAMPLES)]! };
}
