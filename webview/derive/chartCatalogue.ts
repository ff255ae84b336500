/**
 * Which charts a run has, by method: the ones that matter first, every other metric after them under its own (TRL's)
 * name.
 */
import type { Method } from '../../trainer/protocol/runConfig';
import type { RunState } from '../../trainer/protocol/runState';
import type { StringKey } from '../shared/strings';

export type Unit = 'number' | 'fraction' | 'tokens' | 'calls' | 'nats' | 'seconds';
export interface ChartSpec {
  id: string;
  /** string key, or null: the metric's own name */
  title: StringKey | null;
  about: StringKey | null;
  unit: Unit;
  from: 'metrics' | 'validation';
  keys: { metric: string; label: string }[];
  withComponents?: boolean;
  /** of a pipeline, only the stages that train by it; absent: all */
  method?: Method;
  /** a log axis makes sense, where all values are positive */
  canBeLog?: boolean;
  /** the axis starts at 0 */
  fromZero?: boolean;
}

const one = (metric: string): ChartSpec['keys'] => [{ metric, label: '' }];
const reward: ChartSpec = {
  id: 'reward',
  title: 'chart.reward',
  about: 'chart.reward.about',
  unit: 'number',
  from: 'metrics',
  keys: one('reward'),
  withComponents: true,
};
const solved: ChartSpec = {
  id: 'solved',
  title: 'chart.solved',
  about: 'chart.solved.about',
  unit: 'fraction',
  from: 'validation',
  keys: [],
};
const kl: ChartSpec = {
  id: 'kl',
  title: 'chart.kl',
  about: 'chart.kl.about',
  unit: 'nats',
  from: 'metrics',
  keys: one('kl'),
  canBeLog: true,
  fromZero: true,
};
const length: ChartSpec = {
  id: 'length',
  title: 'chart.length',
  about: 'chart.length.about',
  unit: 'tokens',
  from: 'metrics',
  keys: one('completions/mean_length'),
  canBeLog: true,
  fromZero: true,
};
const calls: ChartSpec = {
  id: 'calls',
  title: 'chart.calls',
  about: 'chart.calls.about',
  unit: 'calls',
  from: 'metrics',
  keys: one('tools/call_frequency'),
  fromZero: true,
};
const dead: ChartSpec = {
  id: 'dead',
  title: 'chart.dead',
  about: 'chart.dead.about',
  unit: 'fraction',
  from: 'metrics',
  keys: one('frac_reward_zero_std'),
};
const loss: ChartSpec = {
  id: 'loss',
  title: 'chart.loss',
  about: null,
  unit: 'number',
  from: 'metrics',
  keys: one('loss'),
  canBeLog: true,
};
const gradNorm: ChartSpec = {
  id: 'gradNorm',
  title: 'chart.gradNorm',
  about: 'chart.gradNorm.about',
  unit: 'number',
  from: 'metrics',
  keys: one('grad_norm'),
  canBeLog: true,
  fromZero: true,
};
const accuracy: ChartSpec = {
  id: 'accuracy',
  title: 'chart.accuracy',
  about: 'chart.accuracy.about',
  unit: 'fraction',
  from: 'metrics',
  keys: one('mean_token_accuracy'),
};
const entropy: ChartSpec = {
  id: 'entropy',
  title: 'chart.entropy',
  about: 'chart.entropy.about',
  unit: 'nats',
  from: 'metrics',
  keys: one('entropy'),
  fromZero: true,
};
const preferred: ChartSpec = {
  id: 'preferred',
  title: 'chart.preferred',
  about: 'chart.preferred.about',
  unit: 'fraction',
  from: 'metrics',
  keys: one('rewards/accuracies'),
};
const margins: ChartSpec = {
  id: 'margins',
  title: 'chart.margins',
  about: 'chart.margins.about',
  unit: 'number',
  from: 'metrics',
  keys: one('rewards/margins'),
};
const pair: ChartSpec = {
  id: 'pair',
  title: 'chart.pair',
  about: 'chart.pair.about',
  unit: 'number',
  from: 'metrics',
  keys: [
    { metric: 'rewards/chosen', label: 'chosen' },
    { metric: 'rewards/rejected', label: 'rejected' },
  ],
};

const byMethod: Record<Method, ChartSpec[]> = {
  grpo: [reward, solved, kl, length, calls, dead, loss, gradNorm],
  dpo: [loss, solved, preferred, margins, pair, gradNorm],
  sft: [loss, solved, accuracy, entropy, gradNorm],
};

/** Of a run of one method, or of all that a pipeline trains by: losses of different methods are never on one axis. */
export function mainCharts(...methods: readonly Method[]): ChartSpec[] {
  const all = [...new Set(methods.flatMap((method) => byMethod[method]))];
  if (methods.length < 2) return all;
  return all.flatMap((spec) =>
    spec === loss ? methods.map((method) => ({ ...loss, id: `loss:${method}`, method })) : [spec],
  );
}

/** What the stages of a pipeline have in common, so that it is one curve over all of them. */
export const pipelineCharts: readonly ChartSpec[] = [solved, reward, kl];

/** Every metric that the main charts leave out, each under its own name, in the order of its first appearance. */
export function otherCharts(methods: readonly Method[], curve: RunState['curve']): ChartSpec[] {
  const last = curve[curve.length - 1]?.metrics ?? {};
  const main = mainCharts(...methods);
  const taken = new Set(main.flatMap((spec) => spec.keys.map((key) => key.metric)));
  const hasComponents = main.some((spec) => spec.withComponents);
  return Object.keys(last)
    .filter((key) => !taken.has(key) && !(hasComponents && /^rewards\/.+\/mean$/.test(key)))
    .map((key) => ({
      id: `metric:${key}`,
      title: null,
      about: null,
      unit: unitOf(key),
      from: 'metrics',
      keys: one(key),
      canBeLog: true,
    }));
}

function unitOf(metric: string): Unit {
  if (metric === 'step_time') return 'seconds';
  if (/(_ratio|_frequency|frac_.*|accuracies|clip_ratio\/.*)$/.test(metric) && !metric.startsWith('sampling/'))
    return 'fraction';
  if (/_length$|^num_tokens$/.test(metric)) return 'tokens';
  return 'number';
}
