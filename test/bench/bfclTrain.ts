/**
 * GRPO on BFCL's questions: 100 steps on three quarters of simple_python, measured by BFCL's own check, greedily,
 * before and after, on the last quarter and on
 * two categories that no step sees (transfer). Each question has functions of its own, so there is no tool file:
 * questions are asked as `coach evaluate
 * --benchmark` asks them, one turn, nothing is run; the update is that of `coach train`.
 *
 * Reward: 1 where the check finds nothing wrong, and half of `correctness` (ToolRL's partial credit) against the first
 * accepted values, since most questions
 * are missed by all rollouts alike at first. Every fourth question is held out. Gains are paired by question. One line
 * of JSON.
 *
 * Run: COACH_BFCL_DATA=site-packages/bfcl_eval npm run bench bfclTrain, or
 *   node --import tsx test/bench/bfclTrain.ts --data FOLDER [--model GGUF|nano] [--steps 100] [--seed 0] [--set
 *   NAME=VALUE …] [--runs DIR]
 * runs: where the answers' marks and the adapter stay; what is there is not done again. model: by default
 * SmolLM2-135M-Instruct where `npm test -- smollm2`
 * has put it.
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { Category } from '../../trainer/rewards/bfcl/categories';
import { bfclDataFolder, readEntries, type Entry } from '../../trainer/evaluation/benchmarks/bfcl/entries';
import { askOnce, findingsOf, ownTools, verdictOf } from '../../trainer/evaluation/benchmarks/bfcl/evaluateBfcl';
import { toPlain } from '../../trainer/rewards/bfcl/values';
import { pairedGain } from '../../trainer/evaluation/statistics';
import { loraOf } from '../../trainer/model/network/loraShape';
import { exportAdapter, readAdapter } from '../../trainer/model/weights/exportAdapter';
import type { Engine } from '../../trainer/model/engine/engine';
import { DecoderGraphs } from '../../trainer/model/decoding/decoderGraphs';
import { temperaturesOf } from '../../trainer/model/decoding/sample';
import { wilson } from '../../trainer/protocol/interval';
import type { Reward } from '../../trainer/protocol/reward';
import type { SettledConfig } from '../../trainer/protocol/runConfig';
import type { GoldCall, ToolSchema } from '../../trainer/protocol/task';
import type { Trace } from '../../trainer/protocol/trace';
import { Random } from '../../trainer/base/random';
import { openTrainer } from '../../trainer/recipes/grpo';
import { advantagesOf, trainOn } from '../../trainer/recipes/steps/grpoUpdate';
import type { RecipeContext } from '../../trainer/recipes/recipe';
import { openSession, type Session } from '../../trainer/recipes/steps/session';
import { parserOf, type ToolCallParser } from '../../trainer/rollout/parser';
import { callCorrectness } from '../../trainer/rewards/correctness';
import { realDependencies } from '../../trainer/app/dependencies';
import type { TrainedWeights } from '../../trainer/model/weights/trainedWeights';
import { parseSettings } from '../../trainer/app/settings';
import { settingsFromPairs } from '../../trainer/app/settingText';
import { outcomeOf } from '../../trainer/tasks/solved';
import { processor, round } from './measured';
import { smollm2File } from './venv';

/** Rollouts are kept short, since what is right is; measured is with more room. */
const SETTINGS = [
  'promptsPerStep=2',
  'groupSize=8',
  'numIterations=1',
  'tokensPerMicroBatch=2048',
  'temperature=0.6',
  'learningRate=1e-4',
  'maxTokens=1024',
  'maxTurnTokens=64',
];
const MEASURED_TURN_TOKENS = 128;
const PARTIAL = 0.5;

/** A call that is right: the first accepted value of each argument that may not be left out. */
function goldOf({ groundTruth }: Entry): GoldCall[] {
  return groundTruth.map((call) => {
    const [[name, accepted]] = Object.entries(toPlain(call) as Record<string, Record<string, unknown[]>>) as [
      [string, Record<string, unknown[]>],
    ];
    return {
      name: name.replaceAll('.', '_'),
      arguments: Object.fromEntries(
        Object.entries(accepted).flatMap(([key, values]) => (values.includes('') ? [] : [[key, values[0]]])),
      ),
    };
  });
}

function rewardsOf(
  entry: Entry,
  gold: readonly GoldCall[],
  trace: Trace,
  tools: readonly ToolSchema[],
  parser: ToolCallParser,
): Reward[] {
  const isRight = verdictOf(entry, trace, parser) === null;
  return [
    { name: 'bfcl', weight: 1, score: Number(isRight) },
    {
      name: 'correctness',
      weight: PARTIAL,
      score: isRight ? 1 : callCorrectness(gold, outcomeOf(trace).calls, tools),
    },
  ];
}

/** The adapter after the run's steps. */
async function train(
  entries: readonly Entry[],
  config: SettledConfig,
  engine: Engine,
): Promise<{ weights: TrainedWeights; curve: Record<string, number | null>[] }> {
  const signal = new AbortController().signal;
  // of what a recipe is given, that which a session and an update use
  const s = openSession({
    config,
    engine,
    tools: [],
    tasks: { train: [], validation: [], heldOut: [] },
    modelFolder: realDependencies.modelFolder(config.model, process.cwd()),
    resumeFrom: null,
    signal,
    now: Date.now,
  } as unknown as RecipeContext);
  const trainer = openTrainer(s);
  const asking = { base: s.base, graphs: new DecoderGraphs(engine, s.policyModel), config, signal, now: Date.now };
  const order = Array.from({ length: Math.ceil((config.steps * config.promptsPerStep) / entries.length) }, (_, epoch) =>
    Random.fromSeed(config.seed)
      .fork(`epoch ${epoch}`)
      .shuffle([...entries]),
  ).flat();
  const curve: Record<string, number | null>[] = [];
  try {
    for (let step = 1; step <= config.steps; step++) {
      const startedAt = Date.now();
      const metrics = await oneStep(
        s,
        step,
        order.slice((step - 1) * config.promptsPerStep, step * config.promptsPerStep),
        asking,
        trainer,
      );
      curve.push({ step, ...metrics, step_time: (Date.now() - startedAt) / 1000 });
      console.error(
        JSON.stringify(
          Object.fromEntries(
            Object.entries(curve.at(-1)!)
              .filter(([name]) => /^(step|reward|rewards.bfcl.mean|frac.*|entropy|step_time|num_tokens)$/.test(name))
              .map(([name, value]) => [name, value === null ? null : round(value, 3)]),
          ),
        ),
      );
    }
    return { weights: { tensors: await s.trained.read(), shape: loraOf(config) }, curve };
  } finally {
    s.dispose();
  }
}

async function oneStep(
  s: Session,
  step: number,
  entries: readonly Entry[],
  asking: Parameters<typeof askOnce>[1],
  trainer: ReturnType<typeof openTrainer>,
): Promise<Record<string, number | null>> {
  const { config } = asking;
  const parser = parserOf(asking.base.template.format.calls);
  const asked = entries.map((entry) => ({ entry, gold: goldOf(entry), tools: ownTools(entry, asking) }));
  const requests = asked.flatMap(({ entry, tools }, g) =>
    Array.from({ length: config.groupSize }, (_, i) => {
      const id = `s${step}-g${g}-${i}`;
      return {
        id,
        task: { id: entry.id, prompt: entry.prompt },
        groupId: `s${step}-g${g}`,
        indexInGroup: i,
        random: s.random.fork(`rollout ${id}`),
        tools,
      };
    }),
  );
  const rollouts = await askOnce(requests, asking, {
    phase: 'train',
    step,
    temperature: config.temperature,
  });
  const traces = rollouts.map(({ trace }) => trace);
  traces.forEach((trace, i) => {
    const { entry, gold, tools } = asked[Math.floor(i / config.groupSize)]!;
    trace.rewards = rewardsOf(entry, gold, trace, tools, parser);
  });
  const { advantages, isDeadGroup, metrics } = advantagesOf(
    traces.map((trace) => trace.rewards),
    config,
  );
  traces.forEach((trace, i) => (trace.advantage = advantages[i]!));
  const groups = asked.map((_, g) =>
    rollouts
      .slice(g * config.groupSize, (g + 1) * config.groupSize)
      .map((rollout) => ({ ...rollout, temperatures: temperaturesOf(rollout.trace) })),
  );
  return { ...metrics, ...(await trainOn(s, step, groups, isDeadGroup, trainer, null, null)) };
}

/** One mark a question; marks that are there are not made again. */
async function measure(
  entries: readonly Entry[],
  config: SettledConfig,
  engine: Engine,
  trained: TrainedWeights | null,
  file: string,
): Promise<(string | null)[]> {
  if (!existsSync(file)) {
    const findings = await findingsOf({
      modelFolder: realDependencies.modelFolder(config.model, process.cwd()),
      config: { ...config, maxTurnTokens: MEASURED_TURN_TOKENS },
      trained,
      engine,
      entries,
      signal: new AbortController().signal,
      now: Date.now,
      onProgress: (done, total) => console.error(`${file}: ${done}/${total}`),
    });
    writeFileSync(
      file,
      findings
        .map((finding, i) => `${JSON.stringify({ id: entries[i]!.id, wrong: finding?.reason ?? null })}\n`)
        .join(''),
    );
  }
  return readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { wrong: string | null }).wrong);
}

function compare(
  entries: readonly Entry[],
  before: readonly (string | null)[],
  after: readonly (string | null)[],
): Record<string, object> {
  const of = (category: Category): object => {
    const at = entries.flatMap((entry, i) => (entry.category === category ? [i] : []));
    const [was, is] = [before, after].map((marks) => at.map((i) => marks[i] === null)) as [boolean[], boolean[]];
    const rate = (marks: readonly boolean[]): object => ({
      right: round(marks.filter(Boolean).length / marks.length),
      ci95: wilson(marks.filter(Boolean).length, marks.length)!.map((x) => round(x)),
    });
    const gain = pairedGain(was, is);
    return {
      n: at.length,
      before: rate(was),
      after: rate(is),
      gain: { mean: round(gain.mean), ci95: gain.ci95.map((x) => round(x)) },
    };
  };
  return { heldOut: of('simple_python'), multiple: of('multiple'), liveSimple: of('live_simple') };
}

async function main(): Promise<void> {
  const text = (value: string) => ({ type: 'string' as const, default: value });
  const { values: opt } = parseArgs({
    options: {
      data: text(''),
      model: text(smollm2File()),
      steps: text('100'),
      seed: text('0'),
      set: { type: 'string', multiple: true, default: [] },
      runs: text(''),
    },
  });
  const folder = resolve(opt.runs || mkdtempSync(join(tmpdir(), 'coach-bfcl-')));
  mkdirSync(folder, { recursive: true });
  const data = bfclDataFolder(opt.data || process.env['COACH_BFCL_DATA'] || '');
  const read = (category: Category): Entry[] => readEntries(data, category, null).entries;
  const simple = read('simple_python');
  const trained = simple.filter((_, i) => i % 4 !== 3);
  const measured = [...simple.filter((_, i) => i % 4 === 3), ...read('multiple'), ...read('live_simple')];
  const settings = settingsFromPairs([...SETTINGS, ...opt.set]);
  const config = parseSettings({
    toolFile: data,
    model: opt.model,
    steps: Number(opt.steps),
    seed: Number(opt.seed),
    ...settings,
  }) as SettledConfig;
  const engine = await realDependencies.openEngine(config, (message) => console.error(message));
  try {
    const startedAt = Date.now();
    const before = await measure(measured, config, engine, null, join(folder, 'before.jsonl'));
    const adapterFolder = join(folder, 'adapter');
    const trainedAt = Date.now();
    if (!existsSync(adapterFolder)) {
      const { weights, curve } = await train(trained, config, engine);
      writeFileSync(join(folder, 'curve.jsonl'), curve.map((line) => `${JSON.stringify(line)}\n`).join(''));
      exportAdapter({
        tensors: weights.tensors,
        ...loraOf(config),
        out: adapterFolder,
        baseModel: realDependencies.modelFolder(config.model, process.cwd()),
      });
    }
    const seconds = {
      before: round((trainedAt - startedAt) / 1000, 0),
      training: round((Date.now() - trainedAt) / 1000, 0),
    };
    const after = await measure(
      measured,
      config,
      engine,
      { tensors: readAdapter(adapterFolder).tensors, shape: loraOf(config) },
      join(folder, 'after.jsonl'),
    );
    console.log(
      JSON.stringify({
        bench: 'bfclTrain',
        model: opt.model,
        steps: config.steps,
        seed: config.seed,
        trainQuestions: trained.length,
        ...compare(measured, before, after),
        seconds,
        settings,
        processor: processor(),
        node: process.version,
      }),
    );
  } finally {
    await engine.dispose();
    if (opt.runs === '') rmSync(folder, { recursive: true, force: true });
  }
}

void main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
