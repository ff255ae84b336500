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

/** As that run has them; other tasks are trained on, but for those with the content of one that is measured on. */
function splitsOfRun(dir: string, tasks: readonly Task[], tools: readonly ToolSchema[]): Record<Split, Task[]> {
  const splits = readTaskSplits(dir);
  const known = idsOf(Object.values(splits).flat());
  const measured = new Set([...splits.validation, ...splits.heldOut].map((task) => contentKey(task, tools)));
  const more = tasks.filter((task) => !known.has(task.id) && !measured.has(contentKey(task, tools)));
  return { ...splits, train: [...splits.train, ...more] };
}

/**
 * A run of one stage validates with too few to judge gates by: to them come training tasks of it that this run has no
 * dialogue or pair of.
 */
function withGateTasks(
  splits: Record<Split, Task[]>,
  { splitsOf, sftDialogues, pairs }: RunConfig,
  tools: readonly ToolSchema[],
): Record<Split, Task[]> {
  const given = [
    ...(sftDialogues === undefined ? [] : readDialogues(sftDialogues)),
    ...(pairs === undefined ? [] : readTrainingPairs(pairs, null).pairs.map(({ pair }) => pair)),
  ];
  const learnt = new Set(given.map(({ taskId }) => taskId));
  const own = idsOf(readTaskSplits(splitsOf!).train);
  const gate = { validation: GATE_TASKS, mostValidation: GATE_SHARE, tools };
  return withMoreValidation(splits, gate, ({ id }) => own.has(id) && !learnt.has(id));
}

const idsOf = (tasks: readonly Task[]): Set<string> => new Set(tasks.map(({ id }) => id));

/** @throws UserError that names the source where a split would be empty */
export function splitFor(
  config: RunConfig,
  { tasks, source }: Pick<MadeTasks, 'tasks' | 'source'>,
  tools: readonly ToolSchema[],
): Record<Split, Task[]> {
  if (config.splitsOf !== undefined) {
    const splits = splitsOfRun(config.splitsOf, tasks, tools);
    return config.stages === undefined ? splits : withGateTasks(splits, config, tools);
  }
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
