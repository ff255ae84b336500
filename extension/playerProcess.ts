/**
 * The window's end of one player process: it tries a run's model and stays for the next try. Started on first need, ended with the window, or after a while of
 * silence, since a model fills memory. Free of `vscode`.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { CancellationTokenSource, createMessageConnection, StreamMessageReader, StreamMessageWriter, type MessageConnection } from 'vscode-jsonrpc/node';
import { ASK_REQUEST, TrainerQuestion, type Reply, type TrainerAnswer } from '../trainer/protocol/messages';
import { PLAYED_NOTIFICATION, PlayedNotification, PlayerMethods, type PlayRequest } from '../trainer/protocol/play';
import type { Trace } from '../trainer/protocol/trace';
import type { Disposable } from './disposables';
import type { Log } from './log';
import type { NodeCommand } from './programs';

export type PlayReply = Reply<typeof PlayerMethods.play>;
const IDLE_MS = 5 * 60_000;

export interface PlayerDeps {
  /** dist/trainer/main.js */
  script: string;
  node(): NodeCommand;
  answer(question: TrainerQuestion): Promise<TrainerAnswer>;
  log: Log;
}

interface Running {
  dir: string;
  child: ChildProcess;
  connection: MessageConnection;
  died: Promise<Error>;
  listeners: Map<number, (traces: Trace[]) => void>;
}

export class PlayerProcess implements Disposable {
  private running: Running | null = null;
  private idle: ReturnType<typeof setTimeout> | undefined;
  private plays = 0;
  private isDisposed = false;

  constructor(private readonly deps: PlayerDeps) {}

  /** @param onTraces hears each task's traces as they come. @throws what the player refused, or why it ended; an aborted play gives what it had */
  async play(dir: string, request: PlayRequest, signal: AbortSignal, onTraces: (traces: Trace[]) => void = () => {}): Promise<PlayReply> {
    clearTimeout(this.idle);
    if (this.running && this.running.dir !== dir) this.end(); // a model at a time
    const running = this.running ?? this.start(dir);
    const cancel = new CancellationTokenSource();
    const abort = (): void => cancel.cancel();
    signal.addEventListener('abort', abort);
    running.listeners.set(request.stamp, onTraces);
    this.plays++;
    try {
      if (signal.aborted) abort();
      const reply = running.connection.sendRequest('play', request, cancel.token);
      reply.catch(() => {}); // when the process dies first, its own rejection is the one that is told
      return PlayerMethods.play[1].parse(await Promise.race([reply, running.died.then((error) => Promise.reject(error))]));
    } finally {
      signal.removeEventListener('abort', abort);
      running.listeners.delete(request.stamp);
      if (--this.plays === 0) this.idle = setTimeout(() => this.end(), IDLE_MS);
    }
  }

  private start(dir: string): Running {
    if (this.isDisposed) throw new Error('the window is closing');
    const { script, log } = this.deps;
    const { command, env } = this.deps.node();
    const child = spawn(command, [script, '--play', dir], { env, stdio: ['pipe', 'pipe', 'pipe'] });
    let lastWords = '';
    child.stderr!.setEncoding('utf8').on('data', (text: string) => {
      lastWords = (lastWords + text).slice(-2_000);
      for (const line of text.trimEnd().split('\n')) log.info(`player: ${line}`);
    });
    child.stdin!.on('error', () => {}); // told by exit
    const connection = createMessageConnection(new StreamMessageReader(child.stdout!), new StreamMessageWriter(child.stdin!));
    const listeners: Running['listeners'] = new Map();
    connection.onError(([error]) => log.warn(`player: ${error.message}`));
    connection.onRequest(ASK_REQUEST, async (raw: unknown): Promise<TrainerAnswer> => {
      const question = TrainerQuestion.safeParse(Array.isArray(raw) ? raw[0] : raw);
      return question.success ? this.deps.answer(question.data) : 'unavailable';
    });
    connection.onNotification(PLAYED_NOTIFICATION, (raw: unknown) => {
      const played = PlayedNotification.safeParse(Array.isArray(raw) ? raw[0] : raw);
      if (played.success) listeners.get(played.data.stamp)?.(played.data.traces);
    });
    connection.listen();
    const died = new Promise<Error>((resolve) => {
      const ended = (why: string): void => {
        if (this.running?.child === child) this.running = null;
        connection.dispose();
        log.info(`player: ${why}`);
        resolve(new Error(`the try could not be finished: ${why}`));
      };
      child.once('error', (error) => ended(`${command} can't be started: ${error.message}`));
      child.once('exit', (code, signal) => ended(`its process ended with ${signal ?? code}${code ? `: ${lastWords.trim().split('\n').at(-1) ?? ''}` : ''}`));
    });
    this.running = { dir, child, connection, died, listeners };
    log.info(`player: started on ${dir}, process ${child.pid ?? '-'}`);
    return this.running;
  }

  private end(): void {
    const running = this.running;
    this.running = null;
    running?.child.stdin!.end(); // it closes its tool hosts, then itself
    if (running) setTimeout(() => running.child.kill(), 5_000).unref();
  }

  dispose(): void {
    this.isDisposed = true;
    clearTimeout(this.idle);
    this.running?.child.kill();
    this.running = null;
  }
}
