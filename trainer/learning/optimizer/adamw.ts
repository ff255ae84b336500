import * as tf from '@tensorflow/tfjs';
import type { Engine } from '../../model/engine/engine';
import type { Values } from '../../model/network/trainable';
import { add, div, mul, sqrt, sub, vectorLoop } from './vectorLoop';

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

/** Numbers by parameter name, in the parameter's order. */
export type Gradients = Readonly<Record<string, Float32Array>>;

export interface AdamW {
  /**
   * One update of every parameter. What shared a parameter's memory before the first update keeps its numbers; what is
   * cloned from it later shares the memory that
   * updates write to, so copy the numbers.
   * @param gradients one for each parameter; stay the caller's
   * @param stepCount 1 for the first update; the bias correction is computed from it
   * @param scale     each gradient is multiplied with it first (a clip's)
   * @throws Error when a gradient is missing, has no parameter, or has the wrong length
   */
  update(gradients: Gradients, learningRate: number, stepCount: number, scale?: number): void;
  /** `${name}.exp_avg` and `${name}.exp_avg_sq` (torch's names) for each parameter: copies. */
  read(): Map<string, { data: Float32Array; shape: number[] }>;
  /**
   * Takes what `read` gave, by name; others are left alone. @throws Error where one is missing or has another length
   */
  load(tensors: Values): void;
}

interface Slot {
  parameter: tf.Variable;
  decay: number;
  mean: Float32Array;
  square: Float32Array;
  /** The parameter's memory, once it is ours alone. */
  own: Float32Array | null;
}

/**
 * AdamW with torch's arithmetic: p *= 1 - lr*wd; m += (1-b1)(g-m); v += (1-b2)(g^2-v); p -= lr/(1-b1^t) * m /
 * (sqrt(v)/sqrt(1-b2^t) + eps).
 * Computed by this thread in float32, as torch does. As ops of a graph the same takes 13 passes over all parameters and
 * makes all of them and
 * both moments anew; so it is one pass, in place where the engine's tensors lie in this process' memory.
 * Source: arXiv:1711.05101; torch.optim.AdamW (single-tensor path), compared in test/learning and the golden e2e runs.
 *
 * @param parameters  trained variables by name; stay the caller's
 */
export function createAdamW(
  engine: Pick<Engine, 'alias'>,
  parameters: Record<string, tf.Variable>,
  config: AdamWConfig,
): AdamW {
  const slots = new Map(
    Object.entries(parameters).map(([name, parameter]): [string, Slot] => [
      name,
      {
        parameter,
        decay: config.isDecayed === undefined || config.isDecayed(name) ? config.weightDecay : 0,
        own: null,
        mean: new Float32Array(parameter.size),
        square: new Float32Array(parameter.size),
      },
    ]),
  );
  const momentsOf = function* (): Generator<[string, Float32Array, number[]]> {
    for (const [name, { parameter, mean, square }] of slots) {
      yield [`${name}.exp_avg`, mean, parameter.shape];
      yield [`${name}.exp_avg_sq`, square, parameter.shape];
    }
  };
  return {
    update(gradients, learningRate, stepCount, scale = 1) {
      checkNames([...slots.keys()], Object.keys(gradients));
      for (const [name, { parameter }] of slots) assertLength(name, gradients[name]!.length, parameter);
      for (const [name, slot] of slots) {
        const data = ownMemory(slot);
        updateOne(
          { parameter: data, mean: slot.mean, square: slot.square, gradient: gradients[name]! },
          { scale, ...stepOf(config, learningRate, stepCount, slot.decay) },
        );
        if (data === slot.own) continue;
        tf.tidy(() => slot.parameter.assign(engine.alias(data, slot.parameter.shape)));
        slot.own = data;
      }
    },
    read: () =>
      new Map([...momentsOf()].map(([name, data, shape]) => [name, { data: data.slice(), shape: shape.slice() }])),
    load(tensors) {
      for (const [name, data, shape] of momentsOf()) {
        const stored = tensors.get(name);
        if (!stored) throw new Error(`adamW.load: "${name}" is missing`);
        if (stored.data.length !== data.length)
          throw new Error(`adamW.load: ${name} must be [${shape.join(', ')}], got [${stored.shape.join(', ')}]`);
      }
      for (const [name, data] of momentsOf()) data.set(tensors.get(name)!.data);
    },
  };
}

/**
 * The parameter's numbers, to be changed: in place once they are ours alone; what shared them before (the model that
 * it began as, what was loaded) keeps its own.
 */
function ownMemory({ parameter, own }: Slot): Float32Array {
  const current = parameter.dataSync() as Float32Array;
  return current === own ? own : current.slice();
}

/** What is one number for all of a parameter in one step. */
const stepOf = ({ beta1, beta2, epsilon }: AdamWConfig, learningRate: number, stepCount: number, decay: number) => ({
  /** 1 - beta1 and 1 - beta2: float32 has these to seven digits, where the betas' own distance to 1 would have five */
  toMean: 1 - beta1,
  toSquare: 1 - beta2,
  epsilon,
  /** times the parameter before the update */
  kept: 1 - learningRate * decay,
  /** learning rate over the first moment's bias correction */
  stepSize: learningRate / (1 - beta1 ** stepCount),
  /** 1 / the root of the second's */
  rootScale: 1 / Math.sqrt(1 - beta2 ** stepCount),
});

const SCALARS = ['scale', 'toMean', 'toSquare', 'epsilon', 'kept', 'stepSize', 'rootScale'] as const;
const updateOne = vectorLoop(
  ['parameter', 'mean', 'square', 'gradient'],
  SCALARS,
  ({ arrays, scalars, value, store }) => {
    const g = value(mul(arrays.gradient, scalars.scale));
    const m = value(add(arrays.mean, mul(scalars.toMean, sub(g, arrays.mean))));
    const v = value(add(arrays.square, mul(scalars.toSquare, sub(mul(g, g), arrays.square))));
    store('mean', m);
    store('square', v);
    const denominator = add(mul(sqrt(v), scalars.rootScale), scalars.epsilon);
    store('parameter', sub(mul(scalars.kept, arrays.parameter), div(mul(scalars.stepSize, m), denominator)));
  },
);

function assertLength(name: string, length: number, { size, shape }: tf.Variable): void {
  if (length !== size)
    throw new Error(
      `adamW.update: the gradient of ${name} must have the ${size} numbers of [${shape.join(', ')}], got ${length}`,
    );
}
function checkNames(expected: readonly string[], given: readonly string[]): void {
  const missing = expected.find((name) => !given.includes(name));
  if (missing !== undefined) throw new Error(`adamW.update: no gradient for "${missing}"`);
  const unknown = given.find((name) => !expected.includes(name));
  if (unknown !== undefined) throw new Error(`adamW.update: no parameter named "${unknown}"`);
}
