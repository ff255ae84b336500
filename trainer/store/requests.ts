/**
 * Requests that a person typed into *Try It* and said what is right of. They are kept to measure on and never trained
 * on: `.coach/requests/STEM.jsonl`, one a line in the form of a task file, STEM as the tool file lies in the workspace.
 */
import { existsSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { parseJson } from '../base/json';
import { makeFolderBelow, readTextFile, writeFileAtomic } from '../base/storage';
import { UserError } from '../protocol/result';
import { Task } from '../protocol/task';
import { ensureCoachFolder } from './runs/workspace';

const FOLDER = join('.coach', 'requests');

/** Where a tool file's requests lie, or would lie: `mail/tools.ts` -> `.coach/requests/mail/tools.jsonl`. */
export function requestsFile(workspace: string, toolFile: string): string {
  const inside = relative(workspace, toolFile);
  const isOutside = inside.startsWith('..') || isAbsolute(inside);
  const stem = (isOutside ? basename(toolFile) : inside || 'tools').replace(/\.[cm]?[jt]sx?$/, '');
  return join(workspace, FOLDER, `${stem.replaceAll(':', '-')}.jsonl`);
}

/** Whether a task file is one of kept requests. */
export const isRequestsFile = (file: string): boolean => resolve(file).includes(`${sep}${FOLDER}${sep}`);

/**
 * The requests of a file, not held against the tools; none where there is no file.
 * @throws UserError with file:line where a line is no task
 */
export function readRequestLines(file: string): Task[] {
  if (!existsSync(file)) return [];
  return readTextFile(file)
    .split(/\r?\n/)
    .flatMap((line, i) => (line.trim() === '' ? [] : [parseLine(line, `${file}:${i + 1}`)]));
}

function parseLine(line: string, where: string): Task {
  let value: unknown;
  try {
    value = parseJson(line);
  } catch (error) {
    throw noRequest(where, (error as Error).message);
  }
  const task = Task.safeParse(value);
  if (task.success) return task.data;
  const issue = task.error.issues[0];
  throw noRequest(where, `${issue?.path.join('.') || 'the line'}: ${issue?.message ?? 'is no task'}`);
}

const noRequest = (where: string, why: string): UserError =>
  new UserError('task', `${where}: the line is no request (${why})`, 'Correct the line, or take it out.');

/** The whole file anew, on the disk when it returns. */
export function writeRequests(workspace: string, file: string, requests: readonly Task[]): void {
  makeFolderBelow(ensureCoachFolder(workspace), dirname(file));
  writeFileAtomic(file, requests.map((request) => `${JSON.stringify(request)}\n`).join(''));
}

/** Words alone: a request is the same one whatever its spaces and capitals. */
const sameWords = (prompt: string): string => prompt.trim().replace(/\s+/g, ' ').toLowerCase();

/** Tells of a prompt whether it is kept to measure on. */
export function keptRequests(workspace: string, toolFile: string): (prompt: string) => boolean {
  const kept = new Set(readRequestLines(requestsFile(workspace, toolFile)).map(({ prompt }) => sameWords(prompt)));
  return (prompt) => kept.has(sameWords(prompt));
}

/** The task that asks for the same, if it is there: a person who says a request again corrects it. */
export const requestOf = (tasks: readonly Task[], prompt: string): Task | undefined =>
  tasks.find((task) => sameWords(task.prompt) === sameWords(prompt));
