/** Whether an episode of an evaluation breaks a run's compliance rewards; evaluations are not scored otherwise. */
import { Episode } from '../rewards/episode';
import { parseRewards } from '../rewards/parseRewards';
import { BUILT_IN_REWARDS } from '../rewards/registry';
import { LOOKS_AT_COMPLIANCE } from '../rewards/conduct';
import { isScored, type RewardRule } from '../rewards/rule';
import { UserError } from '../protocol/result';
import type { RunConfig } from '../protocol/runConfig';
import type { ToolSchema } from '../protocol/task';
import type { Measured } from './agentMetrics';

/**
 * By the rewards that need no judge. Where they can't be read any more (an evaluation may be on another file's tools,
 * a file of patterns may be gone) nothing looks at compliance.
 * @returns null where none of the rewards does
 */
export function violationRule(
  { rewards }: Pick<RunConfig, 'rewards'>,
  tools: readonly ToolSchema[],
): (episode: Measured) => boolean | null {
  const rules = rulesOf(rewards);
  return ({ task, trace }) => {
    const episode = new Episode(task, trace, tools);
    const penalties = rules.flatMap((rule) => {
      const score = rule(episode);
      const penalty = isScored(score) ? (score.parts['compliance'] ?? null) : score;
      return penalty === null ? [] : [penalty];
    });
    return penalties.length === 0 ? null : penalties.some((penalty) => penalty < 0);
  };
}

function rulesOf(rewards: string): RewardRule[] {
  const names = rewards.split(',').map((part) => part.trim().split(/[:*]/)[0]!);
  if (!names.some((name) => LOOKS_AT_COMPLIANCE.includes(name))) return [];
  const users = names.filter((name) => !Object.hasOwn(BUILT_IN_REWARDS, name));
  try {
    return parseRewards(rewards, users).flatMap(({ name, rule }) =>
      rule?.per === 'trace' && LOOKS_AT_COMPLIANCE.includes(name) ? [rule.score] : [],
    );
  } catch (error) {
    if (error instanceof UserError) return [];
    throw error;
  }
}
