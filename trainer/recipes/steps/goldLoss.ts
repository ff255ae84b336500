import type * as tf from '@tensorflow/tfjs';
import { sftLoss } from '../../learning/losses/sft';
import type { Loss } from '../../learning/trainStep';
import type { RunConfig } from '../../protocol/runConfig';
import { DEFAULTS } from '../../protocol/settings/defaults';

/** Of tokens that are to be said. extra: labelled tokens of the whole step */
export const goldLoss =
  (type: NonNullable<RunConfig['sftLoss']> = DEFAULTS.sftLoss): Loss =>
  (scores, batch, [items]) =>
    sftLoss(
      {
        logprobs: scores.logprobs,
        labelMask: batch.completionMask,
        entropies: scores.entropies,
        itemsInBatch: items as tf.Scalar,
      },
      type,
    );
