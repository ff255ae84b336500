/**
 * What is told of an episode, never as one: were the right calls made, is the answer right, did it end by itself. Each
 * is true, false, or null where it does not apply.
 */
import { z } from 'zod';
import { GoldCall } from './task';

/**
 * The rule that "solved" goes by. 1 (absent in what was recorded): the gold calls are made, and the gold answer occurs
 * where there is one. 2: all three verdicts that apply hold.
 */
export const SUCCESS_RULE = 2;

export const VERDICTS = ['callsRight', 'answerRight', 'finished'] as const;
export type VerdictName = (typeof VERDICTS)[number];

export const VERDICT_WORDS: Record<VerdictName, string> = {
  callsRight: 'calls right',
  answerRight: 'answer right',
  finished: 'finished',
};

const each = <T extends z.ZodType>(of: T) => z.object({ callsRight: of, answerRight: of, finished: of });

export const Verdicts = each(z.boolean().nullable());
export type Verdicts = z.infer<typeof Verdicts>;

/** Shares in [0, 1] over the episodes that a verdict applies to; null: it applies to none. */
export const VerdictShares = each(z.number().min(0).max(1).nullable());
export type VerdictShares = z.infer<typeof VerdictShares>;

/** What an episode did otherwise than its task wants. `call` counts the gold calls from 1. */
export const Difference = z.discriminatedUnion('what', [
  z.object({ what: z.literal('noCall'), call: z.number().int(), tool: z.string() }),
  z.object({ what: z.literal('wrongTool'), call: z.number().int(), tool: z.string(), made: z.string() }),
  z.object({
    what: z.enum(['wrongValue', 'argumentMissing', 'extraArgument']),
    call: z.number().int(),
    tool: z.string(),
    argument: z.string(),
  }),
  z.object({ what: z.literal('extraCall'), tool: z.string() }),
  z.object({ what: z.literal('wrongOrder') }),
  z.object({ what: z.literal('noAnswer') }),
  z.object({ what: z.literal('wrongAnswer') }),
  z.object({ what: z.literal('notGrounded'), words: z.array(z.string()) }),
  /** it says that it is done, or that it can't, where something was found and asked for */
  z.object({ what: z.literal('saysNothing') }),
  z.object({ what: z.literal('cutOff') }),
  z.object({ what: z.literal('unreadable') }),
]);
export type Difference = z.infer<typeof Difference>;

/** What the task wanted, as it was when the episode was told. */
export const Expected = z.object({ calls: z.array(GoldCall).optional(), answer: z.string().optional() });
export type Expected = z.infer<typeof Expected>;

/** All that apply hold; null: none applies. */
export function allHold(verdicts: Verdicts): boolean | null {
  const told = VERDICTS.map((name) => verdicts[name]).filter((verdict) => verdict !== null);
  return told.length === 0 ? null : told.every(Boolean);
}

export function verdictShares(all: readonly Verdicts[]): VerdictShares {
  const share = (name: VerdictName): number | null => {
    const told = all.map((verdicts) => verdicts[name]).filter((verdict) => verdict !== null);
    return told.length === 0 ? null : told.filter(Boolean).length / told.length;
  };
  return { callsRight: share('callsRight'), answerRight: share('answerRight'), finished: share('finished') };
}

/** A difference in words, as the terminal and exports say it; the panel has its own, which are translated. */
export function differenceWords(difference: Difference): string {
  switch (difference.what) {
    case 'noCall':
      return `call ${difference.call}: ${difference.tool} was not called`;
    case 'wrongTool':
      return `call ${difference.call}: wrong tool, ${difference.made} and not ${difference.tool}`;
    case 'wrongValue':
      return `call ${difference.call}: wrong value of ${difference.tool}.${difference.argument}`;
    case 'argumentMissing':
      return `call ${difference.call}: argument missing, ${difference.tool}.${difference.argument}`;
    case 'extraArgument':
      return `call ${difference.call}: extra argument, ${difference.tool}.${difference.argument}`;
    case 'extraCall':
      return `extra call of ${difference.tool}`;
    case 'notGrounded':
      return `not grounded: ${difference.words.join(', ')}`;
    default:
      return PLAIN_WORDS[difference.what];
  }
}

const PLAIN_WORDS = {
  wrongOrder: 'calls in the wrong order',
  noAnswer: 'no answer',
  wrongAnswer: 'the expected answer is not in it',
  saysNothing: 'the answer does not say what was asked',
  cutOff: 'cut off',
  unreadable: 'ended on what could not be read',
};
