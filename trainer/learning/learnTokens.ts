/** Sequences of which single tokens are to be said: an update on them, and how many are likely by now. */
import * as tf from '@tensorflow/tfjs';
import { makeBatch, type TrainedTrace } from './batch';
import type { Scorer, TrainStep } from './trainStep';

/** In micro-batches of groups; `shared` tokens begin all of them (makeBatch). */
export interface TokenParts {
  shared: number;
  parts: readonly (readonly (readonly TrainedTrace[])[])[];
}

/** @param trainer whose loss takes the number of all trained tokens @param step counts from 1 */
export async function learnTokens(
  trainer: TrainStep,
  { shared, parts }: TokenParts,
  vocabSize: number,
  learningRate: number,
  step: number,
): Promise<void> {
  const count = parts.flat(2).reduce((sum, { trace }) => sum + trace.tokens.completionMask.filter(Boolean).length, 0);
  const items = tf.scalar(count);
  for (const part of parts) {
    const batch = makeBatch(part, vocabSize, shared);
    await trainer.accumulate(batch, [items]);
    batch.dispose();
  }
  items.dispose();
  await trainer.apply(learningRate, step);
}

/**
 * How many trained tokens of a model that may learn on have more than half of the probability, so that they are the
 * likeliest.
 */
export async function likelyTokens(scorer: Scorer, { shared, parts }: TokenParts, vocabSize: number): Promise<number> {
  let likely = 0;
  for (const part of parts) {
    const batch = makeBatch(part, vocabSize, shared);
    const logprobs = scorer.logprobs(batch);
    const [values, mask] = await Promise.all([logprobs.data(), batch.completionMask.data()]);
    likely += values.filter((value, i) => mask[i] === 1 && value > Math.log(0.5)).length;
    logprobs.dispose();
    batch.dispose();
  }
  scorer.dispose(); // what it keeps of a prefix is that of these weights
  return likely;
}
