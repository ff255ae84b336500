/** How people say what a look-up is given, as far as what it found tells: a place as a place, a last name with a title. */
import type { Random } from '../../base/random';
import { isRecord } from '../../protocol/arguments';
import { singular, valueWords } from '../../tools/schema/words';
import { withTitle } from './grammar/introduction';
import { isPerson, isPersons } from './grammar/nouns';
import { wordNet } from './grammar/synonyms';
import type { SaidAs } from './grammar/parts';
import { roleOf } from './grammar/roles';
import type { ParameterTalk, ToolTalk } from './grammar/toolTalk';
import type { Seen } from './harvest';

/** Of last names so many are said with a title. */
const TITLED = 0.3;

/** By the parameter's path; {} where nothing is known of it. */
export function saidAsKnown(talk: ToolTalk, seen: Seen, random: Random): Readonly<Record<string, SaidAs>> {
  const rows = (Array.isArray(seen.value) ? seen.value : [seen.value]).filter(isRecord).slice(0, 20);
  if (!seen.isReal || rows.length === 0) return {};
  return Object.fromEntries(
    talk.parameters.flatMap((parameter) => {
      const value = parameter.path.length === 1 ? seen.args[parameter.path[0]!] : undefined;
      const said = typeof value === 'string' && value !== '' ? known(parameter, value, rows, random) : null;
      return said ? [[parameter.path.join('.'), said]] : [];
    }),
  );
}

function known(
  parameter: ParameterTalk,
  value: string,
  rows: readonly Record<string, unknown>[],
  random: Random,
): SaidAs | null {
  const text = value.toLowerCase();
  const found = rows
    .flatMap((row) => Object.entries(row))
    .find(([, member]) => typeof member === 'string' && isHeld(text, member.toLowerCase()));
  if (!found) return null;
  const [key, member] = found as [string, string];
  const words = valueWords(key);
  const isOfPerson = isPersons(parameter) || isPerson(singular(words.at(-1) ?? ''));
  if (isOfPerson && isLastName(value, member) && random.next() < TITLED) return { text: withTitle(value, random) };
  if (parameter.role !== 'query' || member.toLowerCase() !== text) return null;
  if (isPerson(singular(words.at(-1) ?? ''))) return { text: value, role: 'person' };
  return roleOf(words, [], { type: 'string' }, [], false) === 'place' ? { text: value, role: 'place' } : null;
}

/** "Lund" of "Ida Lund", but not "Studio" of "Northlight Studio". */
const isLastName = (value: string, whole: string): boolean =>
  /^\p{Lu}\p{Ll}+$/u.test(value) &&
  /^\p{Lu}[\p{Ll}.]* \S+$/u.test(whole) &&
  whole.endsWith(` ${value}`) &&
  !OF_COMPANY.test(value) &&
  wordNet('n', value.toLowerCase()).length === 0;
const OF_COMPANY = new RegExp(
  '^(Studios?|Legal|Ltd|Inc|GmbH|LLC|Group|Labs?|Works|Architects|Partners|Bakery|Shop|Co|Company|Services?|Solutions|' +
    'Systems?|Media|Designs?|Foods?|Motors?|Bank|Hotel|Clinic|School|Press|Books|Yoga|Plumbing|Analytics|Paper|Health|' +
    'Energy|Logistics|Consulting|Software|Digital|Technologies|Industries|International|Trading|Brothers|Sons)$',
);

const isHeld = (text: string, member: string): boolean => member === text || member.endsWith(` ${text}`);
