/**
 * Proves by trying, before any code of the user runs, which walls stand around this process: each wall must refuse
 * what it is there to refuse.
 */
import { spawnSync } from 'node:child_process';
import { closeSync, openSync, readFileSync, symlinkSync, unlinkSync } from 'node:fs';
import { createRequire, isBuiltin } from 'node:module';
import { connect } from 'node:net';
import * as os from 'node:os';
import { join, relative } from 'node:path';
import * as v8 from 'node:v8';
import { Worker } from 'node:worker_threads';
import type { PrepareMessage, ReadyMessage } from './hostMessages';
import { TAKEN } from './takeAway';

const CONNECT_MS = 5000;

export async function proveWalls({
  probes,
  scratch,
}: Pick<PrepareMessage, 'probes' | 'scratch'>): Promise<ReadyMessage['walls']> {
  const network = probes.port !== undefined && (await isWalled(probes.port));
  if (!(process.permission as typeof process.permission | undefined))
    return {
      filesystem: false,
      childProcesses: false,
      network,
      why: `Node ${process.version} runs without its permission model`,
    };
  const files = [
    ...probes.unreadable.filter(canRead).map((path) => `${path} can be read`),
    ...probes.unwritable.filter(canWrite).map((path) => `${path} can be written`),
    ...probes.unreadable
      .slice(0, 1)
      .filter((path) => canLink(path, scratch))
      .map(() => 'links can be made that lead out of the scratch folder'),
    ...nativeWays(scratch)
      .filter(([, attempt]) => !isRefused(attempt))
      .map(([name]) => `${name} can be used`),
  ];
  const programs = [
    ...(isRefused(() => spawnSync(process.execPath, ['--version'], { timeout: 5_000 }))
      ? []
      : ['programs can be started']),
    ...(isRefused(() => void new Worker('', { eval: true }).terminate()) ? [] : ['threads can be started']),
  ];
  const missing = [...files, ...programs];
  return {
    filesystem: files.length === 0,
    childProcesses: programs.length === 0,
    network,
    why:
      missing.length === 0
        ? `proven by trying, under the permission model of Node ${process.version}`
        : missing.join('; '),
  };
}

/** By the permission model, or since we have taken it away: not for a reason of the moment. */
function isRefused(attempt: () => unknown): boolean {
  try {
    attempt();
    return false;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return code === 'ERR_ACCESS_DENIED' || code === 'ERR_DLOPEN_DISABLED' || String(message).includes(TAKEN);
  }
}

/** What a permission says, and a namespace whose own network is down: a server that is slow or gone is no wall. */
const WALLED = new Set(['ERR_ACCESS_DENIED', 'ENETUNREACH', 'ENETDOWN', 'EACCES', 'EPERM']);

function isWalled(port: number): Promise<boolean> {
  const says = (error: unknown) => WALLED.has((error as NodeJS.ErrnoException).code ?? '');
  return new Promise((resolve) => {
    try {
      const socket = connect({ port, host: '127.0.0.1', timeout: CONNECT_MS }, () => end(false))
        .on('error', (error) => end(says(error)))
        .on('timeout', () => end(false));
      const end = (answer: boolean) => {
        socket.destroy();
        resolve(answer);
      };
    } catch (error) {
      resolve(says(error)); // at once
    }
  });
}

function canRead(path: string): boolean {
  return !isRefused(() => closeSync(openSync(path, 'r'))) && process.permission.has('fs.read', path);
}

function canWrite(folder: string): boolean {
  const path = join(folder, `.coach-wall-${process.pid}-${process.hrtime.bigint()}`);
  let made = false;
  const isHeld = isRefused(() => {
    closeSync(openSync(path, 'wx'));
    made = true;
  });
  if (made) unlinkSync(path);
  return !isHeld && (made || process.permission.has('fs.write', path)); // else the system itself refuses
}

/** Relative links were a way out of older permission models (CVE-2025-55130). */
function canLink(target: string, scratch: string): boolean {
  const link = join(scratch, 'wall');
  try {
    symlinkSync(relative(scratch, target), link);
    return !isRefused(() => readFileSync(join(link, '.')));
  } catch {
    return false;
  } finally {
    try {
      unlinkSync(link);
    } catch {
      // It could not be made.
    }
  }
}

/** What writes or speaks beneath the permission model, each called as a tool would. */
function nativeWays(scratch: string): [string, () => unknown][] {
  const load = createRequire(__filename);
  const optional = (name: string, attempt: (module: Record<string, unknown>) => unknown): [string, () => unknown][] =>
    isBuiltin(name) ? [[name, () => attempt(load(name) as Record<string, unknown>)]] : [];
  return [
    [
      'process.report',
      () => {
        if (process.report === undefined) throw new Error(TAKEN);
      },
    ],
    ['heap snapshots', () => v8.setHeapSnapshotNearHeapLimit(1)],
    ["V8's flags", () => v8.setFlagsFromString('--no-prof')],
    ['os.setPriority', () => os.setPriority(process.ppid, os.getPriority(process.ppid))],
    ['native modules', () => process.dlopen({ exports: {} }, join(scratch, 'none.node'))],
    [
      'Unix sockets',
      () =>
        connect(join(scratch, 'none.sock'))
          .on('error', () => undefined)
          .destroy(),
    ],
    ...optional('node:trace_events', ({ createTracing }) =>
      (createTracing as (options: object) => unknown)({ categories: ['v8'] }),
    ),
    ...optional('node:inspector', ({ Session }) => new (Session as new () => { connect(): void })().connect()),
    ...optional('node:sqlite', ({ DatabaseSync }) => new (DatabaseSync as new (path: string) => unknown)(':memory:')),
    ...optional('node:wasi', ({ WASI }) => new (WASI as new (options: object) => unknown)({ version: 'preview1' })),
  ];
}
