import * as tf from '@tensorflow/tfjs';
import { entropies, selectedLogprobs } from '../../model/network/logprobs';
import {
  type LossResult,
  type ScalarLike,
  assertShape,
  keepMasked,
  maskedMean,
  tidyLoss,
  withoutGradient,
} from './tensorTools';

export const SFT_LOSS_TYPES = ['nll', 'dft'] as const;
export type SftLossType = (typeof SFT_LOSS_TYPES)[number];

/** torch's ignore_index: a position with this label is not trained. */
const IGNORED_LABEL = -100;

export interface SftInputs {
  /** log p of the label at each position, [batch, seq], nats. What masked positions hold does not matter. */
  logprobs: tf.Tensor2D;
  /** [batch, seq], 1 = labelled; column t belongs to log-prob t (already shifted). */
  labelMask: tf.Tensor2D;
  /** [batch, seq], nats; for the entropy metric. */
  entropies?: tf.Tensor2D | null;
  /** [batch, seq], 1 = the label is the most likely token; for mean_token_accuracy. */
  isCorrect?: tf.Tensor2D | null;
  /** Labelled tokens of the whole optimiser step, all micro-batches; default: those of this one, at least 1. */
  itemsInBatch?: ScalarLike | null;
}

/**
 * Supervised loss: sum over the labelled tokens of -log p (nll), or of -p log p with p held constant (dft, "dynamic
 * fine-tuning", arXiv:2508.05629), divided by the number of items.
 * Source: TRL 1.16 `SFTTrainer.compute_loss`. Only tensor ops; baked: shapes, lossType, itemsInBatch as a number.
 *
 * @returns loss (scalar, in the surrounding tidy) and statistics under TRL's names (scalars, kept: caller disposes).
 *   A batch without labels gives 0, not NaN.
 * @throws ShapeError when shapes disagree
 */
export function sftLoss(inputs: SftInputs, lossType: SftLossType): LossResult {
  const shape = inputs.logprobs.shape;
  assertShape('sftLoss', 'labelMask', inputs.labelMask, shape);
  if (inputs.entropies) assertShape('sftLoss', 'entropies', inputs.entropies, shape);
  if (inputs.isCorrect) assertShape('sftLoss', 'isCorrect', inputs.isCorrect, shape);
  return tidyLoss(() => {
    const mask = tf.cast(inputs.labelMask, 'float32'); // [batch, seq]
    const logprobs = keepMasked(inputs.logprobs, mask); // [batch, seq]
    const perToken =
      lossType === 'nll'
        ? logprobs
        : tf.mul(
            withoutGradient([logprobs], (log) => tf.exp(log)),
            logprobs,
          );
    const items = tf.maximum(inputs.itemsInBatch ?? tf.sum(mask), 1);
    const loss = tf.neg(tf.div(tf.sum(tf.mul(perToken, mask)), items)) as tf.Scalar;
    const statistics: Record<string, tf.Scalar> = {};
    if (inputs.entropies) statistics['entropy'] = maskedMean(keepMasked(inputs.entropies, mask), mask);
    if (inputs.isCorrect) statistics['mean_token_accuracy'] = maskedMean(tf.cast(inputs.isCorrect, 'float32'), mask);
    return { loss, statistics };
  });
}

/**
 * The same from logits and unshifted labels: the logits of position t predict the label of position t + 1.
 *
 * @param logits        [batch, seq, vocab], finite
 * @param labels        [batch, seq], int32 ids; -100 = not trained
 * @param itemsInBatch  as in SftInputs; null: this batch's own labels after the shift
 * @returns as sftLoss, with entropy and mean_token_accuracy
 */
export function sftLossFromLogits(
  logits: tf.Tensor3D,
  labels: tf.Tensor2D,
  lossType: SftLossType,
  itemsInBatch: ScalarLike | null = null,
): LossResult {
  const [batch, seq, vocab] = logits.shape;
  assertShape('sftLossFromLogits', 'labels', labels, [batch, seq]);
  return tidyLoss(() => {
    const shifted = tf.slice(tf.cast(labels, 'int32'), [0, 1], [batch, seq - 1]); // [batch, seq - 1]
    const isLabelled = tf.notEqual(shifted, IGNORED_LABEL);
    const targets = tf.where(isLabelled, shifted, tf.zerosLike(shifted)); // [batch, seq - 1], a valid id everywhere
    const rows = batch * (seq - 1);
    const predicting = tf.reshape(tf.slice(logits, [0, 0, 0], [batch, seq - 1, vocab]), [rows, vocab]) as tf.Tensor2D;
    const ids = tf.reshape(targets, [rows]) as tf.Tensor1D;
    const back = (x: tf.Tensor): tf.Tensor2D => tf.reshape(x, [batch, seq - 1]);
    return sftLoss(
      {
        logprobs: back(selectedLogprobs(predicting, ids)),
        labelMask: tf.cast(isLabelled, 'float32') as tf.Tensor2D,
        entropies: back(entropies(predicting)),
        isCorrect: back(tf.equal(tf.cast(tf.argMax(predicting, 1), 'int32'), ids)),
        itemsInBatch,
      },
      lossType,
    );
  });
}
