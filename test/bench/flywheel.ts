/**
 * Does a model get better at what was flagged? A run on the email example that a perfect judge scores (goldJudge.ts);
 * a person's thumbs on some of its training traces, scripted: of each fourth task, the wrong ones down and the first
 * right one up; then `coach flywheel RUN --train`, measured on the first run's held-out tasks before and after. Kinds of
 * requests (the tools of their gold calls) that were flagged more often than all on the mean stand apart from the others.
 * A table, then one line of JSON.
 *
 * Run: npm run bench -- flywheel --keep DIR [--seeds 0,1,2] [--steps 32] [--set NAME=VALUE]… (keep: where the runs stay;
 *   what is there is not done again)
 */
import { cpSync, existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { LessonPlan } from '../../trainer/protocol/flywheel';
import type { PreferenceBody } from '../../trainer/protocol/preferences';
import type { Task } from '../../trainer/protocol/task';
import { preferencesFile, recordPreferences } from '../../trainer/store/preferences/store';
import { foldRun, readTaskSplits, traceSummaries } from '../../trainer/store/runs/readRun';
import { runsFolder } from '../../trainer/store/runs/workspace';
import { EXAMPLES } from '../tasks/fixtures';
import { coach, type RunsAt } from './anyFile/coach';
import { layOut } from './anyFile/report';
import { correctnessOf, openGoldJudge } from './goldJudge';
import { gained, gainWords, shareOf } from './gains';
import { processor } from './measured';
import { heldOutOf, trainRun, type HeldOut } from './trainRun';

const { values } = parseArgs({
  options: {
    keep: { type: 'string' },
    seeds: { type: 'string', default: '0,1,2' },
    steps: { type: 'string', default: '32' },
    set: { type: 'string', multiple: true, default: [] },
  },
});
/** A person marks the traces of every so many tasks. */
const MARKED_OF = 4;

const toolsOf = (task: Task): string => (task.calls ?? []).map(({ name }) => name).join(', ') || 'no tool';

/** What a person would have marked, once for each run. */
function mark(workspace: string, run: string): void {
  if (existsSync(preferencesFile(workspace))) return;
  const traces = traceSummaries(run).filter(({ phase }) => phase === 'train');
  const bodies = readTaskSplits(run)
    .train.filter((_, i) => i % MARKED_OF === 0)
    .flatMap(({ id }): PreferenceBody[] => {
      const ofTask = traces.filter(({ taskId }) => taskId === id);
      const right = ofTask.find(({ solved }) => solved === true);
      const note = (traceId: string, thumb: 'up' | 'down'): PreferenceBody => ({
        type: 'note',
        runId: run,
        traceId,
        turn: null,
        text: '',
        thumb,
      });
      return [
        ...(right ? [note(right.id, 'up')] : []),
        ...ofTask.filter(({ solved }) => solved === false).map((trace) => note(trace.id, 'down')),
      ];
    });
  recordPreferences(workspace, bodies);
}

interface Wheel {
  plan: LessonPlan;
  heldOut: HeldOut;
  /** of each held-out task: whether its kind was flagged more often than all on the mean */
  isFlagged: boolean[];
}

async function turn(seed: number, folder: string): Promise<Wheel> {
  const workspace = join(folder, `seed-${seed}`);
  const first = join(workspace, 'first');
  cpSync(join(EXAMPLES, 'email'), join(workspace, 'email'), { recursive: true });
  writeFileSync(join(workspace, 'package.json'), '{}');
  const judge = await openGoldJudge({ run: first, score: correctnessOf });
  try {
    await trainRun({
      file: join(workspace, 'email/tools.ts'),
      dir: first,
      options: { steps: values.steps, seed, reward: 'judge' },
      settings: values.set,
      environment: judge.environment,
    });
    mark(workspace, first);
    const at = { cwd: workspace, environment: judge.environment };
    const plan = JSON.parse(await wheel([], first, at)) as LessonPlan;
    const second = await secondRun(workspace, first, at);
    return { plan, heldOut: heldOutOf(second, seed), isFlagged: flaggedKinds(first, plan) };
  } finally {
    await judge.close();
  }
}

/** `coach flywheel` on a run. @returns what it printed. @throws Error where it refuses */
async function wheel(more: readonly string[], run: string, at: RunsAt): Promise<string> {
  const { code, stdout, said } = await coach(['flywheel', run, '--json', ...more], at);
  if (code !== 0) throw new Error(`flywheel: coach flywheel ended with ${code}: ${said}`);
  return stdout;
}

/** The run on the lessons: the only one of the workspace. */
async function secondRun(workspace: string, first: string, at: RunsAt): Promise<string> {
  const runs = (): string[] => (existsSync(runsFolder(workspace)) ? readdirSync(runsFolder(workspace)) : []);
  const set = values.set.flatMap((setting) => ['--set', setting]);
  if (runs().length === 0) await wheel(['--train', ...set], first, at);
  const dir = join(runsFolder(workspace), runs()[0] ?? '');
  if (foldRun(dir).result === null) throw new Error(`flywheel: ${dir} did not end; remove it, and try again`);
  return dir;
}

/** By the share of a kind's training traces that were flagged. */
function flaggedKinds(run: string, { flagged }: LessonPlan): boolean[] {
  const { train, heldOut } = readTaskSplits(run);
  const kinds = new Map(train.map((task) => [task.id, toolsOf(task)]));
  const traces = traceSummaries(run).filter(({ phase }) => phase === 'train');
  const count = (taskIds: readonly string[], kind: string): number =>
    taskIds.filter((id) => kinds.get(id) === kind).length;
  const [all, those] = [traces.map(({ taskId }) => taskId), flagged.map(({ taskId }) => taskId)];
  return heldOut.map((task) => {
    const kind = toolsOf(task);
    return count(those, kind) * all.length > count(all, kind) * those.length;
  });
}

/** Of the held-out tasks of all seeds for which `isIn` holds. */
function gainOf(wheels: readonly Wheel[], name: string, isIn: (isFlagged: boolean) => boolean) {
  const pick = <T>(of: (wheel: Wheel) => readonly T[]): T[] =>
    wheels.flatMap((wheel) => of(wheel).filter((_, i) => isIn(wheel.isFlagged[i]!)));
  const heldOut: HeldOut = {
    before: pick((wheel) => wheel.heldOut.before),
    after: pick((wheel) => wheel.heldOut.after),
    contents: pick((wheel) => wheel.heldOut.contents),
  };
  const { before, after } = heldOut;
  return { name, n: after.length, before: shareOf(before), after: shareOf(after), gain: gained(heldOut) };
}

async function main(): Promise<void> {
  if (!values.keep) throw new Error('flywheel: --keep DIR says where the runs stay');
  const wheels: Wheel[] = [];
  for (const seed of values.seeds.split(',').map(Number)) wheels.push(await turn(seed, resolve(values.keep)));
  const results = [
    gainOf(wheels, 'flagged more often than all', (isFlagged) => isFlagged),
    gainOf(wheels, 'the others', (isFlagged) => !isFlagged),
    gainOf(wheels, 'all', () => true),
  ];
  const rows = results.map(({ name, n, before, after, gain }) => [
    name,
    `${n}`,
    `${before} -> ${after} %`,
    gainWords(gain),
  ]);
  console.log(layOut([['kinds of requests', 'n', 'success', 'gain'], ...rows]));
  const taken = wheels.map(({ plan }) => ({ traces: plan.traces, flagged: plan.flagged.length, ...plan.taken }));
  console.log(JSON.stringify({ bench: 'flywheel', processor: processor(), ...values, taken, results }));
}

void main();
