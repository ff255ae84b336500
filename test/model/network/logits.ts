import * as tf from '@tensorflow/tfjs';
import type { Engine } from '../../../trainer/model/engine/engine';
import { hiddenStates, logitsOf, type CausalLM } from '../../../trainer/model/network/causalLM';

/** Logits [tokens, vocab] of each sequence. */
export async function logitsOfAll(
  engine: Engine,
  model: CausalLM,
  sequences: readonly (readonly number[])[],
): Promise<Float32Array[]> {
  const forward = engine.jit((ids: tf.Tensor) => logitsOf(model, hiddenStates(model, ids)));
  const out: Float32Array[] = [];
  for (const sequence of sequences) {
    const ids = tf.tensor2d([...sequence], [1, sequence.length], 'int32');
    const logits = forward(ids);
    out.push(Float32Array.from(await logits.data()));
    tf.dispose([ids, logits]);
  }
  return out;
}
