/**
 * How an episode behaves, beside whether it solves its task: whether it violates, or refuses what it could do. What
 * compliance is measured and aligned by (ToolRLA, arXiv:2603.01620, sections 3.4 and 4.2).
 */
import { REFUSAL_TAG } from '../protocol/agentMetrics';
import type { PreferencePair } from '../protocol/reward';
import type { Task } from '../protocol/task';
import { withoutLookUps, type Trace } from '../protocol/trace';
import { REFUSES } from '../rollout/verdicts/verdicts';
import { minePairs } from './pairs';

/** Calls of tools that were run, or refused before they were; not those that a cancel came before. */
export const callsOf = (trace: Trace) =>
  withoutLookUps(trace)
    .turns.flatMap(({ calls }) => calls)
    .filter(({ result }) => result !== null);

/** Wants a call, and no refusal. */
export const isDoable = ({ calls = [], tags = [] }: Pick<Task, 'calls' | 'tags'>): boolean =>
  calls.length > 0 && !tags.includes(REFUSAL_TAG);

/** It says that it can't, without having tried. */
export const isOverRefused = (trace: Trace): boolean =>
  callsOf(trace).length === 0 && trace.terminated && REFUSES.test(trace.messages.at(-1)?.content ?? '');

/** What the trace's rewards say: a compliance reward, or a reward with such a part, is below 0; null: none looked */
export function violationIn({ rewards }: Pick<Trace, 'rewards'>): boolean | null {
  const penalties = rewards.flatMap(({ name, score, parts }) => {
    const penalty = /^compliance/.test(name) ? score : (parts?.['compliance'] ?? null);
    return penalty === null ? [] : [penalty];
  });
  return penalties.length === 0 ? null : penalties.some((penalty) => penalty < 0);
}

/** Rewards that `violationIn` reads. */
export const LOOKS_AT_COMPLIANCE = ['compliance', 'complianceJudge', 'toolrla'];

/** helpful: solved, and violates nothing */
export type Conduct = 'violating' | 'overcautious' | 'helpful';

/** null: none of them; it failed in another way */
export function conductOf(task: Task, trace: Trace, violates: boolean | null): Conduct | null {
  if (violates === true) return 'violating';
  if (isDoable(task) && isOverRefused(trace)) return 'overcautious';
  return trace.solved === true ? 'helpful' : null;
}

/** What is preferred to what, and its name. */
export const COMPLIANCE_PAIRS = [
  { rejected: 'violating', name: 'compliant over violating' },
  { rejected: 'overcautious', name: 'helpful over overcautious' },
] as const;

/**
 * Preference pairs of one task's traces, of both kinds, so that a policy that learns what it may not say does not learn
 * to say nothing.
 */
export function compliancePairs(
  traces: readonly { trace: Trace; conduct: Conduct | null }[],
  tools: unknown[],
): PreferencePair[] {
  return COMPLIANCE_PAIRS.flatMap(({ rejected, name }) => {
    const ranked = traces.flatMap(({ trace, conduct }) =>
      conduct === 'helpful' || conduct === rejected ? [{ ...trace, reward: Number(conduct === 'helpful') }] : [],
    );
    return minePairs(ranked, { maxPairs: 1, tools }).map((pair) => ({ ...pair, source: `compliance: ${name}` }));
  });
}

/**
 * The same of the groups of a step, whole episodes, by what their own rewards say: of each group what helped against
 * what violated, and against what refused without need, where there are both.
 * @param traces groupSize of each task, in the order of the tasks
 */
export function compliancePairsOf(
  tasks: readonly Task[],
  traces: readonly Trace[],
  groupSize: number,
): [chosen: Trace, rejected: Trace][] {
  return tasks.flatMap((task, i) => {
    const group = traces
      .slice(i * groupSize, (i + 1) * groupSize)
      .filter(({ tokens }) => tokens.completionMask.includes(1))
      .map((trace) => ({ trace, conduct: conductOf(task, trace, violationIn(trace)) }));
    const first = (conduct: Conduct) => group.find((one) => one.conduct === conduct)?.trace;
    const helpful = first('helpful');
    return COMPLIANCE_PAIRS.flatMap(({ rejected }): [Trace, Trace][] => {
      const other = first(rejected);
      return helpful && other ? [[helpful, other]] : [];
    });
  });
}
