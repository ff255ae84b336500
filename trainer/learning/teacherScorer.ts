/** A teacher in logit distillation: what it would have said in the places of a batch's tokens. */
import * as tf from '@tensorflow/tfjs';
import type { Engine } from '../model/engine/engine';
import type { CausalLM } from '../model/network/causalLM';
import type { Batch } from './batch';
import { maskedMean } from './losses/tensorTools';
import { PrefixKeys } from './sharedPrefix';
import { INPUT_COUNT, inputsOf, named, teacherRows, type TeacherRows } from './tokenScores';

/** What a frozen teacher, with the student's tokens, has for a batch's places: compiled, without gradients. */
export class TeacherScorer {
  private readonly run: (...args: tf.Tensor[]) => tf.Tensor[];
  private readonly prefix: PrefixKeys;
  private readonly k: number;

  /** @param top how many ids of each place; the vocabulary at most */
  constructor(engine: Engine, teacher: CausalLM, top: number) {
    this.k = Math.min(top, teacher.config.vocabSize);
    this.run = engine.jit(
      (...args: tf.Tensor[]) => [teacherRows(teacher, named(args), this.k, args.slice(INPUT_COUNT))],
      'the teacher',
    );
    this.prefix = new PrefixKeys(engine, () => teacher, 'the teacher');
  }

  /** Caller disposes. */
  rows(batch: Batch): TeacherRows {
    const keys = batch.isBehind ? this.prefix.of(batch.prefix) : [];
    const [all] = this.run(...inputsOf(batch), ...keys) as [tf.Tensor2D];
    const { k } = this;
    const rows = tf.tidy(() => {
      const columns = (from: number, count: number): tf.Tensor2D => tf.slice2d(all, [0, from], [all.shape[0], count]);
      return {
        ids: tf.cast(columns(0, k), 'int32'),
        shares: columns(k, k),
        negentropies: columns(2 * k, 1),
        masses: columns(2 * k + 1, 1),
      };
    });
    all.dispose();
    return rows;
  }

  /** What the likeliest ids have of all probability, mean over the batch's trained tokens. */
  async meanMass(batch: Batch, { masses }: TeacherRows): Promise<number> {
    const mean = tf.tidy(() => {
      const perToken = tf.reshape(tf.gather(tf.reshape(masses, [-1]), batch.slots), batch.completionMask.shape);
      return maskedMean(perToken, batch.completionMask);
    });
    const [value] = await mean.data();
    mean.dispose();
    return value!;
  }

  dispose(): void {
    this.prefix.drop();
  }
}
