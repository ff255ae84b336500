/**
 * The folder under which hosts write, and the tidying up after trainers that were killed before they could do it
 * themselves.
 */
import { mkdirSync, mkdtempSync, readdirSync, readlinkSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { processStart } from '../../base/processStart';
import { readTextFile } from '../../base/storage';
import { UserError } from '../../protocol/result';

const PREFIX = 'coach-tools-';
const OWNER = 'owner';

/**
 * Start time, since a pid is used again; the world in which the pid counts, since containers may share a temporary
 * folder.
 */
const Owner = z.object({ pid: z.number().int().positive(), start: z.string().nullable(), world: z.string() });

/**
 * Makes the folder and writes down whose it is. Folders of trainers that are gone are deleted, and hosts that still run
 * there are ended:
 * a host ends with its trainer, except one whose tool was in an endless loop when the trainer was killed.
 *
 * @param given a folder of the caller's; default: a new one in the temporary folder
 * @returns its path, links followed
 */
export function openScratchRoot(given?: string): string {
  if (given === undefined) removeAbandoned(temporaryFolder());
  else mkdirSync(given, { recursive: true, mode: 0o700 });
  const root = realpathSync(given ?? mkdtempSync(join(tmpdir(), PREFIX)));
  writeFileSync(
    join(root, OWNER),
    JSON.stringify({ pid: process.pid, start: processStart(process.pid), world: pidWorld() } satisfies z.infer<
      typeof Owner
    >),
  );
  return root;
}

function temporaryFolder(): string {
  try {
    return realpathSync(tmpdir());
  } catch (error) {
    throw new UserError(
      'storage',
      `${tmpdir()}: the temporary folder can't be used: ${(error as Error).message}`,
      'Set TMPDIR to a folder that is there and may be written.',
    );
  }
}

function removeAbandoned(folder: string): void {
  const abandoned = readdirSync(folder)
    .filter((name) => name.startsWith(PREFIX))
    .map((name) => join(folder, name))
    .filter(isAbandoned);
  if (abandoned.length === 0) return;
  endHostsOf(new Set(abandoned));
  for (const root of abandoned) removeScratchRoot(root);
}

/**
 * What cannot be removed now (a host that is being ended still writes there, another trainer tidies too) is left for
 * the next trainer.
 */
export function removeScratchRoot(root: string): void {
  try {
    rmSync(root, { recursive: true, force: true, maxRetries: 3 });
  } catch {
    return;
  }
}

/**
 * True when the owner is known and gone; a folder of another user, of another container, or one being made just now,
 * is left alone.
 */
function isAbandoned(root: string): boolean {
  let owner: z.infer<typeof Owner>;
  try {
    owner = Owner.parse(JSON.parse(readTextFile(join(root, OWNER))));
  } catch {
    return false; // no owner to be read: not ours to judge
  }
  if (owner.world !== pidWorld()) return false;
  try {
    process.kill(owner.pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return true;
  }
  const start = processStart(owner.pid);
  return start === 'gone' || (start !== null && owner.start !== null && start !== owner.start);
}

function pidWorld(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return process.platform; // no such thing there
  }
}

/**
 * A host is known by its scratch folder, which stands in its command line; where that cannot be read (not Linux), none
 * is ended.
 */
function endHostsOf(roots: Set<string>): void {
  if (process.platform !== 'linux') return;
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    for (const argument of commandLine(pid)) {
      const path = /^--allow-fs-write=(.*)$/.exec(argument)?.[1];
      if (path !== undefined && roots.has(dirname(path)) && basename(path).startsWith('host-')) endQuietly(Number(pid));
    }
  }
}

function commandLine(pid: string): string[] {
  try {
    return readTextFile(`/proc/${pid}/cmdline`).split('\0');
  } catch {
    return []; // it ended meanwhile, or is another user's
  }
}

function endQuietly(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    return; // it ended meanwhile, or is another user's
  }
}
