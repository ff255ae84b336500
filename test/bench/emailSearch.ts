/**
 * ToolBrain's case, arXiv:2510.00023: a small model learns to answer questions on a mailbox with a search and a read
 * (examples/email-search). Per seed: the
 * base model, a short SFT warm start on gold dialogues, then GRPO from its adapter; each measured greedily on the same
 * held-out questions, whose facts and half
 * of whose phrasings occur in no training task. The runs are those of `coach train`. `sampled` is the same with one
 * episode sampled at a temperature, which is
 * the policy that GRPO improves: what only makes it surer of itself shows there and not in greedy answers.
 *
 * Right is an answer in the closing reply, or that there is none where there is none; `goldCalls` asks for the gold
 * calls besides. Gains are paired by question,
 * over all seeds with a question as one cluster. `share` is GRPO's part of the whole gain, its interval from 2,000
 * resamplings of the questions; null where the
 * whole gain's interval holds 0. One line of JSON.
 *
 * Run: npm run bench emailSearch, or
 *   node --import tsx test/bench/emailSearch.ts [--model GGUF|nano] [--seeds 0,1,2] [--sft-steps 48] [--steps 60]
 *   [--questions 240] [--reward answer,correctness*0.5]
 *     [--temperature 0.8] [--sft NAME=VALUE …] [--grpo NAME=VALUE …] [--runs DIR]
 * runs: where the runs stay; what is there is not done again. model: by default SmolLM2-135M-Instruct where `npm test
 * -- smollm2` has put it.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { pairedGain } from '../../trainer/evaluation/statistics';
import { wilson } from '../../trainer/protocol/interval';
import type { RunConfig } from '../../trainer/protocol/runConfig';
import type { Task } from '../../trainer/protocol/task';
import { Random } from '../../trainer/base/random';
import { realDependencies } from '../../trainer/app/dependencies';
import type { TrainedWeights } from '../../trainer/model/weights/trainedWeights';
import { requireManifest } from '../../trainer/store/runs/readRun';
import { parseSettings, withLimits } from '../../trainer/app/settings';
import { settingsFromPairs } from '../../trainer/app/settingText';
import { readTasks, tasksToJsonl } from '../../trainer/tasks/readTasks';
import { splitTasks } from '../../trainer/tasks/taskset';
import { trainedWeightsOf } from '../../trainer/model/weights/trainedWeights';
import { measure, summaryOf, type Marked } from './emailSearchMeasure';
import { processor, round } from './measured';
import { trainRun } from './trainRun';
import { smollm2File } from './venv';

const TOOLS = resolve(__dirname, '../../examples/email-search/tools.ts');
const HELD_OUT = 240;
/**
 * Two results and three turns fit; what a run measures by itself is kept small, the same questions are measured here
 * for all.
 */
const LIMITS = ['maxTokens=1024', 'maxTurns=4', 'maxTurnTokens=96'];
const RUN = [...LIMITS, 'heldOutTasks=1', 'evalTasks=1'];
const SFT = ['learningRate=5e-4'];
const GRPO = ['learningRate=5e-5', 'scaleRewards=none'];
/** Colder than 1: at 1 this small model's rollouts go wrong far more often than its greedy answers do. */
const TEMPERATURE = '0.8';
const RESAMPLES = 2000;

type Stage = 'base' | 'sft' | 'grpo';
type Decoding = 'greedy' | 'sampled';
type Both = Record<Decoding, Marked[]>;
/** of one seed and one way to decode */
type Marks = Record<Stage, Marked[]>;
interface Plan {
  model: string;
  folder: string;
  tasks: string;
  heldOut: Task[];
  sftSteps: number;
  steps: number;
  reward: string;
  temperature: number;
  sft: string[];
  grpo: string[];
}

/** One set of episodes of a stage, greedy and sampled. */
async function measureBoth(
  config: RunConfig,
  trained: TrainedWeights | null,
  file: string,
  { heldOut, temperature }: Plan,
): Promise<Both> {
  const at = (degrees: number, name: string): Promise<Marked[]> =>
    measure({ config: { ...withLimits(config), temperature: degrees }, trained, tasks: heldOut, file: name });
  return { greedy: await at(0, `${file}.jsonl`), sampled: await at(temperature, `${file}.sampled.jsonl`) };
}

async function runSeed(
  seed: number,
  base: Both,
  plan: Plan,
): Promise<{ marks: Record<Decoding, Marks>; seconds: Record<string, number> }> {
  const { model, folder, tasks, sftSteps, steps } = plan;
  const dir = (stage: Stage): string => join(folder, `${stage}-${seed}`);
  const common = (n: number): string[] => [...RUN, `evalEvery=${n}`];
  const of = (stage: Stage): Promise<Both> => {
    const { config } = requireManifest(dir(stage), { readOnly: true });
    return measureBoth(config, trainedWeightsOf(dir(stage), config).weights, dir(stage), plan);
  };
  const warm = await trainRun({
    file: TOOLS,
    dir: dir('sft'),
    options: { method: 'sft', model, tasks, seed, steps: sftSteps },
    settings: [...common(sftSteps), 'batchSize=8', ...plan.sft],
  });
  const sft = await of('sft');
  const ran = await trainRun({
    file: TOOLS,
    dir: dir('grpo'),
    options: { method: 'grpo', model, tasks, seed, steps, reward: plan.reward },
    settings: [
      ...common(steps),
      'promptsPerStep=2',
      'groupSize=8',
      `startFrom=${dir('sft')}`,
      `temperature=${plan.temperature}`,
      ...plan.grpo,
    ],
  });
  const grpo = await of('grpo');
  const took = ran.curve.map(({ metrics }) => metrics['step_time'] ?? 0);
  const marks = (decoding: Decoding): Marks => ({ base: base[decoding], sft: sft[decoding], grpo: grpo[decoding] });
  return {
    marks: { greedy: marks('greedy'), sampled: marks('sampled') },
    seconds: {
      sft: warm.result.seconds,
      grpo: ran.result.seconds,
      grpoStep: round(took.reduce((a, b) => a + b, 0) / took.length, 1),
    },
  };
}

const rights = (marks: readonly Marked[]): boolean[] => marks.map((m) => m.isRight);
const rounded = ({ mean, ci95 }: { mean: number; ci95: readonly [number, number] }): object => ({
  mean: round(mean),
  ci95: ci95.map((x) => round(x)),
});

/** The gains between two stages over all seeds; a question is one cluster. */
const gain = (seeds: readonly Marks[], from: Stage, to: Stage): ReturnType<typeof pairedGain> =>
  pairedGain(
    seeds.flatMap((m) => rights(m[from])),
    seeds.flatMap((m) => rights(m[to])),
    seeds.length === 1 ? undefined : seeds.flatMap((m) => m[from].map(({ id }) => id)),
  );

/** (GRPO - SFT) / (GRPO - base). Null where there is no whole gain to have a part of. */
function shareOf(seeds: readonly Marks[]): object | null {
  if (gain(seeds, 'base', 'grpo').ci95[0] <= 0) return null;
  // what each question gained over all seeds, by GRPO and in all
  const gained = seeds[0]!.base.map(
    (_, i) =>
      (['sft', 'base'] as const).map((from) =>
        seeds.reduce((sum, m) => sum + Number(m.grpo[i]!.isRight) - Number(m[from][i]!.isRight), 0),
      ) as [number, number],
  );
  const share = (list: readonly [number, number][]): number =>
    list.reduce((sum, [part]) => sum + part, 0) / list.reduce((sum, [, whole]) => sum + whole, 0);
  const random = Random.fromSeed(0);
  const shares = Array.from({ length: RESAMPLES }, () =>
    share(gained.map(() => gained[random.int(gained.length)]!)),
  ).sort((a, b) => a - b);
  return rounded({
    mean: share(gained),
    ci95: [shares[Math.floor(0.025 * RESAMPLES)]!, shares[Math.ceil(0.975 * RESAMPLES) - 1]!],
  });
}

function report(seeds: readonly Marks[]): object {
  const stage = (name: Stage): object => {
    const marks = (name === 'base' ? seeds.slice(0, 1) : seeds).flatMap((m) => m[name]); // which is measured once
    return {
      ...summaryOf(marks),
      ...(seeds.length === 1 || name === 'base'
        ? { ci95: wilson(rights(marks).filter(Boolean).length, marks.length)?.map((x) => round(x)) }
        : {}),
    };
  };
  return {
    base: stage('base'),
    afterSft: stage('sft'),
    afterGrpo: stage('grpo'),
    gains: {
      sft: rounded(gain(seeds, 'base', 'sft')),
      grpo: rounded(gain(seeds, 'sft', 'grpo')),
      whole: rounded(gain(seeds, 'base', 'grpo')),
    },
    share: shareOf(seeds),
  };
}

/** The settings of a measurement of the plain model. */
const plainConfig = (model: string, settings: readonly string[]): RunConfig =>
  parseSettings({
    toolFile: TOOLS,
    model,
    ...settingsFromPairs([...LIMITS, ...settings.filter((s) => /^(max\w+|constraint|engine|device|threads)=/.test(s))]),
  });

async function main(): Promise<void> {
  const text = (value: string) => ({ type: 'string' as const, default: value });
  const several = { type: 'string' as const, multiple: true as const, default: [] as string[] };
  const { values: opt } = parseArgs({
    options: {
      model: text(smollm2File()),
      seeds: text('0,1,2'),
      'sft-steps': text('48'),
      steps: text('60'),
      temperature: text(TEMPERATURE),
      questions: text(String(HELD_OUT)),
      reward: text('answer,correctness*0.5'),
      sft: several,
      grpo: several,
      runs: text(''),
    },
  });
  const folder = resolve(opt.runs || mkdtempSync(join(tmpdir(), 'coach-email-search-')));
  mkdirSync(folder, { recursive: true });
  try {
    const { tools } = await realDependencies.discover([TOOLS]);
    const { train, validation, heldOut } = splitTasks(readTasks(join(TOOLS, '../tools.tasks.jsonl'), tools), {
      heldOut: HELD_OUT,
      tools,
    });
    const tasks = join(folder, 'train.tasks.jsonl');
    writeFileSync(tasks, tasksToJsonl([...train, ...validation]));
    const plan: Plan = {
      model: opt.model,
      folder,
      tasks,
      heldOut: heldOut.slice(0, Number(opt.questions)),
      sftSteps: Number(opt['sft-steps']),
      steps: Number(opt.steps),
      reward: opt.reward,
      temperature: Number(opt.temperature),
      sft: [...SFT, ...opt.sft],
      grpo: [...GRPO, ...opt.grpo],
    };
    const base = await measureBoth(plainConfig(opt.model, plan.grpo), null, join(folder, 'base'), plan);
    const seeds = opt.seeds.split(',').map(Number);
    const ran: Awaited<ReturnType<typeof runSeed>>[] = [];
    for (const seed of seeds) ran.push(await runSeed(seed, base, plan));
    const of = (decoding: Decoding): object => report(ran.map(({ marks }) => marks[decoding]));
    const bySeed = ran.map(({ marks, seconds }, i) => ({
      seed: seeds[i],
      ...report([marks.greedy]),
      sampled: report([marks.sampled]),
      seconds,
    }));
    console.log(
      JSON.stringify({
        bench: 'emailSearch',
        model: opt.model,
        questions: plan.heldOut.length,
        trainTasks: train.length + validation.length,
        sftSteps: plan.sftSteps,
        steps: plan.steps,
        reward: plan.reward,
        ...of('greedy'),
        sampled: { temperature: plan.temperature, ...of('sampled') },
        bySeed,
        settings: { sft: plan.sft, grpo: plan.grpo },
        processor: processor(),
        node: process.version,
      }),
    );
  } finally {
    if (opt.runs === '') rmSync(folder, { recursive: true, force: true });
  }
}

void main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
