/** Looks at a run's curve for signs of reward hacking after each step, and says each kind once. */
import type { Metrics, TrainerEventBody } from '../../protocol/messages';
import { parseRewards } from '../../rewards/parseRewards';
import { BUILT_IN_REWARDS } from '../../rewards/registry';
import {
  newWarnings,
  noteOf,
  rewardWarnings,
  toldIn,
  type RecordedSteps,
  type RewardWarning,
} from '../../rewards/warnings';
import { foldRun } from '../../store/runs/readRun';
import type { RecipeContext } from '../recipe';

export interface RewardWatch {
  /** success: of the validation after this step, where there was one */
  after(step: number, metrics: Metrics, success: number | null): Generator<TrainerEventBody, void>;
}

/** A resumed run knows what was measured, and told, before. */
export function openRewardWatch({
  config,
  hosts,
  tasks,
  run,
  resumeFrom,
}: Pick<RecipeContext, 'config' | 'hosts' | 'tasks' | 'run' | 'resumeFrom'>): RewardWatch {
  const specs = parseRewards(
    config.rewards,
    hosts.rewards.map((reward) => reward.name),
  ).filter((spec) => !spec.isChannel);
  const before = resumeFrom ? foldRun(run.dir) : null;
  const curve = before?.curve.map(({ step, metrics }) => ({ step, metrics })) ?? [];
  const validation = before?.validation.map(({ step, result }) => ({ step, success: result.success })) ?? [];
  const told = new Set<RewardWarning['kind']>(before ? toldIn(before.notes) : []);
  const calls = tasks.train.flatMap((task) => (task.calls === undefined ? [] : [task.calls.length]));
  const known: Omit<RecordedSteps, 'curve' | 'validation'> = {
    weights: Object.fromEntries(specs.map(({ name, weight }) => [name, weight])),
    ranges: Object.fromEntries(
      specs.flatMap(({ name, rule }) => {
        const range = BUILT_IN_REWARDS[name]?.range;
        return rule === null || range === undefined ? [] : [[name, range[1] - range[0]]];
      }),
    ),
    neededCalls: calls.length === 0 ? null : calls.reduce((sum, count) => sum + count, 0) / calls.length,
  };
  return {
    *after(step, metrics, success) {
      curve.push({ step, metrics });
      if (success !== null) validation.push({ step, success });
      for (const warning of newWarnings(told, rewardWarnings({ ...known, curve, validation }))) {
        told.add(warning.kind);
        yield { type: 'noted', ...noteOf(warning) };
      }
    },
  };
}
