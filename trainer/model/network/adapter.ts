import * as tf from '@tensorflow/tfjs';
import type { Random } from '../../base/random';
import type { LoraPair } from './projections';
import { projectionName, projectionShape, type ModelConfig } from './config';
import { loraScaling, type LoraShape } from './loraShape';
import { trainable, type Trainable } from './trainable';

/** A LoRA adapter: variables by `layers.0.self_attn.q_proj.lora_A`, …; `load` takes PEFT's names, too. */
export interface Adapter extends Trainable {
  /** by the projection's name, for the model */
  pairs: Map<string, LoraPair>;
  scaling: number;
}

/**
 * A: Kaiming uniform with a = sqrt(5), so U(-1/sqrt(in), 1/sqrt(in)); B: 0, so that it starts as the base model. As
 * PEFT does.
 */
export function createAdapter(config: ModelConfig, options: LoraShape, random: Random): Adapter {
  const variables: Record<string, tf.Variable> = {};
  const pairs = new Map<string, LoraPair>();
  for (let layer = 0; layer < config.layers; layer++) {
    for (const target of options.targets) {
      const [out, inputs] = projectionShape(config, target);
      const name = projectionName(layer, target);
      const short = name.replace(/^model\./, '');
      const stream = random.fork(short);
      const bound = 1 / Math.sqrt(inputs);
      // in a tidy: a variable takes the memory of the tensor it starts from, and that tensor would keep it
      const a = tf.tidy(() =>
        tf.variable(
          tf.tensor2d(
            Float32Array.from({ length: options.rank * inputs }, () => (2 * stream.next() - 1) * bound),
            [options.rank, inputs],
          ),
          true,
        ),
      );
      const b = tf.tidy(() => tf.variable(tf.zeros([out, options.rank]), true));
      variables[`${short}.lora_A`] = a;
      variables[`${short}.lora_B`] = b;
      pairs.set(name, { a, b });
    }
  }
  const scaling = loraScaling(options);
  return {
    ...trainable(variables, 'adapter', (name) => `base_model.model.model.${name}.weight`),
    pairs,
    scaling,
    on: (model) => ({ ...model, adapter: { pairs, scaling } }),
  };
}
