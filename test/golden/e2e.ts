import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as tf from '@tensorflow/tfjs';
import { type GrpoConfig, GRPO_DEFAULTS, GRPO_LOSS_TYPES, grpoLoss } from '../../trainer/learning/losses/grpo';
import { readSafetensors } from '../../trainer/model/weights/safetensors';
import { eager } from '../../trainer/model/engine/eager';
import { type CausalLM, causalLM, hiddenStates, logitsOf, type Layout } from '../../trainer/model/network/causalLM';
import type { LoraPair } from '../../trainer/model/network/projections';
import { causalMask } from '../../trainer/model/network/attention';
import { readModelConfig } from '../../trainer/model/network/config';
import { entropies, selectedLogprobs } from '../../trainer/model/network/logprobs';
import { loraScaling } from '../../trainer/model/network/loraShape';
import { createAdamW } from '../../trainer/learning/optimizer/adamw';
import {
  type CaseCheck,
  type CaseResult,
  type Nested,
  NoLossYet,
  flatten,
  readStatistics,
  runCase,
  tensorOf,
} from './compare';

/** The reference model: the same weights, adapter off. */
const withAdapterDisabled = (model: CausalLM): CausalLM => ({ ...model, adapter: null });

interface E2eFile {
  temperature: number;
  prompt_length: number;
  completion_length: number;
  forward: { input_ids: number[][]; logits: number[][][]; base_logits: number[][][] };
  grpo: {
    config: {
      loss_type: string;
      beta: number;
      epsilon_low: number;
      epsilon_high: number;
      importance_sampling_level: 'token' | 'sequence';
      use_bias_correction_kl: boolean;
    };
    input_ids: number[][];
    attention_mask: number[][];
    advantages: number[];
    old_per_token_logps: number[][];
    per_token_logps: number[][];
    ref_per_token_logps: number[][];
    entropies: number[][];
    loss: number;
    metrics: Record<string, number | null>;
    grad_norm_total: number;
    grad_norms: Record<string, number>;
    grads: Record<string, Nested>;
  };
  adamw: {
    lr: number;
    betas: [number, number];
    eps: number;
    weight_decay: number;
    max_grad_norm: number | null;
    step: number;
    weights_after: Record<string, Nested>;
  };
}

/**
 * Both sides are float32 with other summation orders; the float64 distances in the files are up to 5.3e-6 for logits.
 */
const LOGITS = { absolute: 2e-5 };
const LOGPROBS = { absolute: 2e-5 };
const GRADIENTS = { absolute: 1e-5 };
const WEIGHTS = { absolute: 1e-6 };
const SMALLEST_GRADIENT = 2e-6;

/** One golden model folder: forward, GRPO step with its gradients, AdamW step. */
export function runE2e(folder: string, name: string): CaseResult[] {
  const golden = JSON.parse(readFileSync(join(folder, 'golden.json'), 'utf8')) as E2eFile;
  const run = (part: string, compare: (model: Model, check: CaseCheck) => void): CaseResult =>
    runCase(`e2e/${name} ${part}`, (check) => {
      const model = openModel(folder);
      try {
        compare(model, check);
      } finally {
        tf.dispose([model.lm.rotary, Object.values(model.variables)]);
      }
    });
  return [
    run('forward', (model, check) => compareForward(model.lm, golden, check)),
    run('grpo', (model, check) => compareGrpo(model, golden, check)),
    run('adamw', (model, check) => compareAdamW(model, golden, folder, check)),
  ];
}

interface Model {
  lm: CausalLM;
  /** The adapter's tensors by PEFT's in-memory names (with `.default`), trainable. */
  variables: Record<string, tf.Variable>;
}

function openModel(folder: string): Model {
  const config = readModelConfig(folder);
  const tensors = (file: string): [string, tf.Tensor][] =>
    [...readSafetensors(join(folder, file))].map(([name, { shape, data }]) => [name, tf.tensor(data, shape)]);
  const adapterConfig = JSON.parse(readFileSync(join(folder, 'adapter/adapter_config.json'), 'utf8')) as {
    r: number;
    lora_alpha: number;
    use_rslora: boolean;
  };
  const stored = new Map(tensors('adapter/adapter_model.safetensors'));
  const variables: Record<string, tf.Variable> = {};
  const pairs = new Map<string, LoraPair>();
  for (const name of stored.keys()) {
    const projection = /^base_model\.model\.(.*)\.lora_A\.weight$/.exec(name)?.[1];
    if (projection === undefined) continue;
    const [a, b] = ['lora_A', 'lora_B'].map((factor) => {
      const variable = tf.variable(stored.get(`base_model.model.${projection}.${factor}.weight`) as tf.Tensor);
      variables[`base_model.model.${projection}.${factor}.default.weight`] = variable;
      return variable;
    });
    pairs.set(projection, { a, b });
  }
  const scaling = loraScaling({
    rank: adapterConfig.r,
    alpha: adapterConfig.lora_alpha,
    rslora: adapterConfig.use_rslora,
  });
  return { lm: causalLM(config, new Map(tensors('model.safetensors')), 64, { pairs, scaling }), variables };
}

function compareForward(lm: CausalLM, { forward }: E2eFile, check: CaseCheck): void {
  const ids = tf.tensor2d(forward.input_ids, undefined, 'int32');
  check.tensor('logits', logitsOf(lm, hiddenStates(lm, ids)), forward.logits, LOGITS);
  const base = withAdapterDisabled(lm);
  check.tensor('base_logits', logitsOf(base, hiddenStates(base, ids)), forward.base_logits, LOGITS);
}

interface Scored {
  logprobs: tf.Tensor2D; // [batch, completion]
  entropies: tf.Tensor2D; // [batch, completion]
}

/** Positions count from the first column, padding included, as TRL's do; padded places are not seen. */
function leftPadded(attentionMask: tf.Tensor): Layout {
  const [batch, seq] = attentionMask.shape as [number, number];
  const hidden = tf.reshape(tf.mul(tf.sub(1, attentionMask), -1e9), [batch, 1, 1, seq]);
  return {
    positions: tf.tile(tf.reshape(tf.range(0, seq, 1, 'int32'), [1, seq]), [batch, 1]),
    mask: tf.add(causalMask(seq), hidden),
  };
}

/** Log-probs of the completion tokens: the logits of the position before each, divided by the temperature. */
function score(lm: CausalLM, { grpo, temperature, prompt_length, completion_length }: E2eFile): Scored {
  const ids = tf.tensor2d(grpo.input_ids, undefined, 'int32');
  const [batch, seq] = ids.shape;
  const hidden = tf.reshape(hiddenStates(lm, ids, leftPadded(tensorOf(grpo.attention_mask))), [batch, seq, -1]);
  // [batch, completion, hidden]
  const before = tf.slice(hidden, [0, prompt_length - 1, 0], [batch, completion_length, -1]);
  const logits = tf.div(logitsOf(lm, tf.reshape(before, [batch * completion_length, -1])), temperature) as tf.Tensor2D;
  const targets = tf.reshape(tf.slice(ids, [0, prompt_length], [batch, completion_length]), [-1]) as tf.Tensor1D;
  const rows = (values: tf.Tensor): tf.Tensor2D => tf.reshape(values, [batch, completion_length]);
  return { logprobs: rows(selectedLogprobs(logits, targets)), entropies: rows(entropies(logits)) };
}

interface Step {
  loss: tf.Scalar;
  gradients: Record<string, tf.Tensor>;
  statistics: Record<string, tf.Scalar>;
}

function grpoStep({ lm, variables }: Model, golden: E2eFile): Step {
  const { grpo } = golden;
  const lossType = GRPO_LOSS_TYPES.find((known) => known === grpo.config.loss_type);
  if (lossType === undefined) throw new NoLossYet(`loss_type ${grpo.config.loss_type}`);
  const config: GrpoConfig = {
    ...GRPO_DEFAULTS,
    lossType,
    beta: grpo.config.beta,
    epsilonLow: grpo.config.epsilon_low,
    epsilonHigh: grpo.config.epsilon_high,
    importanceSamplingLevel: grpo.config.importance_sampling_level,
    useBiasCorrectionKl: grpo.config.use_bias_correction_kl,
    maxCompletionLength: golden.completion_length,
  };
  const mask = completionMask(golden);
  const reference = score(withAdapterDisabled(lm), golden).logprobs;
  const names = Object.keys(variables);
  let statistics: Record<string, tf.Scalar> = {};
  const { value, grads } = tf.variableGrads(() => {
    const scored = score(lm, golden);
    const result = grpoLoss(
      {
        ...scored,
        oldLogprobs: tensorOf<tf.Tensor2D>(grpo.old_per_token_logps),
        referenceLogprobs: reference,
        advantages: tensorOf<tf.Tensor1D>(grpo.advantages),
        completionMask: tf.tensor2d(mask),
        itemsInBatch: flatten(mask).reduce((sum, one) => sum + one, 0),
      },
      config,
    );
    statistics = result.statistics;
    return result.loss;
  }, Object.values(variables));
  return {
    loss: value,
    statistics,
    gradients: Object.fromEntries(names.map((name) => [name, grads[variables[name].name]])),
  };
}

function completionMask({ grpo, prompt_length }: E2eFile): number[][] {
  return grpo.attention_mask.map((row) => row.slice(prompt_length));
}

function compareGrpo(model: Model, golden: E2eFile, check: CaseCheck): void {
  const { grpo } = golden;
  const tokens = { ...LOGPROBS, where: flatten(completionMask(golden)) };
  const scored = score(model.lm, golden);
  check.tensor('per_token_logps', scored.logprobs, grpo.per_token_logps, tokens);
  check.tensor('entropies', scored.entropies, grpo.entropies, tokens);
  check.tensor(
    'ref_per_token_logps',
    score(withAdapterDisabled(model.lm), golden).logprobs,
    grpo.ref_per_token_logps,
    tokens,
  );

  const { loss, gradients, statistics } = grpoStep(model, golden);
  check.scalar('loss', loss.dataSync()[0], grpo.loss, { absolute: 1e-5, relative: 1e-5 });
  check.metrics(readStatistics(statistics), grpo.metrics, { absolute: 1e-5, relative: 1e-5 });
  let squares = 0;
  for (const [name, expected] of Object.entries(grpo.grads)) {
    if (gradients[name] === undefined) throw new Error(`no gradient for ${name}`);
    check.tensor(`gradient of ${name}`, gradients[name], expected, GRADIENTS);
    const norm = tf.norm(gradients[name]).dataSync()[0];
    check.scalar(`grad_norms ${name}`, norm, grpo.grad_norms[name], { absolute: 1e-5, relative: 1e-5 });
    squares += norm * norm;
  }
  check.scalar('grad_norm_total', Math.sqrt(squares), grpo.grad_norm_total, { absolute: 1e-5, relative: 1e-5 });
}

/**
 * The step from our own gradients, against golden.json and the adapter that PEFT wrote. Adam's first step is the sign
 * of
 * the gradient, which float32 does not determine where the gradient is below its rounding: those entries are left out.
 */
function compareAdamW(model: Model, golden: E2eFile, folder: string, check: CaseCheck): void {
  const { lr, betas, eps, weight_decay, max_grad_norm, step, weights_after } = golden.adamw;
  if (max_grad_norm !== null || step !== 1)
    throw new NoLossYet(`adamw with max_grad_norm ${max_grad_norm}, step ${step}`);
  const optimizer = createAdamW(eager, model.variables, {
    beta1: betas[0],
    beta2: betas[1],
    epsilon: eps,
    weightDecay: weight_decay,
  });
  const { gradients, statistics } = grpoStep(model, golden);
  tf.dispose(statistics);
  optimizer.update(
    Object.fromEntries(
      Object.entries(gradients).map(([name, gradient]) => [name, gradient.dataSync() as Float32Array]),
    ),
    lr,
    step,
  );
  const written = readSafetensors(join(folder, 'adapter_after/adapter_model.safetensors'));
  for (const [name, expected] of Object.entries(weights_after)) {
    const options = {
      ...WEIGHTS,
      where: flatten(golden.grpo.grads[name]).map((gradient) => (Math.abs(gradient) > SMALLEST_GRADIENT ? 1 : 0)),
    };
    check.tensor(name, model.variables[name], expected, options);
    const stored = written.get(name.replace('.default.', '.'));
    if (stored === undefined) throw new Error(`adapter_after has no ${name}`);
    check.tensor(`${name} in adapter_after`, model.variables[name], [...stored.data], options);
  }
}
