/**
 * Rows of embedding and head for tokens behind the vocabulary: the weights stay as they lie, frozen or packed, and the
 * new rows, few as they are, lie beside them in float32 and are trained (addedTokens.ts).
 */
import * as tf from '@tensorflow/tfjs';
import { wholeProduct } from '../engine/whole';

/** By the name of the weight that they come behind: [tokens, hiddenSize]. */
export type AddedRows = ReadonlyMap<string, tf.Tensor>;

/** Rows of ids that may lie behind the `count` that `known` has, [N, hiddenSize]. */
export function rowsBehind(
  added: tf.Tensor,
  ids: tf.Tensor,
  count: number,
  known: (ids: tf.Tensor) => tf.Tensor,
): tf.Tensor {
  const first = tf.scalar(count, 'int32');
  const isAdded = tf.greaterEqual(ids, first);
  const own = tf.gather(added, tf.maximum(tf.sub(ids, first), tf.scalar(0, 'int32')) as tf.Tensor1D);
  const others = known(tf.minimum(ids, tf.scalar(count - 1, 'int32')));
  return tf.where(tf.reshape(isAdded, [ids.size, 1]), own, others);
}

/** hidden [N, hiddenSize] -> logits of the added tokens, [N, tokens] */
export const addedLogits = (rows: tf.Tensor, hidden: tf.Tensor, isDecoding = false): tf.Tensor =>
  isDecoding ? wholeProduct(hidden, rows) : tf.matMul(hidden, rows, false, true);
