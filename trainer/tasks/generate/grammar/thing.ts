/** The thing that a request is about, with what stands before it: "open orders", "Ann's plan", "a table for two". */
import type { Random } from '../../../base/random';
import { singular } from '../../../tools/schema/words';
import { INCLUDES, isBehind, withoutIs } from './flags';
import { mention } from './mention';
import { isNumbered, isPerson, isPersons } from './nouns';
import { isWhole, type Part } from './parts';
import type { Role } from './roles';
import type { ToolTalk } from './toolTalk';

export interface Rest {
  parts: Part[];
  random: Random;
}

/** Of what type or by what means a thing is is said in its place: "a pub", "a train". Takes it out of the rest. */
export function typeSaid(rest: Rest): string | null {
  const index = rest.parts.findIndex(({ parameter, said }) => IN_PLACE[parameter.role] && typeof said === 'string');
  if (index < 0 || rest.random.next() > IN_PLACE[rest.parts[index]!.parameter.role]!) return null;
  return String(rest.parts.splice(index, 1)[0]!.said);
}

/** How often a value of the role stands for the thing itself: "book a train" for a ticket. */
const IN_PLACE: Partial<Record<Role, number>> = { type: 0.75, means: 0.25 };

/** "the order O-17", "O-17", "Emma", "it", "my order". */
export function one(talk: ToolTalk, thing: string, identity: Part | null, rest: Rest): string {
  const { random } = rest;
  if (identity === null) {
    const shown = talk.isPlural ? plural(thing) : thing;
    const owned = possessed(talk, shown, rest);
    return (
      owned ?? `${random.pick(['the', 'the', 'my', 'our', talk.isPlural ? 'all' : 'this'])} ${adjectives(rest)}${shown}`
    );
  }
  const said = String(identity.said);
  if (identity.isPronoun || identity.parameter.role === 'person' || isPerson(thing)) return said;
  if (identity.parameter.role === 'query')
    return talk.isPlural ? `${plural(thing)} ${mention(identity.parameter, said, random)}` : said;
  const near =
    identity.isName || !isNumbered(said)
      ? [
          said,
          said,
          said,
          `"${said}"`,
          `${thing} ${said}`,
          `the ${thing} ${said}`,
          `the ${said} ${thing}`,
          `that ${thing} ${said}`,
        ]
      : [
          said,
          said,
          `${thing} ${said}`,
          `${thing} ${said}`,
          `the ${thing} ${said}`,
          `${thing} number ${said}`,
          `my ${thing} ${said}`,
          `the ${thing} (${said})`,
          `${thing} no. ${said}`,
        ];
  return random.pick(near);
}

/** "open orders", "Jonas Weber's loans", "books by Le Guin". */
export function many(talk: ToolTalk, thing: string, identity: Part | null, rest: Rest): string {
  const { random } = rest;
  const owned = possessed(talk, plural(thing), rest);
  const shown = owned ?? `${adjectives(rest)}${plural(thing)}`;
  if (identity === null) return shown;
  return identity.isPronoun
    ? `${shown} of ${String(identity.said)}`
    : `${shown} ${mention(identity.parameter, identity.said, random)}`;
}

/** "a table", "two tickets", "an appointment called Team lunch"; of extras that are added "a cot", "cot and towels". */
export function aNew(thing: string, identity: Part | null, rest: Rest): string {
  const { random } = rest;
  const listed = rest.parts.findIndex(
    ({ parameter: { words }, said }) => typeof said === 'string' && words !== thing && singular(words) === thing,
  );
  if (listed >= 0 && random.next() < 0.7) {
    const said = String(rest.parts.splice(listed, 1)[0]!.said);
    return random.pick(/[ ,]/.test(said) ? [said] : [said, article(said), `some ${said}`]);
  }
  const count =
    identity === null
      ? rest.parts.findIndex(
          ({ parameter, said }) =>
            (parameter.role === 'quantity' ||
              (parameter.role === 'count' && thing.includes(singular(parameter.words)))) &&
            typeof said === 'string',
        )
      : -1;
  if (count >= 0 && random.next() < 0.6) {
    const [part] = rest.parts.splice(count, 1);
    return `${String(part!.said)} ${plural(thing)}`;
  }
  if (identity === null) return `${article(adjectives(rest) + thing)}`;
  const said = String(identity.said);
  if (identity.isPronoun || identity.parameter.role === 'person') return said;
  const { noun } = identity.parameter;
  if (/^\d+$/.test(said) && noun !== '' && noun !== thing)
    // "a wake-up call for room 12"
    return `${article(thing)} ${random.pick([`for ${noun} ${said}`, `for ${said}`, `for the ${noun} ${said}`])}`;
  return random.pick([
    said,
    `${article(thing)} ${said}`,
    `${article(thing)} called ${said}`,
    `${thing} ${said}`,
    `${article(thing)} for ${said}`,
    `the ${thing} ${said}`,
  ]);
}

/**
 * What belongs to somebody or is a part of something: "Jonas Weber's plans", "the status of O-17"; takes the whole out
 * of the rest.
 */
function possessed(talk: ToolTalk, things: string, rest: Rest): string | null {
  const whole = rest.parts.findIndex(({ parameter, said }) => typeof said === 'string' && isWhole(talk, parameter));
  if (rest.random.next() > (whole < 0 ? 0.4 : 0.9)) return null;
  const person = rest.parts.findIndex(
    ({ parameter, said, isPronoun }) => typeof said === 'string' && !isPronoun && isPersons(parameter),
  );
  const index = whole < 0 ? person : whole;
  const [part] = index < 0 ? [] : rest.parts.splice(index, 1);
  if (!part) return null;
  const said = String(part.said);
  return rest.random.pick([
    `${said}'s ${things}`,
    `${said}'s ${things}`,
    `${said}'s ${things}`,
    `${things} of ${said}`,
    `${things} for ${said}`,
    `the ${said} ${things}`,
  ]);
}

/** "his", "Ann's" */
export const possessive = (said: string): string => POSSESSIVES[said.toLowerCase()] ?? `${said}'s`;
const POSSESSIVES: Readonly<Record<string, string>> = { him: 'his', her: 'her', them: 'their', it: 'its' };

/** A thing by whom it belongs to, or by what it goes with. */
export const ownedBy = (said: string, thing: string): string[] => [
  `${said}'s ${thing}`,
  `${said}'s ${thing}`,
  `the ${thing} of ${said}`,
  `the ${thing} for ${said}`,
  `the ${said} ${thing}`,
];

/** How often a value of the role stands in front of the thing, where it can. */
const IN_FRONT: Partial<Record<Role, number>> = {
  quality: 0.8,
  choice: 0.45,
  flag: 0.45,
  place: 0.25,
  maker: 0.25,
  means: 0.5,
  service: 0.25,
  company: 0.25,
  type: 0.6,
  thing: 0.2,
  date: 0.1,
};

/** "kitchen lights", "Pandora station"; but not "in March", "the one of Bo". */
const isModifier = (said: string): boolean =>
  /^\p{L}[\p{L}-]+( \p{L}+){0,2}$/u.test(said) && !/\b(in|on|at|of|for|the|a|an|and|next|this|my|to)\b/i.test(said);

/** "empty tanks", "urgent task"; what else is meant, and what a look-up is not bound to, is said behind. */
function isInFront({ parameter: { wanted, words }, said }: Part): boolean {
  if (wanted !== null) return said !== false && !isBehind(wanted);
  return said === true && !INCLUDES.test(words);
}
const WANTED_IN_FRONT = 0.6;

/** Values and flags in front of the thing: "overdue loans", "best Thai restaurant", "living room lights". */
function adjectives(rest: Rest): string {
  const out: string[] = [];
  for (const part of [...rest.parts]) {
    const { parameter, said, isPronoun } = part;
    const { role, wanted } = parameter;
    const isWord = role === 'quality' || role === 'choice';
    const fits = role === 'flag' ? isInFront(part) : typeof said === 'string' && (isWord || isModifier(said));
    const share = wanted === null ? (IN_FRONT[role] ?? 0) : WANTED_IN_FRONT;
    if (out.length === 2 || isPronoun || !fits || rest.random.next() > share) continue;
    rest.parts.splice(rest.parts.indexOf(part), 1);
    out.push(typeof said === 'string' ? said : (wanted ?? withoutIs(parameter.words)));
  }
  return out.map((text) => `${text} `).join('');
}

export const plural = (noun: string): string => {
  const behind = / to .+$/.exec(noun)?.[0]; // "places to stay"
  if (behind) return plural(noun.slice(0, -behind.length)) + behind;
  const last = noun.split(' ').at(-1) ?? noun;
  if (singular(last) !== last || /(people|children|men|staff|stuff|money|information|news|data|s)$/.test(last))
    return noun;
  if (/(x|ch|sh|zz)$/.test(noun)) return `${noun}es`;
  if (noun.endsWith('quiz')) return `${noun}zes`;
  return /[^aeiou]y$/.test(noun) ? `${noun.slice(0, -1)}ies` : `${noun}s`;
};

export const article = (thing: string): string => `${/^[aeiou]/i.test(thing) ? 'an' : 'a'} ${thing}`;

/** "A-307", "order A-307", "my order A-307": what is there, by its id and what it is. */
export function numberedAs(value: string, noun: string, random: Random): string {
  if (noun === '') return value;
  const ways = [value, `${noun} ${value}`, `the ${noun} ${value}`];
  return random.pick(isNumbered(value) ? [...ways, `${noun} number ${value}`, `my ${noun} ${value}`] : ways);
}
