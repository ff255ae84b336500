/**
 * Does a perfect judge teach as much as the gold reward? For each seed two runs of the defaults, one with the default
 * reward `correctness,answer`, one with
 * `judge` alone, answered over HTTP by a server that scores each attempt as that reward would, from what the question
 * says (goldJudge.ts). Between the two
 * lies all that makes a reward of a server's replies: transcripts, shuffled names, both orders, equal attempts that are
 * sent once, groups that nobody is
 * asked about. Scores that rank alike and lie alike far apart give the same advantages, so where nothing is lost both
 * runs learn the same but for rounding.
 *
 * Gains are on held-out tasks, paired by task, tasks of one content counted as one; each seed has tasks of its own
 * where they are generated. `difference` is
 * judge less gold over the held-out tasks of all seeds: its interval says how far other tasks might move it. `bySeed`
 * takes each seed as one measurement
 * (t interval), and says how far other seeds might. `wrong` must be 0: traces that the judge scored otherwise than
 * their gold. `isMet`: the judge's gain is
 * real, and the interval of the difference does not lie below 0. One line of JSON.
 *
 * Run: npm run bench judgeTeaches, or
 *   node --import tsx test/bench/judgeTeaches.ts [FILE] [--seeds 0,1,2] [--steps 64] [--reward judge] [--parallel 1]
 *   [--set NAME=VALUE …] [--runs DIR]
 * reward: another of the judge's, such as judge:scores=ranks, where `wrong` is not known. parallel: so many runs at a
 * time, with a thread each from 2 on. runs:
 * where the runs stay; those that are there are not done again.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { pairedGain } from '../../trainer/evaluation/statistics';
import { checkJudged, goldOf, openGoldJudge } from './goldJudge';
import { processor, round } from './measured';
import { heldOutOf, trainRun, type HeldOut } from './trainRun';

interface Options {
  file: string;
  steps: string;
  reward: string;
  settings: readonly string[];
  folder: string;
}

interface Run {
  heldOut: HeldOut;
  seconds: number;
  requests: number;
  checked: ReturnType<typeof checkJudged> | null;
}

async function train(
  isJudged: boolean,
  seed: number,
  { file, steps, reward, settings, folder }: Options,
): Promise<Run> {
  const dir = join(folder, `${isJudged ? 'judge' : 'gold'}-${seed}`);
  const judge = await openGoldJudge({ run: dir, score: goldOf });
  try {
    const { result, curve } = await trainRun({
      file,
      dir,
      options: { steps, seed, ...(isJudged ? { reward } : {}) },
      settings,
      environment: isJudged ? judge.environment : {},
    });
    return {
      heldOut: heldOutOf(dir, seed),
      seconds: result.seconds,
      requests: curve.reduce((sum, { metrics }) => sum + (metrics['judge/requests'] ?? 0), 0),
      // otherwise its scores are no longer those that it gave
      checked: isJudged && reward === 'judge' ? checkJudged(dir, goldOf) : null,
    };
  } finally {
    await judge.close();
  }
}

const gain = (before: readonly boolean[], after: readonly boolean[], contents: readonly string[]) => {
  const { mean, ci95 } = pairedGain(before, after, contents);
  return { mean: round(mean), ci95: ci95.map((bound) => round(bound)) as [number, number] };
};

const share = (solved: readonly boolean[]): number => round(solved.filter(Boolean).length / solved.length);

interface Pair {
  seed: number;
  gold: Run;
  judge: Run;
}

function seedLine({ seed, gold, judge }: Pair) {
  const of = ({ heldOut: { before, after, contents }, seconds }: Run) => ({
    before: share(before),
    after: share(after),
    gain: gain(before, after, contents),
    seconds,
  });
  return {
    seed,
    n: gold.heldOut.contents.length,
    gold: of(gold),
    judge: { ...of(judge), requests: judge.requests, traces: judge.checked },
    difference: gain(gold.heldOut.after, judge.heldOut.after, gold.heldOut.contents),
  };
}

/** Quantiles of Student's t for two-sided 95 %, by degrees of freedom from 1. */
const T = [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262];

/** null: one seed says nothing of others. */
function bySeed(differences: readonly number[]): { mean: number; ci95: [number, number] | null } {
  const n = differences.length;
  const mean = differences.reduce((sum, value) => sum + value, 0) / n;
  const deviation = Math.sqrt(differences.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (n - 1));
  const half = ((T[n - 2] ?? 1.96) * deviation) / Math.sqrt(n);
  return { mean: round(mean), ci95: n < 2 ? null : [round(mean - half), round(mean + half)] };
}

function compare(pairs: readonly Pair[]) {
  const seeds = pairs.map(seedLine);
  const over = (of: (pair: Pair) => Run): HeldOut => {
    const all = pairs.map((pair) => of(pair).heldOut);
    return {
      contents: all.flatMap(({ contents }) => contents),
      before: all.flatMap(({ before }) => before),
      after: all.flatMap(({ after }) => after),
    };
  };
  const [gold, judge] = [over((pair) => pair.gold), over((pair) => pair.judge)];
  const gains = {
    gold: gain(gold.before, gold.after, gold.contents),
    judge: gain(judge.before, judge.after, judge.contents),
  };
  const difference = gain(gold.after, judge.after, gold.contents);
  const wrong = pairs.map((pair) => pair.judge.checked?.wrong ?? null);
  return {
    isMet: gains.judge.ci95[0] > 0 && difference.ci95[1] >= 0,
    gains,
    difference,
    bySeed: bySeed(seeds.map((line) => line.difference.mean)),
    wrong: wrong.includes(null) ? null : wrong.reduce((sum, n) => sum! + n!, 0),
    seeds,
  };
}

/** Up to `width` at a time; results in the order of the work. */
async function inTurn<T>(work: readonly (() => Promise<T>)[], width: number): Promise<T[]> {
  const results: T[] = [];
  let next = 0;
  const lane = async (): Promise<void> => {
    for (let i = next++; i < work.length; i = next++) results[i] = await work[i]!();
  };
  await Promise.all(Array.from({ length: width }, lane));
  return results;
}

async function main(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      seeds: { type: 'string', default: '0,1,2' },
      steps: { type: 'string', default: '64' },
      reward: { type: 'string', default: 'judge' },
      parallel: { type: 'string', default: '1' },
      set: { type: 'string', multiple: true, default: [] },
      runs: { type: 'string' },
    },
  });
  const folder = values.runs === undefined ? mkdtempSync(join(tmpdir(), 'coach-judge-teaches-')) : resolve(values.runs);
  const width = Number(values.parallel);
  const options: Options = {
    file: positionals[0] ?? 'examples/harbour',
    steps: values.steps,
    reward: values.reward,
    settings: [...(width > 1 ? ['threads=1'] : []), ...values.set],
    folder,
  };
  try {
    const seeds = values.seeds.split(',').map(Number);
    const runs = await inTurn(
      seeds.flatMap((seed) => [false, true].map((isJudged) => () => train(isJudged, seed, options))),
      width,
    );
    const pairs = seeds.map((seed, i): Pair => ({ seed, gold: runs[2 * i]!, judge: runs[2 * i + 1]! }));
    console.log(
      JSON.stringify({
        bench: 'judgeTeaches',
        ...compare(pairs),
        file: options.file,
        steps: Number(options.steps),
        reward: options.reward,
        settings: options.settings,
        processor: processor(),
        node: process.version,
      }),
    );
  } finally {
    if (values.runs === undefined) rmSync(folder, { recursive: true, force: true });
  }
}

void main(process.argv.slice(2));
