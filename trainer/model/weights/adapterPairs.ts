/** An adapter's tensors, paired up by the weight that they change. */
import type { Projection } from '../network/config';
import type { RunConfig } from '../../protocol/runConfig';
import { peftTensors } from './exportAdapter';
import type { Tensor } from './safetensors';

export interface AdapterPair {
  layer: number;
  target: Projection;
  /** [rank, in] */
  a: Tensor;
  /** [out, rank] */
  b: Tensor;
}

/**
 * @param tensors under our names or PEFT's; others are left alone
 * @returns by the weight's name without `.weight`, e.g. `model.layers.0.self_attn.q_proj`
 * @throws Error where a pair is not whole, or its rank or targets are not those given
 */
export function adapterPairs(
  tensors: ReadonlyMap<string, Tensor>,
  { rank, targets }: { rank: number; targets: RunConfig['loraTargets'] },
): Map<string, AdapterPair> {
  const named = peftTensors(tensors, { rank, targets });
  const pairs = new Map<string, AdapterPair>();
  for (const [name, a] of named) {
    const [, weight, layer, target] =
      /^base_model\.model\.(model\.layers\.(\d+)\.\w+\.(\w+))\.lora_A\.weight$/.exec(name) ?? [];
    if (weight !== undefined)
      pairs.set(weight, {
        layer: Number(layer),
        target: target as Projection,
        a,
        b: named.get(name.replace('lora_A', 'lora_B'))!,
      });
  }
  return pairs;
}
