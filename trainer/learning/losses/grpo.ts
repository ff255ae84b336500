import * as tf from '@tensorflow/tfjs';
import { estimateKl } from './kl';
import {
  type LossResult,
  type ScalarLike,
  assertShape,
  keepMasked,
  maskedMean,
  stopGradient,
  tidyLoss,
  withoutGradient,
} from './tensorTools';
import { topEntropyMask } from './topEntropy';

export const GRPO_LOSS_TYPES = ['grpo', 'bnpo', 'dr_grpo', 'dapo', 'luspo', 'cispo', 'sapo', 'vespo'] as const;
export type GrpoLossType = (typeof GRPO_LOSS_TYPES)[number];

/** TRL's knobs. Numbers here are baked into a traced graph; none of them changes during a run. */
export interface GrpoConfig {
  lossType: GrpoLossType;
  /** KL weight; 0: no reference needed. */
  beta: number;
  epsilonLow: number;
  /** For cispo an absolute cap on the ratio, not an offset from 1. */
  epsilonHigh: number;
  /** Second, upper clip on the unclipped ratio (INTELLECT-2); null: off. */
  delta: number | null;
  /** sequence: one length-normalised ratio per row (GSPO). */
  importanceSamplingLevel: 'token' | 'sequence';
  /** Multiply the KL by the ratio (DeepSeek-V3.2). */
  useBiasCorrectionKl: boolean;
  /** Share of tokens, those of highest entropy, whose policy loss counts; 1: all. */
  topEntropyQuantile: number;
  /** Rows with advantage < 0 and mean(old - current) above it, in nats, drop out of the policy loss; null: off. */
  offPolicyMaskThreshold: number | null;
  /** Divisor of dr_grpo, tokens. */
  maxCompletionLength: number;
  sapoTemperaturePositive: number;
  sapoTemperatureNegative: number;
  vespoKPositive: number;
  vespoLambdaPositive: number;
  vespoKNegative: number;
  vespoLambdaNegative: number;
}

/** TRL 1.16's defaults. */
export const GRPO_DEFAULTS: GrpoConfig = {
  lossType: 'dapo',
  beta: 0,
  epsilonLow: 0.2,
  epsilonHigh: 0.2,
  delta: null,
  importanceSamplingLevel: 'token',
  useBiasCorrectionKl: true,
  topEntropyQuantile: 1,
  offPolicyMaskThreshold: null,
  maxCompletionLength: 512,
  sapoTemperaturePositive: 1,
  sapoTemperatureNegative: 1.05,
  vespoKPositive: 2,
  vespoLambdaPositive: 3,
  vespoKNegative: 3,
  vespoLambdaNegative: 2,
};

export interface GrpoInputs {
  /** Current policy, [batch, seq], nats. What masked positions hold does not matter (NaN and -Infinity included). */
  logprobs: tf.Tensor2D;
  /** Policy that sampled, [batch, seq], nats; null: exactly on policy, the ratio is 1. */
  oldLogprobs: tf.Tensor2D | null;
  /** [batch, seq], nats; null only with beta 0. */
  referenceLogprobs: tf.Tensor2D | null;
  /** Entropy of each next-token distribution, [batch, seq], nats; null: no entropy metric, bonus or quantile. */
  entropies: tf.Tensor2D | null;
  /** [batch, seq], an advantage per token; [batch] or [batch, 1]: the same for all of a row's tokens. */
  advantages: tf.Tensor1D | tf.Tensor2D;
  /** [batch, seq], 1 = trained; TRL's completion_mask * tool_mask. */
  completionMask: tf.Tensor2D;
  /** Ones of the masks of the whole generation batch, all micro-batches: the divisor of dapo, cispo and vespo. */
  itemsInBatch: ScalarLike;
  /** Micro-batches per optimiser step: the other losses are divided by it. Default 1. */
  accumulationSteps?: ScalarLike;
  /**
   * Rows of the optimiser step over all micro-batches, without rows that only fill a bucket. When given, the losses
   * that
   * average over rows (grpo, sapo, dr_grpo, luspo) divide by it instead of by batch * accumulationSteps, which is right
   * for micro-batches of unequal size too.
   */
  rowsInBatch?: ScalarLike;
  /** Weight of the entropy bonus (loss -= coefficient * mean entropy). The number 0: off. Default 0. */
  entropyCoefficient?: ScalarLike;
  /**
   * Cut for topEntropyQuantile found outside (over more than this micro-batch), nats; default: the quantile in here.
   */
  entropyThreshold?: ScalarLike;
}

/**
 * GRPO family: policy-ratio loss weighted by the advantage, plus a KL penalty towards the reference model.
 * Source: TRL 1.16 `GRPOTrainer._compute_loss`, compared loss by loss in test/golden. Papers: grpo DeepSeekMath
 * arXiv:2402.03300; dr_grpo arXiv:2503.20783; dapo arXiv:2503.14476; sequence level is GSPO arXiv:2507.18071.
 * Only tensor ops: no value is read, so it can be traced. Baked: shapes, config, and every ScalarLike given as a
 * number.
 *
 * @returns loss (scalar, in the surrounding tidy) and statistics under TRL's names (scalars, kept: caller disposes).
 *   policy_loss and entropy_coef appear with an entropy bonus, kl with beta > 0, entropy when entropies are given.
 * @throws ShapeError when shapes disagree, Error when an input that the config needs is null. A batch with no trained
 *   token gives 0, not NaN.
 */
export function grpoLoss(inputs: GrpoInputs, config: GrpoConfig): LossResult {
  checkInputs(inputs, config);
  return tidyLoss(() => {
    const mask = tf.cast(inputs.completionMask, 'float32'); // [batch, seq]
    const lengths = tf.maximum(tf.sum(mask, 1, true), 1); // [batch, 1]
    const logprobs = keepMasked(inputs.logprobs, mask); // [batch, seq]
    // [batch, seq]
    const old = inputs.oldLogprobs === null ? stopGradient(logprobs) : keepMasked(inputs.oldLogprobs, mask);
    const entropies = inputs.entropies === null ? null : keepMasked(inputs.entropies, mask); // [batch, seq]
    // [batch, 1 or seq]
    const advantages = inputs.advantages.rank === 1 ? tf.expandDims(inputs.advantages, 1) : inputs.advantages;
    const rows: Rows = { logprobs, old, advantages, mask, lengths };

    const logWeights = logImportanceWeights(rows, config); // [batch, seq], or [batch, 1] at sequence level
    const ratios = tf.exp(logWeights);
    const policy = policyLoss(rows, ratios, logWeights, config);
    let perToken = policy.perToken; // [batch, seq or 1]
    if (config.offPolicyMaskThreshold !== null)
      perToken = tf.mul(perToken, offPolicyMask(rows, config.offPolicyMaskThreshold));
    let trainedEntropy: tf.Tensor = mask; // [batch, seq], where the entropy bonus acts
    if (entropies !== null && config.topEntropyQuantile < 1) {
      trainedEntropy = topEntropyMask(entropies, mask, config.topEntropyQuantile, inputs.entropyThreshold ?? null);
      perToken = tf.mul(perToken, trainedEntropy);
    }
    const statistics: Record<string, tf.Scalar> = {};
    if (inputs.referenceLogprobs !== null && config.beta !== 0) {
      const kl = estimateKl('k3', logprobs, keepMasked(inputs.referenceLogprobs, mask)); // [batch, seq]
      const penalty = config.useBiasCorrectionKl ? tf.mul(kl, ratios) : kl;
      perToken = tf.add(perToken, tf.mul(penalty, config.beta));
      statistics['kl'] = maskedMean(penalty, mask);
    }

    const accumulationSteps = inputs.accumulationSteps ?? 1;
    let loss = reduce(perToken, rows, inputs, config);
    if (entropies !== null && inputs.entropyCoefficient !== undefined && inputs.entropyCoefficient !== 0) {
      const isPerItem = DIVIDED_BY_ITEMS.has(config.lossType);
      const bonus = isPerItem
        ? tf.div(tf.sum(tf.mul(entropies, trainedEntropy)), tf.maximum(inputs.itemsInBatch, 1))
        : tf.div(maskedMean(entropies, trainedEntropy), accumulationSteps);
      statistics['policy_loss'] = isPerItem ? loss.clone() : tf.mul(loss, accumulationSteps);
      statistics['entropy_coef'] = tf.mul(inputs.entropyCoefficient, 1);
      loss = tf.sub(loss, tf.mul(bonus, inputs.entropyCoefficient));
    }
    if (entropies !== null) statistics['entropy'] = maskedMean(entropies, mask);
    Object.assign(statistics, policy.statistics);
    return { loss, statistics };
  });
}

const DIVIDED_BY_ITEMS: ReadonlySet<GrpoLossType> = new Set<GrpoLossType>(['dapo', 'cispo', 'vespo']);

interface Rows {
  logprobs: tf.Tensor; // [batch, seq]
  old: tf.Tensor; // [batch, seq]
  advantages: tf.Tensor; // [batch, 1 or seq]
  mask: tf.Tensor; // [batch, seq], 1 = trained
  lengths: tf.Tensor; // [batch, 1], at least 1
}

function checkInputs(inputs: GrpoInputs, config: GrpoConfig): void {
  const [batch, seq] = inputs.logprobs.shape;
  const twoDimensional = {
    oldLogprobs: inputs.oldLogprobs,
    referenceLogprobs: inputs.referenceLogprobs,
    entropies: inputs.entropies,
    completionMask: inputs.completionMask,
  };
  for (const [name, tensor] of Object.entries(twoDimensional)) {
    if (tensor !== null) assertShape('grpoLoss', name, tensor, [batch, seq]);
  }
  const { advantages } = inputs;
  const isPerRow = advantages.shape[1] === 1;
  assertShape('grpoLoss', 'advantages', advantages, advantages.rank === 1 ? [batch] : [batch, isPerRow ? 1 : seq]);
  if (config.beta !== 0 && inputs.referenceLogprobs === null)
    throw new Error(`grpoLoss: beta ${config.beta} needs referenceLogprobs, got null`);
  const needsEntropies = config.topEntropyQuantile < 1 || (inputs.entropyCoefficient ?? 0) !== 0;
  if (needsEntropies && inputs.entropies === null)
    throw new Error('grpoLoss: topEntropyQuantile < 1 and entropyCoefficient need entropies, got null');
}

/** log w: [batch, seq] at token level; [batch, 1], the mean over the row's ones, at sequence level. */
function logImportanceWeights({ logprobs, old, mask, lengths }: Rows, config: GrpoConfig): tf.Tensor {
  const logRatios = tf.sub(logprobs, old);
  if (config.importanceSamplingLevel === 'token') return logRatios;
  return tf.div(tf.sum(tf.mul(logRatios, mask), 1, true), lengths);
}

interface PolicyLoss {
  perToken: tf.Tensor; // [batch, seq or 1]
  statistics: Record<string, tf.Scalar>;
}

/** The loss of each token before any mask and before the KL term. */
function policyLoss(rows: Rows, ratios: tf.Tensor, logWeights: tf.Tensor, config: GrpoConfig): PolicyLoss {
  const { logprobs, advantages, mask } = rows;
  const isPerSequence = config.importanceSamplingLevel === 'sequence';
  switch (config.lossType) {
    case 'grpo':
    case 'bnpo':
    case 'dr_grpo':
    case 'dapo':
    case 'luspo': {
      const clipped = tf.clipByValue(ratios, 1 - config.epsilonLow, 1 + config.epsilonHigh);
      const unclipped = config.delta === null ? ratios : tf.minimum(ratios, config.delta);
      const perToken = tf.neg(tf.minimum(tf.mul(unclipped, advantages), tf.mul(clipped, advantages)));
      return { perToken, statistics: clipStatistics(unclipped, rows, config) };
    }
    case 'cispo': {
      const weights = withoutGradient([logWeights], (log) => tf.minimum(tf.exp(log), config.epsilonHigh));
      const isCapped = tf.logicalAnd(tf.greater(ratios, config.epsilonHigh), tf.greater(advantages, 0));
      return {
        perToken: tf.neg(tf.mul(tf.mul(weights, advantages), logprobs)),
        statistics: { cispo_clip_ratio: meanOverTokensOrRows(isCapped, mask, isPerSequence) },
      };
    }
    case 'sapo': {
      const temperatures = tf.where(
        tf.greater(advantages, 0),
        tf.fill(advantages.shape, config.sapoTemperaturePositive),
        tf.fill(advantages.shape, config.sapoTemperatureNegative),
      );
      const gates = tf.div(tf.mul(tf.sigmoid(tf.mul(temperatures, tf.sub(ratios, 1))), 4), temperatures);
      return { perToken: tf.neg(tf.mul(gates, advantages)), statistics: {} };
    }
    case 'vespo': {
      const phi = vespoWeights(rows, config); // [batch, 1]
      return {
        perToken: tf.neg(tf.mul(tf.mul(phi, advantages), logprobs)),
        statistics: { 'vespo/phi_seq_mean': meanOverTokensOrRows(phi, mask, advantages.shape[1] === 1) },
      };
    }
  }
}

/**
 * phi = exp(lambda + k log W - lambda W), W the product of the row's ratios; a constant for the backward pass.
 * The clamps are TRL's: each log ratio to +-20, log W to [log 1e-8, 20].
 */
function vespoWeights({ logprobs, old, advantages, mask }: Rows, config: GrpoConfig): tf.Tensor {
  return withoutGradient([logprobs, old], (current, before) => {
    const logRatios = tf.clipByValue(tf.sub(current, before), -20, 20);
    const logW = tf.clipByValue(tf.sum(tf.mul(logRatios, mask), 1, true), Math.log(1e-8), 20); // [batch, 1]
    const isPositive = tf.greaterEqual(advantages, 0);
    const choose = (positive: number, negative: number): tf.Tensor =>
      tf.where(isPositive, tf.fill(advantages.shape, positive), tf.fill(advantages.shape, negative));
    const k = choose(config.vespoKPositive, config.vespoKNegative);
    const lambda = choose(Math.max(config.vespoLambdaPositive, 1e-4), Math.max(config.vespoLambdaNegative, 1e-4));
    return tf.exp(tf.sub(tf.add(lambda, tf.mul(k, logW)), tf.mul(lambda, tf.exp(logW))));
  });
}

/** 1 = keep: advantage >= 0, or mean(old - current) over the row's ones at most the threshold. [batch, 1 or seq] */
function offPolicyMask({ logprobs, old, advantages, mask, lengths }: Rows, threshold: number): tf.Tensor {
  return withoutGradient([logprobs, old], (current, before) => {
    const meanKl = tf.div(tf.sum(tf.mul(tf.sub(before, current), mask), 1, true), lengths); // [batch, 1]
    return tf.cast(tf.logicalOr(tf.greaterEqual(advantages, 0), tf.lessEqual(meanKl, threshold)), 'float32');
  });
}

/** From the loss of each token to the loss of the micro-batch, divided so that micro-batches add up. */
function reduce(perToken: tf.Tensor, { mask, lengths }: Rows, inputs: GrpoInputs, config: GrpoConfig): tf.Scalar {
  const accumulationSteps = inputs.accumulationSteps ?? 1;
  const rowsInBatch = inputs.rowsInBatch ?? tf.mul(accumulationSteps, mask.shape[0]);
  const masked = tf.mul(perToken, mask); // [batch, seq]
  switch (config.lossType) {
    case 'grpo':
    case 'sapo':
      return tf.div(tf.sum(tf.div(tf.sum(masked, 1, true), lengths)), rowsInBatch);
    case 'bnpo':
      return tf.div(tf.div(tf.sum(masked), tf.maximum(tf.sum(mask), 1)), accumulationSteps);
    case 'dr_grpo':
      return tf.div(tf.sum(masked), tf.mul(rowsInBatch, config.maxCompletionLength));
    case 'dapo':
    case 'cispo':
    case 'vespo':
      return tf.div(tf.sum(masked), tf.maximum(inputs.itemsInBatch, 1));
    case 'luspo': // the row's loss times its length, so a sum over tokens, averaged over rows
      return tf.div(tf.sum(masked), rowsInBatch);
  }
}

/**
 * Shares of clipped ratios: low = below 1 - epsilonLow with advantage < 0, high = above 1 + epsilonHigh with
 * advantage > 0 (after delta, as TRL). Means over all tokens (rows at sequence level, empty ones too); low_min and
 * high_max over the shares of the single rows, without empty rows, 0 when all are empty.
 */
function clipStatistics(
  ratios: tf.Tensor,
  { advantages, mask, lengths }: Rows,
  config: GrpoConfig,
): Record<string, tf.Scalar> {
  const isPerSequence = config.importanceSamplingLevel === 'sequence';
  const isLow = tf.logicalAnd(tf.less(ratios, 1 - config.epsilonLow), tf.less(advantages, 0));
  const isHigh = tf.logicalAnd(tf.greater(ratios, 1 + config.epsilonHigh), tf.greater(advantages, 0));
  const mean = (fact: tf.Tensor): tf.Scalar => meanOverTokensOrRows(fact, mask, isPerSequence && fact.shape[1] === 1);
  const perRow = (fact: tf.Tensor): tf.Tensor => {
    const share = tf.cast(fact, 'float32');
    // [batch, 1]
    return isPerSequence && share.shape[1] === 1 ? share : tf.div(tf.sum(tf.mul(share, mask), 1, true), lengths);
  };
  const isFilled = isPerSequence ? tf.onesLike(lengths) : tf.clipByValue(tf.sum(mask, 1, true), 0, 1); // [batch, 1]
  // an empty row counts as 1, the largest share
  const lowest = tf.min(tf.add(tf.mul(perRow(isLow), isFilled), tf.sub(1, isFilled)));
  return {
    'clip_ratio/low_mean': mean(isLow),
    'clip_ratio/high_mean': mean(isHigh),
    'clip_ratio/region_mean': mean(tf.logicalOr(isLow, isHigh)),
    'clip_ratio/low_min': tf.mul(lowest, tf.max(isFilled)),
    'clip_ratio/high_max': tf.max(tf.mul(perRow(isHigh), isFilled)) as tf.Scalar,
  };
}

/** Mean of a fact or number: over the ones of the mask, or over the rows when there is one value per row. */
function meanOverTokensOrRows(x: tf.Tensor, mask: tf.Tensor, isPerRow: boolean): tf.Scalar {
  const values = tf.cast(x, 'float32');
  return isPerRow ? tf.mean(values) : maskedMean(values, mask);
}
