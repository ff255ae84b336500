/** `coach` as a user types it, for the bench: a process of its own, whose words are kept. */
import { spawn } from 'node:child_process';
import { resolve } from 'node:path';

const ROOT = resolve(__dirname, '../../..');

export interface Ran {
  code: number | null;
  stdout: string;
  /** what it said meanwhile */
  said: string;
  seconds: number;
}

/**
 * Never rejects for what `coach` refuses: the exit code and its words tell.
 * @param signal asks it to stop, as Ctrl-C does: it saves what it has
 */
export async function coach(args: readonly string[], signal?: AbortSignal): Promise<Ran> {
  console.error(`coach ${args.join(' ')}`);
  const startedAt = performance.now();
  const child = spawn(process.execPath, ['--import', 'tsx', 'trainer/cli.ts', ...args], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const end = (): void => void child.kill('SIGKILL');
  process.once('exit', end); // also of a bench that is stopped
  const stop = (): void => void child.kill('SIGINT');
  signal?.addEventListener('abort', stop, { once: true });
  let [stdout, said] = ['', ''];
  child.stdout.on('data', (data: Buffer) => (stdout += data.toString()));
  child.stderr.on('data', (data: Buffer) => {
    said += data.toString();
    process.stderr.write(data);
  });
  const code = await new Promise<number | null>((done, failed) => child.once('error', failed).once('close', done));
  process.off('exit', end);
  signal?.removeEventListener('abort', stop);
  return { code, stdout, said, seconds: (performance.now() - startedAt) / 1000 };
}
