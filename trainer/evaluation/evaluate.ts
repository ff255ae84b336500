import { loadBaseModel, type BaseModel } from '../model/weights/baseModel';
import { createTrainable } from '../model/network/trained';
import type { Engine } from '../model/engine/engine';
import type { ModelConfig } from '../model/network/config';
import { cacheSize, DecoderGraphs } from '../model/decoding/decoderGraphs';
import { cacheBytes } from '../model/network/memoryPlan';
import type { Success } from '../protocol/messages';
import type { LimitedConfig } from '../protocol/runConfig';
import type { Task, ToolSchema } from '../protocol/task';
import type { Trace } from '../protocol/trace';
import { Random } from '../base/random';
import type { TrainedWeights } from '../model/weights/trainedWeights';
import { runPolicy } from '../rollout/policy/local';
import type { Inertia } from '../rollout/inertia/inertia';
import { environmentsOf } from '../rollout/environment/runEnvironment';
import type { Policy } from '../rollout/policy/policy';
import { exploringTemperature, samplingOf } from '../rollout/policy/sampling';
import { rollOut } from '../rollout/group';
import type { Rollout } from '../rollout/record';
import { writeVerdicts } from '../rollout/verdicts/verdicts';
import type { ToolHosts } from '../tools/hosts/callTool';
import type { ShownTools, ShowsTools } from '../tools/retrieval/shownTools';
import { violationRule } from './compliance';
import { passAtK } from './statistics';
import { successOf } from './success';

export interface Measuring {
  base: BaseModel;
  policy: Policy;
  tools: readonly ToolSchema[];
  /** which of them a task is shown; absent or null: all */
  shown?: ShowsTools | null | undefined;
  hosts: Pick<ToolHosts, 'open'>;
  /** absent or null: the policy is always asked */
  inertia?: Inertia | null | undefined;
  config: LimitedConfig;
  runId: string;
  phase: Trace['phase'];
  step: number;
  signal: AbortSignal;
  now(): number;
  onTraces?(traces: Trace[], done: number): void | Promise<void>;
}

/**
 * Episodes decode together: at most this many at a time, and of a large model, whose products fill the cores sooner,
 * as many as a cache of so many bytes holds.
 */
const MOST_LANES = 64;
const CACHE_BYTES = 1e9;
/** Who holds the weights in 4 bits has little memory. */
const PACKED_CACHE_BYTES = 256e6;
const LEAST_LANES = 8;

/** How many episodes of a model decode together. */
export function lanesFor(
  model: ModelConfig,
  { maxTokens, quantize }: Pick<LimitedConfig, 'maxTokens' | 'quantize'>,
): number {
  const most = quantize === 'q4' ? PACKED_CACHE_BYTES : CACHE_BYTES;
  const { lanes, capacity } = cacheSize(MOST_LANES, maxTokens);
  let fitting = lanes;
  while (fitting > LEAST_LANES && cacheBytes(model, fitting, capacity) > most) fitting /= 2;
  return fitting;
}

/**
 * One episode a task (greedy), or `samples` at the run's temperature. Same prompt, limits and decoding before and
 * after.
 * @returns traces in the order of the tasks (then samples), with `solved`; fewer where it was cancelled
 */
export async function runTasks(
  tasks: readonly Task[],
  m: Measuring,
  samples: number | 'greedy' = 'greedy',
): Promise<Trace[]> {
  return (await rollOutTasks(tasks, m, samples)).map(({ trace }) => trace);
}

/** The same, with what each token was sampled from. */
export async function rollOutTasks(
  tasks: readonly Task[],
  m: Measuring,
  samples: number | 'greedy' = 'greedy',
): Promise<Rollout[]> {
  const each = samples === 'greedy' ? 1 : samples;
  const requests = tasks.flatMap((task) =>
    Array.from({ length: each }, (_, i) => {
      const groupId = `${m.phase}-${m.step}-${task.id}`;
      return {
        id: `${groupId}-${i}`,
        task,
        groupId,
        indexInGroup: i,
        random: Random.fromSeed(m.config.seed).fork(`${groupId}-${i}`),
      };
    }),
  );
  const rollouts: Rollout[] = [];
  const lanes = lanesFor(m.base.model.config, m.config);
  for (let from = 0; from < requests.length && !m.signal.aborted; from += lanes) {
    const part = await rollOut(requests.slice(from, from + lanes), {
      policy: m.policy,
      environmentFor: environmentsOf(m),
      inertia: m.inertia,
      maxTurns: m.config.maxTurns,
      sampling: samplingOf(m.config, samples === 'greedy' ? 0 : exploringTemperature(m.config)),
      runId: m.runId,
      phase: m.phase,
      step: m.step,
      seed: m.config.seed,
      signal: m.signal,
      now: m.now,
    });
    part.forEach(({ trace }, i) => writeVerdicts(trace, requests[from + i]!.task, m.tools));
    rollouts.push(...part);
    await m.onTraces?.(
      part.map(({ trace }) => trace),
      rollouts.length,
    );
  }
  return rollouts;
}

/** pass@1 and pass@k of `samples` episodes a task, averaged over tasks. */
export function passRates(
  traces: readonly Trace[],
  samples: number,
  k: number,
): { pass1: number; passK: number; n: number } {
  const n = Math.floor(traces.length / samples);
  let pass1 = 0;
  let passK = 0;
  for (let i = 0; i < n; i++) {
    const right = traces.slice(i * samples, (i + 1) * samples).filter((t) => t.solved).length;
    pass1 += right / samples;
    passK += passAtK(samples, right, k);
  }
  return { pass1: n ? pass1 / n : 0, passK: n ? passK / n : 0, n };
}

/** A model as it is, or as it was trained, by the limits of `config`. */
export interface MeasuredModel {
  /** of the base */
  modelFolder: string;
  config: LimitedConfig;
  trained: TrainedWeights | null;
  engine: Engine;
}

/** Loads a model for as long as it is used. */
export async function withModel<T>(
  { modelFolder, config, trained, engine }: MeasuredModel,
  use: (base: BaseModel, graphs: DecoderGraphs) => Promise<T>,
): Promise<T> {
  const base = loadBaseModel(modelFolder, config.maxTokens, {
    quantize: config.quantize,
    tokensFor: trained?.toolTokens,
  });
  const learnt = trained && createTrainable(base.model, trained.shape, Random.fromSeed(0));
  const graphs = new DecoderGraphs(engine, learnt ? learnt.on(base.model) : base.model);
  try {
    learnt?.load(trained!.tensors);
    return await use(base, graphs);
  } finally {
    graphs.forget();
    learnt?.dispose();
    base.dispose();
  }
}

/** Greedy success on tasks. */
export type EvaluateModel = (
  options: MeasuredModel & {
    tools: ToolSchema[];
    /** which of them a task is shown; absent: all */
    shown?: ShownTools | null;
    inertia?: Inertia | null;
    tasks: Task[];
    hosts: Pick<ToolHosts, 'open'>;
    signal: AbortSignal;
    now(): number;
    onProgress(done: number, total: number): void;
    /** every episode, as the episodes that decode together end */
    onTraces?(traces: readonly Trace[]): void;
  },
) => Promise<Success>;

export type EvaluateOptions = Parameters<EvaluateModel>[0];

/** What `coach evaluate` measures by: greedy tries of the loaded model. */
export const measuringOf = (base: BaseModel, graphs: DecoderGraphs, options: EvaluateOptions): Measuring => ({
  base,
  policy: runPolicy(base, graphs, options),
  tools: options.tools,
  shown: options.shown,
  inertia: options.inertia,
  hosts: options.hosts,
  config: options.config,
  runId: 'evaluate',
  phase: 'try',
  step: 0,
  signal: options.signal,
  now: options.now,
  onTraces: (part, done) => {
    options.onTraces?.(part);
    options.onProgress(done, options.tasks.length);
  },
});

/** `coach evaluate`: a model on tasks. */
export const evaluateModel: EvaluateModel = (options) =>
  withModel(options, async (base, graphs) => {
    const { config, tools, tasks } = options;
    const traces = await runTasks(tasks, measuringOf(base, graphs, options));
    return successOf(tasks, traces, { tools, isViolation: violationRule(config, tools) });
  });
