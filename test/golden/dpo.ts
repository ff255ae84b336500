import * as tf from '@tensorflow/tfjs';
import { type DpoConfig, DPO_LOSS_TYPES, dpoLoss, sequenceLogprobs } from '../../trainer/learning/losses/dpo';
import { type CaseCheck, type CaseResult, NoLossYet, flatten, readStatistics, runCase, tensorOf } from './compare';

interface DpoCase {
  id: number;
  config: {
    loss_type: string[];
    loss_weights: number[];
    beta: number;
    label_smoothing: number;
    f_divergence_type: string;
    f_alpha_divergence_coef: number;
    ld_alpha: number | null;
    use_weighting: boolean;
    discopop_tau: number;
  };
  inputs: {
    per_token_logps: number[][];
    completion_mask: number[][];
    ref_chosen_logps: number[];
    ref_rejected_logps: number[];
    log_sum_sq_probs: number[][] | null;
  };
  outputs: {
    loss: number;
    chosen_logps: number[] | null;
    rejected_logps: number[] | null;
    grad_per_token_logps: number[][];
    metrics: Record<string, number | null>;
  };
}

export interface DpoFile {
  cases: DpoCase[];
}

const DIVERGENCES = ['reverse_kl', 'forward_kl', 'js_divergence', 'alpha_divergence'] as const;

export function runDpo(file: DpoFile): CaseResult[] {
  return file.cases.map((golden) =>
    runCase(`DPO ${golden.id} (${golden.config.loss_type.join(' + ')}, ${golden.config.f_divergence_type})`, (check) =>
      compareLoss(golden, check),
    ),
  );
}

function compareLoss({ config: golden, inputs, outputs }: DpoCase, check: CaseCheck): void {
  const config: DpoConfig = {
    lossTypes: golden.loss_type.map(
      (type) => DPO_LOSS_TYPES.find((known) => known === type) ?? noLoss(`loss_type ${type}`),
    ),
    lossWeights: golden.loss_weights,
    beta: golden.beta,
    labelSmoothing: golden.label_smoothing,
    fDivergence:
      DIVERGENCES.find((known) => known === golden.f_divergence_type) ??
      noLoss(`f_divergence_type ${golden.f_divergence_type}`),
    alphaDivergenceCoefficient: golden.f_alpha_divergence_coef,
    ldAlpha: golden.ld_alpha,
    useWeighting: golden.use_weighting,
    discopopTau: golden.discopop_tau,
  };
  const completionMask = inputs.completion_mask.map((row) => row.slice(1)); // log-prob t belongs to column t + 1
  const input = tensorOf<tf.Tensor2D>(inputs.per_token_logps);
  const mask = tensorOf<tf.Tensor2D>(completionMask);
  let statistics: Record<string, tf.Scalar> = {};
  const { value, grad } = tf.valueAndGrad((logprobs) => {
    const result = dpoLoss(
      {
        logprobs: logprobs as tf.Tensor2D,
        completionMask: mask,
        referenceChosen: tensorOf(inputs.ref_chosen_logps),
        referenceRejected: tensorOf(inputs.ref_rejected_logps),
        logSumSquaredProbs: inputs.log_sum_sq_probs === null ? null : tensorOf<tf.Tensor2D>(inputs.log_sum_sq_probs),
      },
      config,
    );
    statistics = result.statistics;
    return result.loss;
  })(input);
  check.scalar('loss', value.dataSync()[0], outputs.loss);
  check.metrics(readStatistics(statistics), outputs.metrics);
  if (outputs.chosen_logps !== null && outputs.rejected_logps !== null) {
    const sums = sequenceLogprobs(input, mask, config.ldAlpha);
    check.tensor('chosen_logps, rejected_logps', sums, [...outputs.chosen_logps, ...outputs.rejected_logps]);
  }
  // TRL zeroes the padding before the tensor whose gradient was recorded, ours after it: compare where tokens are.
  const tokens = flatten(completionMask);
  check.tensor('grad_per_token_logps', grad, outputs.grad_per_token_logps, { where: tokens });
  check.tensor(
    'gradient outside completions',
    grad,
    tokens.map(() => 0),
    { where: tokens.map((one) => 1 - one) },
  );
}

function noLoss(what: string): never {
  throw new NoLossYet(what);
}
