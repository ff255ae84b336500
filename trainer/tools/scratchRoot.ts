/** The folder under which hosts write, and the tidying up after trainers that were killed before they could do it themselves. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';

const PREFIX = 'coach-tools-';
const OWNER = 'owner';

/**
 * Makes the folder and writes down whose it is. Folders of trainers that are gone are deleted, and hosts that still run there are ended:
 * a host ends with its trainer, except one whose tool was in an endless loop when the trainer was killed.
 *
 * @param given a folder of the caller's; default: a new one in the temporary folder
 * @returns its path, links followed
 */
export function openScratchRoot(given?: string): string {
  if (given === undefined) removeAbandoned(realpathSync(tmpdir()));
  else mkdirSync(given, { recursive: true, mode: 0o700 });
  const root = realpathSync(given ?? mkdtempSync(join(tmpdir(), PREFIX)));
  writeFileSync(join(root, OWNER), String(process.pid));
  return root;
}

function removeAbandoned(folder: string): void {
  const abandoned = readdirSync(folder).filter((name) => name.startsWith(PREFIX)).map((name) => join(folder, name)).filter(isAbandoned);
  if (abandoned.length === 0) return;
  endHostsOf(new Set(abandoned));
  for (const root of abandoned) rmSync(root, { recursive: true, force: true });
}

/** True when the owner is known and gone; a folder of another user, or one being made just now, is left alone. */
function isAbandoned(root: string): boolean {
  try {
    const pid = Number(readFileSync(join(root, OWNER), 'utf8'));
    return Number.isInteger(pid) && pid > 0 && !isAlive(pid);
  } catch {
    return false; // no owner to be read: not ours to judge
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** A host is known by its scratch folder, which stands in its command line; where that cannot be read (not Linux), none is ended. */
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
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
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
