/**
 * The process in which the user's tools and rewards run. Started by hostProcess.ts; talks over fd 3, one JSON object
 * per line.
 * It holds no secret and has no wish of its own: it does what its parent says, and ends when the parent is gone.
 */
import { Socket } from 'node:net';
import { currentCall, openStatusFile } from './inside/currentCall';
import type { CallMessage, FromHost, PrepareMessage, ToHost } from './inside/hostMessages';
import { ModuleLibrary } from './inside/moduleLoader';
import { INTRINSICS } from './inside/realm';
import { nodeResolver, Packages } from './inside/packages';
import { errorText, messageOf } from './inside/resultText';
import { openRollout, type Rollout } from './inside/rollout';
import { startCall, type RunningCall } from './inside/runCall';
import { keepSharedState } from './inside/sharedState';
import { shareInstanceof } from './inside/sharedInstanceof';
import { hardenRealProcess } from './inside/standInProcess';
import { takeAwayNativeWriters } from './inside/takeAway';
import { proveWalls } from './inside/walls';
import { warm } from './inside/warm';
import { join } from 'node:path';

const CHANNEL_FD = 3;
const LATE_REPORTS = 100;

serve();

function serve(): void {
  // Ctrl-C reaches the whole group of the terminal; the trainer needs its hosts until it has stopped in order, and ends
  // them itself.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
  const exit = hardenRealProcess();
  const socket = new Socket({ fd: CHANNEL_FD, readable: true, writable: true });
  takeAwayNativeWriters(socket);
  const say = (message: FromHost) => void socket.write(`${JSON.stringify(message)}\n`);
  const handle = handler(say, exit);
  let rest = '';
  socket.setEncoding('utf8');
  socket.on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) handle(JSON.parse(line) as ToHost);
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

function handler(say: (message: FromHost) => void, exit: (code: number) => never): (message: ToHost) => void {
  const rollouts = new Map<number, Rollout>();
  const calls = new Map<number, RunningCall>();
  let prepared: PrepareMessage | undefined;
  let library: ModuleLibrary | undefined;

  async function prepare(message: PrepareMessage): Promise<void> {
    prepared = message;
    library = new ModuleLibrary(message.modules, new Packages(await nodeResolver()));
    openStatusFile(join(message.scratch, 'running'));
    shareInstanceof(mainConstructors());
    keepSharedState();
    const walls = proveWalls(message); // before the first line of the user's
    const loadErrors = await warm(message, library);
    say({ type: 'ready', walls, loadErrors });
  }

  async function call(message: CallMessage): Promise<void> {
    if (!prepared || !library) throw new Error('toolHost: a call came before prepare');
    let rollout = rollouts.get(message.rollout);
    if (!rollout) rollouts.set(message.rollout, (rollout = openRollout(message.rollout, library, prepared)));
    const running = startCall(message, rollout);
    calls.set(message.id, running);
    const result = await running.done;
    calls.delete(message.id);
    say({ type: 'result', id: message.id, ...result });
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
        rollouts.get(message.rollout)?.close();
        rollouts.delete(message.rollout);
        return;
      case 'ping':
        say({ type: 'pong' });
    }
  };
}

function mainConstructors(): Record<string, new () => object> {
  const all = globalThis as unknown as Record<string, new () => object>;
  return Object.fromEntries(INTRINSICS.map((name) => [name, all[name] as new () => object]));
}
