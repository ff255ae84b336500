/**
 * The window's end of one player process: it tries a run's model and stays for the next try. Started on first need,
 * ended with the window, or after a while of
 * silence, since a model fills memory. Free of `vscode`.
 */
import { CancellationTokenSource } from 'vscode-jsonrpc/node';
import { ASK_REQUEST, TrainerQuestion, type TrainerAnswer } from '../../trainer/protocol/messages';
import type { Reply } from '../../trainer/protocol/serviceMethods';
import {
  ENVIRONMENT_NOTIFICATION,
  PLAYED_NOTIFICATION,
  PlayedNotification,
  PlayerMethods,
  type PlayRequest,
} from '../../trainer/protocol/play';
import type { Trace } from '../../trainer/protocol/trace';
import { answerOf, startProgram, type ChildProgram } from './childProgram';
import type { Disposable } from '../window/disposables';
import type { Log } from '../window/log';
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

interface Running extends ChildProgram {
  dir: string;
  listeners: Map<number, (traces: Trace[]) => void>;
}

export class PlayerProcess implements Disposable {
  private running: Running | null = null;
  private idle: ReturnType<typeof setTimeout> | undefined;
  private plays = 0;
  private isDisposed = false;

  constructor(private readonly deps: PlayerDeps) {}

  /**
   * @param onTraces hears each task's traces as they come
   * @param secrets what the run's tools are given (mcp/mcpServers.ts)
   * @throws what the player refused, or why it ended; an
   * aborted play gives what it had
   */
  async play(
    dir: string,
    request: PlayRequest,
    signal: AbortSignal,
    onTraces: (traces: Trace[]) => void = () => {},
    secrets: Readonly<Record<string, string>> = {},
  ): Promise<PlayReply> {
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
      if (Object.keys(secrets).length > 0)
        void running.connection.sendNotification(ENVIRONMENT_NOTIFICATION, secrets).catch(() => undefined); // told below
      return PlayerMethods.play[1].parse(
        await answerOf(running, running.connection.sendRequest('play', request, cancel.token)),
      );
    } finally {
      signal.removeEventListener('abort', abort);
      running.listeners.delete(request.stamp);
      if (--this.plays === 0) this.idle = setTimeout(() => this.end(), IDLE_MS);
    }
  }

  private start(dir: string): Running {
    if (this.isDisposed) throw new Error('the window is closing');
    const { script, log } = this.deps;
    const program = startProgram(
      this.deps.node(),
      [script, '--play', dir],
      'player',
      log,
      ({ refusal, by, lastLine }) => {
        if (this.running?.process === program.process) this.running = null;
        const why =
          refusal ?? `its process ended with ${by}${typeof by === 'number' && by !== 0 ? `: ${lastLine}` : ''}`;
        log.info(`player: ${why}`);
        return new Error(`the try could not be finished: ${why}`);
      },
    );
    const { connection } = program;
    const listeners: Running['listeners'] = new Map();
    connection.onRequest(ASK_REQUEST, async (raw: unknown): Promise<TrainerAnswer> => {
      const question = TrainerQuestion.safeParse(Array.isArray(raw) ? raw[0] : raw);
      return question.success ? this.deps.answer(question.data) : 'unavailable';
    });
    connection.onNotification(PLAYED_NOTIFICATION, (raw: unknown) => {
      const played = PlayedNotification.safeParse(Array.isArray(raw) ? raw[0] : raw);
      if (played.success) listeners.get(played.data.stamp)?.(played.data.traces);
    });
    connection.listen();
    this.running = { ...program, dir, listeners };
    log.info(`player: started on ${dir}, process ${program.process.pid ?? '-'}`);
    return this.running;
  }

  private end(): void {
    const running = this.running;
    this.running = null;
    running?.process.stdin?.end(); // it closes its tool hosts, then itself
    if (running) setTimeout(() => running.process.kill(), 5_000).unref();
  }

  dispose(): void {
    this.isDisposed = true;
    clearTimeout(this.idle);
    this.running?.process.kill();
    this.running = null;
  }
}
