/**
 * Between two stages: what a stage learnt is passed on unless it is clearly worse than what it began with, by the same
 * validation tasks before and after it, or broke a guard.
 */
import type { RunResult } from '../../protocol/messages';
import { GATE_TASKS, type StageResult } from '../../protocol/stages';

/** A stage passes where the lower bound of its paired gain lies above this. */
const LEAST_GAIN = -0.05;

const points = (fraction: number): string => `${fraction > 0 ? '+' : ''}${(100 * fraction).toFixed(1)}`;

/** @param measured a stage's result, whose before and after are on the gate's tasks */
export function gateOf({ before, after, gain, forgotten }: RunResult): Pick<StageResult, 'passed' | 'gate'> {
  const [low] = gain.ci95;
  const broken = brokenGuards({ before, after, forgotten });
  const isNoWorse = low > LEAST_GAIN;
  const bound =
    `the lower bound of its gain, ${points(low)}, is ${isNoWorse ? '' : 'not '}above ` + `${points(LEAST_GAIN)} points`;
  const tasks =
    before.n < GATE_TASKS
      ? `all ${before.n} validation tasks, fewer than ${GATE_TASKS}`
      : `${before.n} validation tasks`;
  const guards = broken.length === 0 ? '' : `; ${broken.join('; ')}`;
  return { passed: isNoWorse && broken.length === 0, gate: `${bound} on ${tasks}${guards}` };
}

/** Violations that became clearly more, and sets that were clearly forgotten: intervals that lie apart, or below 0. */
function brokenGuards({ before, after, forgotten }: Pick<RunResult, 'before' | 'after' | 'forgotten'>): string[] {
  const [was, is] = [before.metrics?.vr, after.metrics?.vr];
  const violations =
    was && is && is.ci95[0] > was.ci95[1]
      ? [`it violates more: ${(100 * was.share).toFixed(0)} -> ${(100 * is.share).toFixed(0)} % of the episodes`]
      : [];
  const lost = forgotten.filter(({ gain }) => gain && gain.ci95[1] < 0);
  return [...violations, ...lost.map(({ name, gain }) => `it forgot ${name} (${points(gain!.mean)} points)`)];
}
