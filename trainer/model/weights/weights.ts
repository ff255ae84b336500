import * as tf from '@tensorflow/tfjs';
import {
  joinPacked,
  packedWeights,
  quantise,
  tensorsOf,
  type Codes,
  type PackedWeights,
} from '../engine/packedWeights';
import { tensorOver } from '../engine/tensorOver';
import { UserError } from '../../protocol/result';

/**
 * One tensor as a file offers it, by its Hugging Face name; one of its readers is called, at most once, before the
 * next one is taken.
 */
export interface NamedTensor {
  name: string;
  shape: readonly number[];
  /** the file it lies in, for messages */
  where: string;
  /** the caller's, nobody else writes into it */
  read(): Float32Array;
  /** as it is quantised; null or absent: not in 4 or 8 bits */
  readCodes?(): Omit<Codes, 'shape'> | null;
}

/** A model's weights by name, each in one of the maps. Caller disposes. */
export interface Loaded {
  weights: Map<string, tf.Tensor>;
  packed: Map<string, PackedWeights>;
  /** Those that are multiplied with the same, over the memory of their parts in `packed`; by the first one's name. */
  joined: Map<string, PackedWeights>;
  /** How many of `packed` are the file's own blocks; the others were rounded. */
  unchanged: number;
}

/**
 * Tensors -> weights by name, one after another: beside the weights there is never more than one tensor.
 * @param wanted every weight's name and shape (model/config.ts, weightShapes)
 * @param where the model, for messages
 * @param bitsOf of a weight that is to be packed; blocks of a file with no more than that stay as they lie, all else is
 * rounded (engine/matMulNBits.ts, quantise)
 * @param together names of weights that are multiplied with the same
 * @throws UserError: a tensor is missing, there twice, of another shape, unknown to the architecture, holds NaN or
 * infinity, or can't be packed
 */
export function loadWeights(
  wanted: ReadonlyMap<string, readonly number[]>,
  tensors: Iterable<NamedTensor>,
  where: string,
  bitsOf: (name: string) => 4 | 8 | null = () => null,
  together: readonly (readonly string[])[] = [],
): Loaded {
  const loaded: Loaded = { weights: new Map(), packed: new Map(), joined: new Map(), unchanged: 0 };
  try {
    for (const tensor of tensors) {
      if (isDerived(tensor.name, wanted)) continue;
      checkOne(tensor, wanted.get(tensor.name), loaded.weights.has(tensor.name) || loaded.packed.has(tensor.name));
      const bits = bitsOf(tensor.name);
      if (bits === null)
        loaded.weights.set(tensor.name, tf.keep(tensorOver(finite(tensor, tensor.read()), tensor.shape)));
      else {
        const { weights, isUnchanged } = pack(tensor, bits);
        loaded.packed.set(tensor.name, weights);
        if (isUnchanged) loaded.unchanged++;
      }
    }
    const missing = [...wanted.keys()].find((name) => !loaded.weights.has(name) && !loaded.packed.has(name));
    if (missing !== undefined)
      throw new UserError(
        'config',
        `${where}: tensor ${missing} is missing`,
        'the model and the weights do not belong together, or a file is missing; fetch the model again',
      );
    for (const names of together) joinThese(loaded, names);
    return loaded;
  } catch (error) {
    disposeLoaded(loaded);
    throw error;
  }
}

function joinThese({ packed, joined }: Loaded, names: readonly string[]): void {
  const parts = names.flatMap((name) => packed.get(name) ?? []);
  const made = parts.length === names.length ? joinPacked(parts) : null;
  if (made === null) return;
  joined.set(names[0]!, made.all);
  names.forEach((name, i) => packed.set(name, made.parts[i]!));
  for (const each of [made.all, ...made.parts].flatMap(tensorsOf)) tf.keep(each);
}

export function disposeLoaded({ weights, packed, joined }: Loaded): void {
  tf.dispose([...weights.values(), ...[...packed.values(), ...joined.values()].flatMap(tensorsOf)]);
}

function checkOne({ name, shape, where }: NamedTensor, wanted: readonly number[] | undefined, isThere: boolean): void {
  if (wanted === undefined)
    throw new UserError(
      'config',
      `${where}: tensor ${name} is none of this architecture's`,
      'leaving it out would make another model of it; take a plain Llama, Qwen2 or Qwen3 model',
    );
  if (isThere)
    throw new UserError(
      'config',
      `${where}: tensor ${name} was in another file already`,
      'remove the files that do not belong to the model, or add its model.safetensors.index.json',
    );
  if (shape.join() !== wanted.join())
    throw new UserError(
      'config',
      `${where}: tensor ${name} must be [${wanted.join(', ')}], got [${shape.join(', ')}]`,
      'config and weights are of different models; fetch the model again',
    );
}

function finite({ name, where }: NamedTensor, data: Float32Array): Float32Array {
  // finite float32 values can't overflow a float64 sum, so it is finite just when they all are; four sums, since each
  // addition waits for the one before
  let [a, b, c, d] = [0, 0, 0, 0];
  const whole = data.length - (data.length % 4);
  for (let i = 0; i < whole; i += 4) {
    a += data[i]!;
    b += data[i + 1]!;
    c += data[i + 2]!;
    d += data[i + 3]!;
  }
  for (let i = whole; i < data.length; i++) a += data[i]!;
  if (!Number.isFinite(a + b + c + d)) {
    const at = data.findIndex((value) => !Number.isFinite(value));
    throw new UserError(
      'config',
      `${where}: tensor ${name} must hold numbers, got ${data[at]} at ${at}`,
      'the file is damaged or the model was never whole; fetch it again',
    );
  }
  return data;
}

function pack(tensor: NamedTensor, bits: 4 | 8): { weights: PackedWeights; isUnchanged: boolean } {
  const shape = tensor.shape as [number, number];
  const blockSize = [32, 16].find((size) => shape[1] % size === 0);
  if (blockSize === undefined)
    throw new UserError(
      'config',
      `${tensor.where}: tensor ${tensor.name} has rows of ${shape[1]}, no multiple of 16, so it ` +
        `can't be held in ${bits} bits`,
      'set quantize to none',
    );
  const codes = tensor.readCodes?.();
  const isUnchanged = codes != null && codes.bits <= bits;
  if (isUnchanged) for (const each of [codes.scales, codes.offsets]) if (each) finite(tensor, each);
  const weights = isUnchanged
    ? packedWeights({ ...codes, shape })
    : quantise(finite(tensor, tensor.read()), shape, bits, blockSize);
  for (const each of tensorsOf(weights)) tf.keep(each);
  return { weights, isUnchanged };
}

/**
 * Tensors that some files carry though the model computes them itself: old rotary tables, and the head of a model
 * whose head is the embedding.
 */
function isDerived(name: string, wanted: ReadonlyMap<string, unknown>): boolean {
  return /\.rotary_emb\.inv_freq$/.test(name) || (name === 'lm_head.weight' && !wanted.has(name));
}
