/** How much memory a process may still take. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { freemem, totalmem } from 'node:os';
import { join } from 'node:path';

export interface FreeMemory {
  bytes: number;
  /** who said so, for messages */
  from: string;
}

/** All memory that this machine has, or that its container may take. @returns bytes */
export const machineMemory = (): number => Math.min(totalmem(), process.constrainedMemory() || Infinity);

/** What the system tells, injected by tests. `read` gives null where there is no such file. */
export interface SystemFacts {
  platform: NodeJS.Platform;
  read(path: string): string | null;
  freemem(): number;
  /** macOS: what `vm_stat` prints; null where it does not run */
  vmStat(): string | null;
}

const system: SystemFacts = { platform: process.platform, read: readOrNull, freemem, vmStat: runVmStat };

/**
 * What can be taken without swapping. Linux: MemAvailable (free memory and what the file cache would give back), or
 * what a container's limit leaves, where that
 * is less. macOS: free, inactive, speculative and purgeable pages, since os.freemem counts the first alone. Elsewhere
 * os.freemem: on Windows it is the available
 * memory, cache included, though not what the page file would add.
 */
export function readFreeMemory(facts: SystemFacts = system): FreeMemory {
  switch (facts.platform) {
    case 'linux': {
      const available = /^MemAvailable:\s+(\d+) kB$/m.exec(facts.read('/proc/meminfo') ?? '');
      const machine: FreeMemory = available
        ? { bytes: Number(available[1]) * 1024, from: 'MemAvailable' }
        : { bytes: facts.freemem(), from: 'os.freemem' };
      return cgroupRooms(facts).reduce((least, room) => (room.bytes < least.bytes ? room : least), machine);
    }
    case 'darwin': {
      const bytes = pagesOf(facts.vmStat() ?? '');
      return bytes === null ? { bytes: facts.freemem(), from: 'os.freemem' } : { bytes, from: 'vm_stat' };
    }
    default:
      return { bytes: facts.freemem(), from: 'os.freemem' };
  }
}

/** Files that say a control group's limit and use, and the line of memory.stat that counts cache it would give back. */
const VERSIONS = [
  { root: '/sys/fs/cgroup', controller: '', limit: 'memory.max', used: 'memory.current', cache: 'inactive_file' },
  {
    root: '/sys/fs/cgroup/memory',
    controller: 'memory',
    limit: 'memory.limit_in_bytes',
    used: 'memory.usage_in_bytes',
    cache: 'total_inactive_file',
  },
];

/**
 * What each control group above this process leaves, v2 and v1. A group without a limit says "max" (v2), or a number
 * beyond any machine (v1), which is never the least.
 */
function cgroupRooms({ read }: SystemFacts): FreeMemory[] {
  const memberships = (read('/proc/self/cgroup') ?? '')
    .split('\n')
    .map((line) => /^\d+:([^:]*):(.*)$/.exec(line))
    .filter((match) => match !== null);
  return VERSIONS.flatMap(({ root, controller, limit, used, cache }) => {
    const own = memberships.find(([, controllers = '']) => controllers.split(',').includes(controller))?.[2];
    return own === undefined
      ? []
      : foldersAbove(own).flatMap((folder) => {
          const [most, now, stat] = [limit, used, 'memory.stat'].map((name) => read(join(root, folder, name)));
          if (!most || !now || !/^\d+$/.test(most.trim())) return [];
          const givenBack = Number(new RegExp(`^${cache} (\\d+)$`, 'm').exec(stat ?? '')?.[1] ?? 0);
          return [{ bytes: Math.max(0, Number(most) - Number(now) + givenBack), from: `the control group's ${limit}` }];
        });
  });
}

/** /a/b -> /a/b, /a, /. A container often sees its own group as the root, whatever its name says. */
function foldersAbove(path: string): string[] {
  const parts = path.split('/').filter(Boolean);
  return [...parts.map((_, i) => `/${parts.slice(0, parts.length - i).join('/')}`), '/'];
}

/** @returns bytes; null where the text is not vm_stat's */
function pagesOf(text: string): number | null {
  const pageSize = /page size of (\d+) bytes/.exec(text)?.[1];
  const counts = ['free', 'inactive', 'speculative', 'purgeable'].map(
    (kind) => new RegExp(`^Pages ${kind}:\\s+(\\d+)\\.`, 'm').exec(text)?.[1],
  );
  return pageSize === undefined || counts[0] === undefined
    ? null
    : Number(pageSize) * counts.reduce((n, count) => n + Number(count ?? 0), 0);
}

function readOrNull(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}

function runVmStat(): string | null {
  try {
    return execFileSync('/usr/bin/vm_stat', { encoding: 'utf8', timeout: 2000, stdio: ['ignore', 'pipe', 'ignore'] });
  } catch {
    return null;
  }
}
