/** A server process of ours: a group of its own, ended as a whole, whose lines are bounded. */
import { spawn, type ChildProcess } from 'node:child_process';
import { getDefaultEnvironment } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ReadBuffer, serializeMessage } from '@modelcontextprotocol/sdk/shared/stdio.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import type { McpServer } from './config';

type Stdio = Extract<McpServer['reach'], { kind: 'stdio' }>;

/** A message may be as long; a server that writes more without an end of line is ended. */
export const MOST_BYTES = 16 << 20;
const STDERR_CHARACTERS = 2000;
/** Why a process ended that was ended by us. */
export const CLOSED = 'it was closed';

export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  /** The end of what the server wrote to stderr. */
  stderr = '';
  /** Why it ended; undefined: it runs. */
  ended: string | undefined;
  private child: ChildProcess | undefined;
  private readonly buffer = new ReadBuffer({ maxBufferSize: MOST_BYTES });

  constructor(private readonly reach: Stdio) {}

  start(): Promise<void> {
    const { command, args, cwd, env } = this.reach;
    return new Promise((resolve, reject) => {
      const child = spawn(command, args, {
        cwd,
        env: { ...getDefaultEnvironment(), ...env },
        detached: process.platform !== 'win32',
        windowsHide: true,
      });
      this.child = child;
      child.once('spawn', resolve);
      child.once('error', (error) => {
        this.end(error.message);
        reject(error);
      });
      child.once('exit', (code, signal) =>
        this.end(signal ? `it was ended by ${signal}` : `it ended with code ${code}`),
      );
      child.stdin.on('error', () => undefined); // it has ended, which is said by its exit
      child.stdout.on('data', (chunk: Buffer) => this.read(chunk));
      child.stderr.on('data', (chunk: Buffer) => {
        this.stderr = (this.stderr + chunk.toString()).slice(-STDERR_CHARACTERS);
      });
    });
  }

  send(message: JSONRPCMessage): Promise<void> {
    const { stdin } = this.child ?? {};
    if (this.ended !== undefined || !stdin?.writable)
      return Promise.reject(new Error(this.ended ?? 'it has not started'));
    return new Promise((resolve) =>
      stdin.write(serializeMessage(message)) ? resolve() : stdin.once('drain', resolve),
    );
  }

  /** Ends the process and all that it has started. */
  close(): Promise<void> {
    this.end(CLOSED);
    const pid = this.child?.pid;
    if (pid === undefined) return Promise.resolve();
    try {
      if (process.platform === 'win32') this.child!.kill('SIGKILL');
      else process.kill(-pid, 'SIGKILL');
    } catch {
      // the group has ended by itself
    }
    return Promise.resolve();
  }

  private read(chunk: Buffer): void {
    try {
      this.buffer.append(chunk);
    } catch {
      this.end(`it wrote a message of over ${MOST_BYTES >> 20} MB`);
      void this.close();
      return;
    }
    for (;;) {
      try {
        const message = this.buffer.readMessage();
        if (message === null) return;
        this.onmessage?.(message);
      } catch (error) {
        this.onerror?.(error as Error); // a line that is no message: the next one may be
      }
    }
  }

  private end(why: string): void {
    if (this.ended !== undefined) return;
    this.ended = why;
    this.onclose?.();
  }
}
