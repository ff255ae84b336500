import type { Random } from '../../../base/random';
import { singular } from '../../../tools/schema/words';
import { ROOMS } from '../everydayValues';
import { choiceCues } from './choices';
import { fill } from './fill';
import { sayMeasure, type Measure } from './measures';
import { sayFlag, sayWanted } from './flags';
import { isNumbered, isPerson } from './nouns';
import { sayRate } from './rates';
import type { Role } from './roles';
import { STATE_CUES } from './states';
import type { ParameterTalk } from './toolTalk';

/** {v} the value, {p} the parameter's words, {n} what it points at. */
const CUES: Record<Role, readonly string[]> = {
  id: [
    '{n} {v}',
    'for {v}',
    'for {n} {v}',
    '{v}',
    '{v}',
    'with {n} {v}',
    '{n} number {v}',
    'number {v}',
    '({v})',
    'on {v}',
  ],
  name: ['{v}', '{v}', 'for {v}', 'called {v}', '{n} {v}', 'named {v}', '"{v}"', 'of {v}', 'the {n} {v}'],
  person: [
    'for {v}',
    'for {v}',
    'of {v}',
    'by {v}',
    'with {v}',
    'to {v}',
    '{n} {v}',
    'for {n} {v}',
    "it's for {v}",
    'under {v}',
    'in the name of {v}',
    'under the name of {v}',
    'named {v}',
  ],
  query: [
    'about {v}',
    'on {v}',
    'for {v}',
    'by {v}',
    'called {v}',
    'like {v}',
    'something with {v}',
    '{v}',
    '{v}',
    '"{v}"',
  ],
  question: [': {v}', '"{v}"', '- {v}', 'with the question: {v}', ': "{v}"'],
  date: ['on {v}', 'on {v}', 'for {v}', '{v}', 'on the {v}', 'the {p} is {v}'],
  from: ['from {v}', 'starting {v}', 'as of {v}', 'since {v}', 'beginning {v}', 'out of {v}', 'after {v}'],
  to: ['to {v}', 'until {v}', 'till {v}', 'by {v}', 'up to {v}', 'before {v}', 'through {v}'],
  time: ['at {v}', 'at {v}', '{v}', 'around {v}', 'for {v}'],
  count: ['{v} {p}', '{v} {p}', 'for {v} {p}', 'for {v} {p}', '{v}', 'for {v}', 'by {v} {p}', '{p}: {v}'],
  quantity: ['{v}', '{v} of them', 'x{v}', '{p} {v}', 'we need {v}', '{v} pieces', 'for {v}', 'times {v}'],
  limit: [
    'at most {v}',
    'only {v}',
    'just {v}',
    'up to {v}',
    'the first {v}',
    'max {v}',
    'not more than {v}',
    '{v} will do',
    'top {v}',
  ],
  money: ['for {v}', '{v}', 'of {v}', '{v}', '{p} {v}', '{p}: {v}', 'worth {v}'],
  least: ['at least {v}', 'from {v} up', 'over {v}', 'more than {v}', '{v} or more', 'minimum {v}'],
  most: [
    'at most {v}',
    'under {v}',
    'below {v}',
    'up to {v}',
    'no more than {v}',
    'max {v}',
    'not over {v}',
    'less than {v}',
  ],
  choice: [
    '{v}',
    '{v}',
    '{v}',
    '{v}',
    'as {v}',
    'in {v}',
    '{p} {v}',
    'with {p} {v}',
    '{v} {p}',
    'make it {v}',
    'the {v} one',
    '{p}: {v}',
  ],
  flag: ['with {p}', '{p}', '{p} please', 'and {p}', 'it has to be {p}'],
  text: [
    ': {v}',
    '- {v}',
    'saying {v}',
    'because {v}',
    '"{v}"',
    '{p}: {v}',
    'for {v}',
    'the {p} is {v}',
    'note: {v}',
    '{v}',
    'it is about {v}',
  ],
  place: ['in {v}', 'in {v}', 'in {v}', 'at {v}', 'near {v}', 'for {v}', '{v}', '{v}', 'around {v}', 'over in {v}'],
  contact: ['at {v}', '{v}', 'to {v}', 'under {v}', '{p} {v}', 'reach me at {v}', 'my {p} is {v}'],
  unit: ['in {v}', '{v}', '{v}', 'into {v}', 'as {v}'],
  when: ['{v}', '{v}', '{v}', 'for {v}', 'for {v}'],
  often: ['{v}', '{v}', '{v}', '{v}', '{p} {v}'],
  share: ['{v}', '{v}', '{v}', '{p} {v}', 'at {v}'],
  means: ['by {v}', 'by {v}', '{v}', '{v}', 'by {v}', 'with a {v}', 'the {v}', 'a {v}'],
  maker: ['by {v}', 'by {v}', 'by {v}', 'from {v}', 'of {v}', '{v}'],
  quality: ['{v}', '{v}', 'something {v}', 'in {v}', 'the {v} one', '{v} if possible'],
  type: ['{v}', '{v}', 'a {v}', 'as a {v}', 'the {v}', 'it is a {v}'],
  service: ['on {v}', 'by {v}', 'using {v}', 'via {v}', 'with {v}', 'with {v}', 'through {v}'],
  facility: ['with {v}', 'with {v}', 'that has {v}', 'that offers {v}', 'where they have {v}'],
  relation: ['{v}'],
  scale: ['out of {v}', 'out of {v}', 'of {v}', 'on a scale of {v}'],
  company: ['for {v}', 'for {v}', 'with {v}', '{v}'],
  thing: [
    '{v}',
    '{v}',
    '{v}',
    'for {v}',
    'of {v}',
    'the {v}',
    'with {v}',
    'on {v}',
    'for the {v}',
    '{n} {v}',
    'with {p} {v}',
    'the {p} is {v}',
  ],
  other: ['{p} {v}', 'with {p} {v}', '{v} {p}', 'a {p} of {v}', '{v}', '{v}', '{p} should be {v}', 'at {v}'],
};

const PERSON_IDS: readonly string[] = [
  'for {v}',
  'for {n} {v}',
  '{n} {v}',
  '({v})',
  'with {n} {v}',
  "it's for {n} {v}",
  '{n} number {v}',
  'for {n} number {v}',
  'by {v}',
];
/** Of a thing that the request gives beside another's name ("for Rosenthal"). */
const INNER_NAMES: readonly string[] = [
  'called {v}',
  'called {v}',
  'named {v}',
  'named {v}',
  '{n} {v}',
  'the {n} {v}',
  'by the name of {v}',
  '{v}',
];
/** So often a thing's number is written with its sign. */
const HASHED = 0.15;
/** Things of a list, each with what belongs to it. */
const LISTED: readonly string[] = ['{v}', '{v}', '{v}', ': {v}', 'with {v}', '{p}: {v}'];
const LIMITS: ReadonlySet<Role> = new Set(['least', 'most', 'limit']);

/**
 * A parameter's value as a part of a sentence. @param said the value in words; true and false speak by the parameter's
 * name
 */
export function mention(
  parameter: ParameterTalk,
  said: string | boolean,
  random: Random,
  { isNamed = false } = {},
): string {
  const { role, words } = parameter;
  if (parameter.wanted !== null)
    return sayWanted(typeof said === 'string' ? said : parameter.wanted, said !== false, random);
  if (role === 'flag' && typeof said === 'string') return fill(random.pick(STATE_CUES), { v: said });
  if (parameter.isChange) return String(said);
  if (parameter.items.length > 0) return fill(random.pick(LISTED), { v: String(said), p: words });
  const flag = typeof said === 'boolean' ? sayFlag(words, said, random) : null;
  if (flag !== null) return flag;
  const rate = isNamed || LIMITS.has(role) ? null : sayRate(words, String(said), random);
  if (rate) return rate;
  const drawn = random.pick(cuesFor(parameter, isNamed));
  const cue = drawn === 'a {p} of {v}' && singular(words) !== words ? '{v} {p}' : drawn; // no "a stars of 3"
  const noun = parameter.noun || words;
  if (role === 'when' && typeof said === 'string') return atTime(said, random);
  if (parameter.unit && typeof said === 'string' && IN_ANOTHER_UNIT.test(said))
    return fill(random.pick(FOR_SO_LONG), { v: said, p: words }).replace(/another (an?|one) /, 'another ');
  if (parameter.measure && typeof said === 'string')
    return sayNumber(parameter, parameter.measure, said, random, isNamed);
  // "for for two hours", "on the this sunday"
  if (typeof said === 'string' && TIMES.has(role) && OWN_SMALL_WORD.test(said) && !cue.includes('{p}')) return said;
  if (parameter.isPlace)
    return fill(random.pick(role === 'from' ? OUT_OF_THING : INTO_THING), { v: String(said), n: noun });
  // a currency, a language and an address are of no time
  if ((role === 'from' || role === 'to') && typeof said === 'string' && !endsInTime(parameter, said))
    return fill(random.pick(role === 'from' ? OUT_OF : INTO), { v: said });
  if (role === 'place' && typeof said === 'string' && ROOM.test(said)) return `${random.pick(IN_A_ROOM)} the ${said}`;
  if (parameter.isNew && typeof said === 'string' && (role === 'person' || random.next() < MADE_ANOTHER))
    return fill(random.pick(role === 'person' ? TO_ANOTHER : TO_NEW), { v: said, p: words });
  // "booksId" points at nothing that one says; a person's id goes by the person
  const bare =
    role === 'id' && parameter.noun === ''
      ? cue.replace('{n} number', 'number').replace('{n}: ', '').replace('{n} ', '')
      : cue;
  const shown = role === 'id' && !isNumbered(String(said)) ? bare.replace('number ', '') : bare;
  // "issue #12"
  const isHashed = role === 'id' && typeof said === 'string' && /^\d{1,6}$/.test(said) && random.next() < HASHED;
  return isHashed
    ? fill(shown.replace('number ', ''), { v: `#${said}`, p: words, n: noun })
    : fill(shown, { v: String(said), p: isOne(said) && shown.includes('{v} {p}') ? singular(words) : words, n: noun });
}

/** "1 dog" */
const isOne = (said: string | boolean): boolean => said === '1' || said === 'one';

/** Bare now and then, as any number; "at most 5 kg". */
function sayNumber({ role }: ParameterTalk, measure: Measure, said: string, random: Random, isNamed: boolean): string {
  if (!isNamed && random.next() < BARE) return said;
  return LIMITS.has(role)
    ? fill(random.pick(CUES[role]), { v: `${said} ${random.pick(measure.unit)}` })
    : sayMeasure(measure, said, random, isNamed);
}
const BARE = 0.1;

const OF_TIME = new RegExp(
  '\\d[-:./ ]?\\d|^\\d|\\b(day|week|month|year|hour|minute|noon|midnight|night|morning|evening|today|tomorrow|yesterday|now|' +
    'quarter|half|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|christmas|easter|thanksgiving|weekend)|day\\b',
  'i',
);
/** A day, a time, a number: what begins and ends. Of "52 Church Street" nothing does. */
export const endsInTime = ({ words }: ParameterTalk, said: string): boolean =>
  OF_TIME.test(said) && !OF_PLACE.test(words);
const OF_PLACE = /\b(address|place|city|town|location|country|street|station|airport|stop|port|venue)$/;
const OUT_OF = ['from {v}', 'from {v}', 'from {v}', 'out of {v}'];
const OUT_OF_THING = ['from {v}', 'from {v}', 'from {n} {v}', 'from the {n} {v}', 'from my {v} {n}', 'out of {v}'];
const INTO_THING = [
  'to {v}',
  'to {v}',
  'to {n} {v}',
  'to the {n} {v}',
  'to my {n} {v}',
  'to my {v} {n}',
  'to the {v} {n}',
];
const INTO = ['to {v}', 'to {v}', 'to {v}', 'into {v}', 'for {v}'];

/** A number of days or minutes that is said with a unit of its own. */
const IN_ANOTHER_UNIT = /\b(minute|hour|day|week|fortnight|month|year)s?( and a half)?$/;
const FOR_SO_LONG = ['for {v}', 'for {v}', 'for {v}', '{v}', 'for another {v}'];

const TIMES: ReadonlySet<Role> = new Set(['date', 'time', 'from', 'to', 'thing', 'count', 'often']);
const OWN_SMALL_WORD =
  /^(for|in|on|at|by|within|this|next|every|each|today|tomorrow|tonight|the weekend|after|before)\b/;
const ROOM = new RegExp(`^(${ROOMS}|basement|hall|dining room|garden)$`);
const IN_A_ROOM = ['in', 'in', 'in', 'of', 'for'];
/** "change the lights to red", "set the stock to 12" */
const TO_NEW: readonly string[] = ['to {v}', 'to {v}', 'to {v}', '{p} to {v}', 'the {p} to {v}'];
/** "hand it over to Tom Reyes" */
const TO_ANOTHER: readonly string[] = ['to {v}', 'to {v}', 'to {v}', 'over to {v}', 'for {v}', 'the {p} is {v}'];
const MADE_ANOTHER = 0.45;

function cuesFor({ role, noun, path, words }: ParameterTalk, isNamed: boolean): readonly string[] {
  if (role === 'id') {
    const cues = isPerson(noun) ? PERSON_IDS : CUES.id;
    return isNamed && noun !== '' ? cues.filter((cue) => cue.includes('{n}')) : cues;
  }
  const choice = role === 'choice' ? choiceCues(words) : null;
  if (choice) return choice;
  return (role === 'name' || role === 'person') && path.length > 1 ? INNER_NAMES : cuesOf(role, isNamed);
}

function cuesOf(role: Role, isNamed: boolean): readonly string[] {
  const named = isNamed ? CUES[role].filter((cue) => cue.includes('{p}')) : [];
  return named.length > 0 ? named : CUES[role];
}

/** "at 7 pm", "on March 3"; "tomorrow" needs no small word. */
function atTime(said: string, random: Random): string {
  if (/^(\d|half|noon|midnight)/.test(said)) return `${random.pick(['at ', 'for ', 'around ', ''])}${said}`;
  if (/^(in|on|at|within|now|right|later)\b/.test(said)) return said;
  if (/^(this|next|to)/.test(said)) return `${random.pick(['', '', 'for '])}${said}`;
  return `${random.pick(['on ', 'for ', '', ''])}${said}`;
}
