import * as tf from '@tensorflow/tfjs';
import { computeAdvantages } from '../algorithms/advantages';
import { makeBatch, type Batch, type TrainedTrace } from '../algorithms/batch';
import { GRPO_DEFAULTS, grpoLoss } from '../algorithms/grpo';
import { withAdapterDisabled } from '../model/causalLM';
import { temperaturesOf } from '../model/sample';
import { learningRateAt } from '../optim/schedule';
import { Scorer, TrainStep, type Loss } from '../optim/trainStep';
import type { Metrics } from '../protocol/messages';
import type { RunConfig } from '../protocol/runConfig';
import type { Task } from '../protocol/task';
import type { Trace } from '../protocol/trace';
import { guardsOf } from '../rollout/guard/guard';
import { rollout } from '../rollout/rollout';
import { addChannels, scoreColumns } from '../reward/channels';
import { callLimitMs } from '../evaluation/evaluate';
import { microBatches, splitGroups } from './microBatches';
import type { Recipe } from './recipe';
import { judgeStep, openScoring } from './scoring';
import type { Session } from './session';
import { loadStart } from './startAdapter';
import { AllowedIds, trainLoop, type Step } from './train';
import { equalShare, rolloutMetrics } from './metrics';

/** GRPO: DeepSeekMath, arXiv:2402.03300, with TRL's defaults (dapo aggregation, group std, beta 0). */
export const grpo: Recipe = (context) => trainLoop(context, (s) => {
  const { config } = context;
  const trainer = new TrainStep(context.engine, s.policyModel, s.adapter.variables, s.optimizer, lossOf(config), { maxGradNorm: config.maxGradNorm });
  const start = loadStart(s);
  const reference = config.beta > 0 ? new Scorer(context.engine, start ? start.model : withAdapterDisabled(s.policyModel)) : null;
  return {
    step: (session, step) => grpoStep(session, step, trainer, reference),
    tryOut: (groups) => withBatch(s, groups, reference, { advantages: groups.flat().map(() => 1), items: 1, rows: 1 }, (batch, extra) => trainer.tryOut(batch, extra)),
    dispose() {
      trainer.dispose();
      start?.dispose();
    },
  };
});

/** extra: advantages [sequences], items in batch, rows in batch, (reference logprobs) */
const lossOf = (config: RunConfig): Loss => (scores, batch, [advantages, items, rows, referenceLogprobs]) => grpoLoss(
  {
    logprobs: scores.logprobs, entropies: scores.entropies, completionMask: batch.completionMask, advantages: advantages as tf.Tensor1D, itemsInBatch: items as tf.Scalar, rowsInBatch: rows as tf.Scalar,
    oldLogprobs: config.numIterations > 1 ? batch.sampledLogprobs : null, // with mu = 1 the policy is the one that sampled: the ratio is 1
    referenceLogprobs: (referenceLogprobs as tf.Tensor2D | undefined) ?? null,
  },
  { ...GRPO_DEFAULTS, lossType: config.lossType, beta: config.beta, epsilonLow: config.epsilonLow, epsilonHigh: config.epsilonHigh, maxCompletionLength: config.maxTokens },
);

async function* grpoStep(s: Session, step: number, trainer: TrainStep, reference: Scorer | null): ReturnType<Step> {
  const { config, signal } = s.context;
  const { tasks, traces, allowed } = await rollOutStep(s, step);
  if (signal.aborted) return null;
  const rewards = traces.map((t) => t.rewards);
  const rows = config.shuffleRewards ? s.random.fork(`shuffle ${step}`).shuffle(rewards) : rewards;
  const { scores, ...columns } = scoreColumns(rows);
  const summed = computeAdvantages(scores, { ...columns, groupSize: config.groupSize, scaleRewards: config.scaleRewards, aggregation: 'sumThenNormalize' });
  const { advantages, isDeadGroup, metrics } = addChannels(summed, rows, config.groupSize);
  traces.forEach((t, i) => (t.advantage = advantages[i]));
  for (const trace of traces) yield { type: 'traceRecorded', trace: s.context.run.recordTrace(trace) };
  const judged = yield* judgeStep(s, step);
  const groups = Array.from({ length: traces.length / config.groupSize }, (_, g) => traces.slice(g * config.groupSize, (g + 1) * config.groupSize).map((t) => ({ ...allowed.with(t), temperatures: temperaturesOf(t) })));
  const trained = await trainOn(s, step, groups, isDeadGroup, trainer, reference);
  s.mix.done(tasks, isDeadGroup.map((isDead, g) => ({ isDead, solved: solvedShare(groups[g].map((t) => t.trace)) })));
  const zeroStd = summed.metrics['frac_reward_zero_std']! + (config.scaleRewards === 'batch' ? 0 : equalShare(groups.map((group) => group.map((t) => t.trace))));
  return { ...summed.metrics, frac_reward_zero_std: zeroStd, ...metrics, ...rolloutMetrics(traces, guardsOf(config)), ...judged, ...trained };
}

/** Of a group; where nobody can say what is solved, all of it: then nothing says that it is stuck either. */
const solvedShare = (group: readonly Trace[]): number => group.filter((t) => t.solved !== false).length / group.length;

/** promptsPerStep groups of groupSize episodes, scored. Kinds of tasks that are failed by all alike are tried hotter. */
export async function rollOutStep(s: Session, step: number): Promise<{ tasks: Task[]; traces: Trace[]; allowed: AllowedIds }> {
  const { config, tools, hosts, run, signal, now } = s.context;
  const tasks = s.mix.draw(step, config.promptsPerStep);
  const groups = tasks.map((task, g) => ({ id: `s${step}-g${g}`, task }));
  const scoring = openScoring(s, groups);
  const allowed = new AllowedIds();
  const temperature = config.temperature || 1;
  const requests = groups.flatMap(({ id: groupId, task }) => Array.from({ length: config.groupSize }, (_, i) => ({
    id: `${groupId}-${i}`, task, groupId, indexInGroup: i, random: s.random.fork(`rollout ${groupId}-${i}`), callTemperature: temperature * (1 + config.exploration * s.mix.stuck(task)),
  })));
  const traces = await rollout(requests, {
    policy: s.policy, tokenizer: s.base.tokenizer, template: s.base.template, tools, hosts, sampling: { temperature, maxTurns: config.maxTurns, maxTurnTokens: config.maxTurnTokens, callLimitMs: callLimitMs(config), maxTokens: config.maxTokens },
    runId: run.id, phase: 'train', step, seed: config.seed, signal, now, guards: guardsOf(config), onAllowed: allowed.keep, onEnded: scoring.ended,
  });
  return { tasks, traces: await scoring.scores(traces), allowed };
}

/** A dead group's gradient is exactly 0 without KL, so it is left out of the forward; its tokens stay in TRL's divisor unless the run says otherwise. */
async function trainOn(s: Session, step: number, groups: (TrainedTrace & { trace: Trace })[][], isDead: readonly boolean[], trainer: TrainStep, reference: Scorer | null): Promise<Metrics> {
  const { config } = s.context;
  const alive = config.beta === 0 ? groups.filter((_, i) => !isDead[i]) : groups;
  const counted = config.deadGroups === 'dropFromDivisor' ? groups.filter((_, i) => !isDead[i]) : groups;
  const items = counted.flat().reduce((n, t) => n + t.trace.tokens.completionMask.reduce((a: number, b) => a + b, 0), 0);
  const sums: Metrics = { loss: 0, num_tokens: 0, grad_norm: 0 };
  const learningRate = learningRateAt(step, { schedule: config.schedule, learningRate: config.learningRate, warmupSteps: config.warmupSteps, totalSteps: config.steps + 1 });
  const batches = microBatches(splitGroups(alive, config), config);
  for (let mu = 0; mu < config.numIterations; mu++) {
    for (const part of batches) {
      const weights = { advantages: part.flat().map((t) => t.trace.advantage ?? 0), items: Math.max(1, items), rows: counted.flat().length };
      const statistics = await withBatch(s, part, reference, weights, async (batch, extra) => {
        sums.num_tokens! += batch.tokens;
        return trainer.accumulate(batch, extra);
      });
      for (const [name, value] of Object.entries(statistics)) merge(sums, name, name === 'loss' ? value / config.numIterations : value, 1 / (batches.length * config.numIterations));
    }
    if (batches.length > 0) sums.grad_norm = await trainer.apply(learningRate, (step - 1) * config.numIterations + mu + 1);
  }
  return { ...sums, learning_rate: learningRate };
}

/** A micro-batch as GRPO's loss wants it, while `use` runs. @param weights advantages of its sequences; trained tokens and rows of the whole step */
async function withBatch<R>(s: Session, part: readonly (readonly TrainedTrace[])[], reference: Scorer | null, weights: { advantages: number[]; items: number; rows: number }, use: (batch: Batch, extra: tf.Tensor[]) => Promise<R>): Promise<R> {
  const batch = makeBatch(part, s.base.model.config.vocabSize);
  const extra: tf.Tensor[] = [tf.tensor1d(weights.advantages), tf.scalar(weights.items), tf.scalar(weights.rows)];
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
