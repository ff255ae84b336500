import * as tf from '@tensorflow/tfjs';
import type { TrainedTrace } from '../learning/batch';
import { makeBatch, type Batch } from '../learning/batch';
import { sftLoss } from '../learning/losses/sft';
import { learningRateAt } from '../learning/optimizer/schedule';
import type { Loss, TrainStep } from '../learning/trainStep';
import { UserError } from '../protocol/result';
import type { RunConfig, SettledConfig } from '../protocol/runConfig';
import { DEFAULTS } from '../protocol/settings/defaults';
import type { Task } from '../protocol/task';
import { examplesPerStep } from './steps/examplesPerStep';
import { givenDialogues, type GivenDialogues } from './steps/dialogues';
import { goldDialogue, sequenceOf, type Gold } from './steps/gold';
import { stepParts } from './steps/microBatches';
import type { Recipe } from './recipe';
import { wrongCall } from './steps/recovery';
import type { OtherNames } from './steps/renamer';
import { openTrainStep, type Session } from './steps/session';
import { loadStart } from './steps/startAdapter';
import { trainLoop, type Step, type Training } from './loop';

/** extra: labelled tokens of the whole step */
const lossOf =
  ({ sftLoss: type = DEFAULTS.sftLoss }: RunConfig): Loss =>
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

/**
 * Supervised fine-tuning on gold calls and what the tools really answered to them, or on a teacher's dialogues (TRL's
 * SFT: mean over the step's labelled tokens).
 */
export const sft: Recipe = (context) => {
  const { config, tasks } = context;
  const taught = config.sftDialogues === undefined ? null : givenDialogues(context, config.sftDialogues);
  return trainLoop(taught ? { ...context, tasks: { ...tasks, train: taught.tasks } } : context, (s) => {
    loadStart(s)?.dispose(); // nothing here is held against it
    return openGoldSteps(s, config, taught);
  });
};

/**
 * Steps on gold dialogues: a run of SFT, or the first steps of another method (warmSteps), at the rate that is given.
 * @param taught a teacher's in their place
 */
export function openGoldSteps(
  s: Session,
  rate: GoldRate,
  taught: GivenDialogues | null = null,
): Pick<Training, 'step' | 'tryOut'> {
  const { config, tools, tasks } = s.context;
  const trainer = openTrainStep(s, lossOf(config));
  const known: Known = new Map();
  const count = examplesPerStep(config, s.base.tokenizer, s.base.template, tools, tasks.train);
  return {
    async *step(session, step) {
      if (taught && s.context.run.firstTime(taught.note)) yield { type: 'noted', ...taught.note };
      return yield* sftStep(session, step, trainer, { known, taught }, count, rate);
    },
    tryOut: ({ groups, shared }) => withBatch(s, groups, shared, 1, (batch, extra) => trainer.tryOut(batch, extra)),
  };
}

/** The learning rate's course; steps: how many there are of them. */
export type GoldRate = Pick<SettledConfig, 'schedule' | 'learningRate' | 'warmupSteps' | 'steps'>;

interface Learnable {
  sequence: TrainedTrace;
  /** a wrong call comes first */
  isRecovery: boolean;
  /** of a teacher's dialogue, whose answer is in words that the constraint does not let the policy say */
  isWithoutAnswer?: boolean;
}
/** By task, and the wrong call before it. Null: it can't be learnt from. */
type Known = Map<string, { gold: Gold | null; learnable: Learnable | null }>;
/** Where examples come from. */
interface Examples {
  known: Known;
  taught: GivenDialogues | null;
}

async function goldOf(s: Session, task: Task, step: number, { known, taught }: Examples): Promise<Learnable | null> {
  if (taught) return taughtOf(s, task, step, known, taught);
  const {
    config: { sftRecovery = DEFAULTS.sftRecovery },
    tasks,
  } = s.context;
  const random = s.random.fork(`recovery ${step} ${task.id}`);
  const wrong = random.next() < sftRecovery ? wrongCall(task, tasks.train, random) : null;
  const key = `${task.id} ${wrong ? JSON.stringify(wrong.arguments) : ''}`;
  if (!known.has(key)) {
    const gold = await goldDialogue(s, task, wrong);
    known.set(key, { gold, learnable: gold && learnableOf(s, gold, null) });
  }
  const { gold, learnable } = known.get(key)!;
  const names = gold && s.otherNames(s.random.fork(`names ${step} ${task.id}`));
  return names ? learnableOf(s, gold, names) : learnable;
}

/** One of the teacher's dialogues; where the policy could never say its answer, its calls alone. */
function taughtOf(s: Session, task: Task, step: number, known: Known, taught: GivenDialogues): Learnable | null {
  const { index, messages, trainFrom } = taught.of(task, s.random.fork(`dialogue ${step} ${task.id}`));
  const names = s.otherNames(s.random.fork(`names ${step} ${task.id}`));
  const key = `${task.id} ${index}`;
  const learnt = (): Learnable | null => {
    const whole = learnableOf(s, { messages, trainFrom }, names);
    if (whole || messages.at(-1)!.role !== 'assistant') return whole;
    const calls = learnableOf(s, { messages: messages.slice(0, -1), trainFrom }, names);
    return calls && { ...calls, isWithoutAnswer: true };
  };
  if (names) return learnt();
  if (!known.has(key)) known.set(key, { gold: null, learnable: learnt() });
  return known.get(key)!.learnable;
}

function learnableOf(s: Session, { messages, trainFrom }: Gold, names: OtherNames | null): Learnable | null {
  const sequence = names
    ? sequenceOf({ ...s, policy: names.own.policy }, names.renamed.messages(messages), names.own.tools, trainFrom)
    : sequenceOf(s, messages, s.context.tools, trainFrom);
  return sequence && { sequence, isRecovery: trainFrom > 0 };
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
  for (const task of tasks) {
    if (signal.aborted) return null;
    const gold = await goldOf(s, task, step, examples);
    if (gold && gold.sequence.trace.tokens.ids.length <= config.maxTokens) {
      sequences.push(gold.sequence);
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
  for (const part of parts) {
    const statistics = await withBatch(s, part, shared, items, async (batch, extra) => {
      metrics.num_tokens += batch.tokens;
      return trainer.accumulate(batch, extra);
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
    ...(examples.taught ? { 'coach/without_answer': withoutAnswer } : {}),
    ...(config.sftRecovery ? { 'coach/recoveries': recoveries } : {}),
  };
}

/**
 * A micro-batch as SFT's loss wants it, while `use` runs. @param shared tokens that are computed once a step @param
 * items labelled tokens of the whole step
 */
async function withBatch<R>(
  s: Session,
  part: readonly (readonly TrainedTrace[])[],
  shared: number,
  items: number,
  use: (batch: Batch, extra: tf.Tensor[]) => Promise<R>,
): Promise<R> {
  const batch = makeBatch(part, s.base.model.config.vocabSize, shared);
  const extra = [tf.scalar(items)];
  try {
    return await use(batch, extra);
  } finally {
    tf.dispose(extra);
    batch.dispose();
  }
}
