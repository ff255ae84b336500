/**
 * Episodes that the student samples itself, to learn what a teacher would have said in its place: GKD, on-policy
 * distillation (Agarwal et al., arXiv:2306.13649, algorithm 1).
 */
import type { TrainedTrace } from '../../learning/batch';
import { DEFAULTS } from '../../protocol/settings/defaults';
import type { Task } from '../../protocol/task';
import type { Trace } from '../../protocol/trace';
import { environmentsOf } from '../../rollout/environment/runEnvironment';
import { rollOut } from '../../rollout/group';
import { exploringTemperature, samplingOf } from '../../rollout/policy/sampling';
import { writeVerdicts } from '../../rollout/verdicts/verdicts';
import type { Session } from './session';

export type OwnSamples = ReadonlyMap<Task, TrainedTrace & { trace: Trace }>;

/**
 * By task, for the share of an update's tasks that `sftOwnSamples` says.
 * @param at update: from 1, over all steps; step: whose it is
 */
export async function ownSamples(
  s: Session,
  { update, step }: { update: number; step: number },
  tasks: readonly Task[],
): Promise<OwnSamples> {
  const { config, tools, shown, hosts, run, signal, now } = s.context;
  const { sftOwnSamples = DEFAULTS.sftOwnSamples } = config;
  const own = s.random
    .fork(`own ${update}`)
    .shuffle([...new Set(tasks)])
    .slice(0, Math.round(sftOwnSamples * tasks.length));
  if (own.length === 0) return new Map();
  const temperature = exploringTemperature(config);
  const rollouts = await rollOut(
    own.map((task, i) => ({
      id: `s${update}-own${i}`,
      task,
      groupId: `s${update}-own${i}`,
      indexInGroup: 0,
      random: s.random.fork(`own sample ${update} ${task.id}`),
    })),
    {
      policy: s.policy,
      environmentFor: environmentsOf({
        tools,
        shown: shown && { of: s.shownFor, begin: shown.begin },
        hosts,
        config,
        now,
      }),
      inertia: s.context.inertia,
      maxTurns: config.maxTurns,
      sampling: samplingOf(config, temperature),
      runId: run.id,
      phase: 'train',
      step,
      seed: config.seed,
      signal,
      now,
    },
  );
  rollouts.forEach(({ trace }, i) => writeVerdicts(trace, own[i]!, tools));
  // the student is to be as the teacher at temperature 1, whatever it was sampled at
  return new Map(rollouts.map(({ trace, allowed }, i) => [own[i]!, { trace, allowed }]));
}

/** It holds a choice; a cancel may have come before. */
export const isLearnable = ({ trace: { tokens } }: Pick<TrainedTrace, 'trace'>): boolean =>
  tokens.completionMask.includes(1);
