/** What a sentence says, without its greeting and its marks: an order, a question, a statement or bare words. */
import type { Random } from '../../../base/random';
import { LOOK_UPS, nameWordsOf, singular } from '../../../tools/schema/words';
import { isHandleWord } from '../../../tools/values/fit';
import { nounPhraseFor } from '../clauses';
import type { Act } from './acts';
import { asState } from './asState';
import { sumSaid } from './arithmetic';
import { mention } from './mention';
import { isPerson, isPersons } from './nouns';
import type { Part, Parts } from './parts';
import { passiveOf, type SentenceKind } from './passive';
import type { CoreKind } from './sentence';
import { inState } from './states';
import { aNew, many, one, plural, typeSaid } from './thing';
import { inAnyOrder, isOperand, saidTogether } from './together';
import { fillSlots, sayable, slotsOf } from './slots';
import type { ParameterTalk, ToolTalk } from './toolTalk';
import { whichOf } from './which';

const OWN_WORDS = 0.3;

export function coreOf(kind: CoreKind, talk: ToolTalk, parts: Parts, random: Random): string | null {
  const sum = sumSaid(kind, talk, parts, random);
  if (sum !== null) return sum;
  if (kind === 'ellipsis') return ellipsis(talk, parts, random);
  const state = asState(kind, talk, parts, random) ?? whichOf(kind, talk, parts, random);
  if (state) {
    const left = parts.all.filter((part) => !state.said.includes(part));
    return [state.text, ...tail(left, random)].join(' ');
  }
  if (random.next() < (kind === 'order' ? OWN_WORDS : OWN_WORDS / 2)) return described(kind, talk, parts, random);
  const act = pickAct(talk.acts, random);
  const slots = slotsOf(parts.all);
  const all = kind === 'order' ? act.orders : kind === 'question' ? act.questions : act.statements;
  const texts = sayable(all, slots, random);
  if (texts.length === 0) return null;
  const { text: template, said } = fillSlots(passive(kind, talk, act, random) ?? random.pick(texts), slots, random);
  const identity = parts.identity && !said.includes(parts.identity) ? parts.identity : null;
  const rest = { parts: parts.all.filter((part) => part !== identity && !said.includes(part)), random };
  const thing =
    (template.includes('{os}') ? null : typeSaid(rest)) ??
    (random.next() < 0.6 ? talk.nouns[0]! : random.pick(talk.nouns));
  const isMany = identity === null ? talk.isPlural : / and |, /.test(String(identity.said)) && isListed(identity);
  const filled = agreed(template, isMany)
    .replace('{os}', () => many(talk, thing, identity, rest))
    .replace('{o}', () => one(talk, thing, identity, rest))
    .replace('{a}', () => aNew(thing, identity, rest));
  const isNamed = template.includes('{o}') || template.includes('{os}') || template.includes('{a}');
  const left = isNamed || identity === null ? rest.parts : [identity, ...rest.parts];
  return [filled, ...tail(left, random)].join(' ');
}

/** "Booking BK-17 has to be cancelled", now and then, of what is done to a thing that is there. */
function passive(kind: SentenceKind, { tool, verb }: ToolTalk, act: Act, random: Random): string | null {
  const isDone = verb !== null && tool.changesWorld && !LOOK_UPS.test(verb) && act.orders[0]!.includes('{o}');
  return isDone && random.next() < PASSIVE ? passiveOf(kind, verb, random) : null;
}
const PASSIVE = 0.15;

/** The part that is a question of its own, if there is one. */
export const askedIn = (parts: Parts): Part | undefined =>
  parts.all.find(({ parameter, said }) => parameter.role === 'question' && typeof said === 'string');

/** What a tool is asked as it stands, with what is said beside it. */
export function questionCore(kind: CoreKind, parts: Parts, asked: Part, random: Random): string {
  const lead = kind === 'order' ? random.pick(ANSWER) : kind === 'statement' ? random.pick(ASKS) : '';
  const others = tail(
    parts.all.filter((part) => part !== asked),
    random,
  );
  return [lead, String(asked.said), ...others].filter(Boolean).join(' ');
}

const ANSWER = ['answer this:', 'look this up:', 'tell me:', 'find out:', 'check this for me:', 'help me with this:'];
const ASKS = ['I have a question:', 'a customer asks:', 'somebody wants to know:', 'here is one:', 'I was asked:'];

/** "is the slots free" -> "are the slots free" */
const agreed = (template: string, isMany: boolean): string =>
  !isMany
    ? template
    : template
        .replace(/\bis \{o\}/g, 'are {o}')
        .replace(/'s \{o\}/g, ' are {o}')
        .replace(/\bdoes \{o\}/g, 'do {o}')
        .replace(/\bhas \{o\}/g, 'have {o}')
        .replace(/\{o\} is\b/g, '{o} are')
        .replace(/\{o\} has\b/g, '{o} have')
        .replace(/\{o\} needs\b/g, '{o} need')
        .replace(/\{o\} was\b/g, '{o} were');

/** Of several things: "P1 and P2 are absent". */
const isListed = ({ parameter: { words } }: Part): boolean => singular(words) !== words;

/** The first act is the name's own. */
const pickAct = (acts: readonly Act[], random: Random): Act =>
  acts.length === 1 || random.next() < 0.6 ? acts[0]! : random.pick(acts);

/** Oftener in the order of the schema than in another. */
const inSomeOrder = (parts: readonly Part[], random: Random): readonly Part[] =>
  random.next() < 0.6 ? parts : inAnyOrder(parts, random);

/** What is left to say, in the order of the schema or in another; what goes from one to another is said together. */
export function tail(parts: readonly Part[], random: Random): string[] {
  const together = saidTogether(parts, random);
  const left = parts.filter((part) => !together.some((one) => one.parts.includes(part)));
  const said = inSomeOrder(left, random);
  const near = left.find(({ parameter }) => parameter.role === 'relation');
  const place = near && left.find(({ parameter }) => parameter.role === 'place');
  const isNamed = namedAmong(left);
  const texts = said
    .filter((part) => !place || part !== near)
    .map((part) =>
      place && part === place ? `${String(near!.said)} ${String(part.said)}` : mentionOf(part, random, isNamed(part)),
    );
  for (const { text, isFirst } of together) texts.splice(isFirst ? 0 : random.int(texts.length + 1), 0, text);
  if (texts.length > 1 && random.next() < 0.25) return [texts.map((text) => text.replace(/^: /, '')).join(', ')];
  if (texts.length > 1 && random.next() < 0.3) texts[texts.length - 1] = `and ${texts.at(-1)!.replace(/^: /, '')}`;
  return texts;
}

/** Of two numbers or ids each is named: "with 3 doses", "unit W377". */
function namedAmong(parts: readonly Part[]): (part: Part) => boolean {
  const [numbers, ids] = [parts.filter(isNumber), parts.filter(({ parameter }) => parameter.role === 'id')];
  return (part) => (numbers.length > 1 && numbers.includes(part)) || (ids.length > 1 && ids.includes(part));
}

const isEnd = ({ parameter: { role } }: Part): boolean => role === 'from' || role === 'to';
const isNumber = ({ parameter: { role } }: Part): boolean =>
  role === 'other' || role === 'count' || role === 'quantity' || role === 'scale';

export function mentionOf({ parameter, said, isPronoun, isName }: Part, random: Random, isNamed = false): string {
  if (isOperand({ parameter, said })) return String(said);
  if (isPronoun) return random.pick([`for ${String(said)}`, `with ${String(said)}`, `of ${String(said)}`]);
  if (!isName) return mention(parameter, said, random, { isNamed });
  const role = isPerson(parameter.noun) ? 'person' : 'name';
  return mention({ ...parameter, role, words: parameter.noun || parameter.words }, said, random);
}

/** The description as a request, each value in the place where it speaks of the thing: "put Ann on the team of Bo". */
function described(kind: CoreKind, talk: ToolTalk, parts: Parts, random: Random): string {
  const words = { request: talk.request, thing: null, nameWords: '', nouns: [...talk.nouns] };
  const isNamed = random.next() < 0.12;
  let request = isNamed ? nameWordsOf(talk.tool).join(' ') : talk.request;
  // "search tickets by words, customer or state": by which is said with the values
  request = request.replace(
    / by (?:\(?(?:a )?part of\)? )?(?:its |their |the |an? )?\w+(?: name| number| code)?(?:(?:,| or|, or| and| and\/or) \w+)*$/,
    '',
  );
  const left: Part[] = [];
  const day = parts.all.find(({ parameter, said }) => parameter.role === 'date' && typeof said === 'string');
  const dated = day && onDay(request, day, random);
  if (dated) request = dated;
  const placed = isNamed
    ? null
    : (inPlaceOfSomething(request, parts, random) ?? inPlaceOfMany(request, parts, random) ?? switched(request, parts));
  if (placed) request = placed.request;
  for (const part of parts.all) {
    if (part === placed?.part || (dated && part === day)) continue;
    const said = String(part.said);
    const place =
      // what it is changed to is none of the things that the description speaks of
      typeof part.said === 'string' && !isNamed && part.parameter.role !== 'flag' && !part.parameter.isNew
        ? nounPhraseFor(request, words, thingOf(part.parameter))
        : null;
    if (!place) {
      left.push(part);
      continue;
    }
    const isBare = part.isPronoun || part.isName || part.parameter.role === 'person' || random.next() < 0.6;
    const inner = isBare ? said : random.pick([`${place.noun} ${said}`, `the ${place.noun} ${said}`]);
    const behind = request.slice(place.end);
    request = request.slice(0, place.start) + (/^ [a-z]+s\b/.test(behind) ? asSubject(inner) : inner) + behind;
  }
  const told = tail(left, random);
  const question = /^tell me (.+)$/.exec(request)?.[1];
  if (question && kind !== 'order')
    return [kind === 'question' ? question : `${random.pick(STATED_QUESTION)} ${question}`, ...told].join(' ');
  const thing = /^get ((?:the|an?|all) .+)$/.exec(request)?.[1];
  const asked = thing && random.pick(kind === 'question' ? ASKED_FOR : kind === 'statement' ? STATED : ORDERED);
  const start = asked
    ? asked.replace('{is}', talk.isPlural ? 'are' : 'is').replace('{t}', () => thing!)
    : kind === 'question'
      ? `can you ${request}`
      : kind === 'statement'
        ? `${random.pick(["I'd like to", 'I need to', 'I want to'])} ${request}`
        : request;
  return [start, ...told].join(' ');
}

/** "Mark pupils absent on a day", with the day; null: it speaks of none. */
function onDay(request: string, { parameter, said }: Part, random: Random): string | null {
  const spoken = / (?:on|for|of) (?:an?|the|some|one|any|that)(?: given| certain| particular)? (?:day|date)\b/;
  return spoken.test(request) ? request.replace(spoken, () => ` ${mention(parameter, said, random)}`) : null;
}

/** "key: Issue key" of a tool that adds comments is an issue's, and no comment's. */
const thingOf = ({ words, noun }: ParameterTalk): string =>
  noun !== '' && !words.includes(' ') && isHandleWord(words) ? `${noun} ${words}` : words;

/** "what her owes" -> "what she owes" */
const asSubject = (said: string): string => SUBJECTS[said] ?? said;
const SUBJECTS: Record<string, string> = { her: 'she', him: 'he', them: 'that one' };

/** "Switch a light on or off" with the side that is meant. */
function switched(request: string, parts: Parts): { request: string; part: Part } | null {
  const part = parts.all.find(({ said, parameter }) => parameter.role === 'flag' && typeof said === 'string');
  const said = part && inState(request, part.parameter.words, String(part.said));
  return part && said ? { request: said, part } : null;
}

/** "Put something on the list", "how much of something is left": with what is meant in its place. */
function inPlaceOfSomething(request: string, parts: Parts, random: Random): { request: string; part: Part } | null {
  const found = /\b(how much of )?(something|someone|somebody)\b/.exec(request);
  if (!found) return null;
  const isFor = ({ said, parameter }: Part): boolean =>
    typeof said === 'string' && (found[2] === 'something' ? IN_PLACE.has(parameter.role) : isPersons(parameter));
  const part = [...(parts.identity ? [parts.identity] : []), ...parts.all].find(isFor);
  if (!part || random.next() < 0.15) return null;
  const said = `${found[1] ? 'how much ' : ''}${String(part.said)}`;
  return { request: request.slice(0, found.index) + said + request.slice(found.index + found[0].length), part };
}
const IN_PLACE: ReadonlySet<string> = new Set(['name', 'query', 'thing', 'other', 'type']);

/** "Add extras to a booking" of a cot and towels: "add cot and towels to a booking". */
function inPlaceOfMany(request: string, parts: Parts, random: Random): { request: string; part: Part } | null {
  const [, verb, object] = /^(\w+) (?:some |the )?(.+)$/.exec(request) ?? [];
  if (!object) return null;
  for (const part of parts.all) {
    const { words } = part.parameter;
    if (typeof part.said !== 'string' || singular(words) === words) continue;
    const isObject = object === words || object.startsWith(`${words} `);
    if (isObject && random.next() < 0.7) return { request: `${verb} ${part.said}${object.slice(words.length)}`, part };
  }
  return null;
}

const STATED_QUESTION = ["I'd like to know", 'I want to know', 'I need to know', "I'm wondering"];

const ASKED_FOR = ['what {is} {t}', 'can I see {t}', 'can you tell me {t}', 'what about {t}', 'can I have {t}'];

const STATED = ["I'd like to know {t}", 'I need {t}', 'I want to see {t}', "I'm asking for {t}"];

const ORDERED = ['get {t}', 'show me {t}', 'tell me {t}', 'give me {t}', 'list {t}', 'look up {t}', 'read me {t}'];

/** "turnon" of a name is no word that people write. */
const JOINED = /^(switch|turn)(off|on)$/;

/** No sentence at all: "loans Jonas Weber", "O-17 refund 9.50". */
function ellipsis(talk: ToolTalk, parts: Parts, random: Random): string {
  const act = pickAct(talk.acts, random);
  const verb = random.pick(act.verbs.slice(0, 3)).replace(JOINED, '$1 $2');
  const noun = random.pick(talk.nouns.slice(0, 3));
  const things = talk.isPlural ? plural(noun) : noun;
  const head = random.pick([things, `${verb} ${things}`, `${things} ${verb}`, nameWordsOf(talk.tool).join(' '), verb]);
  const isNamed = namedAmong(parts.all);
  const values = inSomeOrder(parts.all, random).map((part) =>
    typeof part.said === 'string' && !isNamed(part) && !isEnd(part) && random.next() < 0.55
      ? part.said
      : mentionOf(part, random, isNamed(part)).replace(/^: /, ''),
  );
  const isBehind = values.length > 0 && random.next() < 0.25;
  return (isBehind ? [values[0]!, head, ...values.slice(1)] : [head, ...values]).join(
    random.next() < 0.15 ? ', ' : ' ',
  );
}
