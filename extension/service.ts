/**
 * The service process: discovery, list of runs, traces. Started on first need, again after it died, ended with the window.
 * Free of `vscode`. It executes nothing of the user's, so it also works in Restricted Mode.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { createMessageConnection, ErrorCodes, ResponseError, StreamMessageReader, StreamMessageWriter, type MessageConnection } from 'vscode-jsonrpc/node';
import { ServiceMethods, type Params, type Reply } from '../trainer/protocol/messages';
import type { Disposable } from './disposables';
import type { Log } from './log';
import type { NodeCommand } from './programs';
import { request } from './rpc';

type Methods = typeof ServiceMethods;
const REQUEST_TIMEOUT_MS = 60_000;
/** After so many deaths inside a minute it is left dead until the minute is over. */
const MAX_STARTS_PER_MINUTE = 5;

interface Running {
  child: ChildProcess;
  connection: MessageConnection;
  died: Promise<Error>;
}

export class Service implements Disposable {
  private running: Running | null = null;
  private starts: number[] = [];
  private isDisposed = false;

  constructor(private readonly script: string, private readonly node: () => NodeCommand, private readonly log: Log) {}

  /** Asks the service; a reading request that lost its process is asked once more of a new one. */
  async ask<N extends keyof Methods & string>(name: N, params: Params<Methods[N]>): Promise<Reply<Methods[N]>> {
    try {
      return await this.askOnce(name, params);
    } catch (error) {
      if (!(error instanceof ServiceDied) || isAppending(name) || this.isDisposed) throw error;
      return this.askOnce(name, params);
    }
  }

  private async askOnce<N extends keyof Methods & string>(name: N, params: Params<Methods[N]>): Promise<Reply<Methods[N]>> {
    const running = this.running ?? this.start();
    const reply = request(running.connection, ServiceMethods, name, params, REQUEST_TIMEOUT_MS).catch(async (error: unknown) => {
      if (!(error instanceof ResponseError) || error.code !== ErrorCodes.MessageWriteError) throw error;
      running.child.kill('SIGKILL'); // its pipe broke before its end was told: what was asked did not arrive
      throw await running.died;
    });
    reply.catch(() => {}); // when the process dies first, its own rejection is the one that is told
    return Promise.race([reply, running.died.then((error) => Promise.reject(error))]);
  }

  private start(): Running {
    if (this.isDisposed) throw new ServiceDied('the window is closing');
    const now = Date.now();
    this.starts = [...this.starts.filter((t) => now - t < 60_000), now];
    if (this.starts.length > MAX_STARTS_PER_MINUTE) throw new ServiceDied(`it died ${this.starts.length - 1} times in a minute; see the log`);

    const { command, env } = this.node();
    const child = spawn(command, [this.script], { env, stdio: ['pipe', 'pipe', 'pipe'] });
    let lastWords = '';
    child.stderr!.setEncoding('utf8').on('data', (text: string) => {
      lastWords = (lastWords + text).slice(-2_000);
      for (const line of text.trimEnd().split('\n')) this.log.info(`service: ${line}`);
    });
    child.stdin!.on('error', () => {}); // told by exit
    const connection = createMessageConnection(new StreamMessageReader(child.stdout!), new StreamMessageWriter(child.stdin!));
    connection.onError(([error]) => this.log.warn(`service: ${error.message}`));
    connection.listen();

    const died = new Promise<Error>((resolve) => {
      const end = (why: string) => {
        if (this.running?.child === child) this.running = null;
        connection.dispose();
        if (!this.isDisposed) this.log.warn(`service: ${why}`);
        resolve(new ServiceDied(why));
      };
      child.once('error', (error) => end(`${command} can't be started: ${error.message}`));
      child.once('exit', (code, signal) => end(`ended with ${signal ?? code}${lastWords ? `: ${lastLine(lastWords)}` : ''}`));
    });
    this.running = { child, connection, died };
    this.log.info(`service: started, process ${child.pid ?? '-'}`);
    return this.running;
  }

  /** The process that answers at the moment, for tests that kill it. */
  get pid(): number | null {
    return this.running?.child.pid ?? null;
  }

  dispose(): void {
    this.isDisposed = true;
    this.running?.child.kill();
  }
}

/** Asked twice, these would write twice. */
const isAppending = (name: keyof Methods): boolean => name === 'appendPreference' || name === 'recordPreferences' || name === 'importPreferences' || name === 'addTask';

/** The service itself ended; its requests went unanswered. */
export class ServiceDied extends Error {
  constructor(why: string) {
    super(`Coach's background service is not running: ${why}`);
    this.name = 'ServiceDied';
  }
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1) ?? '';
}
