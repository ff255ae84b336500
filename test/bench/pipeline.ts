/**
 * What a pipeline of stages teaches beside a default run, beside each of its stages alone at equal tokens, and what a
 * teacher that errs (pipeline/teacher.ts) teaches in half of the steps. Each arm is `coach train` or `coach distill` as
 * a user types it, on tasks that it makes; arms of a seed have one set of held-out tasks, and are compared on it,
 * paired
 * by task, tasks of one content counted as one. Tokens are those that went through the model in training (num_tokens).
 * A table, then one line of JSON.
 *
 * Run: npm run bench -- pipeline [--file examples/orders/orders.ts] [--arms default,stages,auto] [--seeds 0]
 *   [--steps 64] [--against default] [--keep DIR] [--minutes 9] [--set NAME=VALUE]…
 * keep: where the runs stay; what is there is not done again, and a run that was stopped goes on. minutes: then it
 * stops, and says what there is: with --keep it is measured in pieces.
 */
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { pairedGain } from '../../trainer/evaluation/statistics';
import { foldRun, readTaskSplits, readTools } from '../../trainer/store/runs/readRun';
import { coach } from './anyFile/coach';
import { layOut } from './anyFile/report';
import { processor, round } from './measured';
import { openTeacher } from './pipeline/teacher';
import { heldOutOf, type HeldOut } from './trainRun';

type Args = string[] | null;
/** Of SFT and of GRPO, as the rehearsal shares steps out. */
const shares = (steps: number): [sft: number, grpo: number] =>
  [0.75 * steps, 0.25 * steps].map(Math.round) as [number, number];
const staged = (steps: number): string => `sft:${shares(steps)[0]},grpo:${shares(steps)[1]}`;

/** What `coach train` is told; null: not yet, it needs the tokens of the stages. */
const ARMS: Record<string, (of: Around) => Args> = {
  default: ({ steps }) => ['--steps', `${steps}`],
  stages: ({ steps }) => ['--stages', staged(steps)],
  auto: ({ steps }) => ['--stages', 'auto', '--steps', `${steps}`],
  /** as a stage of SFT was before it learnt as a warm start does */
  oneUpdate: ({ steps }) => ['--stages', staged(steps), '--set', 'sft.warmUpdates=1'],
  sftAlone: (of) => alone(of, 'sft', (steps) => ['--stages', `sft:${steps}`]),
  grpoAlone: (of) => alone(of, 'grpo', (steps) => coldGrpo(steps)),
  /** each stage as the pipeline has it, and nothing else: GRPO samples as many tokens as there, SFT none as there */
  sftStage: ({ steps }) => ['--stages', `sft:${shares(steps)[0]}`],
  grpoStage: ({ steps }) => coldGrpo(shares(steps)[1]),
  /** as many steps as the default run, all of them GRPO */
  grpo: ({ steps }) => coldGrpo(steps),
  /** half of the steps, on a teacher's dialogues, on gold ones, and on gold ones by SFT alone */
  teacher: ({ steps }) => ['--then', staged(steps / 2)],
  gold: ({ steps }) => ['--stages', staged(steps / 2)],
  goldSft: ({ steps }) => ['--stages', `sft:${steps / 2}`],
};
const coldGrpo = (steps: number): string[] => ['--steps', `${steps}`, '--set', 'warmSteps=0'];

interface Around {
  folder: string;
  seed: number;
  /** of the default run */
  steps: number;
}

interface Choice {
  file: string;
  settings: readonly string[];
  signal: AbortSignal;
}

/** Of one arm and seed, on the seed's held-out tasks in their order. */
interface Measured extends HeldOut {
  arm: string;
  seed: number;
  steps: number;
  tokens: number;
  seconds: number;
  passed: string;
}

const runDir = ({ folder, seed }: Around, arm: string): string => join(folder, `${arm}-${seed}`);
const isFinished = (dir: string): boolean => existsSync(join(dir, 'run.json')) && foldRun(dir).result !== null;
const tokensOf = (dir: string): number[] => foldRun(dir).curve.map(({ metrics }) => metrics.num_tokens ?? 0);
const sum = (numbers: readonly number[]): number => numbers.reduce((all, n) => all + n, 0);

/** As many steps of one stage's method as take the tokens of the whole pipeline. */
function alone(of: Around, method: 'sft' | 'grpo', args: (steps: number) => string[]): Args {
  const pipeline = runDir(of, 'stages');
  if (!isFinished(pipeline)) return null;
  const own = tokensOf(join(pipeline, 'stages', method === 'sft' ? '1-sft' : '2-grpo'));
  return args(Math.round(sum(tokensOf(pipeline)) / (sum(own) / own.length)));
}

/** Trains, or goes on with it. @returns whether it is finished */
async function train(arm: string, of: Around, { file, settings, signal }: Choice): Promise<boolean> {
  const dir = runDir(of, arm);
  if (isFinished(dir)) return true;
  if (signal.aborted) return false;
  const set = settings.flatMap((setting) => ['--set', setting]);
  const args = ARMS[arm]!(of);
  if (args === null) return false;
  if (existsSync(join(dir, 'run.json'))) await coach(['train', '--resume', dir], { signal });
  else if (arm === 'teacher') await distil(dir, of, [...args, ...set], { file, signal });
  else await coach(['train', file, '--run-dir', dir, '--seed', `${of.seed}`, ...args, ...set], { signal });
  return isFinished(dir);
}

/** The teacher is asked once about each task; the run that learns from it lies where the other arms' do. */
async function distil(
  dir: string,
  { seed }: Around,
  [then, stages, ...set]: string[],
  { file, signal }: Pick<Choice, 'file' | 'signal'>,
): Promise<void> {
  const workspace = `${dir}-asked`;
  rmSync(workspace, { recursive: true, force: true });
  cpSync(dirname(file), join(workspace, 'tools'), { recursive: true });
  writeFileSync(join(workspace, 'package.json'), '{}');
  const runs = join(workspace, '.coach/runs');
  const asking = (): string => join(runs, readdirSync(runs)[0]!);
  const server = await openTeacher(seed, () => ({ tasks: readTaskSplits(asking()).train, tools: readTools(asking()) }));
  try {
    const copy = join(workspace, 'tools', basename(file));
    const teacher = ['--teacher', server.url, '--teacher-model', 'scripted', '--teacher-budget', '1000000000'];
    await coach(['distill', copy, ...teacher, '--samples', '1', '--seed', `${seed}`, then!, stages!, ...set], {
      signal,
    });
  } finally {
    await server.close();
  }
  const trained = readdirSync(runs)
    .map((name) => join(runs, name))
    .find(isFinished);
  if (trained) cpSync(trained, dir, { recursive: true });
}

function measured(arm: string, of: Around): Measured {
  const dir = runDir(of, arm);
  const { result } = foldRun(dir);
  return {
    arm,
    seed: of.seed,
    ...heldOutOf(dir, of.seed),
    steps: result!.steps,
    tokens: sum(tokensOf(dir)),
    seconds: result!.seconds,
    passed: (result!.stages ?? []).map((stage) => `${stage.method} ${stage.passed ? 'passed' : 'refused'}`).join(', '),
  };
}

const percentOf = (solved: readonly boolean[]): string =>
  `${((100 * solved.filter(Boolean).length) / solved.length).toFixed(1)} %`;
const gainWords = ({ mean, ci95: [low, high] }: ReturnType<typeof gainOf>): string =>
  [mean, low, high].map((of) => `${of > 0 ? '+' : ''}${(100 * of).toFixed(1)}`).join(' / ');

const gainOf = (before: readonly boolean[], after: readonly boolean[], contents: readonly string[]) => {
  const { mean, ci95 } = pairedGain(before, after, contents);
  return { mean: round(mean), ci95: ci95.map((bound) => round(bound)) as [number, number] };
};

/** Of all seeds that both have, paired by task. */
function difference(all: readonly Measured[], arm: string, against: string) {
  const pairs = all
    .filter((one) => one.arm === arm)
    .flatMap((one) =>
      all.filter((two) => two.arm === against && two.seed === one.seed).map((two) => [two, one] as const),
    );
  if (pairs.length === 0) return null;
  if (pairs.some(([two, one]) => two.contents.join() !== one.contents.join()))
    throw new Error(`pipeline: ${arm} and ${against} have other held-out tasks`);
  return gainOf(
    pairs.flatMap(([two]) => two.after),
    pairs.flatMap(([, one]) => one.after),
    pairs.flatMap(([, one]) => one.contents),
  );
}

function tell(all: readonly Measured[], arms: readonly string[], against: string, choice: object): void {
  const rows = all.map((one) => [
    one.arm,
    `${one.seed}`,
    `${one.after.length}`,
    `${percentOf(one.before)} -> ${percentOf(one.after)}`,
    gainWords(gainOf(one.before, one.after, one.contents)),
    `${one.steps}`,
    `${(one.tokens / 1e6).toFixed(2)} M`,
    `${one.seconds} s`,
    one.passed,
  ]);
  console.log(layOut([['arm', 'seed', 'n', 'solved', 'gain', 'steps', 'tokens', 'time', 'gates'], ...rows]));
  const differences = arms.flatMap((arm) => {
    const than = arm === against ? null : difference(all, arm, against);
    return than ? [{ arm, against, ...than }] : [];
  });
  for (const one of differences) console.log(`${one.arm} less ${one.against}: ${gainWords(one)} points, all seeds`);
  const runs = all.map(({ before, after, contents: _, ...one }) => ({
    ...one,
    n: after.length,
    before: percentOf(before),
    after: percentOf(after),
  }));
  const machine = { cores: availableParallelism(), processor: processor(), node: process.version };
  console.log(JSON.stringify({ bench: 'pipeline', ...choice, runs, differences, ...machine }));
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      file: { type: 'string', default: 'examples/orders/orders.ts' },
      arms: { type: 'string', default: Object.keys(ARMS).join() },
      steps: { type: 'string', default: '64' },
      seeds: { type: 'string', default: '0' },
      against: { type: 'string', default: 'default' },
      keep: { type: 'string' },
      minutes: { type: 'string' },
      set: { type: 'string', multiple: true, default: [] },
    },
  });
  const arms = values.arms.split(',');
  const unknown = arms.find((arm) => !(arm in ARMS));
  if (unknown) throw new Error(`pipeline: no arm is called ${unknown}; there are ${Object.keys(ARMS).join(', ')}`);
  const folder = values.keep ? resolve(values.keep) : mkdtempSync(join(tmpdir(), 'coach-pipeline-'));
  mkdirSync(folder, { recursive: true });
  const signal = values.minutes ? AbortSignal.timeout(60_000 * Number(values.minutes)) : new AbortController().signal;
  const choice = { file: resolve(values.file), settings: values.set, signal };
  try {
    const all: Measured[] = [];
    for (const seed of values.seeds.split(',').map(Number)) {
      const of = { folder, seed, steps: Number(values.steps) };
      for (const arm of arms) if (await train(arm, of, choice)) all.push(measured(arm, of));
    }
    tell(all, arms, values.against, { file: values.file, steps: values.steps, settings: values.set });
  } finally {
    if (!values.keep) rmSync(folder, { recursive: true, force: true });
  }
}

void main();
