/** What is switched on, what a thing is, and what else is meant: by the words of a parameter that is true or false. */
import type { Random } from '../../../base/random';
import { fill } from './fill';

/** "includeArchived": of what else is meant */
export const INCLUDES = /^(?:include|including|incl|with|show|also|add) (.+)$/;
const INCLUDED: readonly string[] = [
  'including {q}',
  'including {q}',
  'with {q}',
  '{q} too',
  'and {q} as well',
  'also {q}',
];
const LEFT_OUT: readonly string[] = ['without {q}', 'no {q}', 'not {q}', 'but leave out {q}', 'excluding {q}'];
/** Of what a thing is and not what it has: "billable", "urgent". */
const ADJECTIVE = /(?:\w{3}[ai]ble|\w{2}[^e]ed|ional|\w[ts]ive|less|ous|urgent|silent|permanent|recent)$/;
const IS: readonly string[] = ['{p}', '{p}', 'and {p}', 'make it {p}', "it's {p}", 'it has to be {p}', '{p} please'];
const IS_NOT: readonly string[] = ['not {p}', 'not {p}', 'and not {p}', 'non-{p}', "it's not {p}", 'nothing {p}'];
const NOT: readonly string[] = ['no {p}', 'without {p}', 'not {p}', '{p} off'];
/** What some of many are, and others of them are not. */
export const QUALITY =
  /^(active|available|broken|busy|cheap|cold|critical|dry|due|empty|expired|expiring|free|full|hot|idle|late|low|missing|new|open|overdue|pending|popular|recent|top|unpaid|upcoming|wet)$/;

/** "isUrgent": what it is */
export const withoutIs = (words: string): string => words.replace(/^(?:is|are) /, '');

/**
 * "onlyEmpty", "overdueOnly", and of what gives many "isUrgent" and "unpaid": what those are that are wanted.
 * null: the switch is another
 */
export function wantedBy(words: string, givesMany: boolean): string | null {
  const [, first, last] = /^(?:only|just) (.+)$|^(.+) only$/.exec(words) ?? [];
  const only = first ?? last;
  if (only || !givesMany || INCLUDES.test(words)) return only ?? null;
  const what = withoutIs(words);
  return what !== words || ADJECTIVE.test(what) || QUALITY.test(what) ? what : null;
}
/** "in stock", "with notes": stands behind what it is said of */
export const isBehind = (wanted: string): boolean =>
  /^(?:in|on|at|by|for|from|of|with|without|to|has|have) /.test(wanted);
const ONLY: readonly string[] = [
  'only the {q} ones',
  'just the {q} ones',
  'only {q} ones',
  '{q} ones only',
  'only {q}',
  'just {q}',
  'that are {q}',
  'which are {q}',
  'but only if {q}',
];
const ONLY_BEHIND: readonly string[] = [
  'only those {q}',
  'only {q}',
  'just those {q}',
  'the ones {q}',
  'only the ones {q}',
];
const OR_NOT: readonly string[] = ['{q} or not', 'not only {q} ones', 'not just the {q} ones', 'whether {q} or not'];

/** Of many those that are so. */
export function sayWanted(wanted: string, said: boolean, random: Random): string {
  const texts = !said ? OR_NOT : isBehind(wanted) ? ONLY_BEHIND : ONLY;
  return fill(random.pick(texts), { q: wanted.replace(/^ha(?:s|ve) /, 'with ') });
}

/** @param words of the parameter @returns null: true is said as any other value */
export function sayFlag(words: string, said: boolean, random: Random): string | null {
  const [, also] = INCLUDES.exec(words) ?? [];
  if (also) return fill(random.pick(said ? INCLUDED : LEFT_OUT), { q: ADJECTIVE.test(also) ? `${also} ones` : also });
  const is = withoutIs(words);
  if (is !== words || ADJECTIVE.test(words)) return fill(random.pick(said ? IS : IS_NOT), { p: is });
  return said ? null : fill(random.pick(NOT), { p: words });
}
