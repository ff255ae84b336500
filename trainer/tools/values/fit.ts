/**
 * How well a value seen under some name fits a parameter: by name, by what it belongs to, by pattern and by what its
 * text looks like.
 */
import type { Fact } from './facts';
import { wordsOf } from './facts';
import { isTellingPattern, typesOf, type ParameterPlace } from './places';

/** Members that stand for the thing itself; the first group points to it, the second is what people call it. */
const POINTERS = new Set([
  'id',
  'number',
  'no',
  'nr',
  'code',
  'key',
  'ref',
  'reference',
  'sku',
  'slug',
  'uid',
  'uuid',
  'hash',
  'handle',
  'iata',
  'isbn',
  'path',
]);
const NAMES = new Set(['name', 'title', 'label']);
/** Of these only one kind of thing has any. */
const TELLING = new Set(['sku', 'isbn', 'iata', 'slug']);
const GENERIC = new Set([
  ...[...POINTERS].filter((word) => !TELLING.has(word)),
  ...NAMES,
  'from',
  'to',
  'value',
  'type',
  'result',
  'text',
  'date',
  'day',
  'time',
  'status',
  'state',
  'kind',
]);

export const isPointer = (key: string): boolean => POINTERS.has(wordsOf(key).at(-1) ?? '');
export const isNameKey = (key: string): boolean => NAMES.has(wordsOf(key).at(-1) ?? '');

/** From here on a value is a likely one; below it is only tried. */
export const LIKELY = 0.45;

/**
 * 0 to 1. 1: the same telling name; about 0.9: `orderId` and the id of an order; about 0.6: what the description speaks
 * of, or a text that looks
 * like a date where a date is wanted; 0.05: nothing speaks for it but its type.
 */
export function fitOf(fact: Fact, place: ParameterPlace): number {
  if (fact.from === 'result' && INPUT.test(place.words.join(' ')) && !isTellingPattern(place.schema)) return 0.05;
  const byName = nameFit(wordsOf(fact.key), fact.nouns, place);
  const byPattern = isTellingPattern(place.schema) ? 0.8 : 0;
  return Math.max(byName, byPattern, looksFit(fact, place));
}

/** What is worked on is whatever one has, and nothing that a tool gave: no hash is hashed. */
const INPUT = /^(text|input|string|str|sentence|phrase|paragraph)$/;

/** "invalid path or inaccessible" is what is said of one */
export const isNoPath = (value: unknown, place: ParameterPlace): boolean =>
  isPath(place) && typeof value === 'string' && /\s/.test(value) && !/[/\\.]/.test(value);
const PATHS = /^(path|filepath|file|filename|folder|directory|dir)$/;

const FOLDERS = /^(folder|directory|dir|repo|repository|project|root|workspace|base|cwd)$/;

/** What takes a folder can open the one that the tools run in. */
export const takesFolder = (place: ParameterPlace): boolean =>
  isPath(place) &&
  place.schema.pattern === undefined &&
  [...place.words, ...place.context, ...place.described].some((word) => /^(folder|directory|dir)$/.test(word));

export const isPath = ({ words }: Pick<ParameterPlace, 'words'>): boolean => PATHS.test(words.at(-1) ?? '');

function nameFit(whole: readonly string[], nouns: readonly string[], place: ParameterPlace): number {
  const { context, described, about } = place;
  const words = ownWords(place);
  // "price per hour" is a price
  const per = words.includes('per') ? -1 : whole.indexOf('per');
  const key = per > 0 ? whole.slice(0, per) : whole;
  const [last, keyLast] = [words.at(-1) ?? '', key.at(-1) ?? ''];
  const shares = (list: readonly string[]): boolean => nouns.some((noun) => list.includes(noun));
  const same = words.join(' ') === key.join(' ');
  // a "comment for the manager" is none
  if (!same && FREE_TEXT.has(last)) return 0.05;
  if (same && !(words.length === 1 && GENERIC.has(last))) return 1;
  if (same && POINTERS.has(last) && !shares(context) && !shares(described) && shares(about)) return 0.75;
  if (same) return shares(context) ? 0.95 : shares(described) ? 0.9 : nouns.length === 0 ? 0.5 : 0.3;
  // origin (of a tool about flights) <- from of a flight
  const isSameEnd = ENDS.some((end) => end.has(last) && end.has(keyLast));
  if (isSameEnd && words.length === 1 && key.length === 1 && (shares(context) || shares(about))) return 0.8;
  // source (of a tool that moves files) <- path of a file
  const isPathOf =
    keyLast === 'path' && key.slice(0, -1).some((word) => context.includes(word) || about.includes(word));
  if (isPathOf && words.length === 1 && ENDS.some((end) => end.has(last))) return 0.6;
  const rest = words.slice(0, -1);
  // customerId <- id of a customer, trackId <- number of a track
  if (
    rest.length > 0 &&
    isHandleWord(last) &&
    key.length === 1 &&
    isHandleWord(keyLast) &&
    rest.some((word) => nouns.includes(word))
  )
    return last === keyLast ? 0.95 : POINTERS.has(last) && POINTERS.has(keyLast) ? 0.85 : asksForId(place) ? 0.3 : 0.45;
  // from_key (of a tool about issues) <- key of an issue, and no title or label of one
  if (rest.length > 0 && rest.every((word) => WHICH_ONE.test(word)) && POINTERS.has(last) && key.length === 1) {
    const isOfThing = isHandleWord(keyLast) && (shares(context) || shares(described));
    if (isOfThing) return last === keyLast ? 0.9 : POINTERS.has(keyLast) ? 0.7 : 0.2;
  }
  // id (of a tool about orders) <- orderId
  if (words.length === 1 && isHandleWord(last) && key.length > 1 && isHandleWord(keyLast)) {
    const isOurs = key.slice(0, -1).some((word) => context.includes(word) || described.includes(word));
    if (isOurs) return last === keyLast ? 0.9 : POINTERS.has(last) && POINTERS.has(keyLast) ? 0.8 : 0.4;
  }
  // repo_path <- path of a folder
  if (
    keyLast === 'path' &&
    last === 'path' &&
    rest.length > 0 &&
    key.length > 1 &&
    rest.join() !== key.slice(0, -1).join()
  )
    return FOLDERS.test(rest.at(-1)!) === FOLDERS.test(key.at(-2)!) ? 0.8 : 0.1;
  // roomNo <- roomId; deviceId <- device
  if (rest.length > 0 && rest.join(' ') === key.slice(0, -1).join(' ') && POINTERS.has(last) && POINTERS.has(keyLast))
    return 0.85;
  // order <- orderId, but no address's state <- state_key
  if (
    isHandleWord(keyLast) &&
    words.join(' ') === key.slice(0, -1).join(' ') &&
    !(words.length === 1 && GENERIC.has(last))
  )
    return POINTERS.has(keyLast) ? 0.88 : asksForId(place) ? 0.3 : 0.7;
  if (isHandleWord(last) && rest.join(' ') === key.join(' ') && key.length > 0) return 0.7;
  // room <- number of a room, author <- name of an author; what is called a room comes first
  if (key.length === 1 && isHandleWord(keyLast) && words.every((word) => nouns.includes(word)))
    return POINTERS.has(keyLast) || !asksForId(place) ? 0.84 : 0.3;
  // id (of a tool about tracks) <- number of a track
  if (words.length === 1 && POINTERS.has(last) && key.length === 1 && POINTERS.has(keyLast) && shares(context))
    return 0.7;
  // "hash of a commit", "IATA code of the airport"; "what kind of music" is not what an entry calls `what`
  const isTelling = !GENERIC.has(keyLast) && !QUESTIONS.has(keyLast);
  const isSpokenOf = key.length > 0 && key.every((word) => described.includes(word)) && !isOfSomebody(place);
  // "a name, a part of it, or a class", of a tool that finds pupils
  if (isSpokenOf && (shares(described) || isTelling || shares(context))) return 0.6;
  if (key.length === 1 && isHandleWord(keyLast) && shares(described) && !isOfSomebody(place)) return 0.55;
  // newRoom <- room, fromAirport <- airport
  if (
    key.length > 0 &&
    words.length > key.length &&
    words.slice(-key.length).join(' ') === key.join(' ') &&
    !(key.length === 1 && GENERIC.has(last))
  )
    return 0.6;
  // minValue (of a tool about deals) <- value of a deal
  if (rest.length > 0 && BOUND.test(words[0]!) && words.slice(1).join(' ') === key.join(' ') && shares(context))
    return 0.6;
  if (key.length > words.length && key.slice(-words.length).join(' ') === words.join(' '))
    return words.some((word) => !GENERIC.has(word)) || shares(context) ? 0.5 : 0.2;
  if (words.some((word) => !GENERIC.has(word) && (key.includes(word) || nouns.includes(word)))) return 0.3;
  return shares(context) ? 0.15 : 0.05;
}

/** "course: id of the course" takes no title of one. */
const asksForId = ({ described }: ParameterPlace): boolean =>
  described.some((word) => /^(id|identifier|code|sku|uuid|slug|isbn)$/.test(word)) &&
  !described.some((word) => NAMES.has(word));

/** What it is, without which of several it is: productA is a product, "first: code of the one" a code. */
function ownWords({ words, described }: ParameterPlace): readonly string[] {
  const own = words.filter((word) => !WHICH.test(word));
  if (own.length > 0) return own.join(' ') === 'name' ? words : own;
  const handle = described.find(isHandleWord);
  return handle === undefined ? words : [handle];
}
const WHICH = /^(first|second|third|one|other|another|left|right|[abc]|[123])$/;

/** "whose playlist it is" asks for somebody, and for no playlist. */
const isOfSomebody = ({ schema }: ParameterPlace): boolean => /^\s*(whose|who)\b/i.test(String(schema.description));

const QUESTIONS = new Set(['what', 'when', 'where', 'who', 'which', 'how']);
/** What is written anew each time. */
const FREE_TEXT = new Set(['body', 'message', 'note', 'comment', 'content', 'reason', 'remark', 'feedback']);
/** Where something begins, and where it ends. */
const ENDS = [
  new Set(['from', 'origin', 'source', 'departure']),
  new Set(['to', 'destination', 'target', 'arrival']),
] as const;
const BOUND = /^(min|minimum|max|maximum|least|most|from|to|above|below|over|under)$/;

/** Which of two or more things of one kind, beside what is no word of the place's own (WHICH). */
const WHICH_ONE =
  /^(from|to|source|target|parent|child|old|new|related|linked|original|duplicate|blocked|start|end|previous|next)$/;

/** An id, a code, or what people call a thing. */
export const isHandleWord = (word: string): boolean => POINTERS.has(word) || NAMES.has(word);

const DAY = /^\d{4}-\d{2}-\d{2}/;
const DATE_WORDS = new Set([
  'date',
  'day',
  'night',
  'since',
  'until',
  'deadline',
  'arrival',
  'departure',
  'birthday',
  'checkin',
  'checkout',
]);

/** The day on which somebody was born is no other day. */
const isOfBirth = (words: readonly string[]): boolean =>
  words.some((word) => /^(birth|birthday|birthdate|born|dob)$/.test(word));

/** Is a day as YYYY-MM-DD wanted? By format, pattern, name or description. */
function wantsDay({ schema, words, described }: ParameterPlace): boolean {
  if (schema.format !== undefined) return schema.format === 'date';
  if (typeof schema.pattern === 'string') return /\\d\{4\}-|\[0-9\]\{4\}-/.test(schema.pattern);
  return (
    schema.type === 'string' &&
    !described.includes('time') &&
    !described.includes('weekday') &&
    (words.some((word) => DATE_WORDS.has(word)) ||
      described.some((word) => word === 'yyyy' || word === 'day' || word === 'date'))
  );
}

function looksFit({ value, key }: Fact, place: ParameterPlace): number {
  const { schema, words } = place;
  if (typeof value !== 'string') return 0;
  if (DAY.test(value) && (wantsDay(place) || schema.format === 'date-time'))
    return isOfBirth(wordsOf(key)) === isOfBirth([...words, ...place.described]) ? 0.6 : 0;
  if (
    /^[^\s@]+@[^\s@]+\.\w+$/.test(value) &&
    (schema.format === 'email' || words.some((word) => /^e?mail$/.test(word)))
  )
    return 0.7;
  if (/^\d\d:\d\d(:\d\d)?$/.test(value) && (schema.format === 'time' || words.at(-1) === 'time')) return 0.6;
  if (/^https?:\/\//.test(value) && (schema.format === 'uri' || words.some((word) => /^(url|uri|link)$/.test(word))))
    return 0.7;
  return 0;
}

const isNumber = ({ schema }: ParameterPlace): boolean => {
  const types = typesOf(schema);
  return !types.includes('string') && types.some((type) => type === 'integer' || type === 'number');
};

const isText = ({ schema }: ParameterPlace): boolean => typesOf(schema).every((type) => type === 'string');

/** The fact's value in the form that the parameter takes: the day of a point in time, the number in an index's key. */
export function inForm(fact: Fact, place: ParameterPlace): Fact['value'] {
  if (typeof fact.value === 'string' && isNumber(place) && /^\d{1,15}$/.test(fact.value)) return Number(fact.value);
  // an id that one tool gives as a number and another takes as a text
  if (typeof fact.value === 'number' && isText(place) && isPointer(fact.key) && POINTERS.has(place.words.at(-1) ?? ''))
    return String(fact.value);
  return typeof fact.value === 'string' && DAY.test(fact.value) && fact.value.length > 10 && wantsDay(place)
    ? fact.value.slice(0, 10)
    : fact.value;
}
