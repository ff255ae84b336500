/**
 * The service process: discovery, list of runs, traces. Started on first need, again after it died, ended with the
 * window.
 * Free of `vscode`. It executes nothing of the user's unless it is asked to, so it also works in Restricted Mode.
 */
import { ServiceMethods, type Params, type Reply } from '../../trainer/protocol/serviceMethods';
import { answerOf, startProgram, type ChildProgram } from './childProgram';
import type { Disposable } from '../window/disposables';
import type { Log } from '../window/log';
import type { NodeCommand } from './programs';
import { request } from './rpc';

type Methods = typeof ServiceMethods;
const REQUEST_TIMEOUT_MS = 60_000;
/** An MCP server has a minute to start, and one to list its tools; the service itself says which it did not keep. */
const LISTING_TIMEOUT_MS = 130_000;
/** After so many deaths inside a minute it is left dead until the minute is over. */
const MAX_STARTS_PER_MINUTE = 5;

export class Service implements Disposable {
  private running: ChildProgram | null = null;
  private starts: number[] = [];
  private isDisposed = false;

  constructor(
    private readonly script: string,
    private readonly node: () => NodeCommand,
    private readonly log: Log,
  ) {}

  /** Asks the service; a reading request that lost its process is asked once more of a new one. */
  async ask<N extends keyof Methods & string>(name: N, params: Params<Methods[N]>): Promise<Reply<Methods[N]>> {
    try {
      return await this.askOnce(name, params);
    } catch (error) {
      if (!(error instanceof ServiceDied) || isAppending(name) || this.isDisposed) throw error;
      return this.askOnce(name, params);
    }
  }

  private async askOnce<N extends keyof Methods & string>(
    name: N,
    params: Params<Methods[N]>,
  ): Promise<Reply<Methods[N]>> {
    const running = this.running ?? this.start();
    const timeoutMs = name === 'mcpTools' ? LISTING_TIMEOUT_MS : REQUEST_TIMEOUT_MS;
    return answerOf(running, request(running.connection, ServiceMethods, name, params, timeoutMs));
  }

  private start(): ChildProgram {
    if (this.isDisposed) throw new ServiceDied('the window is closing');
    const now = Date.now();
    this.starts = [...this.starts.filter((t) => now - t < 60_000), now];
    if (this.starts.length > MAX_STARTS_PER_MINUTE)
      throw new ServiceDied(`it died ${this.starts.length - 1} times in a minute; see the log`);

    const program = startProgram(this.node(), [this.script], 'service', this.log, ({ refusal, by, lastLine }) => {
      if (this.running === program) this.running = null;
      const why = refusal ?? `ended with ${by}${lastLine ? `: ${lastLine}` : ''}`;
      if (!this.isDisposed) this.log.warn(`service: ${why}`);
      return new ServiceDied(why);
    });
    program.connection.listen();
    this.running = program;
    this.log.info(`service: started, process ${program.process.pid ?? '-'}`);
    return program;
  }

  /** The process that answers at the moment, for tests that kill it. */
  get pid(): number | null {
    return this.running?.process.pid ?? null;
  }

  dispose(): void {
    this.isDisposed = true;
    this.running?.process.kill();
  }
}

/** Asked twice, these would write twice. */
const isAppending = (name: keyof Methods): boolean =>
  name === 'recordPreferences' || name === 'importPreferences' || name === 'addTask';

/** The service itself ended; its requests went unanswered. */
class ServiceDied extends Error {
  constructor(why: string) {
    super(`Coach's background service is not running: ${why}`);
    this.name = 'ServiceDied';
  }
}
