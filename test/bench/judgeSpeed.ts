/**
 * What a slow judge costs: a run whose only reward is a judge that answers after 2 s, beside the same run with a reward that costs nothing. Asked for: with
 * steps of 15 s, at most 1.15 times as long.
 *
 * Fair means that both do the same work. The judge scores by the very rule of the free reward (`correctness`), read out of its question, so with the
 * same seed both runs roll out the same episodes, find the same groups without a difference, which are left out of training, and train on the same rest.
 * `sameWork` counts the steps that trained on as many tokens in both; rounding may part them after some steps. What is compared is the time of the steps as
 * the run itself records it: what comes before and after them is the same and would only dilute the ratio (`wholeRunRatio`). Nothing is known twice: each run
 * has its own folder, and with it its own cache of replies. The settings are the defaults but for as many prompts and rollouts as make a step about 15 s on 2
 * cores; on another machine, take others by --set (`isAsAsked`: the steps without a judge took 13 to 17 s).
 *
 * Two runs after each other are only as alike as the machine was quiet. One line of JSON.
 *
 * Run: npm run bench judgeSpeed, or node --import tsx test/bench/judgeSpeed.ts [FILE] [--steps 20] [--latency 2000] [--rounds 1] [--set NAME=VALUE …] [--runs DIR]
 * rounds: that many pairs of runs, each with its own seed, in turning order. runs: where the runs stay; those that are there are not done again.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { checkJudged, correctnessOf, openGoldJudge } from './goldJudge';
import { median, processor, round } from './measured';
import { trainRun } from './trainRun';

const ASKED = { ratio: 1.15, stepSeconds: [13, 17] as const };
const SETTINGS = ['promptsPerStep=64', 'groupSize=13', 'judgeConcurrency=128', 'heldOutTasks=16', 'evalTasks=8', 'evalEvery=1000', 'checkpointEvery=1000'];

interface Run {
  /** seconds of each step, and how many tokens it trained on */
  times: number[];
  tokens: number[];
  /** all of it */
  seconds: number;
  /** null: without a judge */
  judged: { requests: number; /** null: the run was there already */ atOnce: number | null; replySeconds: number; traces: ReturnType<typeof checkJudged> } | null;
}

interface Options { file: string; steps: number; latencyMs: number; settings: readonly string[]; folder: string }

async function measure(isJudged: boolean, seed: number, { file, steps, latencyMs, settings, folder }: Options): Promise<Run> {
  const dir = join(folder, `${isJudged ? 'judge' : 'free'}-${seed}`);
  const judge = await openGoldJudge({ run: dir, score: correctnessOf, latencyMs });
  try {
    const { curve, result } = await trainRun({ file, dir, options: { steps, seed, reward: isJudged ? 'judge' : 'correctness' }, settings, environment: isJudged ? judge.environment : {} });
    const of = (name: string): number[] => curve.flatMap(({ metrics }) => metrics[name] ?? []);
    return {
      times: of('step_time'), tokens: of('num_tokens'), seconds: result.seconds,
      judged: isJudged ? { requests: sum(of('judge/requests')), atOnce: judge.asked.atOnce || null, replySeconds: mean(of('judge/reply_seconds')), traces: checkJudged(dir, correctnessOf) } : null,
    };
  } finally {
    await judge.close();
  }
}

const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);
const mean = (values: readonly number[]): number => sum(values) / values.length;

/** What the runs show, beside each other. */
function compare(free: readonly Run[], judged: readonly Run[]) {
  const [without, times] = [free, judged].map((runs) => runs.flatMap((run) => run.times)) as [number[], number[]];
  const tokens = judged.flatMap((run) => run.tokens);
  const extra = without.map((seconds, i) => times[i]! - seconds);
  const ratio = sum(times) / sum(without);
  return {
    ratio: round(ratio), isMet: ratio <= ASKED.ratio, isAsAsked: mean(without) >= ASKED.stepSeconds[0] && mean(without) <= ASKED.stepSeconds[1],
    secondsPerStep: { without: round(mean(without), 2), judge: round(mean(times), 2) }, extraSeconds: { mean: round(mean(extra), 2), median: round(median(extra), 2), most: round(Math.max(...extra), 2) },
    wholeRunRatio: round(sum(judged.map((run) => run.seconds)) / sum(free.map((run) => run.seconds))),
    sameWork: free.flatMap((run) => run.tokens).filter((n, i) => n === tokens[i]).length, steps: without.length,
    judge: judged.map((run) => ({ ...run.judged!, replySeconds: round(run.judged!.replySeconds, 2) })),
  };
}

async function main(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args, allowPositionals: true,
    options: { steps: { type: 'string', default: '20' }, latency: { type: 'string', default: '2000' }, rounds: { type: 'string', default: '1' }, set: { type: 'string', multiple: true, default: [] }, runs: { type: 'string' } },
  });
  const folder = values.runs === undefined ? mkdtempSync(join(tmpdir(), 'coach-judge-speed-')) : resolve(values.runs);
  const options: Options = { file: positionals[0] ?? 'examples/harbour', steps: Number(values.steps), latencyMs: Number(values.latency), settings: [...SETTINGS, ...values.set], folder };
  try {
    const [free, judged]: [Run[], Run[]] = [[], []];
    for (let seed = 0; seed < Number(values.rounds); seed++) {
      for (const isJudged of seed % 2 === 0 ? [false, true] : [true, false]) (isJudged ? judged : free).push(await measure(isJudged, seed, options));
    }
    console.log(JSON.stringify({ bench: 'judgeSpeed', ...compare(free, judged), latencySeconds: options.latencyMs / 1000, file: options.file, settings: options.settings, processor: processor(), node: process.version }));
  } finally {
    if (values.runs === undefined) rmSync(folder, { recursive: true, force: true });
  }
}

void main(process.argv.slice(2));
