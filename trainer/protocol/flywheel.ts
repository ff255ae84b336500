/**
 * What a flywheel would take from a log of traces: why each was flagged, what it becomes, why others become nothing.
 */
import { z } from 'zod';

/**
 * Why a trace is looked at again. lowReward: in the lowest quarter of what was scored; failedVerdict: calls or answer
 * were told wrong; guardHit: a call was not run, or the answer states what nobody said; retry: the same call again
 * after it failed; judgeDoubt: the judge's votes tie or contradict each other on most of its comparisons.
 */
export const FLAGS = [
  'thumbsDown',
  'failedVerdict',
  'toolError',
  'guardHit',
  'retry',
  'judgeDoubt',
  'lowReward',
] as const;
export const Flag = z.enum(FLAGS);
export type Flag = (typeof FLAGS)[number];

export const FLAG_WORDS: Record<Flag, string> = {
  thumbsDown: 'marked as bad',
  failedVerdict: 'a verdict failed',
  toolError: 'a tool failed',
  guardHit: 'a guard was hit',
  retry: 'the same call again after an error',
  judgeDoubt: "judge's doubt",
  lowReward: 'low reward',
};

/**
 * task: the request, to be practised; demonstration: what was right, shown; recovery: an error, then right; pair: the
 * flagged answer against a right one
 */
const LESSON_KINDS = ['task', 'demonstration', 'recovery', 'pair'] as const;
export type LessonKind = (typeof LESSON_KINDS)[number];

/** Why a flagged trace becomes nothing. */
export const DROPPED = [
  'measuredOn',
  'trainedOn',
  'notKnownRight',
  'doesNotFit',
  'noDecision',
  'double',
  'enough',
] as const;
export const Dropped = z.enum(DROPPED);
export type Dropped = (typeof DROPPED)[number];

export const DROPPED_WORDS: Record<Dropped, string> = {
  measuredOn: 'the request is one that is measured on, or like one',
  trainedOn: 'it was trained on already',
  notKnownRight: 'nothing says what would have been right',
  doesNotFit: 'the right calls do not fit the tools as they are now',
  noDecision: 'it differs from what is right in nothing that the model decided',
  double: 'it is like another one that is taken',
  enough: 'two traces of its request are taken already',
};

export const FlaggedTrace = z.object({
  traceId: z.string(),
  taskId: z.string(),
  prompt: z.string(),
  flags: z.array(Flag).min(1),
  /** what it becomes; empty: nothing, `dropped` says why */
  kinds: z.array(z.enum(LESSON_KINDS)),
  dropped: Dropped.nullable(),
});
export type FlaggedTrace = z.infer<typeof FlaggedTrace>;

export const LessonPlan = z.object({
  /** folder of the run, or the log's file */
  from: z.string(),
  isRun: z.boolean(),
  /** traces that were looked at */
  traces: z.number().int(),
  /** of evaluations: never learnt from */
  aside: z.number().int(),
  /** a reward up to here is low; null: nothing was scored, or all alike */
  lowReward: z.number().nullable(),
  flagged: z.array(FlaggedTrace),
  /** how many lessons of a kind there are */
  taken: z.object({
    task: z.number().int(),
    demonstration: z.number().int(),
    recovery: z.number().int(),
    pair: z.number().int(),
  }),
  /** right traces of every second other training task beside the demonstrations, so that these stay right */
  replay: z.number().int(),
});
export type LessonPlan = z.infer<typeof LessonPlan>;

/** Lessons of all kinds. */
export const lessonCount = ({ taken }: Pick<LessonPlan, 'taken'>): number =>
  Object.values(taken).reduce((sum, n) => sum + n, 0);

/** How often each word occurs, in the order of `words`; those that don't are left out. */
export function tally<T extends string>(words: readonly T[], of: readonly T[]): [T, number][] {
  return words.flatMap((word): [T, number][] => {
    const n = of.filter((each) => each === word).length;
    return n === 0 ? [] : [[word, n]];
  });
}
