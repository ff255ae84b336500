/**
 * When a sample of a teacher is stopped early: a logistic predictor of failure, fitted on half of the samples that ran
 * to their end, taken only where the other half says, with a lower bound above 0, that it shortens the way to a success
 * (makespan.ts). Never inside a group of GRPO, whose baseline it would bias.
 */
import type { Random } from '../../base/random';
import { attemptsOf, makespanStopping, savingOf, type Seen } from './makespan';

/** A sample after one of its turns, when it could still be stopped. */
export interface Moment {
  /** 0 to about 1 each, as many for every moment */
  features: number[];
  /** characters written until then */
  length: number;
}

export interface Sampled {
  passed: boolean;
  /** characters that were written */
  length: number;
  moments: Moment[];
}

export interface EarlyStop {
  expectsFailure(features: readonly number[]): boolean;
  /** of the characters until a success, 0..1 */
  saving: number;
  lower: number;
}

/** Fewer samples, or fewer of one kind in a half, say nothing. */
const LEAST = 24;
const LEAST_OF_A_KIND = 4;
const THRESHOLDS = [0.5, 0.6, 0.7, 0.8, 0.9, 0.95];

/**
 * @param tasks the samples of each task: a task is in one half alone
 * @returns null: it abstains, since there is too little to go by, or it does not pay for sure
 */
export function fitEarlyStop(tasks: readonly (readonly Sampled[])[], random: Random): EarlyStop | null {
  const halves = [0, 1].map((half) => tasks.filter((_, i) => i % 2 === half).flat());
  const isEnough = halves.every((half) =>
    [true, false].every((passed) => half.filter((one) => one.passed === passed).length >= LEAST_OF_A_KIND),
  );
  if (tasks.flat().length < LEAST || !isEnough) return null;
  const [fitted, heldOut] = halves as [Sampled[], Sampled[]];
  const rows = fitted.flatMap(({ passed, moments }) => moments.map(({ features }) => ({ features, failed: !passed })));
  if (rows.length === 0) return null;
  const weights = fitLogistic(rows);
  const best = THRESHOLDS.map((threshold) => ({
    threshold,
    takes: makespanStopping(attemptsOf(seenBy(fitted, weights, threshold), 0)),
  })).reduce((a, b) => (b.takes < a.takes ? b : a));
  const { saving, lower } = savingOf(seenBy(heldOut, weights, best.threshold), 0, random);
  if (!(lower > 0)) return null;
  return { expectsFailure: (features) => failing(weights, features) > best.threshold, saving, lower };
}

const seenBy = (samples: readonly Sampled[], weights: readonly number[], threshold: number): Seen[] =>
  samples.map(({ passed, length, moments }) => ({
    passed,
    length,
    stoppedAt: moments.find(({ features }) => failing(weights, features) > threshold)?.length ?? null,
  }));

/** Probability of failure; the first weight is the bias. */
const failing = ([bias = 0, ...weights]: readonly number[], features: readonly number[]): number =>
  1 / (1 + Math.exp(-weights.reduce((sum, weight, i) => sum + weight * features[i]!, bias)));

const ROUNDS = 400;
const RATE = 1;
const DECAY = 1e-2;

/**
 * Logistic regression by gradient descent with a little weight decay, bias first: a few features, a few hundred rows.
 */
export function fitLogistic(rows: readonly { features: readonly number[]; failed: boolean }[]): number[] {
  const weights = Array.from({ length: 1 + rows[0]!.features.length }, () => 0);
  for (let round = 0; round < ROUNDS; round++) {
    const slope = weights.map(() => 0);
    for (const { features, failed } of rows) {
      const error = failing(weights, features) - (failed ? 1 : 0);
      [1, ...features].forEach((value, i) => (slope[i]! += (error * value) / rows.length));
    }
    weights.forEach((weight, i) => (weights[i] = weight - RATE * (slope[i]! + (i === 0 ? 0 : DECAY * weight))));
  }
  return weights;
}
