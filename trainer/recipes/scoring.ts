import type { Metrics, TrainerEventBody } from '../protocol/messages';
import type { Task } from '../protocol/task';
import type { Trace } from '../protocol/trace';
import { parseRewards } from '../reward/parseRewards';
import { scoreGroup } from '../reward/score';
import { isSolved, outcomeOf } from '../tasks/solved';
import type { Session } from './session';

/**
 * Scores a step's groups. Without a judge one after the other; with one all at once, since it answers from afar: the step waits for the slowest reply and not
 * for their sum. A stop gives the traces back as they are.
 *
 * @param traces group by group, in the order of the tasks
 */
export async function scoreStep(s: Session, tasks: readonly Task[], traces: readonly Trace[]): Promise<Trace[]> {
  const { config, tools, hosts, signal, judge } = s.context;
  const specs = parseRewards(config.rewards, hosts.rewards.map((r) => r.name));
  const scoreOne = async (task: Task, g: number): Promise<Trace[]> => {
    const group = traces.slice(g * config.groupSize, (g + 1) * config.groupSize);
    for (const trace of group) trace.solved = isSolved(task, outcomeOf(trace), tools);
    return scoreGroup(task, group, tools, specs, (name, ofTask, list) => hosts.scoreReward(name, ofTask, [...list]), judge?.judge);
  };
  const scored: Trace[] = [];
  try {
    if (judge) scored.push(...(await Promise.all(tasks.map(scoreOne))).flat());
    else for (let g = 0; g < tasks.length && !signal.aborted; g++) scored.push(...(await scoreOne(tasks[g], g)));
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  return signal.aborted ? [...traces] : scored;
}

/** What the judge did in this step: notes, and figures for the curve. Nothing without a judge. */
export function* judgeStep(s: Session, step: number): Generator<TrainerEventBody, Metrics> {
  if (!s.context.judge) return {};
  const { notes, metrics } = s.context.judge.endStep(step, step === s.context.config.steps);
  for (const { level, message } of notes) yield { type: 'noted', level, message };
  return metrics;
}
