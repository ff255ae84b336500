import * as tf from '@tensorflow/tfjs';
import { computeAdvantages } from '../../trainer/learning/advantages';
import { type GrpoConfig, type GrpoInputs, GRPO_LOSS_TYPES, grpoLoss } from '../../trainer/learning/losses/grpo';
import { type CaseCheck, type CaseResult, NoLossYet, flatten, readStatistics, runCase, tensorOf } from './compare';

interface LossCase {
  id: number;
  config: {
    loss_type: string;
    beta: number;
    epsilon_low: number;
    epsilon_high: number;
    delta: number | null;
    importance_sampling_level: 'token' | 'sequence';
    scale_rewards: 'group' | 'batch' | 'none';
    max_completion_length: number;
    num_generations: number;
    gradient_accumulation_steps: number;
    num_items_in_batch: number;
    use_bias_correction_kl: boolean;
    top_entropy_quantile: number;
    off_policy_mask_threshold: number | null;
    entropy_coef: number;
    sapo_temperature_pos: number;
    sapo_temperature_neg: number;
    vespo_k_pos: number;
    vespo_lambda_pos: number;
    vespo_k_neg: number;
    vespo_lambda_neg: number;
  };
  inputs: {
    rewards: number[];
    per_token_logps: number[][];
    old_per_token_logps: number[][] | null;
    ref_per_token_logps: number[][] | null;
    completion_mask: number[][];
    tool_mask: number[][] | null;
    entropies: number[][];
  };
  outputs: {
    advantages: number[];
    loss: number;
    grad_per_token_logps: number[][];
    metrics: Record<string, number | null>;
    reward_metrics: Record<string, number | null>;
  };
}

interface AdvantageCase {
  id: number;
  num_generations: number;
  reward_weights: number[];
  scale_rewards: 'group' | 'batch' | 'none';
  multi_objective_aggregation: 'sum_then_normalize' | 'normalize_then_sum';
  rewards_per_func: (number | null)[][];
  advantages: number[];
  metrics: Record<string, number | null>;
}

export interface GrpoFile {
  loss_cases: LossCase[];
  advantage_cases: AdvantageCase[];
}

export function runGrpo(file: GrpoFile): CaseResult[] {
  return [
    ...file.loss_cases.map((golden) =>
      runCase(`grpo.json loss ${golden.id} (${golden.config.loss_type})`, (check) => compareLoss(golden, check)),
    ),
    ...file.advantage_cases.map((golden) =>
      runCase(`grpo.json advantages ${golden.id}`, (check) => compareAdvantages(golden, check)),
    ),
  ];
}

function compareAdvantages(golden: AdvantageCase, check: CaseCheck): void {
  const { advantages, metrics } = computeAdvantages(golden.rewards_per_func, {
    weights: golden.reward_weights,
    groupSize: golden.num_generations,
    scaleRewards: golden.scale_rewards,
    aggregation: golden.multi_objective_aggregation === 'sum_then_normalize' ? 'sumThenNormalize' : 'normalizeThenSum',
  });
  golden.advantages.forEach((expected, row) => check.scalar(`advantages[${row}]`, advantages[row], expected));
  check.metrics(metrics, golden.metrics);
}

function compareLoss(golden: LossCase, check: CaseCheck): void {
  const { config, inputs, outputs } = golden;
  const computed = computeAdvantages(
    inputs.rewards.map((reward) => [reward]),
    {
      weights: [1],
      groupSize: config.num_generations,
      scaleRewards: config.scale_rewards,
      aggregation: 'sumThenNormalize',
    },
  );
  outputs.advantages.forEach((expected, row) => check.scalar(`advantages[${row}]`, computed.advantages[row], expected));
  check.metrics(computed.metrics, outputs.reward_metrics);

  const toolMask = inputs.tool_mask;
  const completionMask = inputs.completion_mask.map((row, i) =>
    row.map((one, t) => one * (toolMask === null ? 1 : toolMask[i][t])),
  );
  const lossInputs: GrpoInputs = {
    logprobs: tensorOf<tf.Tensor2D>(inputs.per_token_logps),
    oldLogprobs: inputs.old_per_token_logps === null ? null : tensorOf<tf.Tensor2D>(inputs.old_per_token_logps),
    referenceLogprobs: inputs.ref_per_token_logps === null ? null : tensorOf<tf.Tensor2D>(inputs.ref_per_token_logps),
    entropies: tensorOf<tf.Tensor2D>(inputs.entropies),
    advantages: tensorOf<tf.Tensor1D>(outputs.advantages),
    completionMask: tensorOf<tf.Tensor2D>(completionMask),
    itemsInBatch: config.num_items_in_batch,
    accumulationSteps: config.gradient_accumulation_steps,
    entropyCoefficient: config.entropy_coef,
  };
  const threshold = thresholdOnToken(golden, completionMask);
  if (threshold !== null) lossInputs.entropyThreshold = threshold;

  let statistics: Record<string, tf.Scalar> = {};
  const { value, grad } = tf.valueAndGrad((logprobs) => {
    const result = grpoLoss({ ...lossInputs, logprobs: logprobs as tf.Tensor2D }, configOf(golden));
    statistics = result.statistics;
    return result.loss;
  })(lossInputs.logprobs);
  check.scalar('loss', value.dataSync()[0], outputs.loss);
  check.tensor('grad_per_token_logps', grad, outputs.grad_per_token_logps);
  check.metrics(readStatistics(statistics), outputs.metrics);
}

function configOf({ config }: LossCase): GrpoConfig {
  const lossType = GRPO_LOSS_TYPES.find((known) => known === config.loss_type);
  if (lossType === undefined) throw new NoLossYet(`loss_type ${config.loss_type}`);
  return {
    lossType,
    beta: config.beta,
    epsilonLow: config.epsilon_low,
    epsilonHigh: config.epsilon_high,
    delta: config.delta,
    importanceSamplingLevel: config.importance_sampling_level,
    useBiasCorrectionKl: config.use_bias_correction_kl,
    topEntropyQuantile: config.top_entropy_quantile,
    offPolicyMaskThreshold: config.off_policy_mask_threshold,
    maxCompletionLength: config.max_completion_length,
    sapoTemperaturePositive: config.sapo_temperature_pos,
    sapoTemperatureNegative: config.sapo_temperature_neg,
    vespoKPositive: config.vespo_k_pos,
    vespoLambdaPositive: config.vespo_lambda_pos,
    vespoKNegative: config.vespo_k_neg,
    vespoLambdaNegative: config.vespo_lambda_neg,
  };
}

/**
 * The golden run has float64 entropies but TRL takes the quantile in float32. When the quantile falls on one token,
 * that token is kept or lost by how its float64 value rounds, which a float32 run cannot see (with TRL's own float32
 * entropies it is always kept). Only then the cut is given from outside: null = let the loss find it.
 */
function thresholdOnToken({ config, inputs }: LossCase, mask: number[][]): number | null {
  if (config.top_entropy_quantile >= 1) return null;
  const kept = flatten(mask);
  const sorted = flatten(inputs.entropies)
    .filter((_, i) => kept[i] === 1)
    .sort((a, b) => a - b);
  const rank = Math.fround(Math.fround(1 - config.top_entropy_quantile) * (sorted.length - 1));
  const token = sorted[rank];
  if (token === undefined || Math.fround(token) <= token) return null; // between two tokens, or rounded down and kept
  const single = new Float32Array([token]);
  new Int32Array(single.buffer)[0] += 1; // entropies are positive, so this is the next larger float32
  return single[0];
}
