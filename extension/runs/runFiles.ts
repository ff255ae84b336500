/** What concerns a run's process: where it listens, whether it lives, what it said last. Free of `vscode`. */
import { readFileSync, statSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import path from 'node:path';
import { SOCKET_KEY_FILE } from '../../trainer/protocol/messages';
import type { Trained } from '../../trainer/protocol/allocator';

/** Where a run's trainer listens, as it wrote down itself; null: nowhere (yet). */
export function readSocketFile(dir: string): { socket: string; pid: number | null } | null {
  try {
    const { path: socket, pid } = jsonIn(dir, 'socket.json') as {
      path?: unknown;
      pid?: unknown;
    };
    return typeof socket === 'string' ? { socket, pid: typeof pid === 'number' ? pid : null } : null;
  } catch {
    return null; // not there, or half written
  }
}

/**
 * What opens a trainer's socket; null where there is none. The socket's path may come from a stranger's run folder:
 * only what is made like a key is sent there.
 */
export function readSocketKey(socket: string): string | null {
  const pipe = '\\\\.\\pipe\\';
  const folder = socket.startsWith(pipe)
    ? path.join(tmpdir(), path.basename(socket.slice(pipe.length)))
    : path.dirname(socket);
  try {
    const key = readFileSync(path.join(folder, SOCKET_KEY_FILE), 'utf8');
    return /^[0-9a-f-]{36}$/.test(key) ? key : null;
  } catch {
    return null; // a trainer of another version, or one that has just ended
  }
}

/**
 * What a run trains, as far as its process's memory is concerned; null where that can't be read: its trainer will say
 * why.
 */
export function trainedIn(dir: string): Trained | null {
  try {
    return (jsonIn(dir, 'run.json') as { config: Trained }).config;
  } catch {
    return null;
  }
}

/** @throws what the file system throws, or where there is a pipe by that name, which would stop the window */
function jsonIn(dir: string, name: string): unknown {
  const file = path.join(dir, name);
  if (!statSync(file).isFile()) throw new Error(`${file} is no plain file`);
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** The process that trained a run last; null: its lock is gone, so it ended in order. */
export function lastPid(dir: string): number | null {
  try {
    const { pid } = jsonIn(dir, 'lock') as { pid?: unknown };
    return typeof pid === 'number' ? pid : null;
  } catch {
    return readSocketFile(dir)?.pid ?? null;
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !isZombie(pid);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** A child of ours that ended is a zombie until its exit is read; it answers signals all the same. */
function isZombie(pid: number): boolean {
  if (process.platform !== 'linux') return false;
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).startsWith('Z');
  } catch {
    return false;
  }
}

/** Where the trainer of that process id writes its errors. */
export const logFileOf = (pid: number): string => path.join(tmpdir(), `coach-logs-${userName()}`, `trainer-${pid}.log`);

/** Why a run's trainer ended, as far as it could say so. */
export function lastWords(dir: string): string {
  const pid = lastPid(dir);
  const said = pid === null ? '' : tailOf(pid);
  return said === '' ? 'its process ended without a word (killed, or the machine was switched off)' : said;
}

/** The last error in a trainer's log, else its last line; '' where it said nothing. */
export function tailOf(pid: number): string {
  let text: string;
  try {
    text = readFileSync(logFileOf(pid), 'utf8');
  } catch {
    return '';
  }
  const said = text
    .trimEnd()
    .split('\n')
    .slice(-200)
    .filter((line) => /\w/.test(line) && !/^\s+at /.test(line) && !/^Node\.js v/.test(line));
  return (said.filter((line) => /^\w*Error\b/.test(line)).at(-1) ?? said.at(-1) ?? '').trim();
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return 'user';
  }
}
