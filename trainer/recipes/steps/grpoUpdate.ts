/**
 * GRPO's update on a step's groups: micro-batches, gradients, the optimiser. With a judge the first update begins
 * while verdicts are still on their way.
 */
import * as tf from '@tensorflow/tfjs';
import { computeAdvantages } from '../../learning/advantages';
import {
  tokenAdvantages,
  advantageColumns,
  makeBatch,
  type Advantage,
  type Batch,
  type TrainedTrace,
} from '../../learning/batch';
import { learningRateAt } from '../../learning/optimizer/schedule';
import type { Scorer, TrainStep } from '../../learning/trainStep';
import type { Metrics } from '../../protocol/messages';
import type { Reward } from '../../protocol/reward';
import type { RunConfig } from '../../protocol/runConfig';
import { DEFAULTS } from '../../protocol/settings/defaults';
import type { Trace } from '../../protocol/trace';
import { addChannels, scoreColumns } from '../../learning/channels';
import { microBatches, splitGroups, stepParts, type StepParts } from './microBatches';
import type { Scoring } from './scoring';
import type { Session } from './session';

/** A scored rollout, as it is trained on. */
export type Sequence = TrainedTrace & { trace: Trace };
type Weights = { advantages: Advantage[]; items: number; rows: number };
/** The gradients of the first update are summed up: by these micro-batches, with these statistics. */
export interface Begun extends StepParts<Sequence> {
  statistics: Record<string, number>[];
  tokens: number;
}

/**
 * A dead group's gradient is exactly 0 without KL, so it is left out of the forward; its tokens stay in TRL's divisor
 * unless the run says otherwise.
 */
export async function trainOn(
  s: Session,
  step: number,
  groups: Sequence[][],
  isDead: readonly boolean[],
  trainer: TrainStep,
  reference: Scorer | null,
  begun: Begun | null,
): Promise<Metrics> {
  const { config } = s.context;
  const alive = learntOf(config.beta === 0 ? groups.filter((_, i) => !isDead[i]) : groups, config);
  const divisors = divisorsOf(
    (config.deadGroups === 'dropFromDivisor' ? groups.filter((_, i) => !isDead[i]) : groups)
      .flat()
      .map(({ trace }) => trace),
    config,
  );
  const sums: Metrics = { loss: 0, num_tokens: 0, grad_norm: 0 };
  const learningRate = learningRateAt(step, {
    schedule: config.schedule,
    learningRate: config.learningRate,
    warmupSteps: config.warmupSteps,
    totalSteps: config.steps + 1,
  });
  const { shared, parts } = begun ?? stepParts(alive, config, true);
  for (let mu = 0; mu < config.numIterations; mu++) {
    const { statistics, tokens } =
      mu === 0 && begun ? begun : await accumulateAll(s, { shared, parts }, divisors, trainer, reference);
    sums.num_tokens! += tokens + (parts.length > 0 ? shared : 0);
    for (const [name, value] of statistics.flatMap((one) => Object.entries(one))) {
      // as TRL has it: after the first update the policy has moved, which is no difference of the sampler
      const isOfSampling = name.startsWith('sampling/');
      if (isOfSampling && mu > 0) continue;
      const times = isOfSampling ? 1 : config.numIterations;
      merge(sums, name, name === 'loss' ? value / times : value, 1 / (parts.length * times));
    }
    if (parts.length > 0)
      sums.grad_norm = await trainer.apply(learningRate, (step - 1) * config.numIterations + mu + 1);
  }
  return { ...sums, learning_rate: learningRate };
}

/** Whether a rollout is learnt from: with `maskTruncated` not where a limit cut it off (DAPO, arXiv:2503.14476). */
const isLearnt = ({ truncated }: Trace, { maskTruncated = DEFAULTS.maskTruncated }: Masking): boolean =>
  !maskTruncated || truncated === 'no';
type Masking = Pick<RunConfig, 'maskTruncated'>;

const learntOf = (groups: readonly Sequence[][], config: Masking): Sequence[][] =>
  groups.map((group) => group.filter(({ trace }) => isLearnt(trace, config))).filter((group) => group.length > 0);

/** As TRL: tokens that are masked are no items, their rows are rows. */
const divisorsOf = (traces: readonly Trace[], config: Masking): Omit<Weights, 'advantages'> => ({
  items: Math.max(
    1,
    traces.reduce(
      (n, trace) => n + (isLearnt(trace, config) ? trace.tokens.completionMask.reduce((a: number, b) => a + b, 0) : 0),
      0,
    ),
  ),
  rows: traces.length,
});

async function accumulateAll(
  s: Session,
  { shared, parts }: StepParts<Sequence>,
  divisors: Omit<Weights, 'advantages'>,
  trainer: TrainStep,
  reference: Scorer | null,
): Promise<Pick<Begun, 'statistics' | 'tokens'>> {
  const statistics: Begun['statistics'] = [];
  let tokens = 0;
  for (const part of parts) {
    statistics.push(
      await withBatch(
        s,
        part,
        shared,
        reference,
        { ...divisors, advantages: part.flat().map((t) => tokenAdvantages(t.trace)) },
        (batch, extra) => {
          tokens += batch.tokens;
          return trainer.accumulate(batch, extra);
        },
      ),
    );
  }
  return { statistics, tokens };
}

/** Whether a group's gradient is known as soon as its own verdict is: nothing of the other groups' rewards is in it. */
export function trainsAsScored({ context: { judge, config } }: Session): boolean {
  return (
    judge !== null &&
    config.scaleRewards !== 'batch' &&
    config.rewardAggregation !== 'normalizeThenSum' &&
    config.deadGroups === 'keepInDivisor' &&
    !config.shuffleRewards
  );
}

/**
 * The gradients of the first update, while a judge still reads: groups are taken by their length, those that took
 * longest to roll out last, so most are trained
 * on when the last verdict comes. Which groups share a micro-batch depends on lengths and rewards alone, never on who
 * answered first. Null where it was stopped.
 */
export async function accumulateAsScored(
  s: Session,
  ended: readonly Trace[],
  scoring: Scoring,
  sequencesOf: (trace: Trace) => Sequence[],
  trainer: TrainStep,
  reference: Scorer | null,
): Promise<Begun | null> {
  const { config, signal } = s.context;
  const { groupSize } = config;
  const lengths = Array.from({ length: ended.length / groupSize }, (_, g) =>
    Math.max(...ended.slice(g * groupSize, (g + 1) * groupSize).map(({ tokens }) => tokens.ids.length)),
  );
  const order = lengths.map((_, g) => g).sort((a, b) => lengths[a]! - lengths[b]! || a - b);
  const divisors = divisorsOf(ended, config);
  // of all rollouts, whichever groups turn out to be dead
  const { shared } = stepParts(
    learntOf(
      order.map((g) => ended.slice(g * groupSize, (g + 1) * groupSize).flatMap(sequencesOf)),
      config,
    ),
    config,
    true,
  );
  const begun: Begun = { shared, parts: [], statistics: [], tokens: 0 };
  let open: Sequence[][] = [];
  const accumulate = async (parts: Sequence[][][]): Promise<void> => {
    const { statistics, tokens } = await accumulateAll(s, { shared, parts }, divisors, trainer, reference);
    begun.parts.push(...parts);
    begun.statistics.push(...statistics);
    begun.tokens += tokens;
  };
  await new Promise((resolve) => setTimeout(resolve, 10)); // the last questions leave before the processor is taken
  for (const g of order) {
    if (signal.aborted) return null;
    const group = await scoring.of(ended, g);
    const {
      advantages,
      isDeadGroup: [isDead],
    } = advantagesOf(
      group.map((t) => t.rewards),
      config,
    );
    group.forEach((t, i) => (t.advantage = advantages[i]!));
    if (isDead && config.beta === 0) continue;
    const packed = microBatches(
      [...open, ...splitGroups(learntOf([group.flatMap(sequencesOf)], config), config, shared)],
      config,
      shared,
    );
    open = packed.pop() ?? [];
    await accumulate(packed);
  }
  if (signal.aborted) return null;
  if (open.length > 0) await accumulate([open]);
  return begun;
}

/** Advantages, dead groups and metrics of whole groups' rewards, row by row; with channels. */
export function advantagesOf(
  rows: readonly (readonly Reward[])[],
  {
    groupSize,
    scaleRewards,
    baseline = DEFAULTS.baseline,
    rewardAggregation = DEFAULTS.rewardAggregation,
  }: Pick<RunConfig, 'groupSize' | 'scaleRewards' | 'baseline' | 'rewardAggregation'>,
): ReturnType<typeof addChannels> {
  const { scores, ...columns } = scoreColumns(rows);
  const summed = computeAdvantages(scores, {
    ...columns,
    groupSize,
    scaleRewards,
    baseline,
    aggregation: rewardAggregation,
  });
  const { metrics, ...whole } = addChannels(summed, rows, groupSize);
  return { ...whole, metrics: { ...summed.metrics, ...metrics } };
}

/**
 * A micro-batch as GRPO's loss wants it, while `use` runs. @param shared tokens that are computed once a step @param
 * weights advantages of its sequences; trained tokens and rows of the whole step
 */
export async function withBatch<R>(
  s: Session,
  part: readonly (readonly TrainedTrace[])[],
  shared: number,
  reference: Scorer | null,
  weights: Weights,
  use: (batch: Batch, extra: tf.Tensor[]) => Promise<R>,
): Promise<R> {
  const batch = makeBatch(part, s.base.model.config.vocabSize, shared);
  const extra: tf.Tensor[] = [
    advantageColumns(part, weights.advantages, batch.columns),
    tf.scalar(weights.items),
    tf.scalar(weights.rows),
  ];
  try {
    if (reference) extra.push(reference.logprobs(batch));
    return await use(batch, extra);
  } finally {
    tf.dispose(extra);
    batch.dispose();
  }
}

function merge(sums: Metrics, name: string, value: number, share: number): void {
  if (name === 'loss') sums.loss = (sums.loss ?? 0) + value;
  else if (name.endsWith('max')) sums[name] = Math.max(sums[name] ?? 0, value);
  else sums[name] = (sums[name] ?? 0) + value * share;
}
