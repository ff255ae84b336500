import type { Metrics, TrainerEventBody } from '../../protocol/messages';
import type { Task } from '../../protocol/task';
import type { Trace } from '../../protocol/trace';
import { parseRewards } from '../../rewards/parseRewards';
import { scoreGroup } from '../../rewards/score';
import { writeVerdicts } from '../../rollout/verdicts/verdicts';
import type { OtherNames } from './renamer';
import type { Session } from './session';

export interface StepGroup {
  id: string;
  task: Task;
  /** what its tools were called */
  names?: OtherNames | null;
}

export interface Scoring {
  /** an episode of one of the groups is over */
  ended(trace: Trace): void;
  /** @param traces of all groups, in their order; @returns those of group g, scored */
  of(traces: readonly Trace[], g: number): Promise<Trace[]>;
  /** @param traces of all groups, in their order; a stop gives them back as they are */
  scores(traces: readonly Trace[]): Promise<Trace[]>;
}

/**
 * Scores a step's groups. With a judge each as soon as its last rollout has ended, beside the rollouts of the others,
 * since it answers from afar: the step
 * waits for the slowest reply, and for that no longer than it must. Without one, when all have ended, one after the
 * other.
 */
export function openScoring(s: Session, groups: readonly StepGroup[]): Scoring {
  const { config, tools, hosts, signal, judge } = s.context;
  const specs = parseRewards(
    config.rewards,
    hosts.rewards.map((r) => r.name),
  );
  const scoreOne = async ({ task, names }: StepGroup, ended: readonly Trace[]): Promise<Trace[]> => {
    const group = names ? ended.map((trace) => names.renamed.restored(trace)) : ended;
    for (const trace of group) writeVerdicts(trace, task, tools);
    return scoreGroup(
      task,
      group,
      tools,
      specs,
      (name, ofTask, list) => hosts.scoreReward(name, ofTask, [...list]),
      judge?.judge,
    );
  };
  const open = new Map(groups.map((group) => [group.id, { group, over: [] as Trace[] }]));
  const begun = new Map<string, Promise<Trace[]>>();
  const of: Scoring['of'] = (traces, g) => {
    const { id } = groups[g]!;
    const scored =
      begun.get(id) ?? scoreOne(groups[g]!, traces.slice(g * config.groupSize, (g + 1) * config.groupSize));
    begun.set(id, scored);
    return scored;
  };
  return {
    of,
    ended(trace) {
      const { group, over } = open.get(trace.groupId)!;
      if (!judge || signal.aborted || over.push(trace) < config.groupSize) return;
      const scored = scoreOne(
        group,
        over.sort((a, b) => a.indexInGroup - b.indexInGroup),
      );
      scored.catch(() => undefined); // said by `scores`, which waits for it
      begun.set(trace.groupId, scored);
    },
    async scores(traces) {
      const scored: Trace[] = [];
      try {
        for (let g = 0; g < groups.length && !signal.aborted; g++) scored.push(...(await of(traces, g)));
      } catch (error) {
        if (!signal.aborted) throw error;
      }
      return signal.aborted ? [...traces] : scored;
    },
  };
}

/** What the judge did in this step: notes, and figures for the curve. Nothing without a judge. */
export function* judgeStep(s: Session, step: number): Generator<TrainerEventBody, Metrics> {
  if (!s.context.judge) return {};
  const { notes, metrics } = s.context.judge.endStep(step, step === s.context.config.steps);
  for (const note of notes) yield { type: 'noted', ...note };
  return metrics;
}
