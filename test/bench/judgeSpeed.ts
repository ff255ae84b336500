/**
 * What a slow judge costs: a run whose only reward is a judge that answers after 2 s, beside the same run with a reward
 * that costs nothing. Asked for: with
 * steps of 15 s, at most 1.15 times as long.
 *
 * Fair means that both do the same work. The judge scores by the very rule of the free reward (`correctness`), read out
 * of its question, so with the
 * same seed both runs roll out the same episodes, find the same groups without a difference, which are left out of
 * training, and train on the same rest.
 * `sameWork` counts the steps whose rollouts were as long in both, on average; rounding parts them after some steps.
 *
 * Fair also means that both have the same machine, and a minute later that is another one. So both run at once and take
 * turns: one is stopped (SIGSTOP) while
 * the other does a step, and only then goes on; who is first alternates. Between two steps nothing is under way. A
 * step's time is that of its turn.
 *
 * Nothing is known twice: each run has its own folder, and with it its own cache of replies. The settings are the
 * defaults but for as many prompts and rollouts
 * as make a step about 15 s on 2 cores; on another machine, take others by --set (`isAsAsked`: the steps without a
 * judge took 13 to 17 s). One line of JSON.
 *
 * Run: npm run bench judgeSpeed, or node --import tsx test/bench/judgeSpeed.ts [FILE] [--steps 20] [--seed 0]
 * [--latency 2000] [--set NAME=VALUE …]
 */
import { closeSync, mkdtempSync, openSync, readSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { checkJudged, correctnessOf, openGoldJudge } from './goldJudge';
import { median, processor, round } from './measured';
import { finishedRun, startTrainRun, type TrainRun } from './trainRun';

const ASKED = { ratio: 1.15, stepSeconds: [13, 17] as const };
const SETTINGS = [
  'promptsPerStep=96',
  'groupSize=13',
  'judgeConcurrency=192',
  'heldOutTasks=16',
  'evalTasks=8',
  'evalEvery=1000',
  'checkpointEvery=1000',
];
const POLL_MS = 10;

/** A run that works only in its turns. */
class Turns {
  readonly seconds: number[] = [];
  private readonly events: string;
  private readonly recorded = new Map<string, number>();
  private read = 0;
  private readonly process: ReturnType<typeof startTrainRun>;
  private hasEnded = false;

  constructor(readonly run: TrainRun) {
    this.events = join(run.dir, 'events.jsonl');
    this.process = startTrainRun(run);
    this.process.ended.then(
      () => (this.hasEnded = true),
      () => (this.hasEnded = true),
    );
  }

  /** Works until an event of this type has been recorded so many times, and is stopped again. */
  async until(type: string, times: number): Promise<void> {
    const startedAt = performance.now();
    this.process.child.kill('SIGCONT');
    while (!this.hasEnded && (this.recorded.get(type) ?? 0) < times) {
      await sleep(POLL_MS);
      this.readOn();
    }
    this.seconds.push((performance.now() - startedAt) / 1000);
    this.process.child.kill('SIGSTOP');
    if (this.hasEnded) await this.process.ended; // says what went wrong
  }

  async toTheEnd(): Promise<void> {
    this.process.child.kill('SIGCONT');
    await this.process.ended;
  }

  /** What was appended since: the file holds every trace, and reading it whole would take what is measured. */
  private readOn(): void {
    const size = statSync(this.events, { throwIfNoEntry: false })?.size ?? 0;
    if (size <= this.read) return;
    const added = Buffer.alloc(size - this.read);
    const file = openSync(this.events, 'r');
    readSync(file, added, 0, added.length, this.read);
    closeSync(file);
    const whole = added.lastIndexOf(10) + 1; // of a line that is being written the rest comes later
    for (const line of added.toString('utf8', 0, whole).split('\n')) {
      const type = /"type":"(phaseStarted|stepFinished)"/.exec(line)?.[1];
      if (type) this.recorded.set(type, (this.recorded.get(type) ?? 0) + 1);
    }
    this.read += whole;
  }
}

const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);
const mean = (values: readonly number[]): number => sum(values) / values.length;
const metric = (dir: string, name: string): number[] =>
  finishedRun(dir).curve.flatMap(({ metrics }) => metrics[name] ?? []);

/** What the runs show, beside each other; seconds by step. */
function compare(free: Turns, judged: Turns): object {
  // the first turn is what comes before the steps
  const [without, times] = [free, judged].map((turns) => turns.seconds.slice(1)) as [number[], number[]];
  const [lengths, others] = [free, judged].map(({ run }) => metric(run.dir, 'completions/mean_length')) as [
    number[],
    number[],
  ];
  const extra = without.map((seconds, i) => times[i]! - seconds);
  const ratio = sum(times) / sum(without);
  return {
    ratio: round(ratio),
    isMet: ratio <= ASKED.ratio,
    isAsAsked: mean(without) >= ASKED.stepSeconds[0] && mean(without) <= ASKED.stepSeconds[1],
    secondsPerStep: { without: round(mean(without), 2), judge: round(mean(times), 2) },
    extraSeconds: { mean: round(mean(extra), 2), median: round(median(extra), 2), most: round(Math.max(...extra), 2) },
    sameWork: lengths.filter((length, i) => length === others[i]).length,
    steps: without.length,
  };
}

async function main(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      steps: { type: 'string', default: '20' },
      seed: { type: 'string', default: '0' },
      latency: { type: 'string', default: '2000' },
      set: { type: 'string', multiple: true, default: [] },
    },
  });
  const folder = mkdtempSync(join(tmpdir(), 'coach-judge-speed-'));
  const [file, steps, latencyMs, settings] = [
    positionals[0] ?? 'examples/harbour',
    Number(values.steps),
    Number(values.latency),
    [...SETTINGS, ...values.set],
  ];
  const dir = join(folder, 'judge');
  const judge = await openGoldJudge({ run: dir, score: correctnessOf, latencyMs });
  try {
    const common = { steps, seed: Number(values.seed) };
    const free = new Turns({
      file,
      dir: join(folder, 'free'),
      options: { ...common, reward: 'correctness' },
      settings,
    });
    await free.until('phaseStarted', 2); // before, and training
    const judged = new Turns({
      file,
      dir,
      options: { ...common, reward: 'judge' },
      settings,
      environment: judge.environment,
    });
    await judged.until('phaseStarted', 2);
    for (let step = 1; step <= steps; step++)
      for (const turns of step % 2 ? [free, judged] : [judged, free]) await turns.until('stepFinished', step);
    for (const turns of [free, judged]) await turns.toTheEnd();
    const of = (name: string): number[] => metric(dir, name);
    console.log(
      JSON.stringify({
        bench: 'judgeSpeed',
        ...compare(free, judged),
        judge: {
          requests: sum(of('judge/requests')),
          atOnce: judge.asked.atOnce,
          replySeconds: round(mean(of('judge/reply_seconds')), 2),
          traces: checkJudged(dir, correctnessOf),
        },
        latencySeconds: latencyMs / 1000,
        file,
        settings,
        processor: processor(),
        node: process.version,
      }),
    );
  } finally {
    await judge.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

void main(process.argv.slice(2));
