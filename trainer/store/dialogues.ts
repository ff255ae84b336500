/** Dialogues to learn from, as JSON lines: what was done on tasks, by the messages alone, or that their gold is. */
import { z } from 'zod';
import { parseJson } from '../base/json';
import { readTextFile } from '../base/storage';
import { UserError } from '../protocol/result';
import { Message } from '../protocol/trace';

export const Dialogue = z.object({
  taskId: z.string(),
  /** the task's request: an id may mean another task elsewhere */
  prompt: z.string(),
  /** absent: the task's gold calls are made, and that is learnt */
  messages: z.array(Message).min(2).optional(),
  /** the first message that is learnt: what a wrong call says before it is not; absent: the first one */
  trainFrom: z.number().int().min(0).optional(),
});
export type Dialogue = z.infer<typeof Dialogue>;

export const dialoguesToJsonl = (dialogues: readonly Dialogue[]): string =>
  dialogues.map((dialogue) => `${JSON.stringify(dialogue)}\n`).join('');

/** @throws UserError where it can't be read, or a line of it is no dialogue */
export function readDialogues(file: string): Dialogue[] {
  return readTextFile(file)
    .split('\n')
    .flatMap((line, i) => (line.trim() === '' ? [] : [dialogueOf(line, `${file}:${i + 1}`)]));
}

function dialogueOf(line: string, where: string): Dialogue {
  let json: unknown;
  try {
    json = parseJson(line);
  } catch (error) {
    throw new UserError('task', `${where}: is not JSON: ${(error as Error).message}`, HINT);
  }
  const parsed = Dialogue.safeParse(json);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0]!;
  throw new UserError('task', `${where}: is no dialogue: ${issue.path.join('.')} ${issue.message}`, HINT);
}

const HINT = 'A line is {"taskId", "prompt", "messages": [...]}; coach distill writes such a file.';
