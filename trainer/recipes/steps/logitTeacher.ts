/**
 * A teacher whose probabilities are learnt from, token by token: a model of this disk with the student's tokens
 * (sftTeacher).
 */
import type * as tf from '@tensorflow/tfjs';
import type { Batch } from '../../learning/batch';
import { TeacherScorer } from '../../learning/teacherScorer';
import { loadBaseModel } from '../../model/weights/baseModel';
import { checkSameTokens } from '../../model/weights/sameTokens';
import type { Note } from '../../protocol/note';
import { DEFAULTS } from '../../protocol/settings/defaults';
import type { Session } from './session';

export interface LogitTeacher {
  /**
   * What stands before the loss's own tensors; caller disposes. `mass`: what the likeliest ids have, mean over tokens
   */
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
      const rows = scorer.rows(batch);
      const mass = await scorer.meanMass(batch, rows);
      rows.masses.dispose();
      return { extra: [rows.ids, rows.shares, rows.negentropies], mass };
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
