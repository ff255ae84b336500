/** Which tasks are trained on, chosen by, and measured on. */
import { UserError } from '../../protocol/result';
import type { RunConfig } from '../../protocol/runConfig';
import { GATE_SHARE, GATE_TASKS } from '../../protocol/stages';
import type { Split, Task, ToolSchema } from '../../protocol/task';
import { readDialogues } from '../../store/dialogues';
import { readTrainingPairs } from '../../store/preferences/trainingPairs';
import { readTaskSplits } from '../../store/runs/readRun';
import { contentKey, splitTasks, withMoreValidation } from '../../tasks/taskset';
import type { MadeTasks } from './tasks';

/**
 * As that run has them; other tasks are trained on, but for those with the content of one that is measured on. A run of
 * one stage validates with too few to judge gates by: to them come training tasks of it that nothing is given of.
 */
function splitsOfRun(
  dir: string,
  tasks: readonly Task[],
  config: RunConfig,
  tools: readonly ToolSchema[],
): Record<Split, Task[]> {
  const splits = readTaskSplits(dir);
  const known = idsOf(Object.values(splits).flat());
  const measured = new Set([...splits.validation, ...splits.heldOut].map((task) => contentKey(task, tools)));
  const more = tasks.filter((task) => !known.has(task.id) && !measured.has(contentKey(task, tools)));
  const whole = { ...splits, train: [...splits.train, ...more] };
  if (config.stages === undefined) return whole;
  const [own, given] = [idsOf(splits.train), givenTasks(config)];
  const gate = { validation: GATE_TASKS, mostValidation: GATE_SHARE, tools };
  return withMoreValidation(whole, gate, ({ id }) => own.has(id) && !given.has(id));
}

/** Ids of the tasks that a run is given a dialogue or a pair of. */
function givenTasks({ sftDialogues, pairs }: RunConfig): Set<string> {
  const dialogues = sftDialogues === undefined ? [] : readDialogues(sftDialogues);
  const preferences = pairs === undefined ? [] : readTrainingPairs(pairs, null).pairs;
  return new Set([...dialogues.map(({ taskId }) => taskId), ...preferences.flatMap(({ pair }) => pair.taskId ?? [])]);
}

const idsOf = (tasks: readonly Task[]): Set<string> => new Set(tasks.map(({ id }) => id));

/** @throws UserError that names the source where a split would be empty */
export function splitFor(
  config: RunConfig,
  { tasks, source }: Pick<MadeTasks, 'tasks' | 'source'>,
  tools: readonly ToolSchema[],
): Record<Split, Task[]> {
  if (config.splitsOf !== undefined) return splitsOfRun(config.splitsOf, tasks, config, tools);
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
