/**
 * What tokens that many sequences begin with leave behind for all of them: the keys and values of each layer, with
 * gradients to what they are made from.
 */
import * as tf from '@tensorflow/tfjs';
import { block, checkpointedLayer, firstRows, type CausalLM } from './causalLM';
import { EMBEDDING, rowsOf } from './projections';
import { attend, causalMask, wholeRows, type KeysAndValues } from './attention';
import { rotary } from './layers';

/**
 * Whoever attends to these (Layout.keys) sees what it would see with the tokens before it, and a gradient to them is
 * all that flows to the tokens: so what many
 * micro-batches begin with is computed once, and gone through backwards once, with the sum of their gradients.
 * @param ids [P] int32, at the places from 0 on; padding at the right needs no mask
 * @returns keys, rotated, and values of each layer in turn, [1, kvHeads, P, headDim]
 */
export function prefixKeys(model: CausalLM, ids: tf.Tensor1D): tf.Tensor[] {
  const { layers, kvHeads, headDim } = model.config;
  const p = ids.size;
  const { cos, sin } = model.rotary;
  const tables = [firstRows(cos, p), firstRows(sin, p), causalMask(p)];
  const inTokens = (x: tf.Tensor): tf.Tensor => tf.reshape(tf.transpose(x, [0, 2, 1, 3]), [p, kvHeads * headDim]);
  const byHead = (x: tf.Tensor): tf.Tensor => tf.transpose(tf.reshape(x, [1, p, kvHeads, headDim]), [0, 2, 1, 3]);
  const keys: tf.Tensor[] = [];
  let x = rowsOf(model, EMBEDDING, ids);
  for (let layer = 0; layer < layers; layer++) {
    const run = (
      given: CausalLM,
      y: tf.Tensor,
      [cosine, sine, mask]: tf.Tensor[],
    ): KeysAndValues & { x: tf.Tensor } => {
      let made: KeysAndValues;
      const next = block(given, y, layer, (projected) => {
        const { seen, k, v } = attend(given, projected, layer, {
          rotary: rotary(cosine!, sine!),
          mask: mask!,
          ...wholeRows(model.config, 1, p),
        });
        made = { k, v };
        return seen;
      });
      return { ...made!, x: next };
    };
    // of the last layer only keys and values are asked for, which is little
    if (!model.isCheckpointed || layer === layers - 1) {
      const made = run(model, x, tables);
      keys.push(made.k, made.v);
      x = made.x;
      continue;
    }
    const width = x.shape[1]!;
    const joined = checkpointedLayer(model, layer, x, tables, (given, y, constants) => {
      const made = run(given, y, constants);
      return tf.concat([made.x, inTokens(made.k), inTokens(made.v)], 1);
    });
    const part = (from: number, n: number): tf.Tensor => tf.slice(joined, [0, from], [p, n]);
    keys.push(byHead(part(width, kvHeads * headDim)), byHead(part(width + kvHeads * headDim, kvHeads * headDim)));
    x = part(0, width);
  }
  return keys;
}
