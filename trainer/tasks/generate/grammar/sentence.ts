import type { Random } from '../../../base/random';

/**
 * Of what kind a core is: an order ("renew loan L-12"), a question without its mark, a statement without its full
 * stop.
 */
export type CoreKind = 'order' | 'question' | 'statement' | 'ellipsis';

/** One way to make a sentence of a core. Its name is the phrasing family. */
export interface Form {
  name: string;
  kind: CoreKind;
  say(core: string, random: Random): string;
}

const form = (kind: CoreKind, name: string, ...texts: string[]): Form => ({
  kind,
  name,
  say: (core, random) => random.pick(texts).replace('{C}', capital(core)).replace('{c}', core),
});

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** The ways in which people put a request. {c} the core, {C} with a capital. */
export const FORMS: readonly Form[] = [
  form('order', 'plain', '{C}.', '{C}', '{c}', '{C}!'),
  form('order', 'please', 'Please {c}.', '{C}, please.', 'please {c}', '{c} please', 'pls {c}', '{c} pls'),
  form(
    'order',
    'can',
    'Can you {c}?',
    'can you {c}',
    'can you please {c}?',
    'Can you quickly {c}?',
    'could you {c}',
    'Could you please {c}?',
    'Could you {c}?',
    'Would you {c}?',
    'will you {c}?',
  ),
  form(
    'order',
    'need',
    'I need you to {c}.',
    'I need to {c}',
    'I have to {c}.',
    'need to {c}',
    'We have to {c}.',
    'we need to {c}',
    'I must {c}',
  ),
  form(
    'order',
    'want',
    "I'd like to {c}.",
    'I want to {c}',
    'I want you to {c}.',
    "I'd love to {c}",
    'we would like to {c}',
    "I'd like you to {c}.",
    'want to {c}',
    'I would like to {c}',
  ),
  form(
    'order',
    'mind',
    'Would it be possible to {c}?',
    'Is there a way to {c}?',
    'Is it possible to {c}?',
    'Any chance to {c}?',
    'Do you think you could {c}?',
    'I was wondering if you could {c}.',
    'would you be able to {c}?',
  ),
  form(
    'order',
    'help',
    'Help me {c}.',
    'can you help me {c}',
    'I need help to {c}.',
    'Could somebody {c}?',
    'do me a favour and {c}',
  ),
  form(
    'order',
    'goAhead',
    'Go ahead and {c}.',
    'Just {c}.',
    'ok {c}',
    'Then {c}.',
    "Let's {c}.",
    'time to {c}',
    'Next: {c}.',
    'now {c}',
    'so, {c}',
    'right, {c}',
  ),
  form(
    'order',
    'forget',
    "Don't forget to {c}.",
    'Remember to {c}.',
    'make sure to {c}',
    'Be sure to {c}, please.',
    'be so kind and {c}',
    'It would be great if you could {c}.',
  ),
  form(
    'order',
    'trying',
    "I'm trying to {c}.",
    'How do I {c}?',
    'how can I {c}',
    'what do I do to {c}?',
    'I was hoping to {c}',
    "I'm supposed to {c}.",
  ),
  form(
    'order',
    'relay',
    'My boss wants me to {c}.',
    'somebody asked me to {c}',
    'My wife told me to {c}.',
    'The others want me to {c}.',
    'I was told to {c}',
  ),
  form('question', 'ask', '{C}?', '{c}?', '{c}', '{C}??'),
  form(
    'question',
    'askPolite',
    'Excuse me, {c}?',
    'Sorry, {c}?',
    'quick question: {c}?',
    'One question: {c}?',
    'Tell me, {c}?',
    'So {c}?',
    'hey, {c}?',
    'just asking, {c}?',
    'um, {c}?',
  ),
  form('statement', 'say', '{C}.', '{C}', '{c}', '{c}...', '{C}!'),
  form(
    'statement',
    'sayPolite',
    'Well, {c}.',
    '{C}, please.',
    'ok so {c}',
    '{C}, thanks.',
    'hm, {c}',
    'so {c}',
    '{C}. Can you help?',
    '{C}. Can you do that?',
    '{C}, could you see to it?',
  ),
  form('ellipsis', 'bare', '{C}', '{c}', '{C}.', '{c} please', '{C}?', '{c} thx'),
];

const BEFORE = [
  'Hi, ',
  'hi ',
  'Hello, ',
  'Hello there, ',
  'hey ',
  'Hey, ',
  'Good morning! ',
  'Good afternoon, ',
  'ok ',
  'Hi there! ',
  'yo ',
  'Hope you are well. ',
  "It's me again. ",
  'Me again: ',
  'sorry to bother you, ',
  'quick one: ',
];
const AFTER = [
  ' Thanks!',
  ' thanks',
  ' Thank you.',
  ' thx',
  ' Cheers.',
  ' please and thank you',
  ' Thanks in advance.',
  ' ty',
  ' asap',
  ' when you have a minute',
  ' right away',
  " if that's ok",
  ' Would be great.',
  " That's all.",
  ' today if possible',
];
/** What people say beside the matter. */
const ASIDE = [
  "I'm in a bit of a hurry.",
  "It's raining again over here.",
  'Sorry for the short notice.',
  'My phone is almost dead.',
  "I've been at this all day.",
  "I'm new to this.",
  'Took me ages to get here.',
  "My kids won't stop asking.",
  'Long day.',
  "I'm on the train right now.",
  'We talked about that last week.',
  'Not sure I spelled that right.',
  "I asked a colleague but she didn't know.",
  'It has been a while.',
  'You helped me before.',
  "I'm writing from my phone.",
  'The weather is lovely.',
  'I nearly forgot.',
  'My brother said you could do that.',
  'I had coffee first.',
  'No idea why I waited so long.',
  "It's not urgent.",
  'I hope I am right here.',
  'Finally found the time.',
  'Busy morning.',
];

/**
 * What stands around a request: greetings, thanks, small talk; now and then a slip of the finger, outside of the
 * values.
 */
export function chatter(text: string, values: readonly string[], random: Random): string {
  let out = text;
  if (random.next() < 0.08)
    out = random.next() < 0.6 ? `${random.pick(ASIDE)} ${capital(out)}` : `${ended(out)} ${random.pick(ASIDE)}`;
  if (random.next() < 0.14) out = join(random.pick(BEFORE), out, values);
  if (random.next() < 0.12) {
    const after = random.pick(AFTER);
    out = / \p{Lu}/u.test(after.slice(0, 2)) ? `${ended(out)}${after}` : `${out.replace(/[.!]$/, '')}${after}`;
  }
  if (random.next() < 0.12) out = withSlip(out, values, random);
  return random.next() < 0.12 ? lowered(out, values) : out;
}

const ended = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);
const join = (before: string, text: string, values: readonly string[]): string =>
  before + (/[.!] $/.test(before) ? capital(text) : uncapital(text, values));

/** With a small letter, unless a value, "I" or capitals begin it. */
export const uncapital = (text: string, values: readonly string[]): string =>
  values.some((value) => text.startsWith(value)) || /^(I\b|\p{Lu}\p{Lu})/u.test(text)
    ? text
    : text.charAt(0).toLowerCase() + text.slice(1);

/** One letter twice, left out, or changed places, in a word that no value holds. */
function withSlip(text: string, values: readonly string[], random: Random): string {
  const held = values.join(' ').toLowerCase();
  const words = [...text.matchAll(/[a-z]{4,}/g)].filter(
    ({ 0: word, index }) =>
      !held.includes(word) && !/[\w-]/.test(text[index - 1] ?? ' ') && !/[\w-]/.test(text[index + word.length] ?? ' '),
  );
  if (words.length === 0) return text;
  const { 0: word, index } = random.pick(words);
  const at = 1 + random.int(word.length - 2);
  const slip = random.pick([
    word.slice(0, at) + word.slice(at + 1),
    word.slice(0, at) + word[at] + word.slice(at),
    word.slice(0, at) + word[at + 1] + word[at] + word.slice(at + 2),
  ]);
  return text.slice(0, index) + slip + text.slice(index + word.length);
}

/** Small letters and no full stop, but for what the values hold. */
function lowered(text: string, values: readonly string[]): string {
  let out = text.toLowerCase().replace(/[.!]$/, '');
  for (const value of values) {
    const at = out.indexOf(value.toLowerCase());
    if (at >= 0) out = out.slice(0, at) + value + out.slice(at + value.length);
  }
  return out;
}
