/** Whether a run's rewards ask a judge, and that judge, opened. */
import type { Engine } from '../model/engine/engine';
import type { RunConfig } from '../protocol/runConfig';
import { isSampled } from '../protocol/runMethod';
import { needsJudge, openRunJudge, type RunJudge } from '../rewards/judge/runJudge';
import { parseRewards, type RewardSpec } from '../rewards/parseRewards';
import type { RunWriter } from '../store/runs/runFolder';
import type { ToolHosts } from '../tools/hosts/callTool';
import type { Discovered } from '../tools/sources/typescript/discover';
import { candidateConfigs, stageConfigs } from './stages';
import type { Plan, StartOptions } from './startRun';

export const specsOf = ({ rewards }: RunConfig, found: Discovered): RewardSpec[] =>
  parseRewards(
    rewards,
    found.rewards.map((reward) => reward.name),
  );

/** @throws UserError where the rewards are not right. Given pairs and examples are scored by nobody. */
export function asksJudge(config: RunConfig, found: Discovered): boolean {
  if (config.stages !== undefined)
    return [...stageConfigs(config), ...candidateConfigs(config)].some((stage) => asksJudge(stage, found));
  return needsJudge(specsOf(config, found)) && isSampled(config);
}

/** Its tools, where it may call some, run in a session of their own each time. */
export async function judgeOf(
  { config, workspace, found, tools: schemas }: Plan,
  run: RunWriter,
  hosts: ToolHosts,
  engine: Engine,
  { environment = {}, signal }: StartOptions,
): Promise<RunJudge | null> {
  if (!asksJudge(config, found)) return null;
  let calls = 0;
  const call = async (name: string, args: Record<string, unknown>, stop: AbortSignal): Promise<string> => {
    const session = hosts.open(`judge-${++calls}`);
    try {
      return (await session.call(name, args, stop)).content;
    } finally {
      session.close();
    }
  };
  return openRunJudge({
    config,
    workspace,
    environment,
    dir: run.dir,
    tools: { schemas, call },
    engine,
    signal,
    record: (verdict) => run.recordVerdict(verdict),
  });
}
