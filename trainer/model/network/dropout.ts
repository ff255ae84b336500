/**
 * LoRA's dropout (arXiv:2106.09685; PEFT's lora_dropout): what the adapter sees of its input, never what the frozen
 * weight does. Only gradient steps have it:
 * sampling, the reference and every measurement see all.
 */
import * as tf from '@tensorflow/tfjs';
import type { Random } from '../../base/random';
import type { CausalLM } from './causalLM';
import { projectionShape, type ModelConfig } from './config';

/** Each projection looks at the noise from another place. */
const PLACES = 1021;
const STRIDE = 37;

/**
 * Uniform numbers in [0, 1), for as many tokens as a batch computes. Graphs are recorded once, so what is drawn anew
 * comes in as a tensor.
 */
export interface Noise {
  byToken: tf.Tensor1D;
  byInput: tf.Tensor1D;
}

/** @param tokens that are computed. Caller disposes */
export function drawNoise(config: ModelConfig, tokens: number, random: Random): Noise {
  const draw = (n: number): tf.Tensor1D => tf.tensor1d(Float32Array.from({ length: n + PLACES }, () => random.next()));
  return {
    byToken: draw(tokens),
    byInput: draw(Math.max(config.hiddenSize, config.intermediateSize, projectionShape(config, 'o_proj')[1])),
  };
}

/**
 * The model with a dropout in front of its adapter. An element is kept where (a token's number + an input's number) mod
 * 1 is at least `rate`: each with
 * probability 1 - rate, any two of a projection independent of each other; what is kept is scaled by 1 / (1 - rate).
 */
export function withDropout(model: CausalLM, rate: number, { byToken, byInput }: Noise): CausalLM {
  if (model.adapter === null) return model;
  const numbers = new Map([...model.adapter.pairs.keys()].map((name, i) => [name, (i * STRIDE) % PLACES]));
  const dropout = (x: tf.Tensor, name: string): tf.Tensor => {
    const [rows, inputs] = x.shape as [number, number];
    const at = numbers.get(name)!;
    const sum = tf.add(
      tf.reshape(tf.slice(byToken, at, rows), [rows, 1]),
      tf.reshape(tf.slice(byInput, at, inputs), [1, inputs]),
    ); // [rows, in]
    const isKept = tf.cast(tf.greaterEqual(tf.sub(sum, tf.floor(sum)), rate), 'float32');
    return tf.mul(x, tf.mul(isKept, 1 / (1 - rate)));
  };
  return { ...model, adapter: { ...model.adapter, dropout } };
}
