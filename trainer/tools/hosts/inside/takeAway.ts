/**
 * What writes, opens or reconfigures beneath Node's permission model is taken away before any code of the user runs. A
 * tool reaches this realm
 * (`Buffer.constructor('return globalThis')()`), so a stand-in for `process` is no wall: crash reports go wherever
 * process.report says, trace events into
 * the working directory, node:sqlite opens any file (Node 24), a Unix socket speaks to whatever listens there, and none
 * of these asks for a permission.
 */
import { createRequire, isBuiltin, syncBuiltinESMExports } from 'node:module';
import type { Socket } from 'node:net';

type Names = Record<string, unknown>;

/** Module -> what of it, and what to do instead. */
const TAKEN_AWAY: [module: string, names: string[], instead?: string][] = [
  [
    'node:v8',
    [
      'writeHeapSnapshot',
      'getHeapSnapshot',
      'setHeapSnapshotNearHeapLimit',
      'setFlagsFromString',
      'takeCoverage',
      'stopCoverage',
      'startCpuProfile',
      'startHeapProfile',
      'startupSnapshot',
    ],
  ],
  [
    'node:inspector',
    ['open', 'close', 'url', 'waitForDebugger', 'Session', 'Network', 'NetworkResources', 'DOMStorage'],
  ],
  ['node:inspector/promises', ['open', 'close', 'url', 'waitForDebugger', 'Session']],
  ['node:trace_events', ['createTracing']],
  ['node:os', ['setPriority']],
  ['node:module', ['enableCompileCache', 'flushCompileCache']],
  ['node:wasi', ['WASI']],
  [
    'node:sqlite',
    ['DatabaseSync', 'backup', 'Session', 'StatementSync'],
    ': it opens any file, past the walls; a build in WebAssembly (node-sqlite3-wasm, sql.js) does not',
  ],
];
const PROCESS = [
  'binding',
  '_linkedBinding',
  '_startProfilerIdleNotifier',
  '_stopProfilerIdleNotifier',
  'setgroups',
  'initgroups',
  'execve',
];
const PIPES = ['connect', 'connect2', 'bind', 'bind2', 'listen', 'fchmod'];

/** Why a name throws now; read by the proof (walls.ts). */
export const TAKEN = 'is not available to tools';

/** @param channel our own, open already: of the same class as every Unix socket and named pipe of this process */
export function takeAwayNativeWriters(channel: Socket): void {
  const load = createRequire(__filename); // the modules themselves: an import may be a copy
  endReports();
  deny(process, PROCESS, 'process');
  for (const [name, names, instead] of TAKEN_AWAY) {
    if (!isBuiltin(name)) continue;
    try {
      deny(load(name) as Names, names, name, instead);
    } catch {
      // This build of Node lacks it.
    }
  }
  closeUnixSockets(channel);
  syncBuiltinESMExports();
}

/** Neither on demand nor when memory runs out: the report would be written to wherever the tool set it. */
function endReports(): void {
  const report = process.report as typeof process.report | undefined;
  if (report)
    for (const name of ['reportOnFatalError', 'reportOnSignal', 'reportOnUncaughtException'] as const)
      report[name] = false;
  Object.defineProperty(process, 'report', { value: undefined, configurable: false, writable: false });
}

/** The class itself loses them, so that no way to it (an agent's socketPath, another stream's handle) has them. */
function closeUnixSockets(channel: Socket): void {
  const { _handle: handle } = channel as unknown as { _handle?: object };
  if (handle) deny(Object.getPrototypeOf(handle) as Names, PIPES, 'a Unix socket or named pipe', '; use 127.0.0.1');
}

function deny(from: object, names: readonly string[], whose: string, why = ''): void {
  for (const name of names) {
    if (!(name in from)) continue;
    // A class and a function alike; what is called on an object that was made of it stays out of reach, too.
    // biome-ignore lint/complexity/useArrowFunction: an arrow function can't be called with `new`
    const denied = function (): never {
      throw new Error(`${whose}: ${name} ${TAKEN}${why}`);
    };
    Object.defineProperty(from, name, { value: denied, configurable: true, writable: true, enumerable: true });
  }
}
