import * as tf from '@tensorflow/tfjs';
import { assertShape } from '../algorithms/tensorTools';

export interface AdamWConfig {
  beta1: number;
  beta2: number;
  epsilon: number;
  /** Decoupled: each step multiplies the parameter by 1 - learningRate * weightDecay. */
  weightDecay: number;
  /** Which parameters decay; default all, as torch. The HF Trainer leaves out biases and norm weights. */
  isDecayed?: (name: string) => boolean;
}

/** torch's and TRL's defaults, weight decay 0 as in TRL. */
export const ADAMW_DEFAULTS: AdamWConfig = { beta1: 0.9, beta2: 0.999, epsilon: 1e-8, weightDecay: 0 };

export interface AdamW {
  /**
   * One update of every parameter, in tensor ops that end in variable.assign, so it can run inside a traced graph.
   *
   * @param gradients     one for each parameter, of its name and shape; stay the caller's
   * @param learningRate  scalar
   * @param stepCount     scalar, 1 for the first update; the bias correction is computed from it
   * @throws Error when a gradient is missing, has no parameter, or has the wrong shape
   */
  applyGradients(gradients: Record<string, tf.Tensor>, learningRate: tf.Scalar, stepCount: tf.Scalar): void;
  /** `${name}.exp_avg` and `${name}.exp_avg_sq` (torch's names) for each parameter; copies, the caller disposes. */
  getWeights(): Record<string, tf.Tensor>;
  /** Takes what getWeights gave; the tensors stay the caller's. @throws Error when a name is missing or a shape differs. */
  setWeights(weights: Record<string, tf.Tensor>): void;
  /** Frees the moments, not the parameters. Twice is harmless. */
  dispose(): void;
}

/**
 * AdamW with torch's arithmetic: p *= 1 - lr*wd; m += (1-b1)(g-m); v = b2*v + (1-b2)*g^2;
 * p -= lr/(1-b1^t) * m / (sqrt(v)/sqrt(1-b2^t) + eps).
 * Source: arXiv:1711.05101; torch.optim.AdamW (single-tensor path), compared in test/optim and the golden e2e runs.
 *
 * @param parameters  trained variables by name; stay the caller's. The moments are made here, before any step, because a
 *                    traced graph knows only the variables that exist when it is traced.
 */
export function createAdamW(parameters: Record<string, tf.Variable>, config: AdamWConfig): AdamW {
  const { beta1, beta2, epsilon, weightDecay } = config;
  const slots = Object.entries(parameters).map(([name, parameter]) => ({
    name,
    parameter,
    decay: config.isDecayed === undefined || config.isDecayed(name) ? weightDecay : 0,
    mean: zerosVariable(parameter.shape),
    square: zerosVariable(parameter.shape),
  }));
  let isDisposed = false;

  return {
    applyGradients(gradients, learningRate, stepCount) {
      checkNames(Object.keys(parameters), Object.keys(gradients));
      tf.tidy(() => {
        const stepSize = tf.div(learningRate, oneMinusPower(beta1, stepCount));
        const squareScale = tf.sqrt(oneMinusPower(beta2, stepCount));
        for (const { name, parameter, decay, mean, square } of slots) {
          const gradient = gradients[name];
          assertShape('adamW.applyGradients', name, gradient, parameter.shape);
          const newMean = tf.add(mean, tf.mul(tf.sub(gradient, mean), 1 - beta1));
          const newSquare = tf.add(tf.mul(square, beta2), tf.mul(tf.square(gradient), 1 - beta2));
          const denominator = tf.add(tf.div(tf.sqrt(newSquare), squareScale), epsilon);
          const kept = decay === 0 ? parameter : tf.mul(parameter, tf.sub(1, tf.mul(learningRate, decay)));
          parameter.assign(tf.sub(kept, tf.mul(stepSize, tf.div(newMean, denominator))));
          mean.assign(newMean);
          square.assign(newSquare);
        }
      });
    },
    getWeights() {
      return Object.fromEntries(slots.flatMap(({ name, mean, square }) => [[`${name}.exp_avg`, mean.clone()], [`${name}.exp_avg_sq`, square.clone()]]));
    },
    setWeights(weights) {
      const targets = slots.flatMap(({ name, mean, square }) => [[`${name}.exp_avg`, mean], [`${name}.exp_avg_sq`, square]] as const);
      for (const [key, variable] of targets) {
        if (weights[key] === undefined) throw new Error(`adamW.setWeights: "${key}" is missing`);
        assertShape('adamW.setWeights', key, weights[key], variable.shape);
      }
      for (const [key, variable] of targets) tf.tidy(() => variable.assign(weights[key].clone()));
    },
    dispose() {
      if (isDisposed) return;
      isDisposed = true;
      for (const { mean, square } of slots) tf.dispose([mean, square]);
    },
  };
}

/**
 * 1 - base^t as a scalar tensor. With x = t ln(base) it is -expm1(x) = -tanh(x/2)(e^x + 1), which keeps float32's seven
 * digits: 1 - 0.999^1 by subtraction has only five, which every back end without an exact expm1 would show in step 1.
 */
function oneMinusPower(base: number, exponent: tf.Scalar): tf.Scalar {
  const x = tf.mul(exponent, Math.log(base));
  return tf.neg(tf.mul(tf.tanh(tf.div(x, 2)), tf.add(tf.exp(x), 1))) as tf.Scalar;
}

function zerosVariable(shape: number[]): tf.Variable {
  return tf.tidy(() => tf.variable(tf.zeros(shape), false));
}

function checkNames(expected: readonly string[], given: readonly string[]): void {
  const missing = expected.find((name) => !given.includes(name));
  if (missing !== undefined) throw new Error(`adamW.applyGradients: no gradient for "${missing}"`);
  const unknown = given.find((name) => !expected.includes(name));
  if (unknown !== undefined) throw new Error(`adamW.applyGradients: no parameter named "${unknown}"`);
}
