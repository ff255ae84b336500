import * as tf from '@tensorflow/tfjs';
import type { Engine } from '../engine/engine';
import { firstRows, tensorsOf, type PackedWeights } from '../engine/packedWeights';
import { isAlikeAlone } from '../engine/oneRow';
import { firstRowsOf } from '../engine/tensorOver';
import { headName, type CausalLM } from '../network/causalLM';
import { hasThinProducts, times } from '../network/projections';

/** Of each weight that is tried. */
const OUTPUTS = 64;

/**
 * Rows of the smallest batch. Where a product of one row rounds otherwise than one of several, a sequence alone is
 * computed beside an empty row: it is the same to
 * the bit in any batch (processes.md 3). That is so for large float32 weights and for adapters, which are read as they
 * lie; of packed and of held weights a try of
 * each kind that the model has tells.
 */
export function leastRows(engine: Engine, model: CausalLM): 1 | 2 {
  if (engine.name !== 'onnx' || hasThinProducts(model) || model.adapter) return 2;
  const packed = firstOfKind(
    model.packed?.weights ?? new Map(),
    model,
    ({ bits, blockSize, shape, offsets }) => `${bits} ${blockSize} ${shape[1]} ${offsets !== null}`,
    (w) => firstRows(w, OUTPUTS),
  );
  const floats = firstOfKind(
    model.weights,
    model,
    ({ shape }) => `${shape[1]}`,
    (w) => firstRowsOf(w as tf.Tensor2D, OUTPUTS),
  );
  const part: CausalLM = {
    ...model,
    isDecoding: true,
    weights: floats,
    ...(model.packed && { packed: { weights: packed, decoding: model.packed.decoding } }),
  };
  const inputsOf = new Map([...packed, ...floats].map(([name, { shape }]) => [name, shape[1]!]));
  const product = (x: tf.Tensor): tf.Tensor =>
    tf.concat(
      [...inputsOf].map(([name, inputs]) => times(part, tf.slice(x, [0, 0], [x.shape[0]!, inputs]), name)),
      1,
    );
  const isAlike = isAlikeAlone(engine, product, Math.max(...inputsOf.values()));
  tf.dispose([...floats.values(), ...[...packed.values()].flatMap(tensorsOf)]);
  return isAlike ? 1 : 2;
}

/** Of the matrices that decoding multiplies by, one of each kind, or what `cut` makes of it. */
function firstOfKind<W extends tf.Tensor | PackedWeights>(
  weights: ReadonlyMap<string, W>,
  { config }: CausalLM,
  kind: (w: W) => string,
  cut: (w: W) => W,
): Map<string, W> {
  const names = new Map<string, string>();
  for (const [name, w] of weights)
    if (w.shape.length === 2 && (/_proj\.weight$/.test(name) || name === headName(config)) && !names.has(kind(w)))
      names.set(kind(w), name);
  return new Map([...names.values()].map((name) => [name, cut(weights.get(name)!)]));
}
