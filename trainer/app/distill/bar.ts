/**
 * A reward bar in the place of gold calls: each sample is scored by itself, by rules, by the user's own rewards, by a
 * judge.
 */
import type { Engine } from '../../model/engine/engine';
import { UserError } from '../../protocol/result';
import type { RunConfig } from '../../protocol/runConfig';
import type { ToolSchema } from '../../protocol/task';
import type { Teaching } from '../../recipes/distill/sampleTeacher';
import { openJudge } from '../../rewards/judge/judge';
import { needsJudge } from '../../rewards/judge/runJudge';
import { judgeOfConfig } from '../../rewards/judge/settings';
import { parseRewards, type RewardSpec } from '../../rewards/parseRewards';
import { scoreGroup } from '../../rewards/score';
import type { ToolHosts } from '../../tools/hosts/callTool';

/** @throws UserError for a reward that compares the members of a group: a sample is scored by itself */
export function barRewards(config: RunConfig, userRewards: readonly string[]): RewardSpec[] {
  const specs = parseRewards(config.rewards, [...userRewards]);
  const relative = specs.find(
    ({ rule }) => rule?.per === 'group' || (rule?.per === 'judge' && rule.options['mode'] === 'ranking'),
  );
  if (relative)
    throw new UserError(
      'config',
      `--bar needs rewards of one episode, and ${relative.name} compares a group`,
      'Leave it out of --reward, or leave --bar out: gold calls and answers decide then.',
    );
  return specs;
}

export async function openBar(o: {
  least: number;
  specs: readonly RewardSpec[];
  config: RunConfig;
  environment: Readonly<Record<string, string | undefined>>;
  tools: readonly ToolSchema[];
  hosts: Pick<ToolHosts, 'scoreReward'>;
  engine: Engine | null;
  signal: AbortSignal;
}): Promise<NonNullable<Teaching['bar']> & { close(): void }> {
  const judge = needsJudge(o.specs)
    ? await openJudge({ settings: judgeOfConfig(o.config, o.environment), engine: o.engine, signal: o.signal })
    : null;
  await judge?.check();
  return {
    least: o.least,
    close: () => judge?.close(),
    async score(task, trace) {
      const [scored] = await scoreGroup(
        task,
        [trace],
        o.tools,
        o.specs,
        (name, of, traces) => o.hosts.scoreReward(name, of, [...traces]),
        judge?.judge,
      );
      return scored!;
    },
  };
}
