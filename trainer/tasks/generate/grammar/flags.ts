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

/** @param words of the parameter @returns null: true is said as any other value */
export function sayFlag(words: string, said: boolean, random: Random): string | null {
  const [, also] = INCLUDES.exec(words) ?? [];
  if (also) return fill(random.pick(said ? INCLUDED : LEFT_OUT), { q: ADJECTIVE.test(also) ? `${also} ones` : also });
  if (ADJECTIVE.test(words)) return fill(random.pick(said ? IS : IS_NOT), { p: words });
  return said ? null : fill(random.pick(NOT), { p: words });
}
