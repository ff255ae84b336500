import * as tf from '@tensorflow/tfjs';
import { readFileSync } from 'node:fs';
import { makeBatch, type TrainedTrace } from '../algorithms/batch';
import { DPO_DEFAULTS, dpoLoss, sequenceLogprobs } from '../algorithms/dpo';
import { withAdapterDisabled } from '../model/causalLM';
import { learningRateAt } from '../optim/schedule';
import { Scorer, TrainStep, type Loss } from '../optim/trainStep';
import type { Metrics } from '../protocol/messages';
import { UserError } from '../protocol/result';
import { PreferencePair } from '../protocol/reward';
import { Message, type Trace } from '../protocol/trace';
import { sequenceOf } from './gold';
import { rollOutStep } from './grpo';
import { rolloutMetrics } from './metrics';
import { microBatches } from './microBatches';
import type { Recipe } from './recipe';
import type { Session } from './session';
import { trainLoop, type Step } from './train';

type Pair = readonly [chosen: TrainedTrace, rejected: TrainedTrace];

/** Even rows are chosen, odd rejected, as pairs are packed; dpoLoss wants all chosen first. */
const chosenFirst = (x: tf.Tensor): tf.Tensor2D => tf.concat([tf.stridedSlice(x, [0, 0], x.shape, [2, 1]), tf.stridedSlice(x, [1, 0], x.shape, [2, 1])], 0) as tf.Tensor2D;

/** DPO: Rafailov et al., arXiv:2305.18290, on given pairs, or on pairs mined from scored groups. Tool tokens and forced tokens are masked. */
export const dpo: Recipe = (context) => trainLoop(context, (s) => {
  const { config } = context;
  const loss: Loss = (scores, batch, [referenceChosen, referenceRejected, share]) => {
    const result = dpoLoss({ logprobs: chosenFirst(scores.logprobs), completionMask: chosenFirst(batch.completionMask), referenceChosen: referenceChosen as tf.Tensor1D, referenceRejected: referenceRejected as tf.Tensor1D }, { ...DPO_DEFAULTS, beta: config.dpoBeta });
    return { ...result, loss: tf.mul(result.loss, share) as tf.Scalar };
  };
  const trainer = new TrainStep(context.engine, s.policyModel, s.adapter.variables, s.optimizer, loss, { temperature: 1, maxGradNorm: config.maxGradNorm });
  const reference = new Scorer(context.engine, withAdapterDisabled(s.policyModel), 1);
  const given = config.pairs ? readPairs(s, config.pairs) : null;
  return { step: (session, step) => dpoStep(session, step, trainer, reference, given), dispose: () => trainer.dispose() };
});

async function* dpoStep(s: Session, step: number, trainer: TrainStep, reference: Scorer, given: Pair[] | null): ReturnType<Step> {
  const { config, signal } = s.context;
  let pairs: Pair[];
  let metrics: Metrics = {};
  if (given) {
    const order = s.random.fork(`pairs ${step}`).shuffle(given);
    pairs = Array.from({ length: Math.min(config.batchSize, given.length) }, (_, i) => order[i]);
  } else {
    const { traces, allowed } = await rollOutStep(s, step);
    if (signal.aborted) return null;
    for (const trace of traces) yield { type: 'traceRecorded', trace: s.context.run.recordTrace(trace) };
    pairs = minedPairs(traces, config.groupSize).map(([a, b]) => [allowed.with(a), allowed.with(b)]);
    metrics = { ...rolloutMetrics(traces), 'coach/pairs': pairs.length };
  }
  if (signal.aborted) return null;
  const learningRate = learningRateAt(step, { schedule: config.schedule, learningRate: config.learningRate, warmupSteps: config.warmupSteps, totalSteps: config.steps + 1 });
  const trained = pairs.length ? await trainOn(s, pairs, trainer, reference) : { loss: null };
  const gradNorm = pairs.length ? await trainer.apply(learningRate, step) : 0;
  return { ...metrics, ...trained, grad_norm: gradNorm, learning_rate: learningRate };
}

async function trainOn(s: Session, pairs: readonly Pair[], trainer: TrainStep, reference: Scorer): Promise<Metrics> {
  const metrics: Record<string, number> = { num_tokens: 0 };
  for (const part of microBatches(pairs.map((p) => [...p]), s.context.config)) {
    const batch = makeBatch(part, s.base.model.config.vocabSize);
    const logprobs = reference.logprobs(batch);
    const extra = tf.tidy(() => {
      const sums = sequenceLogprobs(chosenFirst(logprobs), chosenFirst(batch.completionMask), null);
      return [tf.slice(sums, [0], [part.length]), tf.slice(sums, [part.length], [part.length]), tf.scalar(part.length / pairs.length)];
    });
    const statistics = await trainer.accumulate(batch, extra);
    for (const [name, value] of Object.entries(statistics)) if (!name.startsWith('sampling/')) metrics[name] = (metrics[name] ?? 0) + (name === 'loss' ? value : (value * part.length) / pairs.length);
    metrics.num_tokens += batch.tokens;
    tf.dispose([logprobs, ...extra]);
    batch.dispose();
  }
  return metrics;
}

/** The best against the worst trace of each group; never a tie, never a trace that nothing scored. */
function minedPairs(traces: readonly Trace[], groupSize: number): [Trace, Trace][] {
  const out: [Trace, Trace][] = [];
  for (let from = 0; from < traces.length; from += groupSize) {
    const scored = traces.slice(from, from + groupSize).filter((t) => t.reward !== null && t.tokens.completionMask.includes(1)).sort((a, b) => b.reward! - a.reward! || a.indexInGroup - b.indexInGroup);
    const [best, worst] = [scored[0], scored[scored.length - 1]];
    if (best && worst && best.reward! > worst.reward!) out.push([best, worst]);
  }
  return out;
}

/** Given pairs are tokenised once; what they share is the prompt, and what follows it is trained. */
function readPairs(s: Session, file: string): Pair[] {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new UserError('config', `pairs: ${file} can't be read: ${(error as Error).message}`, 'give a JSONL file of {"prompt": […], "chosen": […], "rejected": […]}');
  }
  const pairs = text.split('\n').flatMap((line, i): Pair[] => {
    if (line.trim() === '') return [];
    const where = `${file}:${i + 1}`;
    const bad = (what: string): UserError => new UserError('config', `${where}: ${what}`, 'a line is {"id", "prompt": [messages], "chosen": [messages], "rejected": [messages]}');
    let json: unknown;
    try {
      json = JSON.parse(line);
    } catch (error) {
      throw bad(`not JSON (${(error as Error).message})`);
    }
    const parsed = PreferencePair.safeParse({ id: String(i + 1), ...(json as object) });
    if (!parsed.success) throw bad(`${parsed.error.issues[0].path.join('.')}: ${parsed.error.issues[0].message}`);
    const messages = (list: unknown[]): Message[] => list.map((m) => Message.parse(m));
    const prompt = messages(parsed.data.prompt);
    const sides = [parsed.data.chosen, parsed.data.rejected].map((side) => sequenceOf(s, [...prompt, ...messages(side)], s.context.tools, prompt.length));
    if (!sides[0] || !sides[1]) throw bad(`the ${sides[0] ? 'rejected' : 'chosen'} answer can't be said under constraint ${s.context.config.constraint}, or holds no choice`);
    return [[sides[0], sides[1]]];
  });
  if (pairs.length === 0) throw new UserError('config', `pairs: ${file} holds no pair`, 'mark some pairs first, or leave --pairs out to mine them from scored groups');
  return pairs;
}
