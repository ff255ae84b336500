import * as tf from '@tensorflow/tfjs';
import type { ModelConfig } from '../network/config';

/**
 * Of tokens that lie row by row, from `first` on as many as `counts` says: queries, keys, seen and last
 * (cachedForward.ts, Places). @param tokens with padding
 */
export function placesOf(
  { heads, kvHeads }: ModelConfig,
  counts: readonly number[],
  first: Int32Array,
  tokens: number,
  width: number,
): tf.Tensor[] {
  const b = first.length;
  const queries = new Int32Array(b * heads * width);
  const keys = new Int32Array(b * kvHeads * width);
  const seen = new Int32Array(tokens * heads);
  const last = new Int32Array(b);
  counts.forEach((count, i) => {
    for (let t = 0; t < count; t++) {
      const token = first[i]! + t;
      for (let h = 0; h < heads; h++) seen[token * heads + h] = (i * heads + h) * width + t;
      for (let h = 0; h < heads; h++) queries[(i * heads + h) * width + t] = token * heads + h;
      for (let h = 0; h < kvHeads; h++) keys[(i * kvHeads + h) * width + t] = token * kvHeads + h;
      last[i] = token;
    }
  });
  return [
    tf.tensor3d(queries, [b, heads, width], 'int32'),
    tf.tensor3d(keys, [b, kvHeads, width], 'int32'),
    tf.tensor2d(seen, [tokens, heads], 'int32'),
    tf.tensor1d(last, 'int32'),
  ];
}

/**
 * Packed weights take memory once for each graph, so that one graph should do for the start as well: with a cache of
 * which nothing is filled.
 */
export const unusedCache = ({ layers, kvHeads, headDim }: ModelConfig, b: number): tf.Tensor[] =>
  [0, 1].map(() => tf.zeros([layers, b, kvHeads, 2, headDim]));

/** [layers, b, …] -> [layers, rows, …] */
export function cropRows(data: Float32Array, layers: number, b: number, rows: number): Float32Array {
  if (b === rows) return data;
  const each = data.length / layers / b;
  const out = new Float32Array(layers * rows * each);
  for (let l = 0; l < layers; l++) out.set(data.subarray(l * b * each, (l * b + rows) * each), l * rows * each);
  return out;
}
