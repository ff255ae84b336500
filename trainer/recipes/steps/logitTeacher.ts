/**
 * A teacher whose probabilities are learnt from, token by token: a model of this disk with the student's tokens
 * (sftTeacher).
 */
import * as tf from '@tensorflow/tfjs';
import type { Batch } from '../../learning/batch';
import { TeacherScorer } from '../../learning/trainStep';
import { loadBaseModel } from '../../model/weights/baseModel';
import { checkSameTokens } from '../../model/weights/sameTokens';
import type { Note } from '../../protocol/note';
import { DEFAULTS } from '../../protocol/settings/defaults';
import type { Session } from './session';

export interface LogitTeacher {
  /** What stands before the loss's own tensors; caller disposes. `mass`: what the likeliest ids have, mean over tokens */
  tensors(batch: Batch): Promise<{ extra: tf.Tensor[]; mass: number }>;
  note: Note;
  dispose(): void;
}

/** @throws UserError where it can't be loaded, or has other tokens */
export function openLogitTeacher({ base, context: { config, engine } }: Session, path: string): LogitTeacher {
  checkSameTokens(path, base.folder);
  const top = config.sftTeacherTop ?? DEFAULTS.sftTeacherTop;
  const teacher = loadBaseModel(path, config.maxTokens, { quantize: config.quantize });
  const scorer = new TeacherScorer(engine, teacher.model, top);
  return {
    async tensors(batch) {
      const { ids, shares, negentropies, masses } = scorer.rows(batch);
      const mean = tf.tidy(() => {
        const perToken = tf.reshape(tf.gather(tf.reshape(masses, [-1]), batch.slots), batch.completionMask.shape);
        return tf.div(tf.sum(tf.mul(perToken, batch.completionMask)), tf.maximum(tf.sum(batch.completionMask), 1));
      });
      const [mass] = await mean.data();
      tf.dispose([mean, masses]);
      return { extra: [ids, shares, negentropies], mass: mass! };
    },
    note: {
      level: 'info',
      code: 'logitTeacher',
      message:
        `Learning also from the probabilities of ${path}, of its ${top} likeliest tokens in each place; ` +
        'coach/teacher_mass says how much of all probability these have',
    },
    dispose() {
      scorer.dispose();
      teacher.dispose();
    },
  };
}
