import * as tf from '@tensorflow/tfjs';
import { DPO_LOSS_TYPES } from '../../protocol/runConfig';
import {
  type LossResult,
  assertShape,
  keepMasked,
  maskedMean,
  sortAscending,
  tidyLoss,
  withoutGradient,
} from './tensorTools';

export { DPO_LOSS_TYPES };
export type DpoLossType = (typeof DPO_LOSS_TYPES)[number];

/** TRL's knobs; all are baked into a traced graph. */
export interface DpoConfig {
  /**
   * Several losses are summed with lossWeights, e.g. sigmoid + sft is RPO; sigmoid 0.8 + bco_pair 0.2 + sft 1 is MPO.
   */
  lossTypes: readonly DpoLossType[];
  lossWeights: readonly number[];
  beta: number;
  /** Used by robust, exo_pair (> 0) and aot*; not by sigmoid, as in TRL 1.16. */
  labelSmoothing: number;
  fDivergence: 'reverse_kl' | 'forward_kl' | 'js_divergence' | 'alpha_divergence';
  alphaDivergenceCoefficient: number;
  /** Weight of the tokens beyond the shorter completion's length (LD-DPO, arXiv:2409.06411); null: all count fully. */
  ldAlpha: number | null;
  /** Weigh each pair by how likely both completions are under the policy (WPO, arXiv:2406.11827). */
  useWeighting: boolean;
  discopopTau: number;
}

/** TRL 1.16's defaults. */
export const DPO_DEFAULTS: DpoConfig = {
  lossTypes: ['sigmoid'],
  lossWeights: [1],
  beta: 0.1,
  labelSmoothing: 0,
  fDivergence: 'reverse_kl',
  alphaDivergenceCoefficient: 0.5,
  ldAlpha: null,
  useWeighting: false,
  discopopTau: 0.05,
};

export interface DpoInputs {
  /** Rows 0..pairs-1 chosen, pairs..2*pairs-1 rejected; [2*pairs, seq], nats, no temperature. */
  logprobs: tf.Tensor2D;
  /** Same shape, 1 = counts; column t belongs to log-prob t (already shifted). */
  completionMask: tf.Tensor2D;
  /**
   * Summed reference log-probs, [pairs], nats; from `sequenceLogprobs` of the reference with the same mask and
   * ldAlpha.
   */
  referenceChosen: tf.Tensor1D;
  referenceRejected: tf.Tensor1D;
  /** log of the sum of squared probabilities at each position, [2*pairs, seq], for useWeighting; else null. */
  logSumSquaredProbs?: tf.Tensor2D | null;
  /** [2*pairs, seq], nats; for the entropy metric. */
  entropies?: tf.Tensor2D | null;
  /** [2*pairs, seq], 1 = the label is the most likely token; for mean_token_accuracy (of the chosen rows). */
  isCorrect?: tf.Tensor2D | null;
}

/**
 * DPO family: loss of each pair from the log-ratios to the reference, averaged over the pairs, summed over lossTypes.
 * Source: TRL 1.16 `DPOTrainer._compute_loss`, compared loss by loss in test/golden; DPO arXiv:2305.18290, and where
 * TRL names an equation: IPO arXiv:2310.12036, EXO 2402.00856, SPPO 2405.00675, APO 2408.06266, DiscoPOP 2406.08414.
 * Only tensor ops; baked: shapes (also the number of pairs that aot sorts) and config.
 *
 * @returns loss (scalar, in the surrounding tidy) and statistics under TRL's names (scalars, kept: caller disposes)
 * @throws ShapeError when shapes disagree, Error for a config that has no meaning
 */
export function dpoLoss(inputs: DpoInputs, config: DpoConfig): LossResult {
  checkInputs(inputs, config);
  return tidyLoss(() => {
    const mask = tf.cast(inputs.completionMask, 'float32'); // [2*pairs, seq]
    const logprobs = keepMasked(inputs.logprobs, mask); // [2*pairs, seq]
    const lengths = tf.sum(mask, 1) as tf.Tensor1D; // [2*pairs]
    const pair = pairOf(sumCompletion(logprobs, mask, lengths, config.ldAlpha), lengths, inputs, config);
    const weights = config.useWeighting ? pairWeights(logprobs, mask, lengths, inputs) : null; // [pairs]

    const terms = config.lossTypes.map((lossType, index) => {
      // [pairs], or scalar
      const perPair = lossType === 'sft' ? chosenNll(logprobs, mask) : pairLoss(lossType, pair, config);
      const weighted = weights === null ? perPair : tf.mul(perPair, weights);
      return tf.mul(tf.mean(weighted), config.lossWeights[index]!);
    });
    const loss = terms.reduce((sum, term) => tf.add(sum, term)) as tf.Scalar;
    return { loss, statistics: statisticsOf(pair, mask, inputs, config) };
  });
}

/**
 * log-prob of each completion: the sum over its tokens; with ldAlpha the tokens beyond the length of the pair's shorter
 * completion weigh ldAlpha. For the reference sums of DpoInputs.
 *
 * @param logprobs        [2*pairs, seq], chosen rows first, nats
 * @param completionMask  [2*pairs, seq], 1 = counts
 * @returns [2*pairs], nats; caller disposes
 */
export function sequenceLogprobs(
  logprobs: tf.Tensor2D,
  completionMask: tf.Tensor2D,
  ldAlpha: number | null,
): tf.Tensor1D {
  assertShape('sequenceLogprobs', 'completionMask', completionMask, logprobs.shape);
  return tf.tidy(() => {
    const mask = tf.cast(completionMask, 'float32');
    return sumCompletion(keepMasked(logprobs, mask), mask, tf.sum(mask, 1), ldAlpha);
  });
}

interface Pair {
  /** All [pairs]. */
  chosenLogprob: tf.Tensor1D;
  rejectedLogprob: tf.Tensor1D;
  chosenLogRatio: tf.Tensor1D;
  rejectedLogRatio: tf.Tensor1D;
  /**
   * f'(ratio) of the chosen divergence; the log-ratio for reverse_kl. Only losses that TRL gives it read it: nca_pair,
   * bco_pair, sppo_hard, apo and aot have the log-ratio whatever the divergence.
   */
  chosenScore: tf.Tensor1D;
  rejectedScore: tf.Tensor1D;
  /** Completion tokens, at least 1. */
  chosenLength: tf.Tensor1D;
  rejectedLength: tf.Tensor1D;
  referenceChosen: tf.Tensor1D;
  referenceRejected: tf.Tensor1D;
}

function checkInputs(inputs: DpoInputs, config: DpoConfig): void {
  const [rows, seq] = inputs.logprobs.shape;
  const pairs = rows / 2;
  assertShape('dpoLoss', 'completionMask', inputs.completionMask, [rows, seq]);
  assertShape('dpoLoss', 'referenceChosen', inputs.referenceChosen, [pairs]);
  assertShape('dpoLoss', 'referenceRejected', inputs.referenceRejected, [pairs]);
  for (const name of ['logSumSquaredProbs', 'entropies', 'isCorrect'] as const) {
    const tensor = inputs[name];
    if (tensor) assertShape('dpoLoss', name, tensor, [rows, seq]);
  }
  const { lossTypes, lossWeights, labelSmoothing } = config;
  if (lossTypes.length === 0 || lossTypes.length !== lossWeights.length) {
    throw new Error(
      'dpoLoss: lossTypes and lossWeights must be as many and at least one, got ' +
        `${lossTypes.length} and ${lossWeights.length}`,
    );
  }
  if (lossTypes.includes('exo_pair') && labelSmoothing <= 0)
    throw new Error(`dpoLoss: exo_pair needs labelSmoothing > 0, got ${labelSmoothing}`);
  if (lossTypes.includes('robust') && labelSmoothing >= 0.5)
    throw new Error(`dpoLoss: robust needs labelSmoothing < 0.5, got ${labelSmoothing}`);
  if (config.useWeighting && !inputs.logSumSquaredProbs)
    throw new Error('dpoLoss: useWeighting needs logSumSquaredProbs, got null');
}

/** [2*pairs, …] -> those of the chosen, and of the rejected, [pairs, …] each. */
const halves = <T extends tf.Tensor>(both: T): [T, T] => tf.split(both, 2) as [T, T];

/** logprobs and mask [2*pairs, seq], lengths [2*pairs] -> [2*pairs]. */
function sumCompletion(
  logprobs: tf.Tensor,
  mask: tf.Tensor,
  lengths: tf.Tensor1D,
  ldAlpha: number | null,
): tf.Tensor1D {
  if (ldAlpha === null) return tf.sum(logprobs, 1);
  const [chosen, rejected] = halves(lengths);
  const shorter = tf.expandDims(tf.tile(tf.minimum(chosen, rejected), [2]), 1); // [2*pairs, 1]
  const isTail = tf.cast(tf.greater(tf.cumsum(mask, 1), shorter), 'float32'); // [2*pairs, seq]
  return tf.sum(tf.mul(logprobs, tf.add(tf.mul(isTail, ldAlpha - 1), 1)), 1);
}

function pairOf(sums: tf.Tensor1D, lengths: tf.Tensor1D, inputs: DpoInputs, config: DpoConfig): Pair {
  const { referenceChosen, referenceRejected } = inputs;
  const [chosenLogprob, rejectedLogprob] = halves(sums);
  const [chosenLength, rejectedLength] = halves(tf.maximum<tf.Tensor1D>(lengths, 1));
  const chosenLogRatio = tf.sub<tf.Tensor1D>(chosenLogprob, referenceChosen);
  const rejectedLogRatio = tf.sub<tf.Tensor1D>(rejectedLogprob, referenceRejected);
  return {
    chosenLogprob,
    rejectedLogprob,
    chosenLogRatio,
    rejectedLogRatio,
    chosenLength,
    rejectedLength,
    referenceChosen,
    referenceRejected,
    chosenScore: divergenceScore(chosenLogRatio, config),
    rejectedScore: divergenceScore(rejectedLogRatio, config),
  };
}

/**
 * f'(exp(logRatio)) (f-DPO, arXiv:2309.16240), with its constants: they cancel in a difference, but not where scores
 * are averaged over tokens first (ipo, sigmoid_norm). [pairs]
 */
function divergenceScore(logRatio: tf.Tensor1D, config: DpoConfig): tf.Tensor1D {
  switch (config.fDivergence) {
    case 'reverse_kl':
      return logRatio;
    case 'forward_kl':
      return tf.sub(1, tf.exp(tf.neg(logRatio)));
    case 'js_divergence':
      return tf.add(logSigmoid(logRatio), Math.LN2);
    case 'alpha_divergence': {
      const exponent = config.alphaDivergenceCoefficient - 1;
      if (Math.abs(exponent) < 1e-6) return logRatio; // the limit alpha -> 1
      // 80: exp stays finite in float32
      return tf.div(tf.sub(tf.exp(tf.minimum(tf.mul(logRatio, exponent), 80)), 1), exponent);
    }
  }
}

/**
 * log sigma(x). tf.logSigmoid reads its input in the backward pass without saving it, which fails when a tidy has
 * freed it.
 */
function logSigmoid<T extends tf.Tensor>(x: T): T {
  return tf.neg(tf.softplus(tf.neg(x)));
}

/** WPO: exp(mean(log p - log sum p^2)) of both completions, multiplied; a constant for the backward pass. [pairs] */
function pairWeights(logprobs: tf.Tensor, mask: tf.Tensor, lengths: tf.Tensor1D, inputs: DpoInputs): tf.Tensor1D {
  const logSumSquaredProbs = keepMasked(inputs.logSumSquaredProbs as tf.Tensor, mask);
  return withoutGradient([logprobs, logSumSquaredProbs], (current, squared) => {
    const means = tf.div<tf.Tensor1D>(tf.sum(tf.sub(current, squared), 1), tf.maximum(lengths, 1)); // [2*pairs]
    const [chosen, rejected] = halves(means);
    return tf.exp(tf.add<tf.Tensor1D>(chosen, rejected));
  });
}

/** Mean over the tokens of all chosen completions, not a mean over pairs. Scalar. */
function chosenNll(logprobs: tf.Tensor, mask: tf.Tensor): tf.Scalar {
  const [chosen] = halves(logprobs);
  const [chosenMask] = halves(mask);
  return tf.neg(maskedMean(chosen, chosenMask));
}

/** [pairs] */
function pairLoss(lossType: Exclude<DpoLossType, 'sft'>, pair: Pair, config: DpoConfig): tf.Tensor {
  const { beta, labelSmoothing } = config;
  const { chosenScore, rejectedScore, chosenLogRatio, rejectedLogRatio } = pair;
  const scaled = (x: tf.Tensor): tf.Tensor => tf.mul(x, beta);
  const delta = tf.sub(chosenScore, rejectedScore);
  const logLoss = (x: tf.Tensor): tf.Tensor => tf.neg(logSigmoid(x)); // -log sigma(x)
  const smoothed = (x: tf.Tensor): tf.Tensor =>
    tf.add(tf.mul(logLoss(x), 1 - labelSmoothing), tf.mul(logLoss(tf.neg(x)), labelSmoothing));
  const perToken = (): tf.Tensor =>
    tf.sub(tf.div(chosenScore, pair.chosenLength), tf.div(rejectedScore, pair.rejectedLength));
  switch (lossType) {
    case 'sigmoid':
      return logLoss(scaled(delta));
    case 'sigmoid_norm':
      return logLoss(scaled(perToken()));
    case 'robust': {
      const right = tf.mul(logLoss(scaled(delta)), 1 - labelSmoothing);
      const flipped = tf.mul(logLoss(scaled(tf.neg(delta))), labelSmoothing);
      return tf.div(tf.sub(right, flipped), 1 - 2 * labelSmoothing);
    }
    case 'hinge':
      return tf.relu(tf.sub(1, scaled(delta)));
    case 'ipo':
      return tf.square(tf.sub(perToken(), 1 / (2 * beta)));
    case 'exo_pair': {
      const win = scaled(delta);
      const lose = tf.neg(win);
      const right = tf.mul(tf.sigmoid(win), tf.sub(logSigmoid(win), Math.log1p(-labelSmoothing)));
      const wrong = tf.mul(tf.sigmoid(lose), tf.sub(logSigmoid(lose), Math.log(labelSmoothing)));
      return tf.add(right, wrong);
    }
    case 'nca_pair': {
      const pulls = tf.add(logLoss(scaled(tf.neg(chosenLogRatio))), logLoss(scaled(tf.neg(rejectedLogRatio))));
      return tf.add(logLoss(scaled(chosenLogRatio)), tf.mul(pulls, 0.5));
    }
    case 'bco_pair':
      return tf.add(logLoss(scaled(chosenLogRatio)), logLoss(scaled(tf.neg(rejectedLogRatio))));
    case 'sppo_hard':
      return tf.add(tf.square(tf.sub(chosenLogRatio, 0.5 / beta)), tf.square(tf.add(rejectedLogRatio, 0.5 / beta)));
    case 'apo_zero':
      return tf.add(tf.sub(1, tf.sigmoid(scaled(chosenLogRatio))), tf.sigmoid(scaled(rejectedLogRatio)));
    case 'apo_down':
      return tf.add(
        tf.sigmoid(scaled(chosenLogRatio)),
        tf.sub(1, tf.sigmoid(scaled(tf.sub(chosenLogRatio, rejectedLogRatio)))),
      );
    case 'aot': {
      const policy = sortAscending(tf.sub(pair.chosenLogprob, pair.rejectedLogprob));
      const reference = sortAscending(tf.sub(pair.referenceChosen, pair.referenceRejected));
      return smoothed(scaled(tf.sub(policy, reference)));
    }
    case 'aot_unpaired':
      return smoothed(scaled(tf.sub(sortAscending(chosenLogRatio), sortAscending(rejectedLogRatio))));
    case 'discopop': {
      const margin = scaled(delta);
      const blend = tf.sigmoid(tf.div(margin, config.discopopTau));
      return tf.add(tf.mul(logLoss(margin), tf.sub(1, blend)), tf.mul(tf.exp(tf.neg(margin)), blend));
    }
  }
}

/** Implicit rewards are beta times the log-ratio whatever the divergence; a tie is not accurate. */
function statisticsOf(pair: Pair, mask: tf.Tensor, inputs: DpoInputs, config: DpoConfig): Record<string, tf.Scalar> {
  const chosen = tf.mul(pair.chosenLogRatio, config.beta);
  const rejected = tf.mul(pair.rejectedLogRatio, config.beta);
  const statistics: Record<string, tf.Scalar> = {
    'rewards/chosen': tf.mean(chosen),
    'rewards/rejected': tf.mean(rejected),
    'rewards/accuracies': tf.mean(tf.cast(tf.greater(chosen, rejected), 'float32')),
    'rewards/margins': tf.mean(tf.sub(chosen, rejected)),
    'logps/chosen': tf.mean(pair.chosenLogprob),
    'logps/rejected': tf.mean(pair.rejectedLogprob),
  };
  if (inputs.entropies) statistics['entropy'] = maskedMean(keepMasked(inputs.entropies, mask), mask);
  if (inputs.isCorrect) {
    const [chosenCorrect] = halves(tf.cast(inputs.isCorrect, 'float32'));
    const [chosenMask] = halves(mask);
    statistics['mean_token_accuracy'] = maskedMean(chosenCorrect, chosenMask);
  }
  return statistics;
}
