/** Who speaks or is spoken of: "Jonas Weber here, …", "Ann Lund rang, …", "Mrs Lund would like to …". */
import type { Random } from '../../../base/random';
import { fill } from './fill';
import { isPersons } from './nouns';
import type { Part, Parts } from './parts';

export interface Introduction {
  text: string;
  /** the name as it is said */
  value: string;
}

const SPEAKS = [
  '{v} here, ',
  'this is {v}, ',
  "it's {v}, ",
  'my name is {v}, ',
  "I'm {v}, ",
  '{v} speaking, ',
  "hi, I'm {v} and ",
  'calling for {v}, ',
];
const SPOKEN_OF = [
  '{v} is on the phone, ',
  '{v} rang, ',
  '{v} called: ',
  '{v} is here, ',
  '{v} is asking, ',
  '{v} wrote to us, ',
  "I've got {v} on the line, ",
  "it's about {v}: ",
];
const WANTS = [
  'wants to',
  'would like to',
  'asked to',
  'needs to',
  'has to',
  'wants us to',
  'would like us to',
  'asked if we could',
  'called to',
];

const isName = (said: string): boolean => /^\p{Lu}\p{Ll}+( \p{Lu}[\p{L}'-]+)*$/u.test(said);

/** Takes a person out of the others now and then. */
export function introduce(parts: Parts, random: Random): Introduction | null {
  if (random.next() > 0.15) return null;
  const index = parts.others.findIndex((part) => typeof part.said === 'string' && !part.isPronoun);
  const part: Part | undefined = parts.others[index];
  if (!part || !isPersons(part.parameter) || !isName(String(part.said))) return null;
  parts.others.splice(index, 1);
  parts.all = parts.all.filter((one) => one !== part);
  const value = String(part.said);
  return { text: fill(random.pick(random.next() < 0.6 ? SPEAKS : SPOKEN_OF), { v: value }), value };
}

/** "Ann Lund rang, …" */
export function spokenOf(name: string, text: string, random: Random): string {
  const start = fill(random.pick(SPOKEN_OF), { v: name });
  return (/^\p{Lu}/u.test(text) ? start.replace(/[,:] $/, '. ') : start) + text;
}

/** An order as somebody else's wish: "Ann Lund would like to cancel her visit". */
export const wished = (name: string, order: string, random: Random): string => `${name} ${random.pick(WANTS)} ${order}`;

const TITLES = ['Mr', 'Mrs', 'Ms', 'Mr.', 'Mrs.', 'Dr', 'Miss'];
/** "Mrs Lund", where the last name alone is looked for. */
export const withTitle = (name: string, random: Random): string => `${random.pick(TITLES)} ${name}`;
