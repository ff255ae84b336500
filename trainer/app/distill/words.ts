/** What a run says of its teacher: who is asked, what was kept, what it took. */
import type { Note, NoteCode, NoteLevel } from '../../protocol/note';
import type { Refusal } from '../../recipes/distill/outcome';
import { refusalWords } from '../../recipes/distill/sampleTeacher';
import type { Distilled } from './distill';
import type { Kept } from './keep';
import { isServer, type Spent, type TeacherBudget } from './teacher';

export function openingWords(
  { teacher, model, samples }: Distilled,
  tasks: number,
  known: number,
  { tokens, usd }: TeacherBudget,
): string {
  const budget = isServer(teacher) ? `; at most ${tokens} tokens${usd === null ? '' : ` or ${usd} USD`}` : '';
  const before = known === 0 ? '' : `, ${known} of them known from before`;
  return `Teacher ${model} at ${teacher}: ${samples} samples on each of ${tasks} training tasks${before}${budget}`;
}

export function closing(
  { samples, passed, kept, keptTasks, tasks, refused }: Kept,
  unanswered: readonly { why: string }[],
  spent: Spent | null,
): Note[] {
  const say = (level: NoteLevel, code: NoteCode, message: string): Note => ({ level, code, message });
  const reasons = refusalWords(new Map(Object.entries(refused) as [Refusal, number][]));
  const cost = spent && costWords(spent, samples);
  return [
    say(
      'info',
      'teacherKept',
      `${passed} of ${samples} samples passed; kept are ${kept} dialogues on ${keptTasks} of ` +
        `${tasks} tasks${reasons === '' ? '' : `. Refused: ${reasons}`}`,
    ),
    ...(cost ? [say(cost.level, 'teacherAsked', cost.message)] : []),
    ...(unanswered.length === 0
      ? []
      : [
          say(
            'warning',
            'tasksUnanswered',
            `${unanswered.length} samples got no answer: ${unanswered[0]!.why}. --resume asks for them again`,
          ),
        ]),
  ];
}

function costWords(
  { requests, promptTokens, completionTokens, usd }: Spent,
  samples: number,
): Pick<Note, 'level' | 'message'> {
  if (samples > 0 && promptTokens + completionTokens === 0)
    return {
      level: 'warning',
      message: `The teacher took ${requests} requests, and its server counts no tokens: the budget could not be held`,
    };
  const money = usd === null ? '' : `, ${usd.toFixed(4)} USD`;
  return {
    level: 'info',
    message: `The teacher took ${requests} requests, ${promptTokens} + ${completionTokens} tokens${money}`,
  };
}
