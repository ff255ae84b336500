import { isRecord, type Arguments } from '../../protocol/arguments';
import { splitWords } from '../../base/words';
import { wantedBy } from './grammar/flags';
import { stateOf } from './grammar/states';
import { plural } from './grammar/thing';
import { joinAnd, singular, type ToolWords } from '../../tools/schema/words';

/** One argument as it may be spoken of. */
export interface Spoken {
  /** "order id"; for a member of an object "address city" */
  words: string;
  /** the value, verbatim; null for a boolean, which is told by words alone */
  text: string | null;
  isTrue: boolean;
  /** "from", "to", …, where the parameter's name is one, so that "from Otto" says it all */
  preposition: string | null;
  /** a number that caps how many: "at most 3" */
  isCap: boolean;
  /** several values, joined */
  isList: boolean;
}

/** How arguments are put into words; the styles that a family of phrasings may choose from. */
export type ClauseStyle = 'with' | 'is' | 'colon' | 'equals' | 'as' | 'bare';

/** The arguments in the order of the parameters; objects flattened, arrays joined. null where one can't be said. */
export function spokenArguments(args: Arguments, prefix = ''): Spoken[] | null {
  const out: Spoken[] = [];
  for (const [name, value] of Object.entries(args)) {
    if (isRecord(value)) {
      const inner = spokenArguments(value, prefix);
      if (!inner) return null;
      out.push(...inner);
      continue;
    }
    const text = textOf(value);
    if (text === null && typeof value !== 'boolean') return null;
    const own = splitWords(name);
    const words =
      (prefix
        ? [prefix, ...own]
        : typeof value === 'boolean'
          ? own.filter((word, i) => i > 0 || !/^(is|has|should|include|with|use|do)$/.test(word))
          : own
      ).join(' ') || name;
    out.push({
      words,
      text,
      isTrue: value === true,
      preposition: own.length <= 2 ? prepositionOf(own, args) : null,
      isCap: typeof value === 'number' && /^(limit|max|max results|top)$/.test(own.join(' ')),
      isList: Array.isArray(value),
    });
  }
  return out;
}

/**
 * "with query rent, from Otto and at most 3" in one of the styles; '' for no arguments. `quote`: texts of several
 * words stand in quotes.
 */
export function clauses(spoken: readonly Spoken[], style: ClauseStyle, quote: boolean): string {
  if (style === 'with') return withClauses(spoken, quote);
  return style === 'bare'
    ? spoken.map((one) => say(one, 'bare', quote)).join(' ')
    : joinFor(style)(spoken.map((one) => say(one, style, quote)));
}

/** "by the order id A-17" and the like as a request reads best: prepositions first said alone, then "with …". */
function withClauses(spoken: readonly Spoken[], quote: boolean): string {
  const alone: string[] = [];
  const named: string[] = [];
  for (const one of spoken) {
    const value = quoted(one, quote);
    const state = value === null ? stateOf(one.words, one.isTrue) : null;
    const wanted = value === null ? wantedBy(one.words, false) : null;
    if (state !== null) alone.push(state);
    else if (wanted !== null) alone.push(one.isTrue ? `only ${wanted}` : `${wanted} or not`);
    else if (one.preposition && value !== null) alone.push(`${one.preposition} ${value}`);
    else if (one.isCap) named.push(`at most ${value}`);
    else if (value === null && !one.isTrue) alone.push(`without ${one.words}`);
    else named.push(value === null ? one.words : `${one.words} ${value}`);
  }
  return [
    ...alone,
    ...(named.length
      ? [`${named.length === 1 && named[0]?.startsWith('at most') ? '' : 'with '}${joinAnd(named)}`]
      : []),
  ].join(' ');
}

function say(one: Spoken, style: ClauseStyle, quote: boolean): string {
  const value = quoted(one, quote);
  if (value === null)
    return style === 'equals'
      ? `${one.words}=${one.isTrue}`
      : style === 'is'
        ? `${one.words} is ${one.isTrue ? 'on' : 'off'}`
        : `${one.words} ${one.isTrue ? 'on' : 'off'}`;
  switch (style) {
    case 'is':
      return `${one.words} is ${value}`;
    case 'colon':
      return `${one.words}: ${value}`;
    case 'equals':
      return `${one.words}=${value}`;
    case 'as':
      return `${value} as the ${one.words}`;
    default:
      return value;
  }
}

const joinFor = (style: ClauseStyle): ((parts: string[]) => string) =>
  style === 'equals' ? (parts) => parts.join(' ') : style === 'colon' ? (parts) => parts.join('; ') : joinAnd;
/** In quotes where asked for, and always where the value's own signs would run into the sentence ("."). */
function quoted({ text, isList }: Spoken, quote: boolean): string | null {
  if (text === null || isList) return text;
  return /^\W+$/.test(text) || (/\s/.test(text) && (quote || /[.,;:!?]/.test(text))) ? `"${text}"` : text;
}

function textOf(value: unknown): string | null {
  if (typeof value === 'string') return value === '' ? null : value;
  if (typeof value === 'number') return String(value);
  if (!Array.isArray(value) || value.length === 0) return null;
  const items = value.map((item) => (Array.isArray(item) ? null : isRecord(item) ? recordText(item) : textOf(item)));
  return items.every((item) => item !== null) ? joinAnd(items as string[]) : null;
}

/** An object in a list: "sku BX10-204 quantity 3". null where a member can't be said so. */
function recordText(record: Arguments): string | null {
  const parts = Object.entries(record).map(([name, value]) => {
    const text = isRecord(value) ? recordText(value) : textOf(value);
    return text === null ? null : `${parameterWords(name)} ${text}`;
  });
  return parts.length > 0 && parts.every((part) => part !== null) ? parts.join(' ') : null;
}

const PREPOSITIONS = new Set([
  'from',
  'to',
  'by',
  'at',
  'in',
  'on',
  'for',
  'via',
  'until',
  'since',
  'before',
  'after',
  'near',
  'between',
  'into',
  'over',
  'under',
]);
const PAIRS: readonly (readonly [RegExp, RegExp])[] = [[/^(start|begin|first)$/, /^(end|finish|last)$/]];

/** "from", "fromUnit" -> from; "start" beside "end" -> from and to. */
function prepositionOf(own: string[], args: Arguments): string | null {
  const [first = ''] = own;
  if (PREPOSITIONS.has(first)) return first;
  const heads = Object.keys(args).map((name) => splitWords(name)[0] ?? '');
  for (const [start, end] of PAIRS) {
    if (start.test(first) && heads.some((head) => end.test(head))) return 'from';
    if (end.test(first) && heads.some((head) => start.test(head))) return 'to';
  }
  return null;
}

/**
 * Puts one argument into the request itself: "get the status of an order" with order 1042 -> "get the status of order
 * 1042", and each further one that the request calls a given one: "free times on a given date" -> "on 2027-02-10".
 * Where none fits, the request stays as it is and all are left to be said by clauses.
 */
export function inline(
  request: string,
  words: ToolWords,
  spoken: readonly Spoken[],
  form: 'value' | 'named',
): { request: string; rest: Spoken[] } {
  const rest: Spoken[] = [];
  let said = request;
  for (const one of spoken) {
    const hit = one.text === null || /\s\S+\s\S+\s/.test(one.text) ? null : nounPhraseFor(said, words, one.words);
    const isPut = hit !== null && (said === request || GIVEN.test(said.slice(hit.start, hit.end)));
    if (!isPut) {
      rest.push(one);
      continue;
    }
    const put = form === 'value' ? one.text : `${hit.noun} ${one.text}`;
    said = said.slice(0, hit.start) + put + withoutHandle(said.slice(hit.end), one.words);
  }
  return { request: said, rest };
}

const GIVEN = /^an? (?:given|specific|specified|particular|certain|single) /i;

/** "retrieve A-17 by its ID": the id says that itself */
const withoutHandle = (text: string, parameterWords: string): string =>
  HANDLE.test(parameterWords) ? text.replace(BY_HANDLE, '') : text;
const BY_HANDLE = new RegExp(
  '^ (?:by|using|with|given|from) (?:(?:its|their|the|an?) )?(?:unique )?(?:\\w+ )?' +
    '(?:id|identifier|name|number|code)\\b',
  'i',
);
const HANDLE = /\b(?:id|name|number|no|code|key|ref|reference|sku|slug)$/;

/**
 * Where a request speaks of the thing that a parameter names: "an order" for `order`, `orderId` and, in a tool about
 * orders, `id`.
 */
export function nounPhraseFor(
  request: string,
  words: ToolWords,
  parameterWords: string,
): { start: number; end: number; noun: string } | null {
  const own = parameterWords.split(' ');
  const last = singular(own.at(-1) ?? '');
  const isHandle = HANDLE.test(last);
  const isMany = isHandle && last !== own.at(-1); // "pupil ids"
  if (isHandle && own.length === 1 && MAKES.test(request)) return holderIn(request);
  const things = own.length > 1 ? [own.slice(0, -1).join(' ')] : words.nouns;
  const nouns = [parameterWords, ...(isHandle ? (isMany ? things.map(plural) : things) : [])];
  for (const noun of nouns) {
    const match = new RegExp(
      `\\b(?:${isMany ? SEVERAL : ''}an?|the|one|any|some|this|that|each|your)\\s+(?:${MODIFIER}\\s+)?` +
        `(${escape(singular(noun))}|${escape(noun)})\\b`,
      'i',
    ).exec(request);
    if (match) return { start: match.index, end: match.index + match[0].length, noun: match[1]! };
  }
  return null;
}

/** "Mark one or several pupils absent" */
const SEVERAL = 'one or (?:more|several)|several|multiple|a (?:list|set|number) of|all the|';

const MAKES = /^(add|attach|append|post|write|leave|record|log|create|make) (an?|one|some) /;

/** "add a comment to an issue": an id there is the issue's, and not of the comment that is made. */
function holderIn(request: string): { start: number; end: number; noun: string } | null {
  const match =
    /^\w+ (?:an?|one|some) .*?\b(?:to|on|for|from|in|under) ((?:an?|the|one|any) (?:\w+ )?([a-z]+))\b/i.exec(request);
  if (!match) return null;
  const start = match.index + match[0].length - match[1]!.length;
  return { start, end: match.index + match[0].length, noun: match[2]! };
}

/** "an exercise plan", "a given order": one word, and none that joins two things ("a list of orders") */
const MODIFIER = '(?!(?:of|in|on|at|by|for|with|to|from|and|or|that|which|who|is|are|as)\\b)[a-z-]+';

const escape = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** A parameter's name in words: "order id". */
export const parameterWords = (parameter: string): string => splitWords(parameter).join(' ') || parameter;
