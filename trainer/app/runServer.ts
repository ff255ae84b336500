/**
 * The socket of a live run: windows say hello with the key that lies in the socket's private folder, get every event,
 * may stop it; questions go to the window that came first. Where the socket is stands in the run folder, which tools
 * can read.
 */
import { randomUUID, timingSafeEqual } from 'node:crypto';
import { lstatSync, mkdtempSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import {
  createMessageConnection,
  ResponseError,
  ErrorCodes,
  SocketMessageWriter,
  type MessageConnection,
} from 'vscode-jsonrpc/node';
import {
  ASK_REQUEST,
  EVENT_NOTIFICATION,
  PROTOCOL_VERSION,
  SOCKET_KEY_FILE,
  TrainerAnswer,
  TrainerMethods,
  type TrainerEvent,
  type TrainerQuestion,
} from '../protocol/messages';
import { boundedReader } from './boundedReader';
import { socketOf } from '../store/runs/listRuns';
import { readTextFile, writeFileAtomic } from '../base/storage';

export interface RunServer {
  path: string;
  post(event: TrainerEvent): void;
  /** 'unavailable' where no window is there, or it went away or stayed silent */
  ask(question: TrainerQuestion): Promise<TrainerAnswer>;
  /** resolves when the windows have the last event, or do not read */
  close(): Promise<void>;
}

export interface ServedRun {
  id: string;
  dir: string;
  onStop(): void;
  askTimeoutMs?: number;
}

/** What windows ask and answer is short. */
const MAX_REQUEST_BYTES = 1 << 20;
/** Beyond this a window that does not read is cut off: it finds everything in the run folder when it comes back. */
const maxBacklogBytes = 16 << 20;
/** Node cuts longer paths of Unix sockets in silence (the limit is 104 to 108 bytes). */
const maxPathBytes = 100;

export async function serveRun(run: ServedRun): Promise<RunServer> {
  removeLeft(run.dir);
  const { path, token, key, remove } = socketPlace();
  const windows: Window[] = [];
  const server = createServer((socket) => {
    const window = connect(socket, run, key, () => {
      const at = windows.indexOf(window);
      if (at >= 0) windows.splice(at, 1);
    });
    windows.push(window);
  });
  try {
    await listen(server, path);
    writeFileAtomic(join(run.dir, 'socket.json'), JSON.stringify({ path, token, pid: process.pid }), { sync: false });
  } catch (error) {
    server.close();
    remove();
    throw error;
  }
  return {
    path,
    post(event) {
      for (const window of [...windows]) window.post(event);
    },
    async ask(question) {
      const steering = windows.find((w) => w.isReady);
      return steering ? steering.ask(question, run.askTimeoutMs ?? 60_000) : 'unavailable';
    },
    async close() {
      server.close();
      await Promise.all([...windows].map((window) => window.close()));
      remove();
      try {
        unlinkSync(join(run.dir, 'socket.json'));
      } catch {
        // Gone with the folder: nothing to tidy.
      }
    },
  };
}

interface Window {
  isReady: boolean;
  post(event: TrainerEvent): void;
  ask(question: TrainerQuestion, timeoutMs: number): Promise<TrainerAnswer>;
  close(): Promise<void>;
}

function connect(socket: Socket, run: ServedRun, key: string, onGone: () => void): Window {
  const connection = createMessageConnection(
    boundedReader(socket, () => end(), MAX_REQUEST_BYTES),
    new SocketMessageWriter(socket),
  );
  let isGone = false;
  let tellGone!: () => void;
  const gone = new Promise<TrainerAnswer>((resolve) => (tellGone = () => resolve('unavailable')));
  const end = () => {
    if (isGone) return;
    isGone = true;
    onGone();
    tellGone();
    connection.dispose();
    socket.destroy();
  };
  let sent: Promise<void> = Promise.resolve();
  const window: Window = {
    isReady: false,
    post(event) {
      if (!window.isReady || isGone) return;
      if (socket.writableLength > maxBacklogBytes) return end();
      sent = connection.sendNotification(EVENT_NOTIFICATION, event).catch(end);
    },
    async ask(question, timeoutMs) {
      const answer = connection
        .sendRequest(ASK_REQUEST, question)
        .then((raw) => TrainerAnswer.parse(raw))
        .catch(() => 'unavailable' as const);
      return within(timeoutMs, Promise.race([answer, gone]), 'unavailable');
    },
    async close() {
      // The last event (runFinished, say) is still on its way; a window that does not read must not keep the trainer.
      await within(
        2_000,
        sent.then(() => new Promise<void>((resolve) => void socket.end(resolve))),
        undefined,
      );
      end();
    },
  };
  answerRequests(connection, run, key, window);
  connection.onError(end);
  socket.on('error', end);
  socket.on('close', end);
  connection.listen();
  return window;
}

function answerRequests(connection: MessageConnection, run: ServedRun, key: string, window: Window): void {
  connection.onRequest((method, params) => {
    switch (method as keyof typeof TrainerMethods) {
      case 'hello': {
        const { protocol, key: said } = parse(TrainerMethods.hello[0], params);
        const isSame = protocol === PROTOCOL_VERSION; // a window of another version learns so from the reply
        if (isSame && !isEqual(said ?? '', key)) return noKey();
        window.isReady = isSame;
        return { protocol: PROTOCOL_VERSION, runId: run.id, dir: run.dir, pid: process.pid };
      }
      case 'stop':
        parse(TrainerMethods.stop[0], params);
        if (!window.isReady) return noKey();
        run.onStop();
        return {};
      default:
        return new ResponseError(
          ErrorCodes.MethodNotFound,
          `trainer: unknown method "${method}", known: ${Object.keys(TrainerMethods).join(', ')}`,
        );
    }
  });
}

const noKey = (): ResponseError<void> =>
  new ResponseError(
    ErrorCodes.InvalidRequest,
    `trainer: say hello with the key first; it lies in the file "${SOCKET_KEY_FILE}" beside the socket`,
  );

function isEqual(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function parse<T>(schema: { parse(value: unknown): T }, params: unknown): T {
  // A single parameter object comes bare or in a list of one, as the sender chose.
  return schema.parse(Array.isArray(params) ? params[0] : params);
}

function within<T>(timeoutMs: number, promise: Promise<T>, otherwise: T): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<T>((resolve) => (timer = setTimeout(() => resolve(otherwise), timeoutMs)));
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

/** In the socket's folder: who made it may remove it. */
const TOKEN_FILE = 'token';

function socketPlace(): { path: string; token: string; key: string; remove(): void } {
  const [token, key] = [randomUUID(), randomUUID()];
  for (const parent of [tmpdir(), '/tmp']) {
    const dir = mkdtempSync(join(parent, 'coach-')); // 0700 by definition
    const remove = () => rmSync(dir, { recursive: true, force: true });
    const isWindows = process.platform === 'win32';
    const path = isWindows ? `\\\\.\\pipe\\${basename(dir)}` : join(dir, 'run.sock');
    if (isWindows || Buffer.byteLength(path) <= maxPathBytes) {
      writeFileSync(join(dir, TOKEN_FILE), token, { mode: 0o600, flag: 'wx' });
      writeFileSync(join(dir, SOCKET_KEY_FILE), key, { mode: 0o600, flag: 'wx' });
      return { path, token, key, remove };
    }
    remove();
  }
  throw new Error(`serveRun: no temporary folder with a path under ${maxPathBytes} bytes, tried ${tmpdir()} and /tmp`);
}

/**
 * The folder of a killed trainer's socket. We hold the run's lock, so nobody listens there; but whoever wrote the run
 * folder may have named any other.
 */
function removeLeft(dir: string): void {
  const left = socketOf(dir);
  if (left === null || basename(left) !== 'run.sock') return;
  const folder = dirname(left);
  if (isOurs(folder, tokenOf(dir))) rmSync(folder, { recursive: true, force: true });
}

/**
 * A folder that a trainer of this user made for this run's socket: by its name, owner, mode and the token that both
 * hold.
 */
function isOurs(folder: string, token: string | null): boolean {
  try {
    const stat = lstatSync(folder);
    const isPrivate = stat.isDirectory() && stat.uid === process.getuid?.() && (stat.mode & 0o777) === 0o700;
    return (
      isPrivate &&
      token !== null &&
      basename(folder).startsWith('coach-') &&
      readTextFile(join(folder, TOKEN_FILE)) === token
    );
  } catch {
    return false; // it is gone, or not ours to read
  }
}

function tokenOf(dir: string): string | null {
  try {
    const { token } = JSON.parse(readTextFile(join(dir, 'socket.json'))) as { token?: unknown };
    return typeof token === 'string' && token !== '' ? token : null;
  } catch {
    return null;
  }
}

function listen(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, () => {
      server.off('error', reject);
      server.unref();
      resolve();
    });
  });
}
