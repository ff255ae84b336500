/** What a step of SFT learns from: gold dialogues or a teacher's, under other names, behind a wrong call. */
import type { TrainedTrace } from '../../learning/batch';
import type { TrainerEventBody } from '../../protocol/messages';
import { UserError } from '../../protocol/result';
import { DEFAULTS } from '../../protocol/settings/defaults';
import type { GoldCall, Task, ToolSchema } from '../../protocol/task';
import type { GivenDialogues } from './dialogues';
import { goldDialogue, sequenceOf, type Gold } from './gold';
import { goldWithLookUps, sequencesOf } from './goldLookUps';
import type { LogitTeacher } from './logitTeacher';
import { isLearnable, ownSamples, type OwnSamples } from './ownSamples';
import { inventedFirst, wrongCall } from './recovery';
import type { OtherNames } from './renamer';
import type { Session } from './session';

interface Learnable {
  /** one for each prompt that the policy reads anew on its way */
  sequences: readonly TrainedTrace[];
  /** a wrong call comes first */
  isRecovery: boolean;
  /** its answer is in words that the constraint does not let the policy say */
  isWithoutAnswer?: boolean;
  /** sftAnswerTokens */
  isUpToLastCall?: boolean;
}
/** By task, and the wrong call before it. Null: it can't be learnt from. */
type Known = Map<string, KnownGold>;
interface KnownGold {
  gold: Gold | null;
  learnable: Learnable | null;
  /** the same up to its last call */
  calls?: Learnable | null;
}
/** Where examples come from. */
export interface Examples {
  known: Known;
  taught: GivenDialogues | null;
  teacher: LogitTeacher | null;
}

/** Of one update. */
export interface Drawn {
  tasks: readonly Task[];
  sequences: TrainedTrace[];
  own: OwnSamples | null;
  counts: { unsayable: number; recoveries: number; withoutAnswer: number; upToLastCall: number };
}

/**
 * @param update from 1, over all steps: its random streams
 * @param ofStep step: whose update it is; count: of examples
 * @returns null: stopped
 * @throws UserError where nothing of it can be learnt from
 */
export async function* drawExamples(
  s: Session,
  update: number,
  { step, count }: { step: number; count: number },
  examples: Examples,
): AsyncGenerator<TrainerEventBody, Drawn | null> {
  const { config, signal } = s.context;
  const sequences: TrainedTrace[] = [];
  const counts = { unsayable: 0, recoveries: 0, withoutAnswer: 0, upToLastCall: 0 };
  const tasks = s.mix.draw(update, count);
  const own = examples.teacher ? await ownSamples(s, { update, step }, tasks) : null;
  if (signal.aborted) return null;
  for (const { trace } of own?.values() ?? []) yield { type: 'traceRecorded', trace: s.context.run.recordTrace(trace) };
  sequences.push(...[...(own?.values() ?? [])].filter(isLearnable));
  for (const task of tasks) {
    if (own?.has(task)) continue;
    const gold = await goldOf(s, task, update, examples);
    if (signal.aborted) return null;
    if (gold?.sequences.every(({ trace }) => trace.tokens.ids.length <= config.maxTokens)) {
      sequences.push(...gold.sequences);
      counts.recoveries += Number(gold.isRecovery);
      counts.withoutAnswer += Number(gold.isWithoutAnswer ?? false);
      counts.upToLastCall += Number(gold.isUpToLastCall ?? false);
    } else counts.unsayable++;
  }
  if (sequences.length === 0) throw nothingToLearn(step, count, config.maxTokens, examples.taught !== null);
  return { tasks, sequences, own, counts };
}

const nothingToLearn = (step: number, count: number, maxTokens: number, isTaught: boolean): UserError =>
  new UserError(
    'task',
    isTaught
      ? `step ${step}: none of ${count} of the teacher's dialogues can be learnt from (longer than ` +
          `maxTokens, ${maxTokens}, or with a value that is no span of its prompt)`
      : `step ${step}: none of ${count} gold dialogues can be learnt from (a gold call fails, is ` +
          'longer than maxTokens, or has a value that is no span of its prompt)',
    isTaught
      ? 'Set maxTokens higher, or constraint to schema.'
      : "check the tasks' gold calls, or set constraint to schema",
  );

async function goldOf(s: Session, task: Task, update: number, { known, taught }: Examples): Promise<Learnable | null> {
  const dialogue = taught?.of(task, s.random.fork(`dialogue ${update} ${task.id}`));
  if (dialogue) return taughtOf(s, task, update, known, dialogue);
  const {
    config: { sftRecovery = DEFAULTS.sftRecovery },
    tasks,
  } = s.context;
  const random = s.random.fork(`recovery ${update} ${task.id}`);
  const wrong = random.next() < sftRecovery ? wrongCall(task, tasks.train, random) : null;
  const key = `${task.id} ${wrong ? JSON.stringify(wrong.arguments) : ''}`;
  const shown = s.shownFor(task);
  if (!known.has(key)) known.set(key, (await lookedUp(s, task)) ?? (await asShown(s, task, wrong, shown)));
  const { gold, learnable } = known.get(key)!;
  const names = gold && s.otherNames(s.random.fork(`names ${update} ${task.id}`), shown);
  const recovering = gold && recoveryOf(s, gold, { update, task, shown, names });
  if (recovering || names) return recovering ?? learnableOf(s, gold, shown, names);
  const one = known.get(key)!;
  return isUpToLastCall(s, one, { update, task, shown }) ? one.calls! : learnable;
}

/**
 * A long result costs as much as many calls to compute, and only the answer behind it is learnt: so large a share of
 * the demonstrations goes on behind its last call that result and answer take sftAnswerTokens on average.
 */
function isUpToLastCall(s: Session, one: KnownGold, { update, task, shown }: Omit<Asked, 'names'>): boolean {
  const { sftAnswerTokens: most = 0 } = s.context.config;
  if (most === 0 || one.gold === null || one.learnable === null || one.learnable.sequences.length > 1) return false;
  if (one.calls === undefined) {
    const calls = withoutAnswer(s, one.gold, shown, null);
    one.calls = calls && { sequences: [calls], isRecovery: one.learnable.isRecovery, isUpToLastCall: true };
  }
  if (one.calls === null) return false;
  const [whole, calls] = [one.learnable, one.calls].map(({ sequences }) => sequences[0]!.trace.tokens.ids.length);
  return s.random.fork(`answer ${update} ${task.id}`).next() >= most / (whole! - calls!);
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
  update: number;
  task: Task;
  /** what the task's request is shown of the tools */
  shown: readonly ToolSchema[];
  names: OtherNames | null;
}

/** A share of the dialogues begins with an invented name of a tool, where that can be learnt from. */
function recoveryOf(s: Session, gold: Gold, { update, task, shown, names }: Asked): Learnable | null {
  const { recoveryShare = DEFAULTS.recoveryShare, maxTokens } = s.context.config;
  const random = s.random.fork(`invented ${update} ${task.id}`);
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
function taughtOf(
  s: Session,
  task: Task,
  update: number,
  known: Known,
  { index, messages, trainFrom }: NonNullable<ReturnType<GivenDialogues['of']>>,
): Learnable | null {
  const shown = s.shownFor(task);
  const names = s.otherNames(s.random.fork(`names ${update} ${task.id}`), shown);
  const key = `${task.id} ${index}`;
  const gold = { messages, trainFrom };
  const recovering = trainFrom === 0 ? recoveryOf(s, gold, { update, task, shown, names }) : null;
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
  const calls = withoutAnswer(s, gold, shown, names);
  return calls && { sequences: [calls], isRecovery, isWithoutAnswer: true };
}

/** The dialogue up to its last call. Null: nothing comes before its answer, or the policy could never say it. */
function withoutAnswer(
  s: Session,
  { messages, trainFrom }: Gold,
  shown: readonly ToolSchema[],
  names: OtherNames | null,
): TrainedTrace | null {
  if (messages.length < 3 || messages.at(-1)!.role !== 'assistant') return null;
  return sequenceIn(s, { messages: messages.slice(0, -1), trainFrom }, shown, names);
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
