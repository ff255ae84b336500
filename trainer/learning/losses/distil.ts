import * as tf from '@tensorflow/tfjs';
import { type LossResult, type ScalarLike, assertShape, keepMasked, maskedMean, tidyLoss } from './tensorTools';

export interface DistilInputs {
  /** KL(teacher || student) over the teacher's most likely tokens at each position, [batch, seq], nats */
  kl: tf.Tensor2D;
  /** log p of the label at each position, [batch, seq], nats. What masked positions hold does not matter. */
  logprobs: tf.Tensor2D;
  /** [batch, seq], 1 = labelled */
  labelMask: tf.Tensor2D;
  /** [batch, 1], 0 to 1: how much of the loss is the KL, by sequence; the rest is the label's log likelihood */
  teacherShare: tf.Tensor2D;
  /** [batch, seq], nats; for the entropy metric */
  entropies?: tf.Tensor2D | null;
  /** Labelled tokens of the whole optimiser step, all micro-batches; default: those of this one, at least 1. */
  itemsInBatch?: ScalarLike | null;
}

/**
 * Logit distillation: sum over the labelled tokens of a KL(teacher || student) - (1 - a) log p(label), divided by the
 * number of items. With a 1 on the student's own samples it is GKD with forward KL (arXiv:2306.13649, eq. 3 and
 * algorithm 1); with a teacher's text and 0 < a < 1 Hinton's mixture (arXiv:1503.02531) at temperature 1. The KL is
 * over
 * the teacher's k most likely tokens, whose probabilities are made to sum to 1 (`teacherRows` in tokenScores.ts).
 * Only tensor ops; baked: shapes, itemsInBatch as a number.
 *
 * @returns loss (scalar, in the surrounding tidy) and statistics (scalars, kept: caller disposes). A batch without
 *   labels gives 0, not NaN.
 * @throws ShapeError when shapes disagree
 */
export function distilLoss(inputs: DistilInputs): LossResult {
  const shape = inputs.kl.shape;
  assertShape('distilLoss', 'logprobs', inputs.logprobs, shape);
  assertShape('distilLoss', 'labelMask', inputs.labelMask, shape);
  assertShape('distilLoss', 'teacherShare', inputs.teacherShare, [shape[0], 1]);
  if (inputs.entropies) assertShape('distilLoss', 'entropies', inputs.entropies, shape);
  return tidyLoss(() => {
    const mask = tf.cast(inputs.labelMask, 'float32'); // [batch, seq]
    const kl = keepMasked(inputs.kl, mask);
    const logprobs = keepMasked(inputs.logprobs, mask);
    const share = inputs.teacherShare; // [batch, 1]
    const perToken = tf.sub(tf.mul(share, kl), tf.mul(tf.sub(1, share), logprobs));
    const items = tf.maximum(inputs.itemsInBatch ?? tf.sum(mask), 1);
    const loss = tf.div(tf.sum(tf.mul(perToken, mask)), items) as tf.Scalar;
    const statistics: Record<string, tf.Scalar> = { 'coach/teacher_kl': maskedMean(kl, mask) };
    if (inputs.entropies) statistics['entropy'] = maskedMean(keepMasked(inputs.entropies, mask), mask);
    return { loss, statistics };
  });
}
