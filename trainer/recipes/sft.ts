import * as tf from '@tensorflow/tfjs';
import type { TrainedTrace } from '../learning/batch';
import { makeBatch, type Batch } from '../learning/batch';
import { distilLoss } from '../learning/losses/distil';
import { learningRateAt } from '../learning/optimizer/schedule';
import type { Loss, TrainStep } from '../learning/trainStep';
import { UserError } from '../protocol/result';
import type { SettledConfig } from '../protocol/runConfig';
import { DEFAULTS } from '../protocol/settings/defaults';
import type { GoldCall, Task, ToolSchema } from '../protocol/task';
import { examplesPerStep } from './steps/examplesPerStep';
import { openLogitTeacher, type LogitTeacher } from './steps/logitTeacher';
import { isLearnable, ownSamples, type OwnSamples } from './steps/ownSamples';
import { givenDialogues, type GivenDialogues } from './steps/dialogues';
import { goldDialogue, sequenceOf, type Gold } from './steps/gold';
import { goldLoss } from './steps/goldLoss';
import { goldWithLookUps, sequencesOf } from './steps/goldLookUps';
import { stepParts } from './steps/microBatches';
import type { Recipe } from './recipe';
import { inventedFirst, wrongCall } from './steps/recovery';
import type { OtherNames } from './steps/renamer';
import { openTrainStep, type Session } from './steps/session';
import { loadStart } from './steps/startAdapter';
import { trainLoop, type Step, type Training } from './loop';

/**
 * Supervised fine-tuning on gold calls and what the tools really answered to them, or on a teacher's dialogues (TRL's
 * SFT: mean over the step's labelled tokens).
 */
export const sft: Recipe = (context) => {
  const { config, tasks } = context;
  const taught = config.sftDialogues === undefined ? null : givenDialogues(context, config.sftDialogues);
  return trainLoop(taught ? { ...context, tasks: { ...tasks, train: taught.tasks } } : context, (s) => {
    loadStart(s)?.dispose(); // nothing here is held against it
    const teacher = config.sftTeacher === undefined ? null : openLogitTeacher(s, config.sftTeacher);
    return { ...openGoldSteps(s, config, { taught, teacher }), dispose: () => teacher?.dispose() };
  });
};

/**
 * Steps on gold dialogues: a run of SFT, or the first steps of another method (warmSteps), at the rate that is given.
 * @param from a teacher's dialogues in their place, and a teacher's probabilities beside them
 */
export function openGoldSteps(
  s: Session,
  rate: GoldRate,
  { taught, teacher }: Omit<Examples, 'known'> = { taught: null, teacher: null },
): Pick<Training, 'step' | 'tryOut'> {
  const { config, tools, tasks } = s.context;
  const trainer = openTrainStep(s, teacher ? distilled : goldLoss(config.sftLoss), { hasTeacher: teacher !== null });
  const examples: Examples = { known: new Map(), taught, teacher };
  const notes = [taught?.note, teacher?.note].filter((note) => note !== undefined);
  const count = examplesPerStep(config, s.base.tokenizer, s.base.template, tools, tasks.train);
  return {
    async *step(session, step) {
      for (const note of notes) if (s.context.run.firstTime(note)) yield { type: 'noted', ...note };
      return yield* sftStep(session, step, trainer, examples, count, rate);
    },
    tryOut: ({ groups, shared }) =>
      withBatch(s, { part: groups, shared, items: 1, teacher }, (batch, extra) => trainer.tryOut(batch, extra)),
  };
}

/** The learning rate's course; steps: how many there are of them. */
export type GoldRate = Pick<SettledConfig, 'schedule' | 'learningRate' | 'warmupSteps' | 'steps'>;

interface Learnable {
  /** one for each prompt that the policy reads anew on its way */
  sequences: readonly TrainedTrace[];
  /** a wrong call comes first */
  isRecovery: boolean;
  /** its answer is in words that the constraint does not let the policy say */
  isWithoutAnswer?: boolean;
}
/** By task, and the wrong call before it. Null: it can't be learnt from. */
type Known = Map<string, KnownGold>;
interface KnownGold {
  gold: Gold | null;
  learnable: Learnable | null;
}
/** Where examples come from. */
interface Examples {
  known: Known;
  taught: GivenDialogues | null;
  teacher: LogitTeacher | null;
}

/** extra, behind the teacher's: how much of each sequence's loss is the teacher's, labelled tokens of the whole step */
const distilled: Loss = (scores, batch, [teacherShare, items]) =>
  distilLoss({
    kl: scores.teacherKl!,
    logprobs: scores.logprobs,
    labelMask: batch.completionMask,
    teacherShare: teacherShare as tf.Tensor2D,
    entropies: scores.entropies,
    itemsInBatch: items as tf.Scalar,
  });

async function goldOf(s: Session, task: Task, step: number, { known, taught }: Examples): Promise<Learnable | null> {
  if (taught) return taughtOf(s, task, step, known, taught);
  const {
    config: { sftRecovery = DEFAULTS.sftRecovery },
    tasks,
  } = s.context;
  const random = s.random.fork(`recovery ${step} ${task.id}`);
  const wrong = random.next() < sftRecovery ? wrongCall(task, tasks.train, random) : null;
  const key = `${task.id} ${wrong ? JSON.stringify(wrong.arguments) : ''}`;
  const shown = s.shownFor(task);
  if (!known.has(key)) known.set(key, (await lookedUp(s, task)) ?? (await asShown(s, task, wrong, shown)));
  const { gold, learnable } = known.get(key)!;
  const names = gold && s.otherNames(s.random.fork(`names ${step} ${task.id}`), shown);
  const recovering = gold && recoveryOf(s, gold, { step, task, shown, names });
  return recovering ?? (names ? learnableOf(s, gold, shown, names) : learnable);
}

/** The gold dialogue on what a training request is shown; what no look-up finds stands there all the same. */
async function asShown(
  s: Session,
  task: Task,
  wrong: GoldCall | null,
  shownFirst: readonly ToolSchema[],
): Promise<KnownGold> {
  const { shown } = s.context;
  const gold = await goldDialogue(s, task, wrong);
  return {
    gold,
    learnable: gold && learnableOf(s, gold, shown?.begin ? shown.withGold(task) : shownFirst, null),
  };
}

/** Null: it is learnt from without a look-up. */
async function lookedUp(s: Session, task: Task): Promise<KnownGold | null> {
  const gold = s.context.shown?.begin ? await goldWithLookUps(s, task) : null;
  if (!gold) return null;
  const sequences = sequencesOf(s, gold);
  if (sequences) return { gold, learnable: { sequences, isRecovery: false } };
  const calls = sequencesOf(s, { ...gold, messages: gold.messages.slice(0, -1) });
  return calls && { gold, learnable: { sequences: calls, isRecovery: false, isWithoutAnswer: true } };
}

interface Asked {
  step: number;
  task: Task;
  /** what the task's request is shown of the tools */
  shown: readonly ToolSchema[];
  names: OtherNames | null;
}

/** A share of the dialogues begins with an invented name of a tool, where that can be learnt from. */
function recoveryOf(s: Session, gold: Gold, { step, task, shown, names }: Asked): Learnable | null {
  const { recoveryShare = DEFAULTS.recoveryShare, maxTokens } = s.context.config;
  const random = s.random.fork(`invented ${step} ${task.id}`);
  if (random.next() >= recoveryShare) return null;
  // invented beside the names that are offered
  const messages = names ? names.renamed.messages(gold.messages) : gold.messages;
  const tools = names?.own.tools ?? shown;
  const invented = inventedFirst({ ...gold, messages }, tools, random);
  const policy = names?.own.policy ?? s.policy;
  const sequence = invented && sequenceOf({ ...s, policy }, invented.messages, tools, invented.trainFrom);
  return sequence && sequence.trace.tokens.ids.length <= maxTokens ? { sequences: [sequence], isRecovery: true } : null;
}

/** One of the teacher's dialogues. */
function taughtOf(s: Session, task: Task, step: number, known: Known, taught: GivenDialogues): Learnable | null {
  const { index, messages, trainFrom } = taught.of(task, s.random.fork(`dialogue ${step} ${task.id}`));
  const shown = s.shownFor(task);
  const names = s.otherNames(s.random.fork(`names ${step} ${task.id}`), shown);
  const key = `${task.id} ${index}`;
  const gold = { messages, trainFrom };
  const recovering = trainFrom === 0 ? recoveryOf(s, gold, { step, task, shown, names }) : null;
  if (recovering) return recovering;
  if (names) return learnableOf(s, gold, shown, names);
  if (!known.has(key)) known.set(key, { gold: null, learnable: learnableOf(s, gold, shown, null) });
  return known.get(key)!.learnable;
}

/**
 * Where the policy could never say the answer, the calls alone.
 * @param shown what the task's request is shown of the tools
 */
function learnableOf(s: Session, gold: Gold, shown: readonly ToolSchema[], names: OtherNames | null): Learnable | null {
  const whole = sequenceIn(s, gold, shown, names);
  const isRecovery = gold.trainFrom > 0;
  if (whole) return { sequences: [whole], isRecovery };
  const { messages, trainFrom } = gold;
  if (messages.length < 3 || messages.at(-1)!.role !== 'assistant') return null;
  const calls = sequenceIn(s, { messages: messages.slice(0, -1), trainFrom }, shown, names);
  return calls && { sequences: [calls], isRecovery, isWithoutAnswer: true };
}

function sequenceIn(
  s: Session,
  { messages, trainFrom }: Gold,
  shown: readonly ToolSchema[],
  names: OtherNames | null,
): TrainedTrace | null {
  return names
    ? sequenceOf({ ...s, policy: names.own.policy }, names.renamed.messages(messages), names.own.tools, trainFrom)
    : sequenceOf(s, messages, shown, trainFrom);
}

async function* sftStep(
  s: Session,
  step: number,
  trainer: TrainStep,
  examples: Examples,
  count: number,
  { schedule, learningRate: peak, warmupSteps, steps }: GoldRate,
): ReturnType<Step> {
  const { config, signal } = s.context;
  yield* [];
  const sequences: TrainedTrace[] = [];
  let [unsayable, recoveries, withoutAnswer] = [0, 0, 0];
  const tasks = s.mix.draw(step, count);
  const own = examples.teacher ? await ownSamples(s, step, tasks) : null;
  if (signal.aborted) return null;
  for (const { trace } of own?.values() ?? []) yield { type: 'traceRecorded', trace: s.context.run.recordTrace(trace) };
  sequences.push(...[...(own?.values() ?? [])].filter(isLearnable));
  for (const task of tasks) {
    if (signal.aborted) return null;
    if (own?.has(task)) continue;
    const gold = await goldOf(s, task, step, examples);
    if (gold?.sequences.every(({ trace }) => trace.tokens.ids.length <= config.maxTokens)) {
      sequences.push(...gold.sequences);
      recoveries += Number(gold.isRecovery);
      withoutAnswer += Number(gold.isWithoutAnswer ?? false);
    } else unsayable++;
  }
  if (sequences.length === 0) {
    throw new UserError(
      'task',
      examples.taught
        ? `step ${step}: none of ${count} of the teacher's dialogues can be learnt from (longer than ` +
            `maxTokens, ${config.maxTokens}, or with a value that is no span of its prompt)`
        : `step ${step}: none of ${count} gold dialogues can be learnt from (a gold call fails, is ` +
            'longer than maxTokens, or has a value that is no span of its prompt)',
      examples.taught
        ? 'Set maxTokens higher, or constraint to schema.'
        : "check the tasks' gold calls, or set constraint to schema",
    );
  }
  const items = sequences.reduce((n, t) => n + t.trace.tokens.completionMask.reduce((a: number, b) => a + b, 0), 0);
  const learningRate = learningRateAt(step, { schedule, learningRate: peak, warmupSteps, totalSteps: steps + 1 });
  const metrics: Record<string, number> & { num_tokens: number } = { loss: 0, num_tokens: 0 };
  const { shared, parts } = stepParts(
    sequences.map((t) => [t]),
    config,
    false,
  );
  metrics.num_tokens += shared;
  const { teacher } = examples;
  for (const part of parts) {
    const statistics = await withBatch(s, { part, shared, items, teacher, own }, async (batch, extra, told) => {
      metrics.num_tokens += batch.tokens;
      return { ...(await trainer.accumulate(batch, extra)), ...told };
    });
    for (const [name, value] of Object.entries(statistics))
      if (!name.startsWith('sampling/'))
        metrics[name] = (metrics[name] ?? 0) + (name === 'loss' ? value : value / parts.length);
  }
  const gradNorm = await trainer.apply(learningRate, step);
  s.mix.done(tasks, null);
  return {
    ...metrics,
    grad_norm: gradNorm,
    learning_rate: learningRate,
    'coach/unsayable': unsayable,
    'coach/without_answer': withoutAnswer,
    ...(own && own.size > 0 ? { 'coach/own_samples': own.size } : {}),
    ...(config.sftRecovery || config.recoveryShare ? { 'coach/recoveries': recoveries } : {}),
  };
}

interface Part {
  part: readonly (readonly TrainedTrace[])[];
  /** tokens that are computed once a step */
  shared: number;
  /** labelled tokens of the whole step */
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
