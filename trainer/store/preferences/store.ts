/**
 * The file of preferences: whole lines are appended in one write and synced; nothing in it is ever changed or cut off,
 * since other windows write it, too.
 */
import { execFileSync } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { closeSync, fstatSync, fsyncSync, readSync, writeSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import {
  parsePreferenceLine,
  PreferenceLine,
  PREFERENCES_VERSION,
  type Author,
  type LineProblem,
  type PreferenceBody,
} from '../../protocol/preferences';
import { foldPreferences, type PreferenceState } from '../../protocol/preferenceState';
import { UserError } from '../../protocol/result';
import { openToWrite, readTextFile, storing } from '../../base/storage';
import { ensureCoachFolder, workspaceAt } from '../runs/workspace';

export const preferencesFile = (workspace: string): string =>
  join(workspaceAt(workspace), '.coach', 'preferences.jsonl');

export interface ReadPreferences {
  lines: PreferenceLine[];
  /** torn, foreign and newer lines, by number */
  problems: LineProblem[];
}

/** All lines that can be read; a file that is not there holds none. */
export function readPreferences(file: string): ReadPreferences {
  let text: string;
  try {
    text = readTextFile(file);
  } catch (error) {
    if (error instanceof UserError) throw error;
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { lines: [], problems: [] };
    throw new UserError(
      'storage',
      `${file}: can't be read: ${(error as Error).message}`,
      'Make it readable; nothing in it is lost.',
    );
  }
  const lines: PreferenceLine[] = [];
  const problems: LineProblem[] = [];
  text.split('\n').forEach((line, i) => {
    if (line.trim() === '') return;
    const parsed = parsePreferenceLine(line, i + 1);
    if (parsed.ok) lines.push(parsed.value);
    else problems.push(parsed.problem);
  });
  return { lines, problems };
}

export function preferenceState(workspace: string): { state: PreferenceState; problems: LineProblem[] } {
  const { lines, problems } = readPreferences(preferencesFile(workspace));
  return { state: foldPreferences(lines), problems };
}

export interface RecordOptions {
  now?: () => number;
  author?: Author;
}

/** Appends what a person said; when this returns, it is on the disk. @returns the lines as written */
export function recordPreferences(
  workspace: string,
  bodies: readonly PreferenceBody[],
  { now = Date.now, author = gitAuthor(workspaceAt(workspace)) }: RecordOptions = {},
): PreferenceLine[] {
  ensureCoachFolder(workspaceAt(workspace));
  const lines = bodies.map((body): PreferenceLine => {
    const head = {
      version: PREFERENCES_VERSION,
      id: body.type === 'tools' ? toolsId(body.tools) : nextId(),
      t: now(),
      author,
    };
    // who and when come first, for people who read the file
    return { ...head, ...PreferenceLine.parse({ ...head, ...body }) };
  });
  appendWhole(preferencesFile(workspace), lines);
  return lines;
}

let recorded = 0;
/** In the order of recording, for lines of one millisecond: the fold sorts by time, then by id. */
const nextId = (): string => `${(recorded++).toString(36).padStart(6, '0')}-${randomUUID()}`;

export const toolsId = (tools: readonly unknown[]): string =>
  `tools-${createHash('sha256').update(JSON.stringify(tools)).digest('hex').slice(0, 16)}`;

/**
 * One write call each line, at the end of the file as it is then (O_APPEND): writers in other processes come before or
 * after it, never into it.
 * Where the last one left half a line (killed, disk full), the new one begins on a line of its own. A short write is
 * not gone on with, since
 * another writer may be behind it by then: the whole line is written again.
 */
export function appendWhole(file: string, values: readonly unknown[]): void {
  storing(file, () => {
    const fd = openToWrite(file, 'a+');
    try {
      for (const value of values) appendLine(fd, JSON.stringify(value));
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
  });
}

function appendLine(fd: number, json: string): void {
  for (let attempt = 0; attempt < 3; attempt++) {
    const bytes = Buffer.from(`${endsInLine(fd) ? '' : '\n'}${json}\n`);
    if (writeSync(fd, bytes) === bytes.length) return;
  }
  throw Object.assign(new Error('the disk takes only half a line'), { code: 'ENOSPC' });
}

function endsInLine(fd: number): boolean {
  const { size } = fstatSync(fd);
  if (size === 0) return true;
  const last = Buffer.alloc(1);
  return readSync(fd, last, 0, 1, size - 1) === 1 && last[0] === 10;
}

const authors = new Map<string, Author>();

/** Who marks: git's user of that folder, else the user of the machine. */
export function gitAuthor(workspace: string): Author {
  const known = authors.get(workspace);
  if (known) return known;
  const read = (key: string): string => {
    try {
      return execFileSync('git', ['config', '--get', key], {
        cwd: workspace,
        encoding: 'utf8',
        timeout: 5_000,
        stdio: ['ignore', 'pipe', 'ignore'],
      }).trim();
    } catch {
      return ''; // not set, or no git here
    }
  };
  const [name, email] = [read('user.name'), read('user.email')];
  const author: Author = { name: name || email || machineUser(), ...(email ? { email } : {}) };
  authors.set(workspace, author);
  return author;
}

function machineUser(): string {
  try {
    return userInfo().username;
  } catch {
    return 'unknown';
  }
}
