import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Random } from '../../base/random';

/** Words of the synthetic world. Held-out words occur in no training dialogue; pseudo-words are new each time. */
export interface Lexicon {
  words: string[];
}

const readWords = (name: string): string[] => readFileSync(join(__dirname, name), 'utf8').split(/\s+/).filter(Boolean);

/**
 * Stems of the fields of `examples/` (and of what they hold): kept out of pre-training, so that those files are
 * unseen.
 */
export const excludedStems = (): string[] => readWords('excluded.txt');

/**
 * Words of benchmarks that came later. They go out behind the split, which stays as it was when the first stages were
 * trained.
 */
export const excludedLater = (): string[] => readWords('excludedLater.txt');

/** Is the word one of them, or one of them with an ending? */
export const isFormOf = (stems: ReadonlySet<string>, word: string): boolean =>
  stems.has(word) || stems.has(word.replace(/(e?s|ed|ing)$/, ''));

/** @param part 'train' or 'heldOut': a fixed tenth of the words is never seen in training. */
export function loadLexicon(part: 'train' | 'heldOut'): Lexicon {
  const excluded = new Set(excludedStems());
  const all = readFileSync(join(__dirname, 'lexicon.txt'), 'utf8').split('\n').filter(Boolean);
  const kept = all.filter((w) => !isFormOf(excluded, w));
  const later = new Set(excludedLater());
  return { words: kept.filter((w, i) => (i % 10 === 7) === (part === 'heldOut') && !later.has(w)) };
}

const ONSETS = [
  'b',
  'br',
  'c',
  'ch',
  'd',
  'dr',
  'f',
  'fl',
  'g',
  'gr',
  'h',
  'j',
  'k',
  'kl',
  'l',
  'm',
  'n',
  'p',
  'pl',
  'qu',
  'r',
  's',
  'sh',
  'st',
  't',
  'th',
  'tr',
  'v',
  'w',
  'z',
  '',
];
const VOWELS = ['a', 'e', 'i', 'o', 'u', 'ai', 'ea', 'io', 'ou', 'ee'];
const CODAS = ['', '', 'n', 'r', 's', 't', 'l', 'm', 'x', 'nd', 'rt', 'ck', 'sk'];

const ACCENTED = {
  a: ['á', 'ä', 'å', 'ã', 'à'],
  e: ['é', 'è', 'ê', 'ë'],
  i: ['í', 'ï', 'î'],
  o: ['ö', 'ø', 'ó', 'ô'],
  u: ['ü', 'ú', 'û'],
} satisfies Record<string, string[]>;

export function pseudoWord(r: Random): string {
  let w = '';
  for (let i = 1 + r.int(3); i >= 0; i--) w += r.pick(ONSETS) + r.pick(VOWELS) + r.pick(CODAS);
  if (r.next() < 0.04) w = w.replace(/[aeiou]/, (c) => r.pick(ACCENTED[c as keyof typeof ACCENTED]));
  return w.slice(0, 10);
}

export const capital = (w: string): string => w.charAt(0).toUpperCase() + w.slice(1);

/** A content word: real three times out of five, else invented. */
export function word(r: Random, lexicon: Lexicon): string {
  return r.next() < 0.6 ? r.pick(lexicon.words) : pseudoWord(r);
}

const digits = (r: Random, n: number): string =>
  Array.from({ length: n }, (_, i) => String(i === 0 ? 1 + r.int(9) : r.int(10))).join('');

/** Generators of argument values, as they stand in a request. */
export const VALUES = {
  word: (r: Random, l: Lexicon) => word(r, l),
  words: (r: Random, l: Lexicon) => Array.from({ length: 1 + r.int(3) }, () => word(r, l)).join(' '),
  /** what one person lets another know */
  clause: (r: Random, l: Lexicon) => {
    const w = (): string => word(r, l);
    const who = r.pick([
      'I',
      'I',
      'we',
      'you',
      'they',
      'it',
      'he',
      'she',
      'this',
      'all of us',
      `the ${w()}`,
      `my ${w()}`,
      `our ${w()}`,
      `your ${w()}`,
      w(),
      capital(w()),
      digits(r, 1 + r.int(3)),
      `the ${w()} ${w()}`,
    ]);
    const does = r.pick([
      'am',
      'is',
      'are',
      'can be',
      'will be',
      'has',
      'have',
      'need',
      'needs',
      'like',
      'was',
      'were',
      'do not want',
      'may keep',
      'would like',
      'will bring',
      'cannot find',
      'looks',
      'comes',
      'gets',
      w(),
      `will ${w()}`,
      `can ${w()}`,
      `must ${w()}`,
      `${w()} you`,
    ]);
    const what = r.pick([
      w(),
      `the ${w()}`,
      `a ${w()}`,
      `a ${w()} ${w()}`,
      `two ${w()}`,
      `${w()} and ${w()}`,
      `so ${w()}`,
      `very ${w()}`,
      `it at ${w()}`,
      `it until ${capital(w())}`,
      `in the ${w()}`,
      `back in ${capital(w())}`,
      `on ${capital(w())}`,
      `${w()} for the ${w()}`,
      `not ${w()}`,
      `too ${w()} to ${w()}`,
      `every ${w()} you ${w()}`,
      'all of it',
      'everything',
      `at ${digits(r, 1)}`,
      `my ${w()} back`,
    ]);
    return r.pick([
      `${who} ${does} ${what}`,
      `${who} ${does} ${what}`,
      `${who} ${does} ${what}`,
      `${who} ${does}`,
      `${does} ${what}`,
      `where is ${what}`,
      `when can ${who} ${w()} ${what}`,
      `${w()} ${what}`,
      `please ${w()} ${what}`,
      `too many ${w()}`,
      `${w()} to ${capital(w())}`,
      `${w()} whenever ${who} ${does}`,
      `${what}, ${who} ${w()} ${what}`,
    ]);
  },
  name: (r: Random, l: Lexicon) => {
    const first = capital(word(r, l));
    return r.next() < 0.3 ? `${first} ${capital(word(r, l))}` : first;
  },
  id: (r: Random, l: Lexicon) => {
    const letters = (n: number) => Array.from({ length: n }, () => String.fromCharCode(97 + r.int(26))).join('');
    switch (r.int(7)) {
      case 0:
        return letters(1) + digits(r, 1 + r.int(4));
      case 1:
        return `${letters(1 + r.int(3))}-${digits(r, 1 + r.int(4))}`;
      case 2:
        return `${letters(1 + r.int(3)).toUpperCase()}-${digits(r, 1 + r.int(4))}`;
      case 3:
        return letters(1 + r.int(3)).toUpperCase() + digits(r, 1 + r.int(4));
      case 4:
        return `${word(r, l).slice(0, 6)}_${digits(r, 1 + r.int(3))}`;
      case 5:
        return `${word(r, l)}-${word(r, l)}`;
      default:
        return `#${digits(r, 1 + r.int(4))}`;
    }
  },
  code: (r: Random) => Array.from({ length: 2 + r.int(2) }, () => String.fromCharCode(65 + r.int(26))).join(''),
  address: (r: Random, l: Lexicon) => `${word(r, l)}@${word(r, l)}.${r.pick(['com', 'org', 'net', 'io'])}`,
  date: (r: Random) =>
    `20${digits(r, 2)}-${String(1 + r.int(12)).padStart(2, '0')}-${String(1 + r.int(28)).padStart(2, '0')}`,
  time: (r: Random) => `${String(r.int(24)).padStart(2, '0')}:${r.pick(['00', '15', '30', '45'])}`,
  integer: (r: Random) => digits(r, 1 + r.int(r.next() < 0.7 ? 2 : 4)),
  number: (r: Random) =>
    r.next() < 0.6 ? digits(r, 1 + r.int(3)) : `${digits(r, 1 + r.int(2))}.${digits(r, 1 + r.int(2))}`,
} as const;
export type ValueKind = keyof typeof VALUES;
