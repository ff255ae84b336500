/**
 * Between two stages: what a stage learnt is passed on unless it is clearly worse than what it began with, by the same
 * validation tasks before and after it, violates more, or forgot as much as it surely gained.
 */
import type { RunResult, Success } from '../../protocol/messages';
import { GATE_TASKS, type StageResult } from '../../protocol/stages';

/** A stage passes where the lower bound of its paired gain lies above this. */
const LEAST_GAIN = -0.05;

const points = (fraction: number): string => `${fraction > 0 ? '+' : ''}${(100 * fraction).toFixed(1)}`;

/** @param measured a stage's result, whose before and after are on the gate's tasks */
export function gateOf({ before, after, gain, forgotten }: RunResult): Pick<StageResult, 'passed' | 'gate'> {
  const [low] = gain.ci95;
  const violations = moreViolations(before, after);
  const lost = lostSets(forgotten, low);
  const isNoWorse = low > LEAST_GAIN;
  const bound =
    `the lower bound of its gain, ${points(low)}, is ${isNoWorse ? '' : 'not '}above ` + `${points(LEAST_GAIN)} points`;
  const tasks =
    before.n < GATE_TASKS
      ? `all ${before.n} validation tasks, fewer than ${GATE_TASKS}`
      : `${before.n} validation tasks`;
  const said = [violations, ...lost.map(({ words }) => words)].filter((words) => words !== null);
  return {
    passed: isNoWorse && violations === null && lost.every(({ isLess }) => isLess),
    gate: [`${bound} on ${tasks}`, ...said].join('; '),
  };
}

/** Violations that became clearly more: intervals that lie apart. */
function moreViolations({ metrics: was }: Success, { metrics: is }: Success): string | null {
  return was?.vr && is?.vr && is.vr.ci95[0] > was.vr.ci95[1]
    ? `it violates more: ${(100 * was.vr.share).toFixed(0)} -> ${(100 * is.vr.share).toFixed(0)} % of the episodes`
    : null;
}

/**
 * Sets that were clearly forgotten: intervals below 0. A policy that learns one file's tools loses some of another's:
 * that is told, and a stage is refused where it lost as much as it surely gained (`low`), or more.
 */
function lostSets(forgotten: RunResult['forgotten'], low: number): { words: string; isLess: boolean }[] {
  return forgotten.flatMap(({ name, gain }) => {
    if (!gain || gain.ci95[1] >= 0) return [];
    const isLess = -gain.mean < low;
    return [
      { words: `it forgot ${name} (${points(gain.mean)} points)${isLess ? ', less than it gained' : ''}`, isLess },
    ];
  });
}
