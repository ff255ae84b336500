import * as tf from '@tensorflow/tfjs';
import { makeBatch, type Batch, type TrainedTrace } from '../learning/batch';
import { DPO_DEFAULTS, dpoLoss, sequenceLogprobs, type DpoConfig, type DpoLossType } from '../learning/losses/dpo';
import { learningRateAt } from '../learning/optimizer/schedule';
import { Scorer, type Loss, type TrainStep } from '../learning/trainStep';
import { successOf } from '../evaluation/success';
import { MARKED_TASKS } from '../protocol/headline';
import type { Metrics, TrainerEventBody } from '../protocol/messages';
import { UserError } from '../protocol/result';
import type { RunConfig } from '../protocol/runConfig';
import { DEFAULTS } from '../protocol/settings/defaults';
import type { Task } from '../protocol/task';
import { rollOutStep } from './grpo';
import { compliancePairsOf } from '../rewards/conduct';
import { givenPairs, type GivenPairs, type Pair } from './steps/givenPairs';
import { MinedSoFar, minedByConduct, minedMetrics, minedPairs } from './steps/minedPairs';
import { aboutMetrics, measure } from './steps/measure';
import { guardsOf } from '../rollout/environment/guard/guard';
import { rolloutMetrics } from './steps/metrics';
import { stepParts } from './steps/microBatches';
import type { Recipe } from './recipe';
import { judgeStep } from './steps/scoring';
import { openTrainStep, type Session } from './steps/session';
import { loadStart } from './steps/startAdapter';
import { trainLoop, type Step } from './loop';

/**
 * Even rows are chosen, odd rejected, as pairs are packed; dpoLoss wants all chosen first. By slices, since a strided
 * one has no gradient.
 */
const chosenFirst = (x: tf.Tensor): tf.Tensor2D => {
  const [rows, columns] = x.shape as [number, number];
  const pairs = tf.reshape(x, [rows / 2, 2, columns]); // [pairs, chosen and rejected, columns]
  const side = (i: 0 | 1) => tf.reshape(tf.slice(pairs, [0, i, 0], [rows / 2, 1, columns]), [rows / 2, columns]);
  return tf.concat([side(0), side(1)], 0) as tf.Tensor2D;
};

/**
 * DPO: Rafailov et al., arXiv:2305.18290, on given pairs, or (the self-critic) on pairs of its own scored samples. Tool
 * tokens and forced
 * tokens are masked.
 */
export const dpo: Recipe = (context) =>
  trainLoop(context, (s) => {
    const { config } = context;
    const settings = dpoConfigOf(config);
    const loss: Loss = (scores, batch, [referenceChosen, referenceRejected, share]) => {
      const result = dpoLoss(
        {
          logprobs: chosenFirst(scores.logprobs),
          completionMask: chosenFirst(batch.completionMask),
          referenceChosen: referenceChosen as tf.Tensor1D,
          referenceRejected: referenceRejected as tf.Tensor1D,
        },
        settings,
      );
      return { ...result, loss: tf.mul(result.loss, share as tf.Scalar) as tf.Scalar };
    };
    const trainer = openTrainStep(s, loss);
    const start = loadStart(s);
    const reference = new Scorer(context.engine, start ? start.model : s.reference);
    const given = config.pairs ? givenPairs(s, config.pairs) : null;
    const mined = new MinedSoFar();
    return {
      step: (session, step) => dpoStep(session, step, trainer, reference, given, mined),
      tryOut: ({ groups, shared }) =>
        withBatch(s, groups, shared, groups.length, reference, (batch, extra) => trainer.tryOut(batch, extra)),
      dispose: () => {
        reference.dispose();
        start?.dispose();
      },
    };
  });

/** `sigmoid*0.8,sft` -> its losses and their weights. @throws UserError where a loss lacks what it needs */
function dpoConfigOf({
  dpoLoss = DEFAULTS.dpoLoss,
  dpoBeta,
  dpoLabelSmoothing = DEFAULTS.dpoLabelSmoothing,
  dpoLdAlpha,
}: RunConfig): DpoConfig {
  const parts = dpoLoss.split(',').map((part) => part.trim().split('*'));
  const lossTypes = parts.map(([name]) => name as DpoLossType);
  if (lossTypes.includes('exo_pair') && dpoLabelSmoothing === 0)
    throw new UserError(
      'config',
      'dpoLoss exo_pair needs dpoLabelSmoothing above 0, got 0',
      'For example: --set dpoLabelSmoothing=1e-3',
    );
  return {
    ...DPO_DEFAULTS,
    lossTypes,
    lossWeights: parts.map(([, weight = '1']) => Number(weight)),
    beta: dpoBeta,
    labelSmoothing: dpoLabelSmoothing,
    ldAlpha: dpoLdAlpha ?? null,
  };
}

const isByConduct = ({ dpoMining = DEFAULTS.dpoMining }: Pick<RunConfig, 'dpoMining'>): boolean =>
  dpoMining === 'compliance';

async function* dpoStep(
  s: Session,
  step: number,
  trainer: TrainStep,
  reference: Scorer,
  given: GivenPairs | null,
  soFar: MinedSoFar,
): ReturnType<Step> {
  const { config, signal } = s.context;
  let pairs: Pair[];
  let metrics: Metrics = {};
  let drawn: Task[] = [];
  if (given) {
    for (const note of given.notes) if (s.context.run.firstTime(note)) yield { type: 'noted', ...note };
    if (step === 1) yield* measureMarked(s, given, 'before');
    const order = s.random.fork(`pairs ${step}`).shuffle(given.pairs);
    pairs = order.slice(0, config.batchSize ?? DEFAULTS.batchSize);
  } else {
    const { tasks, ended, scoring, trained } = await rollOutStep(s, step);
    const traces = await scoring.scores(ended);
    if (signal.aborted) return null;
    drawn = tasks;
    for (const trace of traces) yield { type: 'traceRecorded', trace: s.context.run.recordTrace(trace) };
    const { dpoPairsPerGroup: most = DEFAULTS.dpoPairsPerGroup, dpoMargin: margin = DEFAULTS.dpoMargin } = config;
    const mined = isByConduct(config)
      ? minedByConduct(compliancePairsOf(tasks, traces, config.groupSize))
      : minedPairs(traces, { groupSize: config.groupSize, most, margin });
    pairs = mined.pairs.map(([a, b]) => [trained(a), trained(b)]);
    soFar.add(mined, tasks.length);
    metrics = {
      ...rolloutMetrics(traces, guardsOf(config)),
      ...minedMetrics(mined),
      ...(yield* judgeStep(s, step)),
    };
  }
  if (signal.aborted) return null;
  const learningRate = learningRateAt(step, {
    schedule: config.schedule,
    learningRate: config.learningRate,
    warmupSteps: config.warmupSteps,
    totalSteps: config.steps + 1,
  });
  const trained = pairs.length ? await trainOn(s, pairs, trainer, reference) : { loss: null };
  const gradNorm = pairs.length ? await trainer.apply(learningRate, step) : 0;
  s.mix.done(drawn, null);
  if (!given && !isByConduct(config) && step === config.steps)
    yield { type: 'noted', ...soFar.note(config.dpoMargin ?? DEFAULTS.dpoMargin) };
  if (given && step === config.steps) {
    s.policy.version = `step ${step}`;
    yield* measureMarked(s, given, 'after');
  }
  return { ...metrics, ...trained, grad_norm: gradNorm, learning_rate: learningRate };
}

/** The tasks that the pairs are about, solved again: what a person marked is what they want to see change. */
async function* measureMarked(
  s: Session,
  given: GivenPairs,
  which: 'before' | 'after',
): AsyncGenerator<TrainerEventBody, void> {
  const tasks = Object.values(s.context.tasks)
    .flat()
    .filter(({ id }) => given.taskIds.has(id))
    .slice(0, s.context.config.heldOutTasks);
  if (tasks.length === 0) return;
  const traces = yield* measure(s, tasks, which);
  if (!s.context.signal.aborted)
    yield { type: 'evaluated', which, name: MARKED_TASKS, result: successOf(tasks, traces, aboutMetrics(s)) };
}

async function trainOn(s: Session, pairs: readonly Pair[], trainer: TrainStep, reference: Scorer): Promise<Metrics> {
  const { dpoTokens = DEFAULTS.dpoTokens } = s.context.config;
  const { shared, parts } = stepParts(
    pairs.map((pair) => (dpoTokens === 'all' ? pair.map(wholeAnswer) : [...pair])),
    s.context.config,
    false,
  );
  const metrics: Record<string, number> & { num_tokens: number } = { num_tokens: shared };
  for (const part of parts) {
    const statistics = await withBatch(s, part, shared, pairs.length, reference, async (batch, extra) => {
      metrics.num_tokens += batch.tokens;
      return trainer.accumulate(batch, extra);
    });
    for (const [name, value] of Object.entries(statistics))
      if (!name.startsWith('sampling/'))
        metrics[name] = (metrics[name] ?? 0) + (name === 'loss' ? value : (value * part.length) / pairs.length);
  }
  return metrics;
}

/**
 * A micro-batch of pairs as DPO's loss wants it, while `use` runs. @param shared tokens that are computed once a step
 * @param pairs of the whole step
 */
async function withBatch<R>(
  s: Session,
  part: readonly (readonly TrainedTrace[])[],
  shared: number,
  pairs: number,
  reference: Scorer,
  use: (batch: Batch, extra: tf.Tensor[]) => Promise<R>,
): Promise<R> {
  const batch = makeBatch(part, s.base.model.config.vocabSize, shared);
  const made: tf.Tensor[] = [];
  try {
    const logprobs = reference.logprobs(batch);
    made.push(logprobs);
    const extra = tf.tidy(() => {
      const sums = sequenceLogprobs(
        chosenFirst(logprobs),
        chosenFirst(batch.completionMask),
        s.context.config.dpoLdAlpha ?? null,
      );
      return [
        tf.slice(sums, [0], [part.length]),
        tf.slice(sums, [part.length], [part.length]),
        tf.scalar(part.length / pairs),
      ];
    });
    made.push(...extra);
    return await use(batch, extra);
  } finally {
    tf.dispose(made);
    batch.dispose();
  }
}

/** Everything behind the prompt counts, as in TRL's DPO: tools' results and what a schema forced, too. */
function wholeAnswer({ trace: { tokens }, ...sequence }: TrainedTrace): TrainedTrace {
  const from = tokens.completionMask.indexOf(1);
  return {
    ...sequence,
    trace: {
      tokens: {
        ...tokens,
        completionMask: tokens.completionMask.map((isTrained, t) => (from >= 0 && t >= from ? 1 : isTrained)),
      },
    },
  };
}
