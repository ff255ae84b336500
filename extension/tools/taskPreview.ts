/** What `coach tasks --json` says, by who wrote the requests. Free of `vscode`. */
import { z } from 'zod';
import { sourceOf, Task, TASK_SOURCES, type TaskSource } from '../../trainer/protocol/task';

const Said = z.object({ tasks: z.array(Task).min(1) });
const SHOWN = 5;

export interface TaskPreview {
  taskCount: number;
  /** those that there are, from the nearest to people on */
  bySource: { source: TaskSource; count: number }[];
  /** five at most, as evenly spread over the sources as there are */
  shown: Task[];
  /** all of them, a line each */
  jsonl: string;
}

/** @throws where it is not what `coach tasks --json` prints */
export function parsePreview(json: string): TaskPreview {
  const { tasks } = Said.parse(JSON.parse(json));
  const groups = TASK_SOURCES.map((source) => tasks.filter((task) => sourceOf(task) === source));
  const inTurn = Array.from({ length: SHOWN }, (_, i) => groups.flatMap((group) => group.slice(i, i + 1))).flat();
  return {
    taskCount: tasks.length,
    bySource: TASK_SOURCES.map((source, i) => ({ source, count: groups[i]!.length })).filter(({ count }) => count > 0),
    shown: inTurn.slice(0, SHOWN),
    jsonl: tasks.map((task) => `${JSON.stringify(task)}\n`).join(''),
  };
}
