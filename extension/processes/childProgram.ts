/**
 * A program of ours as a child process: JSON-RPC over its pipes, its words in the log, one promise of its end. Free of
 * `vscode`.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import {
  createMessageConnection,
  ErrorCodes,
  ResponseError,
  StreamMessageWriter,
  type MessageConnection,
} from 'vscode-jsonrpc/node';
import { boundedReader } from './boundedReader';
import type { Log } from '../window/log';
import type { NodeCommand } from './programs';

export interface ChildProgram {
  process: ChildProcess;
  /** not listening yet, so that handlers can be set */
  connection: MessageConnection;
  /** what `ended` made of its end */
  died: Promise<Error>;
}

export interface ProgramEnd {
  /** why it could not even be started; null: it ran */
  refusal: string | null;
  by: NodeJS.Signals | number | null;
  /** the last line of its stderr, '' when it wrote none */
  lastLine: string;
}

/**
 * @param name for the log @param ended called once, at the moment it ends; its error is what open questions are
 * rejected with
 */
export function startProgram(
  { command, env }: NodeCommand,
  args: readonly string[],
  name: string,
  log: Log,
  ended: (end: ProgramEnd) => Error,
): ChildProgram {
  const child = spawn(command, [...args], { env, stdio: ['pipe', 'pipe', 'pipe'] });
  let lastWords = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    lastWords = (lastWords + text).slice(-2_000);
    for (const line of text.trimEnd().split('\n')) log.info(`${name}: ${line}`);
  });
  child.stdin.on('error', () => {}); // told by exit
  const connection = createMessageConnection(boundedReader(child.stdout), new StreamMessageWriter(child.stdin));
  connection.onError(([error]) => log.warn(`${name}: ${error.message}`));
  const died = new Promise<Error>((resolve) => {
    const end = (refusal: string | null, by: ProgramEnd['by']): void => {
      // before the connection rejects what is open in words of its own
      resolve(ended({ refusal, by, lastLine: lastWords.trim().split('\n').at(-1) ?? '' }));
      connection.dispose();
    };
    child.once('error', (error) => end(`${command} can't be started: ${error.message}`, null));
    child.once('exit', (code, signal) => end(null, signal ?? code));
  });
  return { process: child, connection, died };
}

/** The answer to a question that was sent, or the program's end where that comes first. */
export function answerOf<T>({ process, died }: Pick<ChildProgram, 'process' | 'died'>, sent: Promise<T>): Promise<T> {
  const answer = sent.catch(async (error: unknown) => {
    if (!(error instanceof ResponseError) || error.code !== ErrorCodes.MessageWriteError) throw error;
    process.kill('SIGKILL'); // its pipe broke before its end was told: what was asked did not arrive
    throw await died;
  });
  answer.catch(() => {}); // when the process dies first, its own rejection is the one that is told
  return Promise.race([answer, died.then((error) => Promise.reject(error))]);
}
