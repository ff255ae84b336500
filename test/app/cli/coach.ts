/** `coach` in this process, with scripted dependencies and what it wrote. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCli } from '../../../trainer/app/cli/runCli';
import type { Ask } from '../../../trainer/app/cli/inputOption';
import type { Dependencies } from '../../../trainer/app/dependencies';
import { fakeDependencies } from '../../store/runs/fakeDependencies';

export interface Ran {
  code: number;
  stdout: string;
  stderr: string;
  /** the one line of --json */
  // biome-ignore lint/suspicious/noExplicitAny: lines of JSON that the tests look into
  json: any;
}

export interface RunOptions {
  dependencies?: Partial<Dependencies>;
  isTty?: boolean;
  /** who sits at the terminal; default: nobody */
  ask?: Ask;
  /** default: this process's */
  environment?: Record<string, string | undefined>;
  /** stops it (as Ctrl-C does) once stdout and stderr match */
  stopAt?: RegExp;
}

export async function coach(
  cwd: string,
  args: string[],
  { dependencies = {}, isTty = false, ask, stopAt, environment = process.env }: RunOptions = {},
): Promise<Ran> {
  const stop = new AbortController();
  const [out, err]: string[][] = [[], []];
  const write = (to: string[]) => (text: string) => {
    to.push(text);
    if (stopAt?.test(text)) stop.abort();
  };
  const code = await runCli(args, {
    cwd,
    streams: { stdout: { write: write(out), isTTY: isTty }, stderr: { write: write(err), isTTY: isTty, columns: 100 } },
    dependencies: { ...fakeDependencies(), ...dependencies },
    environment,
    signal: stop.signal,
    ask,
    stop: () => stop.abort(),
    now: Date.now,
  });
  const stdout = out.join('');
  return {
    code,
    stdout,
    stderr: err.join(''),
    json: args.includes('--json') && stdout !== '' ? JSON.parse(stdout) : null,
  };
}

/** tools.ts with ten tasks beside it, in a workspace of its own. */
export function makeWorkspace(dir: string, taskCount = 10): void {
  mkdirSync(join(dir, '.git'), { recursive: true });
  writeFileSync(join(dir, 'tools.ts'), '');
  const tasks = Array.from({ length: taskCount }, (_, i) =>
    JSON.stringify({ id: `${i}`, prompt: `Find ${i}`, calls: [{ name: 'search', arguments: { query: `${i}` } }] }),
  );
  writeFileSync(join(dir, 'tools.tasks.jsonl'), tasks.join('\n'));
}

/** Settings that let a scripted run end at once. */
export const quick = [
  '--steps',
  '4',
  '--set',
  'heldOutTasks=2',
  '--set',
  'evalTasks=1',
  '--set',
  'loraTargets=q_proj',
  '--set',
  'checkpointEvery=2',
];
