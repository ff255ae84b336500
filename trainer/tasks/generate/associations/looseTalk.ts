import type { Random } from '../../../base/random';
import type { Arguments } from '../../../protocol/arguments';
import { wordCount } from '../../../tools/schema/words';
import { mentionOf } from '../grammar/core';
import { introduce } from '../grammar/introduction';
import { tidy, valuesOf, flagsOf, type Said, type SayOptions } from '../grammar/say';
import { partsOf } from '../grammar/parts';
import { article } from '../grammar/thing';
import { inAnyOrder } from '../grammar/together';
import { capital, chatter } from '../grammar/sentence';
import type { ToolTalk } from '../grammar/toolTalk';
import type { WordKind } from './wordVectors';

/** A word of this kind that goes with what is asked for. */
export type PickWord = (kind: WordKind) => string | null;

/**
 * Sentences that name neither the tool's verb nor its thing: their words are only near it. {n}, {s}, {v}, {d}, {g}, {a}
 * a word of that kind, {V} what is said of the arguments. Grouped by name: a group is a phrasing family.
 */
export const LOOSE_FORMS: readonly { name: string; texts: readonly string[] }[] = [
  {
    name: 'looseQuestion',
    texts: [
      'is there {a n} {V}?',
      'is there any {n} {V}?',
      'do you have {s} {V}?',
      'do we have any {n} {V}',
      'what about the {n} {V}?',
      'how about {a n} {V}?',
      'any {s} {V}?',
      'have you got {a n} {V}?',
      'what {n} is {V}?',
      'which {n} {V}?',
      "what's the {n} {V}",
      'what is the {a} {n} {V}?',
    ],
  },
  {
    name: 'looseWhether',
    texts: [
      'can anyone {v} {V}?',
      'can I {v} {V}?',
      'could you {v} the {n} {V}?',
      'would you {v} {V} and the {n}?',
      'can my {n} {v} {V}?',
      'should I {v} {V}',
      'do I have to {v} the {n} {V}?',
      'does the {n} {v} {V}?',
      'did somebody {v} {V}?',
      'will the {n} {v} {V}?',
    ],
  },
  {
    name: 'looseWho',
    texts: [
      'who {d} {V}?',
      'who is {g} {V}',
      'where is the {n} {V}?',
      'when is the {n} {V}?',
      'how many {s} {V}?',
      'how much {n} {V}?',
      'how {a} is {V}?',
      'is {V} {a}?',
      'is {V} {d}?',
      'why is {V} {d}?',
      'who has the {n} {V}',
    ],
  },
  {
    name: 'looseNeed',
    texts: [
      'I need {a n} {V}.',
      'I need to {v} {V}',
      'I need the {n} and the {n} {V}.',
      'we need {V} {d}',
      'I am looking for {a n} {V}.',
      "I'm after {a} {s} {V}",
      "I'd like {V} {d}",
      'I want {V} {d}, the {n} too',
      'I would love some {n} {V}.',
      'got to {v} {V}',
      'my {n} needs {V}',
    ],
  },
  {
    name: 'looseStory',
    texts: [
      'my {n} is {g} {V}.',
      'a friend {d} {V} and I want the {n}.',
      "I have been {g} the {n} {V}, so I'd better {v}.",
      'somebody {d} the {n}: {V}',
      "it's about {a n}. {V}",
      'we were {g} and now it is {V}.',
      'I {d} {a n} {V} last time',
      "the {n} won't {v} {V}",
      "I'm thinking of {a n}, {V}, the {a} one",
      'there is {a n} at the {n}: {V}',
      'my {n} keeps {g}, {V}',
    ],
  },
  {
    name: 'looseOrder',
    texts: [
      '{v} {V}',
      '{v} {V} please',
      'please {v} {V}.',
      '{v} the {n} {V}.',
      '{v} me {a n} {V}',
      '{v} my {n} {V}',
      '{v} all {s} {V}',
      'just {v} {V}',
      'help me {v} {V}.',
      'go and {v} the {a} {n} {V}',
      "let's {v} {V}",
      'time for {g} {V}',
    ],
  },
  {
    name: 'looseWords',
    texts: [
      '{n} {V}',
      '{V} {n}',
      '{V}, {n}?',
      '{V} {g}',
      '{n} {n} {V}',
      '{a} {n} {V}',
      '{s} {V}',
      '{V}: {n}, {n}',
      '{V} - {v} it',
      '{n}, {V}, thanks',
      '{V} and {n}',
    ],
  },
  {
    name: 'looseThing',
    texts: [
      'something {a}, {V}, with {a n}.',
      "that {a} {n} {V}, what's its {n}?",
      'the {n} of the {n} {V}',
      '{V}, the one with the {n}',
      '{V}, you know, the {a} {n}',
      'the {n} that we {d}, {V}',
      'about {V}: is it {a} or {a}?',
      'this {n} {V} is {a}',
      'tell me the {n} and {n} {V}',
      'give me {a n} and {s} {V}.',
    ],
  },
  // the values alone: what they are must do
  {
    name: 'looseBare',
    texts: ['{V}?', '{V}', '{V} please', 'and {V}?', 'so, {V}', 'what about {V}', '{V}, thanks', 'hm, {V}'],
  },
];

const MOST_WORDS = 45;

/** A request for a call in words that only go with it. null: these arguments or words don't come to a sentence. */
export function sayLoosely(
  talk: ToolTalk,
  args: Arguments,
  word: PickWord,
  options: SayOptions & { families: readonly string[] },
): Said | null {
  const { random, families } = options;
  const parts = partsOf(talk, args, options);
  const open = LOOSE_FORMS.filter(({ name }) => families.includes(name) && (parts?.all.length || name !== 'looseBare'));
  if (parts === null || open.length === 0) return null;
  const intro = introduce(parts, random);
  const values = valuesOf(parts, intro);
  const said = inAnyOrder([...(parts.identity ? [parts.identity] : []), ...parts.others], random);
  const told = said.map((part) => mentionOf(part, random).replace(/^: /, '')).join(random.next() < 0.7 ? ' ' : ', ');
  const form = random.pick(open);
  const text = worded(random.pick(form.texts), word, random);
  if (text === null) return null;
  const filled = tidy(told === '' ? text.replace(/^\{V\}[,:\s-]*|[,:\s-]*\{V\}/, '') : text.replace('{V}', () => told));
  const isCapital = random.next() < 0.5 && !values.some((value) => filled.startsWith(value));
  const whole = chatter(
    (intro?.text ?? '') + (isCapital && !intro ? capital(filled) : filled),
    [...values, ...flagsOf(parts)],
    random,
  );
  return wordCount(whole) > MOST_WORDS || !values.every((value) => whole.includes(value))
    ? null
    : { text: whole, form: form.name };
}

/** A sentence about something that no tool is for. */
export function sayElsewhere(word: PickWord, random: Random): Said | null {
  const form = random.pick(LOOSE_FORMS.filter(({ name }) => name !== 'looseBare'));
  const text = worded(random.pick(form.texts), word, random);
  if (text === null) return null;
  const filled = tidy(text.replace('{V}', () => word('n') ?? ''));
  return { text: chatter(random.next() < 0.5 ? capital(filled) : filled, [], random), form: form.name };
}

function worded(text: string, word: PickWord, random: Random): string | null {
  let isWhole = true;
  const taken = new Set<string>();
  const take = (kind: WordKind): string => {
    const drawn = [word(kind), word(kind), word(kind)];
    const found = drawn.find((each) => each !== null && !taken.has(each)) ?? null;
    if (found === null) isWhole = false;
    else taken.add(found);
    return found ?? '';
  };
  const out = text
    .replaceAll('{a n}', () => article(random.next() < 0.3 ? `${take('a')} ${take('n')}` : take('n')))
    .replace(/\{([nsvdga])\}/g, (_, kind: WordKind) => take(kind));
  return isWhole ? out : null;
}
