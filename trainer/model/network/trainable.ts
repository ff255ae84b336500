import * as tf from '@tensorflow/tfjs';
import type { CausalLM } from './causalLM';

export type Values = ReadonlyMap<string, { data: Float32Array; shape: number[] }>;

/**
 * What training changes of a model, and nothing else: an adapter on it (adapter.ts), or all of its weights
 * (wholeModel.ts).
 */
export interface Trainable {
  variables: Record<string, tf.Variable>;
  /** The model with what is trained; it reads the variables, so it is always as they are. */
  on(model: CausalLM): CausalLM;
  /** @throws Error where one is absent or of another shape; others than ours are left alone */
  load(tensors: Values): void;
  /** Copies: an optimiser may write to the variables' own memory. */
  read(): Promise<Map<string, { data: Float32Array; shape: number[] }>>;
  dispose(): void;
}

/** @param what for messages; otherName under which another program keeps a variable */
export function trainable(
  variables: Record<string, tf.Variable>,
  what: string,
  otherName: (name: string) => string = (name) => name,
): Omit<Trainable, 'on'> {
  return {
    variables,
    load(tensors) {
      for (const [name, variable] of Object.entries(variables)) {
        const stored = tensors.get(name) ?? tensors.get(otherName(name));
        if (!stored || stored.shape.join() !== variable.shape.join())
          throw new Error(
            `${what}: ${name} must be [${variable.shape.join(', ')}], got ` +
              `${stored ? `[${stored.shape.join(', ')}]` : 'nothing'}`,
          );
        tf.tidy(() => variable.assign(tf.tensor(stored.data, variable.shape)));
      }
    },
    async read() {
      const out = new Map<string, { data: Float32Array; shape: number[] }>();
      for (const [name, variable] of Object.entries(variables))
        out.set(name, { data: (await variable.data()).slice() as Float32Array, shape: variable.shape.slice() });
      return out;
    },
    dispose: () => tf.dispose(Object.values(variables)),
  };
}
