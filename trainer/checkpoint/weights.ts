import * as tf from '@tensorflow/tfjs';
import { UserError } from '../protocol/result';

/** One tensor as a file offers it, by its Hugging Face name; `read` is called at most once, before the next one is taken. */
export interface NamedTensor {
  name: string;
  shape: readonly number[];
  /** the file it lies in, for messages */
  where: string;
  read(): Float32Array;
}

/**
 * Tensors -> weights by name, one after another: beside the weights there is never more than one tensor.
 * @param wanted every weight's name and shape (model/config.ts, weightShapes)
 * @param where the model, for messages
 * @returns kept tensors; caller disposes
 * @throws UserError: a tensor is missing, there twice, of another shape, unknown to the architecture, or holds NaN or infinity
 */
export function loadWeights(wanted: ReadonlyMap<string, readonly number[]>, tensors: Iterable<NamedTensor>, where: string): Map<string, tf.Tensor> {
  const weights = new Map<string, tf.Tensor>();
  try {
    for (const tensor of tensors) {
      if (isDerived(tensor.name, wanted)) continue;
      weights.set(tensor.name, loadOne(tensor, wanted.get(tensor.name), weights.has(tensor.name)));
    }
    const missing = [...wanted.keys()].find((name) => !weights.has(name));
    if (missing !== undefined) throw new UserError('config', `${where}: tensor ${missing} is missing`, 'the model and the weights do not belong together, or a file is missing; fetch the model again');
    return weights;
  } catch (error) {
    tf.dispose([...weights.values()]);
    throw error;
  }
}

function loadOne({ name, shape, where, read }: NamedTensor, wanted: readonly number[] | undefined, isThere: boolean): tf.Tensor {
  if (wanted === undefined) throw new UserError('config', `${where}: tensor ${name} is none of this architecture's`, 'leaving it out would make another model of it; take a plain Llama, Qwen2 or Qwen3 model');
  if (isThere) throw new UserError('config', `${where}: tensor ${name} was in another file already`, 'remove the files that do not belong to the model, or add its model.safetensors.index.json');
  if (shape.join() !== wanted.join()) throw new UserError('config', `${where}: tensor ${name} must be [${wanted.join(', ')}], got [${shape.join(', ')}]`, 'config and weights are of different models; fetch the model again');
  const data = read();
  // finite float32 values can't overflow a float64 sum, so it is finite just when they all are
  let sum = 0;
  for (let i = 0; i < data.length; i++) sum += data[i]!;
  if (!Number.isFinite(sum)) {
    const at = data.findIndex((value) => !Number.isFinite(value));
    throw new UserError('config', `${where}: tensor ${name} must hold numbers, got ${data[at]} at ${at}`, 'the file is damaged or the model was never whole; fetch it again');
  }
  return tf.keep(tf.tensor(data, [...shape]));
}

/** Tensors that some files carry though the model computes them itself: old rotary tables, and the head of a model whose head is the embedding. */
function isDerived(name: string, wanted: ReadonlyMap<string, unknown>): boolean {
  return /\.rotary_emb\.inv_freq$/.test(name) || (name === 'lm_head.weight' && !wanted.has(name));
}
