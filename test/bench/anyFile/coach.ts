/** `coach` as a user types it, for the bench: a process of its own, whose words are kept. */
import { spawn } from 'node:child_process';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const ROOT = resolve(__dirname, '../../..');
/** found from here, wherever it runs */
const TSX = pathToFileURL(require.resolve('tsx')).href;

export interface Ran {
  code: number | null;
  stdout: string;
  /** what it said meanwhile */
  said: string;
  seconds: number;
}

export interface RunsAt {
  /** asks it to stop, as Ctrl-C does: it saves what it has */
  signal?: AbortSignal;
  cwd?: string;
  /** beside that of this process */
  environment?: Readonly<Record<string, string>>;
}

/** Never rejects for what `coach` refuses: the exit code and its words tell. */
export async function coach(args: readonly string[], { signal, cwd = ROOT, environment }: RunsAt = {}): Promise<Ran> {
  console.error(`coach ${args.join(' ')}`);
  const startedAt = performance.now();
  const child = spawn(process.execPath, ['--import', TSX, join(ROOT, 'trainer/cli.ts'), ...args], {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...environment },
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
