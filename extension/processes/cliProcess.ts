/** `coach` as a child process, the same program as in a terminal. */
import { spawn, type ChildProcessByStdio } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import type * as vscode from 'vscode';
import { SECRETS_FROM } from '../../trainer/protocol/secretNames';
import type { NodeCommand } from './programs';

/**
 * @returns the process, which a cancel stops, and its exit code (null: it was killed); rejects where it can't be
 * started
 */
export function runCli(
  node: NodeCommand,
  args: string[],
  token: vscode.CancellationToken,
): { child: ChildProcessByStdio<Writable, Readable, Readable>; ended: Promise<number | null> } {
  const child = spawn(node.command, args, {
    env: { ...node.env, [SECRETS_FROM]: 'stdin' },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  child.stdin.on('error', () => undefined); // told by its end
  child.stdin.end(JSON.stringify(node.secrets ?? {}));
  token.onCancellationRequested(() => child.kill());
  return { child, ended: new Promise((resolve, reject) => child.once('error', reject).once('close', resolve)) };
}
