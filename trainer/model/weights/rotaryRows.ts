/**
 * GGUFs of the llama architecture rotate neighbouring rows of a head (2i and 2i + 1), Hugging Face rows i and headDim /
 * 2 + i: llama.cpp's converter interleaves
 * the rows of q and k (convert_hf_to_gguf.py, LlamaModel.permute). Qwen's GGUFs rotate halves and stay.
 */
import type { ModelConfig } from '../network/config';

type Heads = Pick<ModelConfig, 'family' | 'heads' | 'kvHeads' | 'headDim'>;
type Rows = Float32Array | Uint8Array;

/**
 * Rows [heads * headDim, …] of a weight or bias, by Hugging Face name, from llama.cpp's order to Hugging Face's.
 * Changes and returns `values`.
 */
export const restoreRows = <T extends Rows>(values: T, name: string, config: Heads): T =>
  reorder(values, name, config, (i, half) => (i < half ? 2 * i : 2 * (i - half) + 1));

/**
 * Rows [heads * headDim, …] of a weight, a bias or a LoRA's B from Hugging Face's order to llama.cpp's. Changes and
 * returns `values`.
 */
export const interleaveRows = <T extends Rows>(values: T, name: string, config: Heads): T =>
  reorder(values, name, config, (i, half) => (i % 2) * half + (i >> 1));

/** @param sourceOf a head's row: which one comes there */
function reorder<T extends Rows>(
  values: T,
  name: string,
  { family, heads, kvHeads, headDim }: Heads,
  sourceOf: (row: number, half: number) => number,
): T {
  const [, projection] = /(?:^|\.)([qk])_proj(?:\.|$)/.exec(name) ?? [];
  if (family !== 'llama' || projection === undefined) return values;
  const count = projection === 'q' ? heads : kvHeads;
  const row = values.length / (count * headDim);
  for (let h = 0; h < count; h++) {
    const start = h * headDim * row;
    const head = values.slice(start, start + headDim * row);
    for (let i = 0; i < headDim; i++) {
      const from = sourceOf(i, headDim / 2);
      values.set(head.subarray(from * row, (from + 1) * row), start + i * row);
    }
  }
  return values;
}
