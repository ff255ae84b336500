/** Lessons as files, in the forms that training reads: tasks, bare pairs, dialogues. A kind without any has no file. */
import { mkdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { storing, writeFileAtomic } from '../../base/storage';
import { dialoguesToJsonl } from '../../store/dialogues';
import { tasksToJsonl } from '../readTasks';
import type { Taken } from './flywheel';

export interface LessonFiles {
  tasks?: string;
  pairs?: string;
  dialogues?: string;
}

/** @param out a name, or one of its files: lessons, lessons.tasks.jsonl. What stood there is written over. */
export function writeLessons({ tasks, pairs, dialogues }: Omit<Taken, 'plan'>, out: string): LessonFiles {
  const stem = basename(out).replace(/(\.(tasks|pairs|dialogues))?\.jsonl$/, '');
  const files: LessonFiles = {};
  storing(dirname(out), () => mkdirSync(dirname(out), { recursive: true }));
  const write = (kind: keyof LessonFiles, n: number, text: () => string): void => {
    const file = join(dirname(out), `${stem}.${kind}.jsonl`);
    if (n === 0) return storing(file, () => rmSync(file, { force: true })); // of an earlier time
    writeFileAtomic(file, text());
    files[kind] = file;
  };
  write('tasks', tasks.length, () => tasksToJsonl(tasks));
  write('pairs', pairs.length, () => pairs.map((pair) => `${JSON.stringify(pair)}\n`).join(''));
  write('dialogues', dialogues.length, () => dialoguesToJsonl(dialogues));
  return files;
}
