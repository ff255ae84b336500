import * as tf from '@tensorflow/tfjs';
import { gatherNBits, matMulNBits } from '../engine/matMulNBits';
import { frozen, thinProduct, wholeProduct, wholeProducts } from '../engine/whole';
import { rowsBehind } from './addedRows';
import { projectionName, type TOGETHER, type Projection } from './config';
import type { Wanted } from './layers';
import type { CausalLM } from './causalLM';

/** Low-rank adapter of one projection: A [r, in], B [out, r] (PEFT's layout). */
export interface LoraPair {
  a: tf.Tensor;
  b: tf.Tensor;
}
/** What a projection reads of a model. */
type ProjectionWeights = Pick<CausalLM, 'weights' | 'adapter'> & Partial<CausalLM>;

export const wanted = ({ isDecoding, isWhollyTrained }: CausalLM): Wanted =>
  isDecoding ? 'none' : isWhollyTrained ? 'all' : 'input';

/** Graphs that decode hold the weights. */
const isHeld = ({ isSmall, isWhollyTrained }: ProjectionWeights): boolean => isSmall === true && !isWhollyTrained;
/**
 * Whether few tokens are computed by other products than many, which round otherwise: then each token has to be one of
 * few or of many whatever its batch is.
 */
export const hasThinProducts = (model: CausalLM): boolean => !model.packed && !isHeld(model);

export function weight(model: ProjectionWeights, name: string): tf.Tensor {
  const w = model.weights.get(name);
  if (!w) throw new Error(`causalLM: no weight ${name}`);
  return model.isDecoding && isHeld(model) ? frozen(w) : w;
}

/** x [rows, in] times the weight's transpose, and what that is added to: [rows, out]. */
export function times(model: ProjectionWeights, x: tf.Tensor, name: string, onto?: tf.Tensor): tf.Tensor {
  const packed = model.packed?.weights.get(name);
  if (!packed && model.isDecoding && !model.isThin) return wholeProduct(x, weight(model, name), onto);
  const y = packed
    ? matMulNBits(x, packed, model.isDecoding ? model.packed!.decoding : 'float32')
    : model.isThin
      ? thinProduct(x, weight(model, name))
      : tf.matMul(x, weight(model, name), false, true);
  return onto ? tf.add(onto, y) : y;
}

export const EMBEDDING = 'model.embed_tokens.weight';

/** Rows of the embedding or the head, [N, hiddenSize]. */
export function rowsOf(model: CausalLM, name: string, ids: tf.Tensor): tf.Tensor {
  const packed = model.packed?.weights.get(name);
  const known = (of: tf.Tensor): tf.Tensor =>
    packed ? gatherNBits(packed, of) : tf.gather(weight(model, name), of as tf.Tensor1D);
  const added = model.added?.get(name);
  return added ? rowsBehind(added, ids, model.config.vocabSize - added.shape[0]!, known) : known(ids);
}

/**
 * x [rows, in] -> [rows, out]; weight [out, in], plus scaling * x A^T B^T where the adapter has a pair (Hu et al.,
 * arXiv:2106.09685), plus `onto`.
 */
export function linear(
  model: ProjectionWeights,
  x: tf.Tensor,
  layer: number,
  p: Projection,
  onto?: tf.Tensor,
): tf.Tensor {
  const name = projectionName(layer, p);
  return adapted(model, x, name, times(model, x, `${name}.weight`, onto));
}
/** Those of the same x: in decoding as one product where that is possible. */
export function linears<P extends (typeof TOGETHER)[number]>(
  model: CausalLM,
  x: tf.Tensor,
  layer: number,
  ps: P,
): { [K in keyof P]: tf.Tensor } {
  const names = ps.map((p) => projectionName(layer, p));
  const ys = model.isDecoding
    ? productsTogether(
        model,
        x,
        names.map((name) => `${name}.weight`),
      )
    : null;
  return names.map((name, i) => adapted(model, x, name, ys?.[i] ?? times(model, x, `${name}.weight`))) as unknown as {
    [K in keyof P]: tf.Tensor;
  };
}
function productsTogether(model: CausalLM, x: tf.Tensor, names: readonly string[]): tf.Tensor[] | null {
  const { packed } = model;
  const all = packed?.joined?.get(names[0]!);
  if (all)
    return tf.split(
      matMulNBits(x, all, packed!.decoding),
      names.map((name) => packed!.weights.get(name)!.shape[0]),
      1,
    );
  return !packed && isHeld(model)
    ? wholeProducts(
        x,
        names.map((name) => weight(model, name)),
      )
    : null;
}
/** y, the product of x, plus what else its projection has. */
function adapted(model: ProjectionWeights, x: tf.Tensor, name: string, y: tf.Tensor): tf.Tensor {
  const bias = model.weights.get(`${name}.bias`);
  const biased = bias ? tf.add(y, bias) : y;
  const pair = model.adapter?.pairs.get(name);
  if (!pair) return biased;
  const { scaling, dropout } = model.adapter!;
  const narrow = tf.matMul(dropout?.(x, name) ?? x, pair.a, false, true); // [rows, r]
  return model.isDecoding
    ? wholeProduct(narrow, pair.b, biased, scaling)
    : tf.add(biased, tf.matMul(tf.mul(narrow, scaling), pair.b, false, true));
}
