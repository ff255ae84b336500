import * as tf from '@tensorflow/tfjs';
import type { TrainedTrace } from '../learning/batch';
import { makeBatch, type Batch } from '../learning/batch';
import { distilLoss } from '../learning/losses/distil';
import { learningRateAt } from '../learning/optimizer/schedule';
import type { Loss, TrainStep } from '../learning/trainStep';
import type { Metrics, TrainerEventBody } from '../protocol/messages';
import type { Note } from '../protocol/note';
import type { SettledConfig } from '../protocol/runConfig';
import { DEFAULTS } from '../protocol/settings/defaults';
import { examplesPerStep } from './steps/examplesPerStep';
import { openLogitTeacher, type LogitTeacher } from './steps/logitTeacher';
import type { OwnSamples } from './steps/ownSamples';
import { givenDialogues } from './steps/dialogues';
import { drawExamples, type Drawn, type Examples } from './steps/goldExamples';
import { goldLoss } from './steps/goldLoss';
import { stepParts } from './steps/microBatches';
import type { Recipe } from './recipe';
import { openTrainStep, type Session } from './steps/session';
import { loadStart } from './steps/startAdapter';
import { trainLoop, type Training } from './loop';

/**
 * Supervised fine-tuning on gold calls and what the tools really answered to them, or on a teacher's dialogues (TRL's
 * SFT: mean over the labelled tokens of an update).
 */
export const sft: Recipe = (context) => {
  const { config, tasks } = context;
  const taught = config.sftDialogues === undefined ? null : givenDialogues(context, config.sftDialogues);
  return trainLoop(taught ? { ...context, tasks: { ...tasks, train: taught.tasks } } : context, (s) => {
    loadStart(s)?.dispose(); // nothing here is held against it
    const teacher = config.sftTeacher === undefined ? null : openLogitTeacher(s, config.sftTeacher);
    const course = { ...config, updates: config.warmUpdates ?? 1 };
    const notes = [taught?.note, teacher?.note, manyUpdates(course)].filter((note) => note !== undefined);
    return { ...openGoldSteps(s, course, { taught, teacher, notes }), dispose: () => teacher?.dispose() };
  });
};

const manyUpdates = ({ updates, learningRate }: GoldCourse): Note | undefined =>
  updates === 1
    ? undefined
    : {
        level: 'info',
        code: 'sftUpdates',
        message:
          `Each step of SFT makes ${updates} updates at a learning rate of ${learningRate}, each on examples of its ` +
          "own, as a run's warm start does (warmUpdates, learningRate)",
      };

/** How fast is learnt, over so many steps of so many updates, each on examples of its own. */
export type GoldCourse = Pick<SettledConfig, 'schedule' | 'learningRate' | 'warmupSteps' | 'steps'> & {
  updates: number;
};

interface From extends Omit<Examples, 'known'> {
  notes: readonly Note[];
}
const GOLD: From = { taught: null, teacher: null, notes: [] };

/**
 * Steps on gold dialogues: a run or a stage of SFT, or the first steps of another method (warmSteps).
 * @param from a teacher's dialogues in their place, and a teacher's probabilities beside them
 */
export function openGoldSteps(
  s: Session,
  course: GoldCourse,
  { notes, ...from }: From = GOLD,
): Pick<Training, 'step' | 'tryOut'> {
  const { config, tools, tasks } = s.context;
  const { teacher } = from;
  const { updates } = course;
  const trainer = openTrainStep(s, teacher ? distilled : goldLoss(config.sftLoss), {
    hasTeacher: teacher !== null,
    updatesPerStep: updates,
  });
  const examples: Examples = { known: new Map(), ...from };
  const count = examplesPerStep(config, s.base.tokenizer, s.base.template, tools, tasks.train);
  const schedule = { ...course, totalSteps: course.steps * updates + 1 };
  return {
    async *step(session, step) {
      for (const note of notes) if (s.context.run.firstTime(note)) yield { type: 'noted', ...note };
      const first = (step - 1) * updates + 1;
      const drawn = yield* drawStep(session, { first, updates, step, count }, examples);
      if (drawn === null) return null;
      let metrics: Metrics = {};
      let tokens = 0;
      for (const [i, each] of drawn.entries()) {
        const learningRate = learningRateAt(first + i, schedule);
        metrics = await trainOn(session, each, { update: first + i, learningRate, trainer, teacher });
        tokens += metrics.num_tokens ?? 0;
      }
      return { ...metrics, num_tokens: tokens };
    },
    tryOut: ({ groups, shared }) =>
      withBatch(s, { part: groups, shared, items: 1, teacher }, (batch, extra) => trainer.tryOut(batch, extra)),
  };
}

/** The examples of a step's updates, all before the first of them: a step that is stopped has trained nothing. */
async function* drawStep(
  s: Session,
  { first, updates, ...ofStep }: { first: number; updates: number; step: number; count: number },
  examples: Examples,
): AsyncGenerator<TrainerEventBody, Drawn[] | null> {
  const before = s.mix.state();
  const all: Drawn[] = [];
  for (let update = first; update < first + updates; update++) {
    const drawn = yield* drawExamples(s, update, ofStep, examples);
    if (drawn === null) {
      s.mix.restore(before);
      return null;
    }
    s.mix.done(drawn.tasks, null);
    all.push(drawn);
  }
  return all;
}

/**
 * extra, behind the teacher's: how much of each sequence's loss is the teacher's, labelled tokens of the whole update
 */
const distilled: Loss = (scores, batch, [teacherShare, items]) =>
  distilLoss({
    kl: scores.teacherKl!,
    logprobs: scores.logprobs,
    labelMask: batch.completionMask,
    teacherShare: teacherShare as tf.Tensor2D,
    entropies: scores.entropies,
    itemsInBatch: items as tf.Scalar,
  });

/** One update. */
async function trainOn(
  s: Session,
  { sequences, own, counts }: Drawn,
  {
    update,
    learningRate,
    trainer,
    teacher,
  }: { update: number; learningRate: number; trainer: TrainStep; teacher: LogitTeacher | null },
): Promise<Metrics & { num_tokens: number }> {
  const { config } = s.context;
  const items = sequences.reduce((n, t) => n + t.trace.tokens.completionMask.reduce((a: number, b) => a + b, 0), 0);
  const metrics: Record<string, number> & { num_tokens: number } = { loss: 0, num_tokens: 0 };
  const { shared, parts } = stepParts(
    sequences.map((t) => [t]),
    config,
    false,
  );
  metrics.num_tokens += shared;
  for (const part of parts) {
    const statistics = await withBatch(s, { part, shared, items, teacher, own }, async (batch, extra, told) => {
      metrics.num_tokens += batch.tokens;
      return { ...(await trainer.accumulate(batch, extra)), ...told };
    });
    for (const [name, value] of Object.entries(statistics))
      if (!name.startsWith('sampling/'))
        metrics[name] = (metrics[name] ?? 0) + (name === 'loss' ? value : value / parts.length);
  }
  const gradNorm = await trainer.apply(learningRate, update);
  return {
    ...metrics,
    grad_norm: gradNorm,
    learning_rate: learningRate,
    'coach/unsayable': counts.unsayable,
    'coach/without_answer': counts.withoutAnswer,
    ...(config.sftAnswerTokens ? { 'coach/up_to_last_call': counts.upToLastCall } : {}),
    ...(own && own.size > 0 ? { 'coach/own_samples': own.size } : {}),
    ...(config.sftRecovery || config.recoveryShare ? { 'coach/recoveries': counts.recoveries } : {}),
  };
}

interface Part {
  part: readonly (readonly TrainedTrace[])[];
  /** tokens that are computed once a step */
  shared: number;
  /** labelled tokens of the whole update */
  items: number;
  teacher: LogitTeacher | null;
  /** of the student itself: the teacher alone says what would have been right */
  own?: OwnSamples | null;
}

/** A micro-batch as the loss wants it, while `use` runs. */
async function withBatch<R>(
  s: Session,
  { part, shared, items, teacher, own }: Part,
  use: (batch: Batch, extra: tf.Tensor[], told: Record<string, number>) => Promise<R>,
): Promise<R> {
  const batch = makeBatch(part, s.base.model.config.vocabSize, shared);
  const extra: tf.Tensor[] = [];
  try {
    let told: Record<string, number> = {};
    if (teacher) {
      const { sftTeacherShare = DEFAULTS.sftTeacherShare } = s.context.config;
      const sampled = new Set<TrainedTrace>(own?.values());
      const shares = part.flat().map((sequence) => (sampled.has(sequence) ? 1 : sftTeacherShare));
      const { extra: rows, mass } = await teacher.tensors(batch);
      extra.push(...rows, tf.tensor2d(shares, [shares.length, 1]));
      told = { 'coach/teacher_mass': mass };
    }
    extra.push(tf.scalar(items));
    return await use(batch, extra, told);
  } finally {
    tf.dispose(extra);
    batch.dispose();
  }
}
