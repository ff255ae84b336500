/** One more task for a tool file, at the end of its *.tasks.jsonl. What is there already is not touched. */
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Task, ToolSchema } from '../protocol/task';
import { appendText, readTextFile } from '../base/storage';
import { checkTask, ownTasksFile, readTasks, tasksFileBeside, tasksToJsonl } from './readTasks';

export interface AddedTask {
  file: string;
  /** of the task, from 1 */
  line: number;
  /** a task of that id was there before; nothing was written */
  isKnown: boolean;
}

/** The task file of a tool file, also where there is none yet. */
export function taskFileFor(toolFile: string): { file: string; exists: boolean } {
  const file = tasksFileBeside(toolFile);
  if (file !== null) return { file, exists: true };
  const isFolder = statSync(toolFile, { throwIfNoEntry: false })?.isDirectory() ?? false;
  return { file: isFolder ? join(toolFile, 'tools.tasks.jsonl') : ownTasksFile(toolFile), exists: false };
}

/**
 * @param others tasks that a new file begins with: once there is a file, no tasks are generated any more
 * @throws UserError where the task is none that a policy could solve, or the file has a fault: training would refuse it
 */
export function addTask(
  toolFile: string,
  task: Task,
  tools: readonly ToolSchema[],
  others: readonly Task[] = [],
): AddedTask {
  const { file, exists } = taskFileFor(toolFile);
  checkTask(task, tools, `task ${task.id}`);
  if (!exists) {
    const before = others.filter(({ id }) => id !== task.id);
    appendText(file, tasksToJsonl([...before, task]));
    return { file, line: before.length + 1, isKnown: false };
  }
  const text = existsSync(file) ? readTextFile(file) : '';
  if (text.trim() !== '') readTasks(file, tools);
  const lines = text.split(/\r?\n/);
  const known = lines.findIndex(
    (line) => line.trim() !== '' && (JSON.parse(line.replace(/^\ufeff/, '')) as Task).id === task.id,
  );
  if (known >= 0) return { file, line: known + 1, isKnown: true };
  const isEnded = text === '' || text.endsWith('\n');
  appendText(file, `${isEnded ? '' : '\n'}${tasksToJsonl([task])}`);
  return { file, line: lines.length + (isEnded ? 0 : 1), isKnown: false };
}
