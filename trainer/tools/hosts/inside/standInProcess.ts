/**
 * The `process` that user code sees: facts are real, what would end, signal or reconfigure the host throws or does
 * nothing.
 */
import { EventEmitter } from 'node:events';
import { Readable, Writable } from 'node:stream';
import { currentCall } from './currentCall';

/** Thrown in place of ending the host; the call is marked, so catching it does not hide the exit. */
export class ExitRequested extends Error {
  constructor(readonly exitCode: number) {
    super(`the tool called process.exit(${exitCode})`);
    this.name = 'ExitRequested';
  }
}

/** Marks the running call as exited and throws. */
function requestExit(code?: unknown): never {
  const exitCode = Number.isInteger(Number(code)) ? Number(code) : 0;
  const call = currentCall();
  if (call) call.exitCode = exitCode;
  throw new ExitRequested(exitCode);
}

function denied(what: string): () => never {
  return () => {
    throw new Error(`${what} is not available to tools`);
  };
}

/** A stream that swallows everything: a flood costs the tool its own time, and nothing reaches our output. */
function sink(fd: number): Writable {
  const stream = new Writable({ write: (_chunk, _encoding, done) => done(), decodeStrings: false });
  return Object.assign(stream, { fd, isTTY: false, columns: 80 });
}

/** Input that has ended: a program that asks for a line when it is loaded gets none. */
const nobody = (): Readable => Object.assign(Readable.from([]), { fd: 0, isTTY: false });

const facts = [
  'version',
  'versions',
  'platform',
  'arch',
  'pid',
  'ppid',
  'release',
  'features',
  'config',
  'execPath',
  'title',
  'allowedNodeEnvironmentFlags',
] as const;
const harmless = [
  'hrtime',
  'uptime',
  'memoryUsage',
  'cpuUsage',
  'resourceUsage',
  'nextTick',
  'getuid',
  'geteuid',
  'getgid',
  'getegid',
] as const;

/**
 * One per rollout, so that listeners and environment changes end with it.
 *
 * @param env the allow-list; copied
 * @param workspace what `cwd()` says
 */
export function standInProcess(env: Record<string, string>, workspace: string): object {
  const standIn = new EventEmitter() as EventEmitter & Record<string, unknown>;
  const real = process as unknown as Record<string, unknown>;
  for (const name of facts) standIn[name] = real[name];
  for (const name of harmless) standIn[name] = real[name];
  return Object.assign(standIn, {
    argv: [process.argv[0], workspace],
    argv0: 'node',
    execArgv: [],
    exitCode: undefined,
    env: environmentOf(env),
    cwd: () => workspace,
    umask: () => 0o022,
    stdin: nobody(),
    stdout: sink(1),
    stderr: sink(2),
    emitWarning: () => undefined,
    exit: requestExit,
    reallyExit: requestExit,
    abort: () => requestExit(134),
    kill: denied('process.kill'),
    chdir: denied('process.chdir'),
    dlopen: denied('process.dlopen'),
    binding: denied('process.binding'),
    permission: process.permission,
  });
}

/** Like the real one, it turns every value into a string. */
function environmentOf(env: Record<string, string>): Record<string, string> {
  return new Proxy(
    { ...env },
    {
      set: (target, key, value) => {
        target[String(key)] = String(value);
        return true;
      },
    },
  );
}

/**
 * Packages of node_modules see the real `process`. What would end or signal from there is replaced too.
 * The returned function is the real exit, for the host itself.
 */
export function hardenRealProcess(): (code: number) => never {
  const real = process as unknown as Record<string, unknown>;
  const reallyExit = (process.reallyExit as (code: number) => never).bind(process);
  // Writable, since packages (signal-exit) and Node itself (worker_threads) put wrappers around some of these.
  const replace = (name: string, value: unknown) =>
    Object.defineProperty(real, name, { value, configurable: true, writable: true });
  replace('exit', requestExit);
  replace('reallyExit', requestExit);
  replace('abort', () => requestExit(134));
  for (const name of [
    'kill',
    '_kill',
    'chdir',
    'dlopen',
    '_debugProcess',
    '_debugEnd',
    'setuid',
    'setgid',
    'seteuid',
    'setegid',
  ]) {
    if (name in real) replace(name, denied(`process.${name}`));
  }
  return reallyExit;
}

declare global {
  namespace NodeJS {
    interface Process {
      /** Present in every Node, absent from its types. */
      reallyExit(code?: number): never;
    }
  }
}
