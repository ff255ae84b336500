import * as tf from '@tensorflow/tfjs';
import type { CausalLM } from './causalLM';
import { trainable, type Trainable } from './trainable';

/**
 * All weights of a model as variables, by Hugging Face name: a copy that starts where the model is, which stays as it
 * was and is the reference.
 */
export function createWholeModel(model: CausalLM): Trainable {
  if (model.packed) throw new Error('createWholeModel: packed weights can not be trained');
  const variables = Object.fromEntries(
    [...model.weights].map(([name, weight]) => [name, tf.tidy(() => tf.variable(tf.clone(weight), true))]),
  );
  const weights: ReadonlyMap<string, tf.Tensor> = new Map(Object.entries(variables));
  return { ...trainable(variables, 'model'), on: (given) => ({ ...given, weights, isWhollyTrained: true }) };
}
