/** Which tasks are trained on, chosen by, and measured on. */
import { UserError } from '../../protocol/result';
import type { RunConfig } from '../../protocol/runConfig';
import { GATE_SHARE, GATE_TASKS } from '../../protocol/stages';
import type { Split, Task, ToolSchema } from '../../protocol/task';
import { readTaskSplits, traceSummaries } from '../../store/runs/readRun';
import { contentKey, splitTasks, withMoreValidation } from '../../tasks/taskset';
import type { MadeTasks } from './tasks';

/**
 * As that run has them; other tasks are trained on, but for those with the content of one that is measured on. A run of
 * one stage has too few to judge gates by: where `isGated`, those that it made no rollout of in training come to them.
 */
function splitsOfRun(
  dir: string,
  tasks: readonly Task[],
  { tools, isGated }: { tools: readonly ToolSchema[]; isGated: boolean },
): Record<Split, Task[]> {
  const splits = readTaskSplits(dir);
  const known = new Set(
    Object.values(splits)
      .flat()
      .map(({ id }) => id),
  );
  const measured = new Set([...splits.validation, ...splits.heldOut].map((task) => contentKey(task, tools)));
  const more = tasks.filter((task) => !known.has(task.id) && !measured.has(contentKey(task, tools)));
  const whole = { ...splits, train: [...splits.train, ...more] };
  if (!isGated) return whole;
  const trained = new Set(traceSummaries(dir).flatMap(({ phase, taskId }) => (phase === 'train' ? [taskId] : [])));
  const gate = { validation: GATE_TASKS, mostValidation: GATE_SHARE, tools };
  return withMoreValidation(whole, gate, ({ id }) => known.has(id) && !trained.has(id));
}

/** @throws UserError that names the source where a split would be empty */
export function splitFor(
  config: RunConfig,
  { tasks, source }: Pick<MadeTasks, 'tasks' | 'source'>,
  tools: readonly ToolSchema[],
): Record<Split, Task[]> {
  if (config.splitsOf !== undefined)
    return splitsOfRun(config.splitsOf, tasks, { tools, isGated: config.stages !== undefined });
  try {
    // the gates between stages are judged on validation tasks, which a few hundred tasks of a person have too few of
    const validation =
      config.stages === undefined
        ? { validation: config.evalTasks }
        : { validation: Math.max(config.evalTasks, GATE_TASKS), mostValidation: GATE_SHARE };
    return splitTasks(tasks, { heldOut: config.heldOutTasks, ...validation, tools });
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    throw new UserError(
      error.border,
      `${source === 'generated' ? 'generated tasks' : source}: ${error.message}`,
      error.hint,
    );
  }
}
