import * as tf from '@tensorflow/tfjs';
import type { Random } from '../random';
import type { LoraPair } from './causalLM';
import { projectionName, projectionShape, type ModelConfig } from './config';
import { loraScaling, type LoraShape } from './loraShape';

/** A trainable LoRA adapter; its variables are the only things that training changes. */
export interface Adapter {
  /** by `layers.0.self_attn.q_proj.lora_A`, … */
  variables: Record<string, tf.Variable>;
  /** by the projection's name, for the model */
  pairs: Map<string, LoraPair>;
  scaling: number;
  /** @param tensors under our names or PEFT's */
  load(tensors: ReadonlyMap<string, { data: Float32Array; shape: number[] }>): void;
  read(): Promise<Map<string, { data: Float32Array; shape: number[] }>>;
  dispose(): void;
}

/** A: Kaiming uniform with a = sqrt(5), so U(-1/sqrt(in), 1/sqrt(in)); B: 0, so that it starts as the base model. As PEFT does. */
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
      const a = tf.tidy(() => tf.variable(tf.tensor2d(Float32Array.from({ length: options.rank * inputs }, () => (2 * stream.next() - 1) * bound), [options.rank, inputs]), true));
      const b = tf.tidy(() => tf.variable(tf.zeros([out, options.rank]), true));
      variables[`${short}.lora_A`] = a;
      variables[`${short}.lora_B`] = b;
      pairs.set(name, { a, b });
    }
  }
  return {
    variables, pairs, scaling: loraScaling(options),
    load(tensors) {
      for (const [name, variable] of Object.entries(variables)) {
        const stored = tensors.get(name) ?? tensors.get(`base_model.model.model.${name}.weight`);
        if (!stored || stored.shape.join() !== variable.shape.join()) throw new Error(`adapter: ${name} must be [${variable.shape.join(', ')}], got ${stored ? `[${stored.shape.join(', ')}]` : 'nothing'}`);
        tf.tidy(() => variable.assign(tf.tensor(stored.data, variable.shape)));
      }
    },
    async read() {
      const out = new Map<string, { data: Float32Array; shape: number[] }>();
      for (const [name, variable] of Object.entries(variables)) out.set(name, { data: (await variable.data()) as Float32Array, shape: variable.shape.slice() });
      return out;
    },
    dispose: () => tf.dispose(Object.values(variables)),
  };
}
