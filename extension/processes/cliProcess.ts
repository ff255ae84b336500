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

/**
 * The same to its end, with all that it wrote: `said` on stdout, `told` on stderr.
 * @param onTold as it comes
 */
export async function runCliToEnd(
  node: NodeCommand,
  args: string[],
  token: vscode.CancellationToken,
  onTold: (text: string) => void = () => undefined,
): Promise<{ code: number | null; said: string; told: string }> {
  const { child, ended } = runCli(node, args, token);
  const [said, told]: [string[], string[]] = [[], []];
  child.stdout.setEncoding('utf8').on('data', (text: string) => void said.push(text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    told.push(text);
    onTold(text);
  });
  return { code: await ended, said: said.join(''), told: told.join('') };
}

/** The error that a command ended with, without what it told on its way. */
export const lastWords = (told: string): string =>
  told
    .trim()
    .split('\n')
    .slice(-2)
    .join(' ')
    .replace(/^coach: /, '');
