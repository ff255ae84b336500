/**
 * Values seen somewhere, under a name, with the record that they stood in. What the pool, literals and results have in
 * common.
 */
import { isRecord } from '../../protocol/arguments';
import { splitWords } from '../../base/words';
import { singular } from '../schema/words';
import { namedIds } from './namedIds';

export type Scalar = string | number;

/** Scalar members of one object, seen together: a name and its id. */
export interface SeenRecord {
  members: Record<string, unknown>;
  /** words for what it is, in the singular */
  nouns: readonly string[];
  from: 'result' | 'literal';
}

/** One value, where it was seen. */
export interface Fact {
  value: Scalar;
  /** name of the member, constant or parameter that held it; '' where it had none */
  key: string;
  /** words for the thing that it belongs to, in the singular: of the constant, its type, the tool's name */
  nouns: readonly string[];
  from: 'result' | 'literal' | 'description' | 'example';
  /** for people: "the results of listMembers", "literals of tools.ts:14" */
  where: string;
  record?: SeenRecord;
}

/** Where a value stands while a tree of values is walked. */
export interface Place {
  key: string;
  nouns: readonly string[];
  from: Fact['from'];
  where: string;
  /** names of the columns, where the value is a list of rows */
  columns?: readonly string[];
  /** what the keys of an object are called, where it is an index ('sku' for Record<Sku, …>) */
  indexKey?: string;
  /** the object is a row of a table: its keys are names of columns, and no data */
  isRow?: boolean;
  record?: SeenRecord;
}

const MAX_DEPTH = 6;
const MAX_ITEMS = 400;
export const MAX_TEXT = 80;

/** Words of a name in the singular. */
export const wordsOf = (name: string): string[] => splitWords(name).map(singular);

/** All scalars of a value as facts; objects become records, lists of rows too, keys of an index are values as well. */
export function factsOf(value: unknown, place: Place, add: (fact: Fact) => void, depth = 0): void {
  if (depth > MAX_DEPTH) return;
  if (Array.isArray(value)) return listFacts(value, place, add, depth);
  if (isRecord(value)) return objectFacts(value, place, add, depth);
  if (isScalar(value))
    add({
      value,
      key: place.key,
      nouns: place.nouns,
      from: place.from,
      where: place.where,
      ...(place.record && { record: place.record }),
    });
}

export const isScalar = (value: unknown): value is Scalar =>
  (typeof value === 'string' && value !== '' && value.length <= MAX_TEXT && !value.includes('\n')) ||
  typeof value === 'number';

function listFacts(list: unknown[], place: Place, add: (fact: Fact) => void, depth: number): void {
  const items = list.slice(0, MAX_ITEMS);
  const isTable =
    items.length > 1 &&
    items.every((row) => Array.isArray(row) && row.length > 1 && row.length === (items[0] as unknown[]).length);
  if (!isTable) for (const item of items) factsOf(item, place, add, depth + 1);
  else for (const row of items as unknown[][]) rowFacts(row, place, add, depth);
}

/** A row of a table: its columns by name, or an entry of a map: a key, and what belongs to it. */
function rowFacts(row: unknown[], place: Place, add: (fact: Fact) => void, depth: number): void {
  const { columns, indexKey, ...rest } = place;
  const [key, member] = row;
  const isEntry = columns === undefined && row.length === 2 && isScalar(key);
  if (isEntry && isRecord(member))
    return factsOf(
      { ...(indexKey && indexKey in member ? {} : { [indexKey ?? 'id']: key }), ...member },
      rest,
      add,
      depth + 1,
    );
  const names = columns ?? (isEntry ? entryNames(place, member) : []);
  const cells = row.map((cell, i) => [names[i] ?? `column${i}`, cell] as const);
  factsOf(Object.fromEntries(cells), { ...rest, isRow: true }, add, depth + 1);
}

/**
 * `playlists = new Map([['chill vibes', [...]]])`: the first of the two is a playlist; `prices = new Map([['latte',
 * 3.5]])`: the second is a price, as in an index.
 */
function entryNames({ key, indexKey }: Place, member: unknown): (string | undefined)[] {
  const one = indexKey ?? singular(key);
  return [one === key ? undefined : one, indexKey !== undefined && isScalar(member) ? key : undefined];
}

function objectFacts(object: Record<string, unknown>, place: Place, add: (fact: Fact) => void, depth: number): void {
  const entries = Object.entries(object).slice(0, MAX_ITEMS);
  const things = place.isRow || place.indexKey !== undefined ? null : namedIds(object);
  if (things) return listFacts(things.slice(0, MAX_ITEMS), { ...place, key: '' }, add, depth);
  if (!place.isRow && isIndex(entries, place)) return indexFacts(entries, place, add, depth);
  const scalars = entries.filter(([, member]) => isScalar(member) || typeof member === 'boolean');
  const from = place.from === 'result' ? 'result' : 'literal';
  const record: SeenRecord = { members: { ...Object.fromEntries(scalars) }, nouns: place.nouns, from };
  // `ingredients: { flour: '250 g', butter: '100 g' }`
  const one = singular(place.key);
  if (!place.isRow && depth > 1 && one !== place.key && scalars.length === entries.length)
    for (const [key] of entries) add({ ...bare(place), value: key, key: one });
  for (const [key, member] of entries) {
    const isNested = typeof member === 'object' && member !== null;
    const items = isNested && Array.isArray(member) && !member.some((item) => typeof item === 'object');
    const isOther = Array.isArray(member) || isThing(key, member);
    const nouns = isNested && !items ? [...wordsOf(key), ...(isOther ? [] : place.nouns)] : place.nouns;
    factsOf(
      member,
      { from: place.from, where: place.where, key, nouns, ...(scalars.length > 1 && { record }) },
      add,
      depth + 1,
    );
  }
}

/** `getOrder` gives `{ customer: { id } }`: the id is the customer's, and of no order. `{ data: { id } }` holds the order. */
const isThing = (key: string, member: unknown): boolean =>
  isRecord(member) && ('id' in member || hasSpaces(Object.keys(member))) && !isHolder(wordsOf(key));

/** { "switch type": "linear" }: such a key is no id */
const hasSpaces = (keys: readonly string[]): boolean => keys.some((key) => /\s/.test(key));

/** `data`, `result`, `parsed_content`: where a tool puts what it has to say. */
export const isHolder = (words: readonly string[]): boolean => words.some((word) => HOLDS.test(word));
const HOLDS =
  /^(data|result|item|record|entry|content|payload|body|response|detail|info|value|output|object|node|answer)$/;

/**
 * An object whose keys are data: all its members are objects or lists, or it was declared as an index, or its keys are
 * no names that one would give to members.
 */
function isIndex(entries: [string, unknown][], place: Place): boolean {
  if (entries.length === 0) return false;
  if (place.indexKey !== undefined) return true;
  const lists = entries.map(([, member]) => member).filter(Array.isArray);
  // { entities: [], relations: [] } lists nothing
  const areLists = lists.length === entries.length && lists.some((list) => list.length > 0);
  const alike = entries.every(([, member]) => isRecord(member)) || areLists;
  if (alike && (entries.length > 1 || !/^[a-z]\w*$/i.test(entries[0]![0]))) return !sharesNoKey(entries);
  return (
    entries.length > 1 &&
    entries.some(([key]) => !/^[A-Za-z_$][\w$]*$/.test(key)) &&
    entries.every(([, member]) => isScalar(member))
  );
}

/** `{ users: {…}, rooms: {…} }` is no index: its members have nothing in common. Lists can't be told apart by that. */
function sharesNoKey(entries: [string, unknown][]): boolean {
  const objects = entries.map(([, member]) => member).filter(isRecord);
  if (objects.length < 2)
    return objects.length === 0 && entries.some(([, member]) => Array.isArray(member) && member.some(isRecord));
  const [first, second] = objects as [Record<string, unknown>, Record<string, unknown>];
  const keys = Object.keys(first);
  return keys.length > 0 && !keys.some((key) => key in second) && keys.every((key) => isRecord(first[key]));
}

function indexFacts(entries: [string, unknown][], place: Place, add: (fact: Fact) => void, depth: number): void {
  const keyName = place.indexKey ?? (hasSpaces(entries.map(([key]) => key)) ? 'name' : 'id');
  for (const entry of entries) entryFacts(entry, keyName, place, add, depth);
}

function entryFacts(
  [key, member]: [string, unknown],
  keyName: string,
  place: Place,
  add: (fact: Fact) => void,
  depth: number,
): void {
  const inner = { ...place, indexKey: undefined };
  if (isRecord(member) && Object.values(member).some((one) => typeof one !== 'number')) {
    factsOf(keyName in member ? member : { [keyName]: key, ...member }, inner, add, depth + 1);
    if (!(keyName in member && member[keyName] === key) && keyName in member)
      add({ ...bare(place), value: key, key: keyName });
    return;
  }
  const record: SeenRecord = {
    members: { [keyName]: key, ...(isScalar(member) && { [place.key || 'value']: member }) },
    nouns: place.nouns,
    from: place.from === 'result' ? 'result' : 'literal',
  };
  add({ ...bare(place), value: key, key: keyName, record });
  if (isRecord(member))
    for (const name of Object.keys(member)) add({ ...bare(place), value: name, key: 'id', nouns: [] });
  else factsOf(member, { ...inner, record }, add, depth + 1);
}

const bare = (place: Place): Omit<Fact, 'value' | 'key'> => ({
  nouns: place.nouns,
  from: place.from,
  where: place.where,
});

/** `candidateName = 'Candidate'`: what is written where there is none, and no value. `{ open: 'open' }` is one. */
export function isItsName(key: string, value: unknown): boolean {
  if (typeof value !== 'string') return false;
  const words = splitWords(key);
  const [last = '', ...before] = [...words].reverse();
  const isOfThing = before.length > 0 ? /^(name|title|label|id)$/.test(last) : HAS_NAME.test(last);
  return isOfThing && words.includes(value.toLowerCase());
}
const HAS_NAME =
  /^(name|title|candidate|customer|user|client|guest|patient|member|employee|student|owner|author|product|item|project|company)$/;
