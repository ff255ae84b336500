import type { Random } from '../../../base/random';
import { isPerson } from './nouns';
import type { ParameterTalk, Role } from './toolTalk';

/** {v} the value, {p} the parameter's words, {n} what it points at. */
const CUES: Record<Role, readonly string[]> = {
  id: [
    '{n} {v}',
    'for {v}',
    'for {n} {v}',
    '{v}',
    'with {n} {v}',
    '{n} number {v}',
    'number {v}',
    '({v})',
    '{n}: {v}',
    'on {v}',
  ],
  name: [
    '{v}',
    'for {v}',
    'called {v}',
    '{n} {v}',
    'named {v}',
    '"{v}"',
    'of {v}',
    'with {v}',
    'the {n} {v}',
    '{p} {v}',
  ],
  person: [
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
    '({v})',
  ],
  query: [
    'about {v}',
    'with {v}',
    'on {v}',
    'for {v}',
    'to do with {v}',
    'that mention {v}',
    'like {v}',
    'something with {v}',
    '{v}',
    '"{v}"',
  ],
  date: ['on {v}', 'on {v}', 'for {v}', '{v}', '{p} {v}', 'on {p} {v}', 'the {p} is {v}'],
  from: ['from {v}', 'starting {v}', 'as of {v}', 'since {v}', 'beginning {v}', 'out of {v}', 'after {v}'],
  to: ['to {v}', 'until {v}', 'till {v}', 'by {v}', 'up to {v}', 'before {v}', 'through {v}'],
  time: ['at {v}', '{v}', 'around {v}', 'for {v}', '{p} {v}'],
  count: ['{v} {p}', '{v} {p}', 'for {v} {p}', '{p} {v}', '{p}: {v}', '{v}', 'by {v} {p}', 'of {v} {p}'],
  quantity: ['{v}', '{v} of them', 'x{v}', '{p} {v}', 'we need {v}', '{v} pieces', '{p}: {v}', 'times {v}'],
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
    'as {v}',
    'in {v}',
    'to {v}',
    'with {v}',
    '{v} {p}',
    '{p} {v}',
    'make it {v}',
    'by {v}',
    'on {v}',
    '{p}: {v}',
    'the {v} one',
    'it should be {v}',
  ],
  flag: ['with {p}', '{p}', '{p} please', 'and {p}', 'it has to be {p}'],
  text: [
    ': {v}',
    '- {v}',
    'saying {v}',
    'because {v}',
    '"{v}"',
    '{p}: {v}',
    'that {v}',
    'with the {p} {v}',
    'the {p} is {v}',
    'note: {v}',
    '{v}',
  ],
  place: ['in {v}', 'at {v}', 'for {v}', 'near {v}', 'to {v}', 'from {v}', '{v}', 'around {v}', 'over in {v}'],
  contact: ['at {v}', '{v}', 'to {v}', 'under {v}', '{p} {v}', 'reach me at {v}', 'my {p} is {v}'],
  unit: ['in {v}', 'to {v}', '{v}', 'into {v}', 'as {v}'],
  thing: [
    '{n} {v}',
    '{v}',
    'for {v}',
    'of {v}',
    'the {v}',
    'with {v}',
    'on {v}',
    '{p}: {v}',
    'the {p} is {v}',
    'for the {v}',
    'with {p} {v}',
    'by {v}',
    '{v} as {p}',
  ],
  other: [
    '{p} {v}',
    'with {p} {v}',
    '{p}: {v}',
    'the {p} is {v}',
    '{v} {p}',
    'a {p} of {v}',
    '{v}',
    '{p} should be {v}',
    'with a {p} of {v}',
  ],
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
const NOT: readonly string[] = ['no {p}', 'without {p}', 'not {p}', '{p} off'];

/**
 * A parameter's value as a part of a sentence. @param said the value in words; true and false speak by the parameter's
 * name
 */
export function mention(parameter: ParameterTalk, said: string | boolean, random: Random): string {
  const { role, words } = parameter;
  const cue =
    said === false
      ? random.pick(NOT)
      : random.pick(role === 'id' && isPerson(parameter.noun) ? PERSON_IDS : CUES[role]);
  const noun = parameter.noun || words;
  // "booksId" points at nothing that one says; a person's id goes by the person
  const shown =
    role === 'id' && parameter.noun === ''
      ? cue.replace('{n} number', 'number').replace('{n}: ', '').replace('{n} ', '')
      : cue;
  return fill(shown, { v: String(said), p: words, n: noun });
}

export const fill = (text: string, parts: Readonly<Record<string, string>>): string =>
  text.replace(/\{(\w+)\}/g, (whole, key: string) => parts[key] ?? whole);

/** Who speaks, where the value is somebody's name: "Jonas Weber here, …". */
export function introduction(parameter: ParameterTalk, said: string, random: Random): string | null {
  if (parameter.role !== 'person' && !(parameter.noun !== '' && isPerson(parameter.noun))) return null;
  return /^\p{Lu}\p{Ll}+( \p{Lu}[\p{L}'-]+)*$/u.test(said)
    ? fill(
        random.pick([
          '{v} here, ',
          'this is {v}, ',
          "it's {v}, ",
          'my name is {v}, ',
          "I'm {v}, ",
          '{v} speaking, ',
          "hi, I'm {v} and ",
          'calling for {v}, ',
        ]),
        { v: said },
      )
    : null;
}
