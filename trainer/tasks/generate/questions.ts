/** Tools that are asked in whole sentences: a help desk's answers, a handbook, "ask the documents". */
import type { Random } from '../../base/random';
import { singular, withoutUser } from '../../tools/schema/words';
import { from, type Draw } from './draw';
import { day, when } from './everydayTimes';
import { chore, company, THING } from './everydayValues';

const ASKED = /^(question|inquiry|enquiry)$/;
/** May hold a whole question where the description says so. */
const OPEN_NAME = /^(query|q|text|input|prompt|message|search|request)$/;
/** "Question or keywords": few words will do. */
const IN_WORDS = /^(keyword|term|phrase|topic)s?$/;

/**
 * Is the parameter's value a question as it was asked?
 * @param words of its name; @param described words of its description, small
 */
export function isQuestion(words: readonly string[], described: readonly string[]): boolean {
  const last = singular(words.at(-1) ?? '');
  if (ASKED.test(last)) return true;
  return (
    OPEN_NAME.test(last) && described.some((word) => ASKED.test(word)) && !described.some((word) => IN_WORDS.test(word))
  );
}

const EVERYDAY = from(
  'refunds|parking|opening hours|delivery|gift cards|lost items|the warranty|discounts|my account|my password|group ' +
    'bookings|the waiting list|invoices|returns|accessibility|pets|the newsletter|breakfast|spare parts|sick leave',
);
const MOST_WORDS = 4;

/** "Answers questions about bags, seats and the wifi on board." -> bags, seats, the wifi on board */
export function topicsOf(description: string): string[] {
  const said = /\b(?:about|regarding|concerning|covering|questions on)\s+([^.;:()\n]+)/i.exec(
    withoutUser(description),
  )?.[1];
  return (said ?? '')
    .split(/\s*,\s*|\s+(?:and|or)\s+/)
    .map((topic) => topic.replace(/^(?:and|or|such as|like|e\.g)\s+/, '').trim())
    .filter((topic) => /^[\p{L}\p{N}][\p{L}\p{N} '’-]*$/u.test(topic) && topic.split(' ').length <= MOST_WORDS);
}

/** "Use for 'how much did I spend', 'what\u2019s my balance'": whole questions that a description shows. */
export const questionsShown = (description: string): string[] =>
  [...description.matchAll(QUOTED)].map(([, single, double]) => (single ?? double)!.trim()).filter(isWhole);
const QUOTED =
  /(?<![\p{L}\p{N}])(?:'((?:[^'\n]|'(?=\p{L})){8,120})'|["\u201c]([^"\u201d\n]{8,120})["\u201d])(?!\p{L})/gu;
const isWhole = (text: string): boolean => text.split(' ').length > 2 && BEGINS.test(text);
const BEGINS =
  /^(?:how|what|where|when|who|which|why|whose|can|could|do|does|did|is|are|am|was|were|will|would|should|have|has|may|any)\b/i;

/** {t} the topic, {is}, {does} and {it} by its number. */
const QUESTIONS = [
  'what about {t}',
  'what are the rules for {t}',
  'how {does} {t} work',
  'do you have anything on {t}',
  'who do I ask about {t}',
  'how much {is} {t}',
  '{is} {t} included',
  'how do I get {t}',
  'where do I find out about {t}',
  'what is your policy on {t}',
  'why {is} {t} not mentioned anywhere',
  'when do I have to pay for {t}',
  'what happens if I have a problem with {t}',
  'am I allowed to change {t}',
  'can I get help with {t}',
  'what should I know about {t} before I start',
  'how long {does} {t} take',
  'which options are there for {t}',
  'does anything change for {t} this year',
  'what do I do when something is wrong with {t}',
  'is there a limit for {t}',
  'who pays for {t}',
  'could you explain {t} to me',
  'I am new here, how {is} {t} handled',
];

/** Of anything: people's questions are of more than what a description lists. */
const OF_ANYTHING: readonly Draw[] = [
  (r) => `can I bring my ${THING(r)}`,
  (r) => `what time do you open on ${day(r)}`,
  (r) => `can I come with ${company(r)}`,
  (r) => `I lost my ${THING(r)}, what now`,
  (r) => `what if I arrive ${when(r)}`,
  (r) => `how many ${r.pick(['people', 'days', 'times', 'of them'])} are allowed`,
  (r) => `do I have to ${chore(r)} first`,
  (r) => `who can help me to ${chore(r)}`,
  (r) => `is it possible to pay ${r.pick(['by card', 'in cash', 'later', 'in two parts'])}`,
  () => 'how late can I cancel',
  (r) => `where is the nearest ${r.pick(['office', 'shop', 'branch', 'exit', 'desk'])}`,
  (r) => `what is the number of your ${r.pick(['support', 'front desk', 'office', 'hotline'])}`,
  (r) => `do you deliver ${when(r)}`,
];
const ABOUT_TOPICS = 0.7;
const AS_SHOWN = 0.4;

/**
 * A question, with its mark and its capital or without: it is given as it was put.
 * @param descriptions of the tool and the parameter: they may show questions, and say what they are about
 */
export const drawQuestion =
  (...descriptions: readonly string[]): Draw =>
  (random) => {
    const shown = descriptions.flatMap(questionsShown);
    const said =
      shown.length > 0 && random.next() < AS_SHOWN
        ? random.pick(shown).replace(/\?$/, '')
        : random.next() < ABOUT_TOPICS
          ? aboutTopic(descriptions.flatMap(topicsOf), random)
          : random.pick(OF_ANYTHING)(random);
    const started = random.next() < 0.5 ? said.charAt(0).toUpperCase() + said.slice(1) : said;
    return random.next() < 0.7 ? `${started}?` : started;
  };

function aboutTopic(topics: readonly string[], random: Random): string {
  const topic = topics.length > 0 && random.next() < 0.8 ? random.pick(topics) : EVERYDAY(random);
  const head = topic
    .split(/ (?:on|of|for|in|at|with) /)[0]!
    .split(' ')
    .at(-1)!;
  const isMany = singular(head) !== head;
  return random
    .pick(QUESTIONS)
    .replace('{is}', isMany ? 'are' : 'is')
    .replace('{does}', isMany ? 'do' : 'does')
    .replace('{t}', () => topic);
}
