/**
 * `@reward` functions of the user, run in a tool host: what they throw or return wrongly is an unscored trace with a
 * reason.
 */
import type { Task } from '../../protocol/task';
import type { Trace } from '../../protocol/trace';
import type { HostPool } from './hostPool';

/** As discovered in `*.rewards.ts`. */
export interface UserReward {
  name: string;
  file: string;
  exportName: string;
  /** (task, traces) -> scores, instead of (task, trace) -> score. */
  isGroup: boolean;
  line: number;
}

export interface Score {
  score: number | null;
  error?: string;
}

/** Scores are numbers, so a short answer is enough for any group. */
const OUTPUT_BYTES = 64 * 1024;

/**
 * One score per trace, in order; each call has the time limit for itself and a fresh module instance per group.
 *
 * @param timeoutMs per call
 */
export async function scoreByUser(
  pool: HostPool,
  reward: UserReward,
  task: Task,
  traces: Trace[],
  timeoutMs: number,
): Promise<Score[]> {
  const rollout = pool.openRollout();
  const call = async (second: Trace | Trace[]): Promise<{ value: unknown } | { error: string }> => {
    const answer = await pool.call(rollout, {
      file: reward.file,
      name: reward.name,
      binding: { exportName: reward.exportName, positional: 'object' },
      args: JSON.stringify([task, second]),
      isReward: true,
      timeoutMs,
      outputBytes: OUTPUT_BYTES,
      isReplayable: false,
    });
    return answer.kind === 'ok' && !answer.isCut
      ? { value: JSON.parse(answer.content) as unknown }
      : { error: errorOf(answer.content) };
  };
  try {
    if (reward.isGroup) return scoresOfGroup(await call(traces), traces.length, reward.name);
    return await Promise.all(traces.map(async (trace) => scoreOf(await call(trace), reward.name)));
  } finally {
    pool.closeRollout(rollout);
  }
}

function scoresOfGroup(outcome: { value: unknown } | { error: string }, count: number, name: string): Score[] {
  const all = (score: Score) => Array.from({ length: count }, () => score);
  if ('error' in outcome) return all({ score: null, error: outcome.error });
  if (!Array.isArray(outcome.value) || outcome.value.length !== count) {
    return all({ score: null, error: `${name} must return one score for each of the ${count} traces` });
  }
  return outcome.value.map((value: unknown) => scoreOf({ value }, name));
}

function scoreOf(outcome: { value: unknown } | { error: string }, name: string): Score {
  if ('error' in outcome) return { score: null, error: outcome.error };
  const { value } = outcome;
  if (value === null || (typeof value === 'number' && Number.isFinite(value))) return { score: value };
  return { score: null, error: `${name} must return a number or null, got ${JSON.stringify(value).slice(0, 80)}` };
}

function errorOf(content: string): string {
  try {
    const { error } = JSON.parse(content) as { error?: unknown };
    return typeof error === 'string' ? error : content;
  } catch {
    return content; // cut in the middle, so no longer JSON: the text itself says most
  }
}
