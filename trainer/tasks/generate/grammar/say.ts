import type { Random } from '../../../base/random';
import { isRecord, type Arguments } from '../../arguments';
import { nounPhraseFor } from '../clauses';
import { joinAnd, singular, wordCount } from '../words';
import type { Act } from './acts';
import { introduction, mention } from './mention';
import { isPerson } from './nouns';
import { restate } from './restate';
import { chatter, FORMS, type CoreKind, type Form } from './sentence';
import type { ParameterTalk, ToolTalk } from './toolTalk';

/** A value that is said in other words than its own: a thing by its name, or what an earlier call gives ("it"). */
export interface SaidAs {
  text: string;
  isPronoun?: boolean;
  isName?: boolean;
}

export interface Said {
  text: string;
  form: string;
}

export interface SayOptions {
  /** by the parameter's path, joined by dots */
  saidAs?: Readonly<Record<string, SaidAs>>;
  /** the forms that may be used; default: all */
  forms?: readonly Form[];
  random: Random;
}

const MAX_WORDS = 45;
/** How often each kind of sentence is taken, where the act has it. */
const KINDS: readonly (readonly [CoreKind, number])[] = [
  ['order', 0.5],
  ['question', 0.23],
  ['statement', 0.18],
  ['ellipsis', 0.09],
];
const OWN_WORDS = 0.3;
const RESTATED = 0.2;

/** A request for one call. null: these arguments can't be said this way (another draw may). */
export function sayCall(talk: ToolTalk, args: Arguments, options: SayOptions): Said | null {
  const { random, forms = FORMS } = options;
  const kind = pickKind(random, forms);
  const usable = forms.filter((form) => form.kind === kind);
  if (usable.length === 0) return null;
  const parts = partsOf(talk, args, options);
  if (parts === null) return null;
  const intro = kind === 'ellipsis' ? null : introduce(parts, random);
  const core = coreOf(kind, talk, parts, random);
  if (core === null) return null;
  const fitting = usable.filter(({ name }) => !(/\bme\b/.test(core) && FIRST_PERSON.has(name)));
  if (fitting.length === 0) return null;
  const form = random.pick(fitting);
  const values = valuesOf(parts, intro);
  const said = tidy(form.say(core, random));
  const text = chatter(
    intro === null ? said : intro.text + uncapital(said, values),
    [...values, ...flagsOf(parts)],
    random,
  );
  return wordCount(text) > MAX_WORDS || !values.every((value) => text.includes(value))
    ? null
    : { text, form: form.name };
}

/** "I want to give me the list" is nothing that anybody says. */
const FIRST_PERSON: ReadonlySet<string> = new Set(['need', 'want', 'help', 'trying', 'goAhead', 'relay']);

/** The core of an order alone, to be joined with another. */
export function orderFor(talk: ToolTalk, args: Arguments, options: SayOptions): string | null {
  const parts = partsOf(talk, args, options);
  const core = parts && coreOf('order', talk, parts, options.random);
  return core === null ? null : tidy(core);
}

/** The words of the values themselves: nothing of them may be changed. */
const valuesOf = (parts: Parts, intro: { value: string } | null): string[] => [
  ...parts.all.filter((part) => !part.isPronoun && typeof part.said === 'string').map((part) => String(part.said)),
  ...(intro ? [intro.value] : []),
];

/** The words of switches, which are said by name: no letter of them may slip either. */
const flagsOf = (parts: Parts): string[] =>
  parts.all.filter(({ said }) => typeof said === 'boolean').map(({ parameter }) => parameter.words);

interface Part {
  parameter: ParameterTalk;
  said: string | boolean;
  isPronoun: boolean;
  isName: boolean;
}
interface Parts {
  all: Part[];
  identity: Part | null;
  others: Part[];
}

function pickKind(random: Random, forms: readonly Form[]): CoreKind {
  const open = KINDS.filter(([kind]) => forms.some((form) => form.kind === kind));
  let at = random.next() * open.reduce((sum, [, weight]) => sum + weight, 0);
  for (const [kind, weight] of open) {
    at -= weight;
    if (at <= 0) return kind;
  }
  return 'order';
}

/** null: a value that nobody could say (an object in a list). */
function partsOf(talk: ToolTalk, args: Arguments, { saidAs = {}, random }: SayOptions): Parts | null {
  const all: Part[] = [];
  for (const parameter of talk.parameters) {
    const value = at(args, parameter.path);
    if (value === undefined) continue;
    const other = saidAs[parameter.path.join('.')];
    const said = other ? other.text : sayValue(value, parameter, random);
    if (said === null) return null;
    all.push({ parameter, said, isPronoun: other?.isPronoun === true, isName: other?.isName === true });
  }
  const covered = new Set(talk.parameters.map(({ path }) => path[0]));
  if (Object.keys(args).some((name) => !covered.has(name))) return null;
  const identity = identityOf(talk, all);
  return { all, identity, others: all.filter((part) => part !== identity) };
}

function at(args: Arguments, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, key) => (isRecord(value) ? value[key] : undefined), args);
}

function sayValue(value: unknown, { role }: ParameterTalk, random: Random): string | boolean | null {
  if (typeof value === 'boolean') return value;
  if (Array.isArray(value)) {
    const items = value.map((item) => (typeof item === 'string' || typeof item === 'number' ? String(item) : null));
    return items.includes(null) || items.length === 0
      ? null
      : random.next() < 0.7
        ? joinAnd(items as string[])
        : items.join(', ');
  }
  if (typeof value !== 'string' && typeof value !== 'number') return null;
  if (role === 'choice' && typeof value === 'string')
    return (
      value
        .replace(/([a-z])([A-Z])/g, '$1 $2')
        .replace(/[_-]/g, ' ')
        .trim() || null
    );
  const restated = role !== 'id' && random.next() < RESTATED ? restate(value, random) : null;
  return restated ?? String(value);
}

/** What names the thing itself: its own id or name, for a search what is looked for. */
function identityOf(talk: ToolTalk, parts: readonly Part[]): Part | null {
  const noun = talk.nouns[0] ?? '';
  const isOwn = ({ parameter }: Part): boolean =>
    parameter.noun === '' || noun.split(' ').at(-1) === parameter.noun.split(' ').at(-1) || parameter.noun === noun;
  const simple = parts.filter((part) => typeof part.said === 'string' && part.parameter.path.length === 1);
  return (
    simple.find((part) => part.isPronoun && isOwn(part)) ??
    simple.find((part) => ['id', 'name', 'person', 'thing'].includes(part.parameter.role) && isOwn(part)) ??
    (talk.isPlural
      ? null
      : (simple.find(
          ({ parameter }) =>
            ['id', 'name', 'query', 'thing'].includes(parameter.role) &&
            !isPerson(parameter.noun) &&
            !isWhole(talk, parameter),
        ) ?? null))
  );
}

/** "Jonas Weber here, …": takes the person out of the others. */
function introduce(parts: Parts, random: Random): { text: string; value: string } | null {
  if (random.next() > 0.15) return null;
  const index = parts.others.findIndex((part) => typeof part.said === 'string' && !part.isPronoun);
  const part = parts.others[index];
  const text = part && introduction(part.parameter, String(part.said), random);
  if (!text) return null;
  parts.others.splice(index, 1);
  parts.all = parts.all.filter((one) => one !== part);
  return { text, value: String(part.said) };
}

function coreOf(kind: CoreKind, talk: ToolTalk, parts: Parts, random: Random): string | null {
  if (kind === 'ellipsis') return ellipsis(talk, parts, random);
  if (random.next() < (kind === 'order' ? OWN_WORDS : OWN_WORDS / 2)) return described(kind, talk, parts, random);
  const act = pickAct(talk.acts, random);
  const texts = kind === 'order' ? act.orders : kind === 'question' ? act.questions : act.statements;
  if (texts.length === 0) return null;
  const template = random.pick(texts);
  const rest = { parts: [...parts.others], random };
  const thing =
    (template.includes('{os}') ? null : typeSaid(rest)) ??
    (random.next() < 0.6 ? talk.nouns[0]! : random.pick(talk.nouns));
  const filled = agreed(template, talk.isPlural && parts.identity === null)
    .replace('{os}', () => many(thing, parts.identity, rest))
    .replace('{o}', () => one(talk, thing, parts.identity, rest))
    .replace('{a}', () => aNew(thing, parts.identity, rest));
  const isNamed = template.includes('{o}') || template.includes('{os}') || template.includes('{a}');
  const left = isNamed || parts.identity === null ? rest.parts : [parts.identity, ...rest.parts];
  return [filled, ...tail(left, random)].join(' ');
}

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

/** The first act is the name's own. */
const pickAct = (acts: readonly Act[], random: Random): Act =>
  acts.length === 1 || random.next() < 0.6 ? acts[0]! : random.pick(acts);

interface Rest {
  parts: Part[];
  random: Random;
}

/** Of what type a thing is is said in its place: "a pub" for a restaurant. Takes it out of the rest. */
function typeSaid(rest: Rest): string | null {
  const index = rest.parts.findIndex(({ parameter, said }) => parameter.role === 'type' && typeof said === 'string');
  if (index < 0 || rest.random.next() > TYPE_IN_PLACE) return null;
  return String(rest.parts.splice(index, 1)[0]!.said);
}
const TYPE_IN_PLACE = 0.75;

/** "the order O-17", "O-17", "Emma", "it", "my order". */
function one(talk: ToolTalk, thing: string, identity: Part | null, rest: Rest): string {
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
    identity.isName || !(identity.parameter.role === 'id' || /\d/.test(said))
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
function many(thing: string, identity: Part | null, rest: Rest): string {
  const { random } = rest;
  const owned = possessed(talk, plural(thing), rest);
  const shown = owned ?? `${adjectives(rest)}${plural(thing)}`;
  if (identity === null) return shown;
  return identity.isPronoun
    ? `${shown} of ${String(identity.said)}`
    : `${shown} ${mention(identity.parameter, identity.said, random)}`;
}

/** "a table", "two tickets", "an appointment called Team lunch". */
function aNew(thing: string, identity: Part | null, rest: Rest): string {
  const { random } = rest;
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
  return random.pick([
    said,
    `${article(thing)} ${said}`,
    `${article(thing)} called ${said}`,
    `${thing} ${said}`,
    `${article(thing)} for ${said}`,
    `the ${thing} ${said}`,
  ]);
}

/** "order status" of an order: what the thing is a part of. */
const isWhole = (talk: ToolTalk, { noun }: ParameterTalk): boolean =>
  noun !== '' && talk.nouns[0]!.split(' ').slice(0, -1).includes(noun.split(' ').at(-1)!);

/**
 * What belongs to somebody or is a part of something: "Jonas Weber's plans", "the status of O-17"; takes the whole out
 * of the rest.
 */
function possessed(talk: ToolTalk, things: string, rest: Rest): string | null {
  const whole = rest.parts.findIndex(({ parameter, said }) => typeof said === 'string' && isWhole(talk, parameter));
  if (rest.random.next() > (whole < 0 ? 0.4 : 0.9)) return null;
  const person = rest.parts.findIndex(
    ({ parameter, said, isPronoun }) =>
      typeof said === 'string' && !isPronoun && (parameter.role === 'person' || isPerson(parameter.noun)),
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
  ]);
}

/** Qualities, choices and flags in front of the thing: "overdue loans", "best Thai restaurant". */
function adjectives(rest: Rest): string {
  const out: string[] = [];
  for (const part of [...rest.parts]) {
    const { parameter, said } = part;
    const isQuality = parameter.role === 'quality' && typeof said === 'string';
    const isOther =
      (parameter.role === 'choice' && typeof said === 'string') || (parameter.role === 'flag' && said === true);
    if (out.length === 2 || !(isQuality || isOther) || rest.random.next() > (isQuality ? 0.8 : 0.45)) continue;
    rest.parts.splice(rest.parts.indexOf(part), 1);
    out.push(typeof said === 'string' ? said : parameter.words.replace(/ only$/, ''));
  }
  return out.map((text) => `${text} `).join('');
}

/** What is left to say, in the order of the schema or in another; what goes from one to another is said together. */
function tail(parts: readonly Part[], random: Random): string[] {
  const from = parts.find(
    ({ parameter, said }) =>
      /^(from|start|source|origin|since|first|left|begin)/.test(parameter.words) && typeof said === 'string',
  );
  const to = parts.find(
    ({ parameter, said }) =>
      /^(to|end|target|destination|until|second|right|last)\b/.test(parameter.words) && typeof said === 'string',
  );
  const joined =
    from && to && random.next() < 0.75
      ? random
          .pick(PAIRS)
          .replace('{a}', () => String(from.said))
          .replace('{b}', () => String(to.said))
      : null;
  const left = joined === null ? parts : parts.filter((part) => part !== from && part !== to);
  const said = random.next() < 0.6 ? [...left] : random.shuffle([...left]);
  const near = left.find(({ parameter }) => parameter.role === 'relation');
  const place = near && left.find(({ parameter }) => parameter.role === 'place');
  // of two numbers each is named: "with 3 doses", not "3"
  const numbers = left.filter((part) => isNumber(part));
  const texts = said
    .filter((part) => !place || part !== near)
    .map((part) => (place && part === place ? `${String(near!.said)} ${String(part.said)}` : mentionOf(part, random)));
  if (joined !== null) texts.splice(random.int(texts.length + 1), 0, joined);
  if (texts.length > 1 && random.next() < 0.25) return [texts.map((text) => text.replace(/^: /, '')).join(', ')];
  if (texts.length > 1 && random.next() < 0.3) texts[texts.length - 1] = `and ${texts.at(-1)!.replace(/^: /, '')}`;
  return texts;
}

const PAIRS = [
  'from {a} to {b}',
  'from {a} to {b}',
  'from {a} until {b}',
  'between {a} and {b}',
  '{a} to {b}',
  '{a} - {b}',
  'starting at {a} and ending at {b}',
  '{a} into {b}',
  'out of {a} to {b}',
];

const isNumber = ({ parameter: { role } }: Part): boolean =>
  role === 'other' || role === 'count' || role === 'quantity';

function mentionOf({ parameter, said, isPronoun, isName }: Part, random: Random, isNamed = false): string {
  if (isPronoun) return random.pick([`for ${String(said)}`, `with ${String(said)}`, `of ${String(said)}`]);
  if (!isName) return mention(parameter, said, random, { isNamed });
  const role = isPerson(parameter.noun) ? 'person' : 'name';
  return mention({ ...parameter, role, words: parameter.noun || parameter.words }, said, random);
}

/** The description as a request, each value in the place where it speaks of the thing: "put Ann on the team of Bo". */
function described(kind: CoreKind, talk: ToolTalk, parts: Parts, random: Random): string {
  const words = { request: talk.request, thing: null, nameWords: '', nouns: [...talk.nouns] };
  const isNamed = random.next() < 0.12;
  let request = isNamed ? nameWords(talk.tool.name) : talk.request;
  if (parts.all.some(({ said }) => typeof said === 'string'))
    request = request.replace(/ by (?:its |their |the |an? )?\w+(?: or \w+)*$/, '');
  const left: Part[] = [];
  for (const part of parts.all) {
    const said = String(part.said);
    const place =
      typeof part.said === 'string' && !isNamed ? nounPhraseFor(request, words, part.parameter.words) : null;
    if (!place) {
      left.push(part);
      continue;
    }
    const isBare = part.isPronoun || part.isName || part.parameter.role === 'person' || random.next() < 0.6;
    const inner = isBare ? said : random.pick([`${place.noun} ${said}`, `the ${place.noun} ${said}`]);
    request = request.slice(0, place.start) + inner + request.slice(place.end);
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

const STATED_QUESTION = ["I'd like to know", 'I want to know', 'I need to know', "I'm wondering"];
const ASKED_FOR = ['what {is} {t}', 'can I see {t}', 'can you tell me {t}', 'what about {t}', 'can I have {t}'];
const STATED = ["I'd like to know {t}", 'I need {t}', 'I want to see {t}', "I'm asking for {t}"];
const ORDERED = ['get {t}', 'show me {t}', 'tell me {t}', 'give me {t}', 'list {t}', 'look up {t}', 'read me {t}'];

const nameWords = (name: string): string =>
  name
    .replace(/_/g, ' ')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase();

/** No sentence at all: "loans Jonas Weber", "O-17 refund 9.50". */
function ellipsis(talk: ToolTalk, parts: Parts, random: Random): string {
  const act = pickAct(talk.acts, random);
  const verb = random.pick(act.verbs.slice(0, 3));
  const noun = random.pick(talk.nouns.slice(0, 3));
  const things = talk.isPlural ? plural(noun) : noun;
  const head = random.pick([things, `${verb} ${things}`, `${things} ${verb}`, nameWords(talk.tool.name), verb]);
  const values = (random.next() < 0.6 ? parts.all : random.shuffle([...parts.all])).map((part) =>
    typeof part.said === 'string' && random.next() < 0.55 ? part.said : mentionOf(part, random).replace(/^: /, ''),
  );
  const isBehind = values.length > 0 && random.next() < 0.25;
  return (isBehind ? [values[0]!, head, ...values.slice(1)] : [head, ...values]).join(
    random.next() < 0.15 ? ', ' : ' ',
  );
}

export const plural = (noun: string): string => {
  const last = noun.split(' ').at(-1) ?? noun;
  if (singular(last) !== last || /(people|staff|stuff|money|information|news|data|s)$/.test(last)) return noun;
  if (/(x|ch|sh)$/.test(noun)) return `${noun}es`;
  return /[^aeiou]y$/.test(noun) ? `${noun.slice(0, -1)}ies` : `${noun}s`;
};
const article = (thing: string): string => `${/^[aeiou]/i.test(thing) ? 'an' : 'a'} ${thing}`;

/** One blank between words, none before a colon or a comma, each sentence with a capital where it had one. */
export const tidy = (text: string): string =>
  text
    .replace(/\s+/g, ' ')
    .replace(/ ([,.?!:;])(?=\s|$)/g, '$1')
    .replace(/: -/g, ' -')
    .replace(/\?\.$/, '?')
    .trim();

const uncapital = (text: string, values: readonly string[]): string =>
  values.some((value) => text.startsWith(value)) || /^(I\b|\p{Lu}\p{Lu})/u.test(text)
    ? text
    : text.charAt(0).toLowerCase() + text.slice(1);
