/** Dialogues of a teacher in the place of gold ones; what was taken is kept in the run's folder. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Random } from '../../base/random';
import { writeFileAtomic } from '../../base/storage';
import type { Note } from '../../protocol/note';
import { UserError } from '../../protocol/result';
import type { Task } from '../../protocol/task';
import type { Message } from '../../protocol/trace';
import { dialoguesToJsonl, readDialogues, type Dialogue } from '../../store/dialogues';
import type { RecipeContext } from '../recipe';

export interface GivenDialogues {
  /** the training tasks that there are dialogues of */
  tasks: Task[];
  /** one of a task's; null: its gold is to be shown */
  of(task: Task, random: Random): { index: number; messages: Message[]; trainFrom: number } | null;
  note: Note;
}

/**
 * A resumed run takes what it began with. Only tasks that this run trains on are learnt from: a dialogue of any other
 * may show a task that it is measured on.
 * @throws UserError where there is none, or the file can't be read
 */
export function givenDialogues({ run, tasks }: RecipeContext, file: string): GivenDialogues {
  const kept = join(run.dir, 'dialogues.jsonl');
  const isResumed = existsSync(kept);
  const read = readDialogues(isResumed ? kept : file);
  const byTask = new Map<string, Dialogue[]>();
  const known = new Map(tasks.train.map((task) => [task.id, task]));
  for (const dialogue of read)
    if (known.get(dialogue.taskId)?.prompt === dialogue.prompt)
      byTask.set(dialogue.taskId, [...(byTask.get(dialogue.taskId) ?? []), dialogue]);
  const taken = [...byTask.values()].flat();
  if (taken.length === 0)
    throw new UserError(
      'task',
      `sftDialogues: ${file} holds ${read.length} dialogues, and none is of a task that this run trains on`,
      'Train with the tasks, the seed and the taskCount that the teacher was asked with, or ask it ' +
        'again: coach distill FILE --teacher …',
    );
  if (!isResumed) writeFileAtomic(kept, dialoguesToJsonl(taken));
  const others = read.length - taken.length;
  return {
    tasks: tasks.train.filter(({ id }) => byTask.has(id)),
    of({ id }, random) {
      const those = byTask.get(id)!;
      const index = random.int(those.length);
      const { messages, trainFrom = 0 } = those[index]!;
      return messages ? { index, messages, trainFrom } : null;
    },
    note: {
      level: others > 0 ? 'warning' : 'info',
      code: 'dialoguesTaken',
      message:
        `Learning from ${taken.length} dialogues on ${byTask.size} of ${tasks.train.length} training ` +
        'tasks; they are kept in ' +
        `dialogues.jsonl${others > 0 ? `. ${others} are of tasks that this run does not train on, and are left out` : ''}`,
    },
  };
}
