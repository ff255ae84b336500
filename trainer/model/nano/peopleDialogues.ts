import type { Random } from '../../base/random';
import type { GoldCall } from '../../protocol/task';
import { callMessage, SMALLTALK, toolMessage, type Dialogue } from './dialogue';
import { isWhole, type Intent, type Line, type People } from './intents';
import { capital, pseudoWord, VALUES, word, type Lexicon } from './words';

/**
 * Dialogues from what people wrote: each of a set of tools is an intent under a name of its own, and requests are
 * people's lines. Names, order, styles
 * and parameters change from set to set, so that a tool is known by what is said of it and not by a name that was seen
 * before (AdaReasoner's trainer renames tools and arguments for each sample, too).
 */
interface PersonTool {
  intent: Intent;
  shown: Dialogue['tools'][0];
  params: Map<string, Declared>;
}
interface Declared {
  name: string;
  required: boolean;
  type: 'string' | 'number';
}

/** What a developer may call a value of the key. */
const PARAMETERS: Record<string, string[]> = {
  text: ['text', 'phrase', 'message', 'content', 'words'],
  language: ['language', 'lang', 'target', 'to', 'targetLanguage'],
  word: ['word', 'term', 'text', 'entry'],
  topic: ['topic', 'about', 'subject', 'theme'],
  amount: ['amount', 'value', 'sum', 'limit'],
  accountFrom: ['fromAccount', 'from', 'source', 'debit'],
  accountTo: ['toAccount', 'to', 'target', 'credit'],
  account: ['account', 'accountName', 'from', 'accountType'],
  country: ['country', 'destination', 'place', 'to', 'region'],
  place: ['place', 'city', 'location', 'where', 'town'],
  place_name: ['place', 'city', 'location', 'where', 'town', 'in'],
  from: ['from', 'origin', 'start'],
  to: ['to', 'destination', 'end'],
  name: ['name', 'newName', 'title', 'nickname'],
  bill: ['bill', 'billName', 'which', 'kind', 'type'],
  category: ['category', 'on', 'kind', 'what'],
  period: ['period', 'span', 'over', 'when'],
  food: ['food', 'dish', 'item', 'meal'],
  food_type: ['food', 'dish', 'item', 'meal'],
  dish: ['dish', 'meal', 'recipe', 'query'],
  expression: ['expression', 'expr', 'formula', 'sum'],
  airline: ['airline', 'carrier', 'company'],
  sides: ['sides', 'faces', 'n', 'count'],
  substitute: ['substitute', 'replacement', 'instead', 'alternative'],
  ingredient: ['ingredient', 'original', 'replaces', 'forIngredient'],
  person: ['person', 'contact', 'who', 'recipient', 'name'],
  accent: ['accent', 'voice', 'style', 'kind'],
  bank: ['bank', 'bankName', 'institution'],
  currencyFrom: ['from', 'base', 'currency', 'fromCurrency'],
  currencyTo: ['to', 'quoted', 'target', 'toCurrency'],
  card: ['card', 'cardName', 'which', 'issuer'],
  unitFrom: ['fromUnit', 'from', 'unit'],
  unitTo: ['toUnit', 'to', 'target'],
  number: ['value', 'amount', 'quantity', 'n'],
  time: ['time', 'hour', 'at'],
  time_zone: ['zone', 'timeZone', 'tz'],
  date: ['date', 'day', 'when', 'on'],
  joke_type: ['kind', 'style', 'type', 'mood'],
  news_topic: ['topic', 'about', 'subject', 'query'],
  media_type: ['source', 'medium', 'site', 'network', 'platform'],
  definition_word: ['word', 'term', 'query', 'phrase'],
  business_name: ['company', 'business', 'name', 'brand'],
  event_name: ['event', 'kind', 'what'],
  timeofday: ['time', 'partOfDay', 'when'],
  business_type: ['kind', 'type', 'category', 'business'],
};
const NUMBERS = new Set(['amount', 'number', 'sides']);
const PROPER = new Set([
  'place',
  'place_name',
  'country',
  'person',
  'name',
  'language',
  'airline',
  'business_name',
  'bank',
]);
/** Parameters that no request speaks of. */
const UNUSED: [string, Record<string, unknown>][] = [
  ['verbose', { type: 'boolean' }],
  ['format', { type: 'string', enum: ['short', 'long'] }],
  ['format', { type: 'string', enum: ['json', 'text'] }],
  ['dryRun', { type: 'boolean' }],
  ['locale', { type: 'string' }],
  ['priority', { type: 'string', enum: ['low', 'high'] }],
  ['sessionId', { type: 'string' }],
  ['deviceId', { type: 'string' }],
  ['options', { type: 'object' }],
  ['userId', { type: 'string' }],
  ['retries', { type: 'integer' }],
  ['timeoutMs', { type: 'integer' }],
  ['offset', { type: 'integer' }],
  ['pageSize', { type: 'integer' }],
  ['urgent', { type: 'boolean' }],
  ['notifyUser', { type: 'boolean' }],
  ['note', { type: 'string' }],
  ['source', { type: 'string', enum: ['app', 'web', 'phone'] }],
];
const GET = ['get', 'fetch', 'show', 'read', 'retrieve', 'lookup', 'query', 'check', 'view'];
const VERBS: string[][] = [
  GET,
  ['find', 'search', 'lookup', 'locate', 'discover'],
  ['create', 'make', 'add', 'new'],
  ['change', 'set', 'update', 'edit', 'modify'],
  ['report', 'flag', 'submit', 'notify'],
  ['explain', 'describe', 'why'],
  ['book', 'reserve', 'arrange'],
  ['order', 'request', 'get'],
  ['list', 'show', 'get'],
  ['calculate', 'compute', 'evaluate'],
];

const wordsOf = (name: string): string[] => name.split(/(?<=[a-z0-9])(?=[A-Z])|_/).map((w) => w.toLowerCase());
const STYLES: ((words: string[]) => string)[] = [
  (w) => w.map((x, i) => (i ? capital(x) : x)).join(''),
  (w) => w.map((x, i) => (i ? capital(x) : x)).join(''),
  (w) => w.join('_'),
];

function rename(r: Random, name: string): string {
  let words = wordsOf(name);
  const verbs = VERBS.find((v) => v.includes(words[0]!));
  if (verbs && r.next() < 0.35) words = [r.pick(verbs), ...words.slice(1)];
  else if (!verbs && r.next() < 0.15) words = [r.pick(GET), ...words];
  if (r.next() < 0.06) words = [...words.slice(1), words[0]!];
  return r.pick(STYLES)(words);
}

/** A tool for an intent. @param plain its first name and description, without surprises: for measuring */
function makeTool(r: Random, l: Lexicon, intent: Intent, plain: boolean): PersonTool {
  const isNonsense = !plain && r.next() < 0.1;
  const name = plain
    ? intent.names[0]!
    : isNonsense
      ? r.pick([
          pseudoWord(r),
          `fn${capital(pseudoWord(r))}`,
          `tool_${1 + r.int(99)}`,
          `${word(r, l)}${capital(word(r, l))}`,
          `action${1 + r.int(40)}`,
        ])
      : rename(r, r.pick(intent.names));
  const roll = r.next();
  const said = intent.lines[r.int(intent.lines.length)]!.text;
  const description =
    plain || roll < 0.76
      ? r.pick(plain ? intent.descriptions.slice(0, 1) : intent.descriptions)
      : !isNonsense && roll < 0.88
        ? ''
        : r.pick([`For requests like: ${said}`, `Call it when the user says ${said}`, `Answers ${said}`]);
  const params = new Map<string, Declared>();
  const keys = intent.keys.filter((key) => plain || r.next() < (key === intent.keys[0] ? 0.85 : 0.6));
  for (const key of keys) {
    const names = PARAMETERS[key] ?? [key];
    const free = (plain ? names : r.shuffle(names.slice())).find(
      (n) => ![...params.values()].some((p) => p.name === n),
    );
    if (!free) continue;
    const isOften = intent.lines.filter((line) => key in line.values).length >= 0.25 * intent.lines.length;
    params.set(key, {
      name: plain ? free : r.pick(STYLES)(wordsOf(free)),
      required: isOften && !plain && params.size < 2 && r.next() < 0.5,
      type: NUMBERS.has(key) ? 'number' : 'string',
    });
  }
  const declared: [string, Record<string, unknown>, boolean][] = [...params.values()].map((p) => [
    p.name,
    { type: p.type },
    p.required,
  ]);
  if (!plain)
    for (let n = r.next() < 0.3 ? 1 + r.int(2) : 0; n > 0; n--) {
      const [unused, schema] = r.pick(UNUSED);
      if (!declared.some(([known]) => known === unused)) declared.push([unused, schema, false]);
    }
  const ordered = declared.sort((a, b) => Number(b[2]) - Number(a[2]));
  const required = ordered.filter(([, , isRequired]) => isRequired).map(([known]) => known);
  return {
    intent,
    params,
    shown: {
      name,
      description,
      parameters: {
        type: 'object',
        properties: Object.fromEntries(ordered.map(([known, schema]) => [known, schema])),
        ...(required.length ? { required } : {}),
      },
    },
  };
}

/**
 * Lines whose call on the tool is sure: what is required is said, and nothing is left unsaid that a pattern may have
 * missed.
 */
const sureLines = (t: PersonTool): Line[] =>
  t.intent.lines.filter(({ values }) =>
    [...t.params].every(
      ([key, p]) =>
        key in values || (!p.required && (t.intent.isAnnotated || Object.keys(values).some((k) => t.params.has(k)))),
    ),
  );

/** Another value in a value's place: one that other people gave, or words that nobody gave. */
function swapValues(r: Random, l: Lexicon, t: PersonTool, line: Line): Line {
  let { text } = line;
  const values: Record<string, string> = {};
  for (const [key, old] of Object.entries(line.values)) {
    const others = t.intent.lines.map((x) => x.values[key]).filter((v): v is string => v !== undefined);
    const fresh = NUMBERS.has(key)
      ? VALUES.number(r)
      : r.next() < 0.5
        ? r.pick(others)
        : PROPER.has(key)
          ? VALUES.name(r, l)
          : VALUES.words(r, l);
    const next = text.replace(old, () => fresh);
    const isClear = isWhole(text, old) && isWhole(next, fresh) && Object.values(values).every((v) => isWhole(next, v));
    if (isClear) text = next;
    values[key] = isClear ? fresh : old;
  }
  return Object.values(values).every((v) => isWhole(text, v)) ? { text, values } : line;
}

/** As typed: capitals, an end mark, a slip. Values change along with the text. */
function typed(r: Random, line: Line): Line {
  let { text } = line;
  const values = { ...line.values };
  if (r.next() < 0.4)
    for (const [key, value] of Object.entries(values)) {
      if (!PROPER.has(key)) continue;
      values[key] = value.replace(/\b[a-z]/g, (c) => c.toUpperCase());
      text = text.replace(value, () => values[key]!);
    }
  const held = (at: number, n: number): boolean =>
    Object.values(values).some((v) => text.indexOf(v) < at + n && at < text.indexOf(v) + v.length);
  if (r.next() < 0.35 && !held(0, 1)) text = capital(text);
  if (r.next() < 0.25 && /[\p{L}\p{N}]$/u.test(text)) text += r.pick(['?', '.', '!', ', please', ' please', '?']);
  if (r.next() < 0.06) {
    const at = 1 + r.int(Math.max(1, text.length - 2));
    if (!held(at - 1, 4) && /^[a-z]{2}$/.test(text.slice(at, at + 2)))
      text =
        text.slice(0, at) +
        r.pick([text[at + 1]! + text[at]!, text[at + 1]!, text[at]! + text[at]! + text[at + 1]!]) +
        text.slice(at + 2);
  }
  return Object.values(values).every((v) => isWhole(text, v)) ? { text, values } : line;
}

/** What a function that nobody knows gives, and the reply that tells it. */
function outcome(r: Random, l: Lexicon): { json: unknown; reply: string } {
  switch (r.int(6)) {
    case 0:
      return { json: r.pick<unknown>([{ ok: true }, 'done', true, { status: 'ok' }]), reply: 'Done.' };
    case 1: {
      const v = Number(VALUES.number(r));
      return {
        json: r.next() < 0.5 ? v : { [r.pick(['value', 'result', 'total', 'amount'])]: v },
        reply: `It is ${v}.`,
      };
    }
    case 2: {
      const v = VALUES.words(r, l);
      return { json: r.next() < 0.5 ? v : { [r.pick(['text', 'name', 'answer', 'title'])]: v }, reply: `It is ${v}.` };
    }
    case 3: {
      const id = VALUES.id(r, l);
      return { json: r.pick<unknown>([{ id }, { ok: true, id }]), reply: `Done: ${id}.` };
    }
    case 4: {
      const v = VALUES.date(r);
      return { json: r.next() < 0.5 ? v : { [r.pick(['date', 'when', 'due'])]: v }, reply: `It is ${v}.` };
    }
    default: {
      const error = r.pick(['not found', 'not allowed', 'try later', 'out of range']);
      return { json: { error }, reply: `That did not work: ${error}.` };
    }
  }
}

function asked(r: Random, l: Lexicon, tools: PersonTool[], t: PersonTool, plain: boolean): Dialogue | null {
  const lines = sureLines(t);
  if (lines.length === 0) return null;
  const full = lines.filter(({ values }) => Object.keys(values).length > 0);
  const picked = r.pick(full.length > 0 && r.next() < 0.6 ? full : lines);
  const line = plain ? picked : typed(r, r.next() < 0.5 ? swapValues(r, l, t, picked) : picked);
  const args: Record<string, unknown> = {};
  for (const name of Object.keys(t.shown.parameters.properties as object)) {
    const found = [...t.params].find(([, p]) => p.name === name);
    if (!found || !(found[0] in line.values)) continue;
    const value = line.values[found[0]]!;
    args[name] = found[1].type === 'number' ? Number(value) : value;
  }
  const call: GoldCall = { name: t.shown.name, arguments: args };
  const { json, reply } = outcome(r, l);
  const rest =
    plain || r.next() < 0.8 ? [] : [toolMessage(call.name, json), { role: 'assistant' as const, content: reply }];
  return {
    kind: 'person',
    tools: shownOf(tools),
    gold: [call],
    messages: [{ role: 'user', content: line.text }, callMessage(call), ...rest],
  };
}

const shownTools = new WeakMap<PersonTool[], Dialogue['tools']>();
/** Made once for each set. */
function shownOf(tools: PersonTool[]): Dialogue['tools'] {
  let made = shownTools.get(tools);
  if (!made) shownTools.set(tools, (made = tools.map((t) => t.shown)));
  return made;
}

/** A required value that the request leaves out: it is asked for. */
function missing(r: Random, tools: PersonTool[]): Dialogue | null {
  const found = r.shuffle(
    tools.filter((t) => t.intent.isAnnotated && [...t.params.values()].some((p) => p.required)),
  )[0];
  if (!found) return null;
  const lines = found.intent.lines.filter(({ values }) =>
    [...found.params].some(([key, p]) => p.required && !(key in values)),
  );
  if (lines.length === 0) return null;
  const line = r.pick(lines);
  const [, param] = [...found.params].find(([key, p]) => p.required && !(key in line.values))!;
  return {
    kind: 'personAsk',
    tools: shownOf(tools),
    gold: [],
    messages: [
      { role: 'user', content: typed(r, { ...line, values: {} }).text },
      { role: 'assistant', content: `Which ${wordsOf(param.name).join(' ')}?` },
    ],
  };
}

const NAMES = 'I am a small helper that calls tools.';
/** By intent: how the model replies to what wants no tool. */
const REPLIES: Record<string, string> = {
  greeting: 'Hello! What can I do?',
  goodbye: 'Goodbye.',
  thank_you: 'You are welcome.',
  general_praise: 'You are welcome.',
  are_you_a_bot: NAMES,
  what_is_your_name: NAMES,
  who_made_you: NAMES,
  where_are_you_from: NAMES,
  who_do_you_work_for: NAMES,
  how_old_are_you: NAMES,
  do_you_have_pets: NAMES,
  what_are_your_hobbies: NAMES,
  yes: 'All right.',
  no: 'All right.',
  maybe: 'All right.',
  cancel: 'All right.',
  general_affirm: 'All right.',
  general_commandstop: 'All right.',
  general_confirm: 'All right.',
  general_dontcare: 'All right.',
  general_negate: 'All right.',
};

/** A request that no tool of the set can do, or that wants none. */
function refused(r: Random, people: People, tools: PersonTool[], plain: boolean): Dialogue | null {
  const said = (text: string, reply: string): Dialogue => ({
    kind: 'personNone',
    tools: shownOf(tools),
    gold: [],
    messages: [
      { role: 'user', content: plain ? text : typed(r, { text, values: {} }).text },
      { role: 'assistant', content: reply },
    ],
  });
  const roll = r.next();
  if (roll < 0.25 && !plain) {
    const [intent, lines] = r.pick([...people.talk].filter(([, found]) => found.length > 0));
    return said(
      r.pick(lines),
      intent === 'what_can_i_ask_you'
        ? `I can use ${tools.map((t) => t.shown.name).join(', ')}.`
        : (REPLIES[intent] ?? 'No tool can do that.'),
    );
  }
  if (roll < 0.28 && !plain) return said(...r.pick(SMALLTALK));
  const used = new Set(tools.flatMap((t) => contentWords(t.intent)));
  const others = people.intents.filter((i) => !contentWords(i).some((w) => used.has(w)));
  return others.length === 0 ? null : said(r.pick(r.pick(others).lines).text, 'No tool can do that.');
}

const content = new WeakMap<Intent, string[]>();
function contentWords(intent: Intent): string[] {
  let words = content.get(intent);
  if (!words)
    content.set(
      intent,
      (words = [
        ...new Set(
          `${intent.names.map((n) => wordsOf(n).join(' ')).join(' ')} ${intent.descriptions.join(' ')}`
            .toLowerCase()
            .match(/[a-z]{4,}/g) ?? [],
        ),
      ].filter((w) => !STOP.has(w))),
    );
  return words;
}
const STOP = new Set(
  (
    'what when where which that this with from have has does into them they there their more ' +
    "much many gives give tells tell shows show get gets make makes take takes user user's assistant another here"
  ).split(' '),
);

/**
 * Several requests on one set of tools. @param size of the set; @param plain for measuring: tools by their first
 * names, lines as they were written
 */
export function peopleDialogues(r: Random, l: Lexicon, people: People, size = setSize(r), plain = false): Dialogue[] {
  const tools: PersonTool[] = [];
  const source = r.next() < 0.35 ? r.pick(people.intents).source : null; // tools of one trade, or of many
  const pool = r.shuffle(people.intents.filter((i) => source === null || plain || i.source === source));
  for (const intent of pool) {
    if (tools.length === size) break;
    if (tools.some((t) => t.intent.group === intent.group)) continue;
    const tool = makeTool(r, l, intent, plain);
    if (!tools.some((t) => t.shown.name === tool.shown.name)) tools.push(tool);
  }
  return Array.from({ length: 6 + r.int(7) }, () => {
    const roll = r.next();
    if (roll < 0.2) return refused(r, people, tools, plain);
    return (roll < 0.25 && !plain ? missing(r, tools) : null) ?? asked(r, l, tools, r.pick(tools), plain);
  }).filter((d) => d !== null);
}

/** Mostly as few as a file has, now and then up to a dozen. */
const setSize = (r: Random): number => (r.next() < 0.75 ? 2 + r.int(7) : 8 + r.int(5));
