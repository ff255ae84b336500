/** What is kept of a teacher's samples. */
import { join } from 'node:path';
import { writeFileAtomic } from '../../base/storage';
import { UserError } from '../../protocol/result';
import type { Task } from '../../protocol/task';
import { shortest, type Refusal } from '../../recipes/distill/outcome';
import { hopelessness } from '../../recipes/distill/sampleTeacher';
import { dialoguesToJsonl } from '../../store/dialogues';
import type { DistilledRun } from './distill';
import type { SampleLine } from './samplesFile';

export type Kept = Omit<NonNullable<DistilledRun['result']>, 'unanswered' | 'spent' | 'ended'>;

/** Writes dialogues.jsonl: of each task the shortest two that passed. @throws UserError where none did */
export function keep(dir: string, tasks: readonly Task[], samples: readonly SampleLine[]): Kept {
  const counts = new Map<Refusal | 'passed', number>();
  for (const { refusal } of samples) counts.set(refusal ?? 'passed', (counts.get(refusal ?? 'passed') ?? 0) + 1);
  const hopeless = hopelessness(counts, { isOver: true });
  if (hopeless) throw hopeless;
  const byTask = new Map<string, (SampleLine & { messages: NonNullable<SampleLine['messages']> })[]>();
  for (const line of [...samples].sort((a, b) => a.sample - b.sample))
    if (line.messages !== null)
      byTask.set(line.taskId, [...(byTask.get(line.taskId) ?? []), { ...line, messages: line.messages }]);
  const kept = tasks.flatMap(({ id }) =>
    shortest(byTask.get(id) ?? []).map(({ taskId, prompt, messages }) => ({ taskId, prompt, messages })),
  );
  if (kept.length === 0)
    throw new UserError(
      'policy',
      'the teacher answered nothing: there is no sample to learn from',
      'Look at what it says above, and go on with --resume.',
    );
  const dialogues = join(dir, 'dialogues.jsonl');
  writeFileAtomic(dialogues, dialoguesToJsonl(kept));
  const passed = counts.get('passed') ?? 0;
  counts.delete('passed');
  return {
    tasks: tasks.length,
    samples: samples.length,
    passed,
    kept: kept.length,
    keptTasks: byTask.size,
    dialogues,
    refused: Object.fromEntries(counts),
  };
}
