/**
 * One trainer per run: a `lock` file with pid and start time of its holder. A lock whose holder is gone is stale and
 * may be taken.
 */
import { linkSync, renameSync, statSync, unlinkSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { processStart } from '../../base/processStart';
import { UserError } from '../../protocol/result';
import { readTextFile, storing } from '../../base/storage';

const LockFile = z.object({
  pid: z.number().int().positive(),
  start: z.string().nullable(),
  host: z.string(),
  token: z.string(),
});
type LockFile = z.infer<typeof LockFile>;

export interface Lock {
  release(): void;
}

/** @throws UserError when a live process holds the run. */
export function acquireLock(dir: string): Lock {
  const path = join(dir, 'lock');
  const token = `${process.pid}-${process.hrtime.bigint()}`;
  const mine: LockFile = { pid: process.pid, start: processStart(process.pid), host: hostname(), token };
  for (let attempt = 0; attempt < 5; attempt++) {
    if (storing(path, () => createWhole(path, JSON.stringify(mine), token))) {
      return {
        release() {
          if (readLock(dir)?.token === token) unlinkSync(path);
        },
      };
    }
    const holder = readLock(dir);
    if (holder === null ? isFresh(path) : isAlive(holder)) throw heldError(dir, holder);
    storing(path, () => removeStale(path, holder, token));
  }
  throw heldError(dir, readLock(dir));
}

/** The live process that holds the run; null: none. */
export function lockHolder(dir: string): { pid: number } | null {
  const holder = readLock(dir);
  return holder && isAlive(holder) ? { pid: holder.pid } : null;
}

function heldError(dir: string, holder: LockFile | null): UserError {
  const who = holder
    ? `process ${holder.pid}${holder.host === hostname() ? '' : ` on ${holder.host}`}`
    : 'another process';
  return new UserError(
    'storage',
    `${dir}: the run is being trained by ${who}; one run has one trainer`,
    'Wait for it, stop it (coach stops on Ctrl-C), or start a new run.',
  );
}

function readLock(dir: string): LockFile | null {
  try {
    return LockFile.parse(JSON.parse(readTextFile(join(dir, 'lock'))));
  } catch {
    return null;
  }
}

/** Creates the file with its content in one step (link of a written temporary); false when it is there already. */
function createWhole(path: string, content: string, token: string): boolean {
  const temporary = `${path}.${token}`;
  writeFileSync(temporary, content, { flag: 'wx' });
  try {
    linkSync(temporary, path);
    return true;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'EEXIST') return false;
    // A file system without hard links (exFAT, some network drives): not atomic in content, see isFresh.
    try {
      writeFileSync(path, content, { flag: 'wx' });
      return true;
    } catch (second) {
      if ((second as NodeJS.ErrnoException).code === 'EEXIST') return false;
      throw second;
    }
  } finally {
    unlinkSync(temporary);
  }
}

/** Two may find the same stale lock: it is moved aside, and put back where what was moved is not what was judged. */
function removeStale(path: string, judged: LockFile | null, token: string): void {
  const aside = `${path}.stale-${token}`;
  try {
    renameSync(path, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  let moved: string | undefined;
  try {
    moved = LockFile.parse(JSON.parse(readTextFile(aside))).token;
  } catch {
    moved = undefined;
  }
  if (moved !== judged?.token) linkSync(aside, path);
  unlinkSync(aside);
}

/** An unreadable lock may be one that is just being written, where hard links are missing. */
function isFresh(path: string): boolean {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat !== undefined && Date.now() - stat.mtimeMs < 5_000;
}

function isAlive(holder: LockFile): boolean {
  // Of a process on another machine (network drive) nothing can be known; the safe answer is that it lives.
  if (holder.host !== hostname()) return true;
  try {
    process.kill(holder.pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
  }
  const start = processStart(holder.pid);
  if (start === 'gone') return false;
  return start === null || holder.start === null || start === holder.start;
}
