/** `coach train` as a user types it, for benches: in a process of its own, with what a run folder says of it. */
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { foldRun, readTaskSplits, readTools, traceSummaries } from '../../trainer/store/runs/readRun';
import { contentKey } from '../../trainer/tasks/taskset';
import type { RunResult } from '../../trainer/protocol/messages';
import type { RunState } from '../../trainer/protocol/runState';

const ROOT = resolve(__dirname, '../..');

export interface TrainRun {
  file: string;
  /** run folder; a run that is there and finished is taken as it is, one that was stopped is gone on with */
  dir: string;
  options: Record<string, string | number>;
  /** NAME=VALUE, later ones win */
  settings: readonly string[];
  environment?: Record<string, string>;
}

/** @throws Error where it does not finish; what it says of itself goes to stderr */
export async function trainRun(run: TrainRun): Promise<RunState & { result: RunResult }> {
  if (!existsSync(run.dir)) await startTrainRun(run).ended;
  else if (foldRun(run.dir).result === null) await coachTrain(['--resume', run.dir], run.environment).ended;
  return finishedRun(run.dir);
}

/** @returns the process, and when it has ended: rejects where that was not well */
export const startTrainRun = ({ file, dir, options, settings, environment }: TrainRun): Training =>
  coachTrain(
    [
      file,
      '--run-dir',
      dir,
      ...Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]),
      ...settings.flatMap((setting) => ['--set', setting]),
    ],
    environment,
  );

interface Training {
  child: ChildProcess;
  ended: Promise<void>;
}

function coachTrain(of: readonly string[], environment: Record<string, string> = {}): Training {
  const args = ['train', ...of];
  console.error(`coach ${args.join(' ')}`);
  const child = spawn(process.execPath, ['--import', 'tsx', 'trainer/cli.ts', ...args], {
    cwd: ROOT,
    stdio: ['ignore', process.stderr, process.stderr],
    env: { ...process.env, ...environment },
  });
  process.once('exit', () => child.kill('SIGKILL')); // also one that is stopped
  const ended = new Promise<number | null>((done, failed) => child.once('error', failed).once('close', done)).then(
    (code) => {
      if (code !== 0) throw new Error(`trainRun: coach ${args.join(' ')} ended with ${code}`);
    },
  );
  return { child, ended };
}

/** @throws Error where it is not finished */
export function finishedRun(dir: string): RunState & { result: RunResult } {
  const state = foldRun(dir);
  if (state.result === null) throw new Error(`trainRun: ${dir} is ${state.status}`);
  return { ...state, result: state.result };
}

/** Of a run's held-out tasks, in their order. */
export interface HeldOut {
  before: boolean[];
  after: boolean[];
  /** tasks of one content, in runs of one seed, count as one */
  contents: string[];
}

/** What a finished run solved before and after. */
export function heldOutOf(dir: string, seed: number): HeldOut {
  const tools = readTools(dir);
  const { heldOut } = readTaskSplits(dir);
  const summaries = traceSummaries(dir);
  const solved = (phase: 'before' | 'after'): boolean[] => {
    const byTask = new Map(
      summaries.filter((one) => one.phase === phase).map((one) => [one.taskId, one.solved === true]),
    );
    return heldOut.map(({ id }) => byTask.get(id)!);
  };
  return {
    before: solved('before'),
    after: solved('after'),
    contents: heldOut.map((task) => `${seed} ${contentKey(task, tools)}`),
  };
}
