/** Child of grpoStep.ts: the real recipe with the product's settings. Usage: stepOurs.ts PLAN.json; prints a Side. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as tf from '@tensorflow/tfjs';
import { collectSooner } from '../../trainer/app/priority';
import { realDependencies } from '../../trainer/app/dependencies';
import { parseSettings } from '../../trainer/app/settings';
import { startRun } from '../../trainer/app/startRun';
import { Tokenizer } from '../../trainer/model/tokenizer/tokenizer';
import { readTrace, traceSummaries } from '../../trainer/store/runs/readRun';
import { round } from './measured';
import { PAIRS, type Plan, type Side } from './stepWorkspace';

/** What is set besides for a method, and what its count of prompts, examples or pairs is called. */
const METHODS = {
  grpo: { settings: () => ({ rewards: 'spread' }), count: 'promptsPerStep' },
  sft: { settings: () => ({}), count: 'batchSize' },
  dpo: { settings: ({ folder }: Plan) => ({ pairs: join(folder, PAIRS) }), count: 'batchSize' },
} as const;

/** The run is stopped behind its measured steps: the last one would measure the KL, too. */
async function trainOurs(plan: Plan): Promise<Side> {
  collectSooner(); // as main.ts and coach train do
  const side: Side = {
    seconds: [],
    cpuSeconds: [],
    computedTokens: 0,
    promptTokens: 0,
    completionTokens: 0,
    peakMiB: 0,
    versions: { node: process.version },
  };
  let last = { at: 0, cpu: process.cpuUsage() };
  let hasStarted = false;
  const compiled = (): { compiles: number; compileMs: number } => ({
    ...(tf.backend() as unknown as { statistics: { compiles: number; compileMs: number } }).statistics,
  });
  let before = 0;
  let steps = 0;
  let whole = { compiles: 0, compileMs: 0 };
  const stop = new AbortController();
  const ended = await startRun({
    config: settingsOf(plan),
    runDir: join(plan.folder, `run-${process.pid}`),
    cwd: plan.folder,
    signal: stop.signal,
    onStop: () => undefined,
    now: Date.now,
    dependencies: realDependencies,
    onEvent(event) {
      if (event.type === 'runStarted')
        Object.assign(side.versions, event.manifest.versions, { engine: event.manifest.engine.name });
      if (event.type !== 'runStarted') whole = compiled();
      if (event.type !== 'stepFinished') return;
      if (!hasStarted) before = whole.compiles;
      else steps = whole.compiles - before;
      const now = { at: performance.now(), cpu: process.cpuUsage() };
      if (hasStarted) {
        side.seconds.push((now.at - last.at) / 1000);
        side.cpuSeconds.push((now.cpu.user + now.cpu.system - last.cpu.user - last.cpu.system) / 1e6);
      }
      side.computedTokens = event.metrics['num_tokens'] ?? 0;
      [last, hasStarted] = [now, true];
      if (event.step === 1 + plan.steps) stop.abort();
    },
  });
  if (plan.method === 'grpo') Object.assign(side, rolloutsOf(plan, ended!.dir));
  else Object.assign(side, tokensOf(plan.examples));
  side.graphs = { steps, run: whole.compiles, runSeconds: round(whole.compileMs / 1000) };
  side.peakMiB = process.resourceUsage().maxRSS / 1024;
  return side;
}

function settingsOf(plan: Plan): ReturnType<typeof parseSettings> {
  const { settings, count } = METHODS[plan.method];
  return parseSettings({
    toolFile: join(plan.folder, 'tools.ts'),
    method: plan.method,
    model: plan.model,
    engine: 'onnx',
    threads: plan.threads,
    steps: 1 + plan.steps + 1,
    rehearsal: false,
    constraint: 'none',
    [count]: plan.promptCount,
    groupSize: plan.groupSize,
    loraRank: plan.lora.rank,
    loraAlpha: plan.lora.alpha,
    loraTargets: plan.lora.targets,
    maxTurns: 1,
    maxTurnTokens: plan.completion,
    maxTokens: plan.maxTokens,
    heldOutTasks: 1,
    evalTasks: 1,
    evalEvery: 1000,
    checkpointEvery: 1000,
    warmupSteps: 0,
    ...settings(plan),
    ...plan.settings,
  });
}

/**
 * GRPO's prompts as text, and how many tokens were read and sampled.
 * @throws where they are not as they were asked for
 */
function rolloutsOf(plan: Plan, dir: string): Pick<Side, 'prompts' | 'promptTokens' | 'completionTokens'> {
  const traces = traceSummaries(dir)
    .filter((trace) => trace.phase === 'train' && trace.step === 1)
    .map((summary) => readTrace(dir, summary));
  const tokenizer = Tokenizer.load(plan.model);
  const promptOf = (trace: (typeof traces)[number]): number[] =>
    trace.tokens.ids.slice(0, trace.tokens.completionMask.indexOf(1));
  const prompts = [...new Set(traces.map((trace) => tokenizer.decode(promptOf(trace), true)))];
  const sampled = traces.map((trace) => trace.tokens.completionMask.reduce<number>((sum, mask) => sum + mask, 0));
  if (
    traces.length !== plan.promptCount * plan.groupSize ||
    prompts.length !== plan.promptCount ||
    sampled.some((count) => count !== plan.completion)
  )
    throw new Error(
      `grpoStep: ${traces.length} rollouts of ${prompts.length} prompts, ${Math.min(...sampled)} to ${Math.max(...sampled)} tokens`,
    );
  return {
    prompts,
    promptTokens: traces.reduce((sum, trace) => sum + promptOf(trace).length, 0),
    completionTokens: sampled.reduce((sum, count) => sum + count, 0),
  };
}

/** As a trainer counts them that computes each sequence by itself. */
function tokensOf(examples: Plan['examples']): Pick<Side, 'promptTokens' | 'completionTokens'> {
  const sum = (numbers: number[]): number => numbers.reduce((a, b) => a + b, 0);
  return {
    promptTokens: sum(examples.map(({ prompt, answers }) => prompt.length * answers.length)),
    completionTokens: sum(examples.flatMap(({ answers }) => answers.map((answer) => answer.length))),
  };
}

const plan = JSON.parse(readFileSync(process.argv[2]!, 'utf8')) as Plan;
void trainOurs(plan).then((side) => console.log(JSON.stringify(side)));
