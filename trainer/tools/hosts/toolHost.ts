/**
 * The process in which the user's tools and rewards run. Started by hostProcess.ts; talks over fd 3, one JSON object
 * per line.
 * It holds no secret and has no wish of its own: it does what its parent says, and ends when the parent is gone.
 */
import { Socket } from 'node:net';
import { currentCall, openStatusFile, STATUS_FILE } from './inside/currentCall';
import type { CallMessage, FromHost, PrepareMessage, ToHost } from './inside/hostMessages';
import { ModuleLibrary } from './inside/moduleLoader';
import { INTRINSICS } from './inside/realm';
import { nodeResolver, Packages } from './inside/packages';
import { errorText, messageOf } from './inside/resultText';
import { openRollout, type Rollout } from './inside/rollout';
import { startCall, type RunningCall } from './inside/runCall';
import { keepZodFromCompiling } from './inside/definingPackages';
import { takeEntered, watchEntrances } from './inside/entrances';
import { keepSharedState, takeChanged } from './inside/sharedState';
import { shareInstanceof } from './inside/sharedInstanceof';
import { hardenRealProcess } from './inside/standInProcess';
import { takeAwayNativeWriters } from './inside/takeAway';
import { proveWalls } from './inside/walls';
import { warm } from './inside/warm';
import { join } from 'node:path';

const CHANNEL_FD = 3;
const LATE_REPORTS = 100;
/** Of the loop, in which what a package put off may end. */
const TURNS = 3;
/** Taken before any code of the user's, which may put others in their place. */
const { parse, stringify } = JSON;

serve();

function serve(): void {
  // Ctrl-C reaches the whole group of the terminal; the trainer needs its hosts until it has stopped in order, and ends
  // them itself.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
  const exit = hardenRealProcess();
  const socket = new Socket({ fd: CHANNEL_FD, readable: true, writable: true });
  takeAwayNativeWriters(socket);
  const write = socket.write.bind(socket) as (text: string) => boolean;
  const say = (message: FromHost) => void write(`${stringify(message)}\n`);
  const handle = handler(say, exit);
  let rest = '';
  socket.setEncoding('utf8');
  socket.on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) handle(parse(line) as ToHost);
  });
  socket.on('close', () => exit(0));
  socket.on('error', () => exit(1));
  // No listener of ours may end the process: an error of user code is data about its call.
  let lateReports = 0;
  const uncaught = (error: unknown) => {
    const call = currentCall();
    if (call?.failLate(error) || ++lateReports > LATE_REPORTS) return;
    say({ type: 'late', name: call?.name ?? '', message: messageOf(error).slice(0, 500) });
  };
  process.on('uncaughtException', uncaught);
  process.on('unhandledRejection', uncaught);
}

/** One rollout at a time: the pool gives it no other before this one is closed. */
function handler(say: (message: FromHost) => void, exit: (code: number) => never): (message: ToHost) => void {
  const calls = new Map<number, RunningCall>();
  let current: { id: number; rollout: Rollout } | undefined;
  let prepared: PrepareMessage | undefined;
  let library: ModuleLibrary | undefined;
  let atRest: string[] = [];

  async function prepare(message: PrepareMessage): Promise<void> {
    prepared = message;
    library = new ModuleLibrary(message.modules, new Packages(await nodeResolver()));
    openStatusFile(join(message.scratch, STATUS_FILE));
    keepZodFromCompiling();
    watchEntrances();
    shareInstanceof(mainConstructors());
    keepSharedState();
    const walls = await proveWalls(message); // before the first line of the user's
    if (message.probes.port !== undefined && !walls.network) return say({ type: 'ready', walls, loadErrors: [] });
    const loadErrors = await warm(message, library);
    takeEntered(); // by loading alone: no argument of a model was there yet
    takeChanged();
    void [process.stdout, process.stderr]; // made when they are first looked at, by a package's logger for instance
    atRest = activeResources();
    say({ type: 'ready', walls, loadErrors });
  }

  async function call(message: CallMessage): Promise<void> {
    if (!prepared || !library) throw new Error('toolHost: a call came before prepare');
    if (current && current.id !== message.rollout) throw new Error('toolHost: another rollout is open');
    current ??= { id: message.rollout, rollout: openRollout(library, prepared) };
    const running = startCall(message, current.rollout);
    calls.set(message.id, running);
    const result = await running.done;
    calls.delete(message.id);
    say({ type: 'result', id: message.id, ...result });
  }

  /**
   * Clean is only what is known to be: no way into this realm was used, nothing had to be put back, nothing runs on.
   */
  async function closeRollout(id: number): Promise<void> {
    current?.rollout.close();
    current = undefined;
    const isQuiet = (): boolean => calls.size === 0 && isAtRest(atRest, activeResources());
    for (let turn = 0; turn < TURNS && !isQuiet(); turn++) await new Promise((resolve) => setImmediate(resolve));
    const isWhole = ![takeEntered(), takeChanged()].includes(true);
    say({ type: 'closed', rollout: id, isClean: isQuiet() && isWhole });
  }

  return (message) => {
    switch (message.type) {
      case 'prepare':
        prepare(message).catch((error: unknown) => {
          process.stderr.write(`${messageOf(error)}\n`);
          exit(1);
        });
        return;
      case 'call':
        call(message).catch((error: unknown) => {
          const content = errorText(`the tool host failed: ${messageOf(error)}`, message.outputBytes);
          say({ type: 'result', id: message.id, kind: 'threw', content, durationMs: 0 });
        });
        return;
      case 'abort':
        calls.get(message.id)?.abort('the call was cancelled');
        return;
      case 'closeRollout':
        void closeRollout(message.rollout);
        return;
      case 'ping':
        say({ type: 'pong' });
    }
  };
}

/** Timers, connections, requests of this process, by kind. */
const activeResources = process.getActiveResourcesInfo.bind(process);

/** Whether nothing is active that was not when the host was ready. */
function isAtRest(atRest: readonly string[], now: readonly string[]): boolean {
  const count = (list: readonly string[], kind: string) => list.filter((one) => one === kind).length;
  return now.every((kind) => count(now, kind) <= count(atRest, kind));
}

function mainConstructors(): Record<string, new () => object> {
  const all = globalThis as unknown as Record<string, new () => object>;
  return Object.fromEntries(INTRINSICS.map((name) => [name, all[name] as new () => object]));
}
