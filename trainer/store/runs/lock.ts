/**
 * One trainer per run: a `lock` file with pid, start time and host of its holder, who touches it every few seconds. A
 * lock whose holder is gone from this host is stale and is taken. Of a process on another host (a network drive, a
 * container that was rebuilt) only the touch is known: while it is fresh the run is held; after that whoever comes may
 * take it over, and says so (`takeOver`), since a machine that sleeps touches nothing either.
 */
import { linkSync, lstatSync, renameSync, statSync, unlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { processStart } from '../../base/processStart';
import { UserError } from '../../protocol/result';
import { noPlainFile, readTextFile, storing } from '../../base/storage';

const LockFile = z.object({
  pid: z.number().int().positive(),
  start: z.string().nullable(),
  host: z.string(),
  token: z.string(),
  /** ms since epoch; absent in locks of before */
  since: z.number().optional(),
});
type LockFile = z.infer<typeof LockFile>;
/** As it lies there. */
interface Found extends LockFile {
  /** when its holder last touched it, ms since epoch */
  touchedAt: number;
}

export interface Lock {
  /** True from when another trainer has taken the run over: nothing more may be written. */
  readonly isLost: boolean;
  release(): void;
}

const TOUCH_MS = 10_000;
/** A trainer computes for seconds without a pause; who was silent for longer than this may be gone. */
export const SILENT_MS = 60_000;

/** @throws UserError when a live process holds the run, or one of which nobody here can know, without `takeOver` */
export function acquireLock(dir: string, { takeOver = false } = {}): Lock {
  const path = join(dir, 'lock');
  const token = `${process.pid}-${process.hrtime.bigint()}`;
  const start = processStart(process.pid);
  const mine: LockFile = { pid: process.pid, start, host: hostname(), token, since: Date.now() };
  for (let attempt = 0; attempt < 5; attempt++) {
    if (!(lstatSync(path, { throwIfNoEntry: false })?.isFile() ?? true)) throw noPlainFile(path);
    if (storing(path, () => createWhole(path, JSON.stringify(mine), token))) return held(dir, token);
    const holder = readLock(dir);
    if (holder === null ? isFresh(path) : isHeld(holder, takeOver)) throw heldError(dir, holder);
    storing(path, () => removeStale(dir, holder, token));
  }
  throw heldError(dir, readLock(dir));
}

function held(dir: string, token: string): Lock {
  const path = join(dir, 'lock');
  let isLost = false;
  let checkedAt = Date.now();
  const check = () => {
    checkedAt = Date.now();
    const found = readLock(dir)?.token;
    isLost ||= found !== undefined && found !== token;
    if (found === token) touch(path, checkedAt / 1000);
  };
  const checking = setInterval(check, TOUCH_MS).unref();
  return {
    get isLost() {
      // after a sleep of the machine, before anything is written
      if (Date.now() - checkedAt > TOUCH_MS) check();
      return isLost;
    },
    release() {
      clearInterval(checking);
      if (readLock(dir)?.token === token) unlinkSync(path);
    },
  };
}

function touch(path: string, seconds: number): void {
  try {
    utimesSync(path, seconds, seconds);
  } catch {
    // A drive that sets no times: others then see a silent holder, and still must say that they take over.
  }
}

/** The live process that holds the run; null: none, or one on another host that has been silent for long. */
export function lockHolder(dir: string): { pid: number } | null {
  const holder = readLock(dir);
  return holder && isHeld(holder, true) ? { pid: holder.pid } : null;
}

/** Whether a trainer has ever held this folder. */
export const wasLocked = (dir: string): boolean => readLock(dir) !== null;

function heldError(dir: string, holder: Found | null): UserError {
  const isHere = holder === null || holder.host === hostname();
  const who = holder === null ? 'another process' : `process ${holder.pid}${isHere ? '' : ` on ${holder.host}`}`;
  const times = [
    ...(holder?.since === undefined ? [] : [`since ${utc(holder.since)}`]),
    ...(isHere ? [] : [`last sign of life ${utc(holder.touchedAt)}`]),
  ];
  const takeOver = `coach train --resume ${dir} --take-over`;
  return new UserError(
    'storage',
    `${dir}: the run is being trained by ${who}; one run has one ` +
      `trainer${times.length > 0 ? ` (${times.join(', ')})` : ''}`,
    isHere
      ? 'Wait for it, stop it (coach stops on Ctrl-C), or start a new run.'
      : isSilent(holder)
        ? `If that machine or container is gone, take the run over: ${takeOver}`
        : `Stop it there. If that machine or container is gone, wait a minute, then take the run over: ${takeOver}`,
  );
}

const utc = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19).replace('T', ' ')} UTC`;

function readLock(dir: string): Found | null {
  const path = join(dir, 'lock');
  try {
    const { mtimeMs } = statSync(path);
    return { ...LockFile.parse(JSON.parse(readTextFile(path))), touchedAt: mtimeMs };
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
function removeStale(dir: string, judged: LockFile | null, token: string): void {
  const path = join(dir, 'lock');
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

/** @param mayBeSilent a holder on another host that has been silent for long counts as gone */
function isHeld(holder: Found, mayBeSilent: boolean): boolean {
  if (holder.host !== hostname()) return !(mayBeSilent && isSilent(holder));
  try {
    process.kill(holder.pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
  }
  const start = processStart(holder.pid);
  if (start === 'gone') return false;
  return start === null || holder.start === null || start === holder.start;
}

/** A touch far in the future comes from a clock that is wrong, not from a holder that lives. */
const isSilent = ({ touchedAt }: Found): boolean => Math.abs(Date.now() - touchedAt) > SILENT_MS;
