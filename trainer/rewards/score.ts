import type { Reward } from '../protocol/reward';
import type { Task, ToolSchema } from '../protocol/task';
import type { Trace } from '../protocol/trace';
import { Episode } from './episode';
import type { JudgeGroup, JudgeOptions } from './judge/judge';
import type { RewardSpec } from './parseRewards';
import { isScored, type Rule, type Score } from './rule';

export interface UserScore {
  score: number | null;
  error?: string;
}

/**
 * Runs a user's `@reward` function on the traces of one task, in the tool host: one score a trace, in their order. A
 * function over one trace
 * is run for each, one over a group once. What throws for one trace is that trace's `error`; rejecting = no trace is
 * scored.
 */
export type CallUserReward = (name: string, task: Task, traces: readonly Trace[]) => Promise<readonly UserScore[]>;

/**
 * Scores the traces of one task by each reward, in the order of the specs. A reward that throws, or gives something
 * that is neither a finite
 * number nor null, is *not scored* (score null, with its error): never 0.
 *
 * @returns copies with `rewards` and `reward` = sum of weight x score over those that scored, null where none did
 */
export async function scoreGroup(
  task: Task,
  traces: readonly Trace[],
  tools: readonly ToolSchema[],
  specs: readonly RewardSpec[],
  callUser?: CallUserReward,
  judge?: JudgeGroup,
): Promise<Trace[]> {
  return scoreEpisodes(
    traces.map((trace) => new Episode(task, trace, tools)),
    specs,
    callUser,
    judge,
  );
}

/** scoreGroup for episodes of one task, raw text and all. */
export async function scoreEpisodes(
  group: readonly Episode[],
  specs: readonly RewardSpec[],
  callUser?: CallUserReward,
  judge?: JudgeGroup,
): Promise<Trace[]> {
  const columns: Reward[][] = [];
  // several judges answer at once
  const judged = specs.map(({ rule }) => (rule?.per === 'judge' ? judgeScores(rule.options, group, judge) : null));
  for (const asked of judged) asked?.catch(() => undefined); // awaited below, after what comes before it
  for (const [i, { name, weight, rule, isChannel }] of specs.entries()) {
    const scores: Recorded[] = !rule
      ? await userScores(name, group, callUser)
      : rule.per === 'judge'
        ? await judged[i]!
        : ruleScores(rule, group);
    columns.push(scores.map((score) => ({ name, weight, ...score, ...(isChannel ? { isChannel } : {}) })));
  }
  return group.map(({ trace }, i) => {
    const rewards = columns.map((column) => column[i]!);
    return { ...trace, rewards, reward: totalReward(rewards) };
  });
}

/** Sum of weight x score over the scored, channels left out; null when nothing was scored. */
export function totalReward(rewards: readonly Reward[]): number | null {
  let total: number | null = null;
  for (const { score, weight, isChannel } of rewards)
    if (score !== null && !isChannel) total = (total ?? 0) + weight * score;
  return total;
}

type Recorded = Pick<Reward, 'score' | 'error' | 'parts' | 'reason' | 'usage'>;

/** The scores of one built-in reward; a group rule that throws leaves the whole group unscored. */
export function ruleScores(rule: Exclude<Rule, { per: 'judge' }>, group: readonly Episode[]): Recorded[] {
  if (rule.per === 'trace') return group.map((episode) => attempt(() => rule.score(episode)));
  try {
    const scores = rule.score(group);
    return group.map((_, i) => attempt(() => scores[i]!));
  } catch (error) {
    return group.map(() => ({ score: null, error: messageOf(error) }));
  }
}

/** No judge is no score, and says so. */
async function judgeScores(
  options: JudgeOptions,
  group: readonly Episode[],
  judge: JudgeGroup | undefined,
): Promise<Recorded[]> {
  return judge ? judge(group, options) : group.map(() => ({ score: null, error: 'no judge is set up' }));
}

async function userScores(
  name: string,
  group: readonly Episode[],
  callUser: CallUserReward | undefined,
): Promise<Recorded[]> {
  const failed = (error: string): Recorded[] => group.map(() => ({ score: null, error }));
  if (!callUser) return failed(`${name}: nothing was given to run a user's reward with`);
  try {
    const scores = await callUser(
      name,
      group[0]!.task,
      group.map((episode) => episode.trace),
    );
    if (scores.length !== group.length)
      return failed(`${name}: gave ${scores.length} scores for ${group.length} traces`);
    return scores.map(({ score, error }) => (error === undefined ? attempt(() => score) : { score: null, error }));
  } catch (error) {
    return failed(`${name}: ${messageOf(error)}`);
  }
}

function attempt(rule: () => Score): Recorded {
  try {
    const given: Score = rule();
    const { score, parts }: { score: unknown; parts?: Record<string, number | null> } = isScored(given)
      ? given
      : { score: given };
    if (score === null || (typeof score === 'number' && Number.isFinite(score)))
      return { score, ...(parts ? { parts } : {}) };
    return { score: null, error: `a score must be a finite number or null, got ${String(score)}` };
  } catch (error) {
    return { score: null, error: messageOf(error) };
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
