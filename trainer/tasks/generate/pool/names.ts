/**
 * What people know a thing by: for an id the name, title or e-mail of the same record; and the look-ups that lead from
 * that to the id.
 */
import type { ToolSchema } from '../../../protocol/task';
import type { Harvest } from '../harvest';
import { isRecord, propertiesOf, requiredOf, type Arguments } from '../../../protocol/arguments';
import { isScalar, wordsOf, type Fact, type Scalar, type SeenRecord } from '../../../tools/values/facts';
import { isNameKey, isPointer } from '../../../tools/values/fit';

export interface KnownAs {
  text: string;
  /** member that holds it; 'name' for a first and a last name together */
  key: string;
  record: Record<string, unknown>;
  from: 'result' | 'literal';
}

/** A read-only call that was really run with a name, and gave the value that the name stands for. */
export interface LookUp {
  call: { name: string; arguments: Record<string, unknown> };
  /** the name as it was given: whole, a part of it, or in lower case */
  said: string;
  key: string;
}

/** Names of things of a kind: of a 'table' what `list_tables` gives, or a member table_name. */
export function namesOf(noun: string, facts: readonly Fact[]): string[] {
  const names = facts.flatMap(({ value, key, nouns }) => {
    const words = wordsOf(key);
    const isOne = words[0] === noun ? words.length === 1 || isNameKey(key) : nouns.includes(noun) && isNameKey(key);
    return isOne && words.length <= 2 && typeof value === 'string' ? [value] : [];
  });
  return [...new Set(names)];
}

/** Of the records that have texts or numbers under all of these names: these members, each once. */
export function membersOf(records: readonly SeenRecord[], names: readonly string[]): Arguments[] {
  const seen = new Map<string, Arguments>();
  for (const { members } of records) {
    if (!names.every((name) => isScalar(members[name]))) continue;
    const these = Object.fromEntries(names.map((name) => [name, members[name]]));
    seen.set(JSON.stringify(these), these);
  }
  return [...seen.values()];
}

/**
 * Names of a thing in the records that it was seen in, best first: what is called a name, then e-mail addresses, then
 * other texts that no other thing has.
 */
export function knownAs(records: readonly SeenRecord[], value: Scalar): KnownAs[] {
  const out: (KnownAs & { rank: number })[] = [];
  for (const record of records) {
    const key =
      Object.keys(record.members).find((name) => record.members[name] === value && isPointer(name)) ??
      Object.keys(record.members).find((name) => record.members[name] === value);
    if (key === undefined) continue;
    for (const [name, text] of namesIn(record, key)) {
      if (
        text === String(value) ||
        out.some((one) => one.text === text) ||
        isShared(records, record, key, [name, text])
      )
        continue;
      out.push({ text, key: name, record: record.members, from: record.from, rank: rankOf(name, text) });
    }
  }
  return out.sort((a, b) => a.rank - b.rank).map(({ rank: _rank, ...one }) => one);
}

/**
 * Texts of a record that name what `key` points to: all of its own record, else those that begin like the key
 * (memberId: memberName).
 */
function namesIn({ members, nouns }: SeenRecord, key: string): [string, string][] {
  const head = wordsOf(key).slice(0, -1);
  const pointers = Object.keys(members).filter(isPointer);
  const isOwn =
    isPointer(key) && (head.length === 0 || head.some((word) => nouns.includes(word)) || pointers[0] === key);
  const texts = Object.entries(members).filter(
    (entry): entry is [string, string] =>
      typeof entry[1] === 'string' && entry[0] !== key && isName(entry[1]) && !isPointer(entry[0]),
  );
  const own = isOwn ? texts : texts.filter(([name]) => head.length > 0 && wordsOf(name)[0] === head[0]);
  const [first, last] = [members.firstName ?? members.first, members.lastName ?? members.surname ?? members.last];
  return isOwn && typeof first === 'string' && typeof last === 'string' ? [['name', `${first} ${last}`], ...own] : own;
}

const isName = (text: string): boolean =>
  text.length > 1 && text.length <= 60 && /\p{L}/u.test(text) && !/^\d{4}-\d\d|^https?:|^\d/.test(text);

function rankOf(key: string, text: string): number {
  if (isNameKey(key)) return wordsOf(key).length === 1 ? 0 : 1;
  return /@/.test(text) ? 2 : 3;
}

/**
 * Does another thing of the same kind go by that text, too? Then it names neither. A booking that has an id of its own
 * and its class's title is another kind.
 */
function isShared(
  records: readonly SeenRecord[],
  { nouns, members }: SeenRecord,
  key: string,
  [name, text]: readonly [name: string, text: string],
): boolean {
  const isOfKind = (other: SeenRecord): boolean =>
    nouns.length === 0 || other.nouns.length === 0 || other.nouns.some((noun) => nouns.includes(noun));
  const isOther = (other: unknown): boolean => other !== undefined && other !== members[key];
  return records.some((one) => one.members[name] === text && isOther(one.members[key]) && isOfKind(one));
}

const MOST_CALLS = 60;
const FIRST_TRIES = 8;

/** Ways to say a name short. */
const SHORTER: readonly ((text: string) => string)[] = [
  (text) => text.toLowerCase(),
  (text) => text.split(' ').at(-1)!,
  (text) => text.split(' ')[0]!,
  (text) => text.split(' ').at(-1)!.toLowerCase(),
];

/**
 * Runs the read-only tools that take one text with names of things that other tools take: at most MOST_CALLS a tool,
 * given up where the first
 * names lead nowhere. Parts of a name and lower case count where the tool really takes them.
 */
export async function findLookUps(
  tools: readonly ToolSchema[],
  harvest: Harvest,
): Promise<(LookUp & { values: Scalar[] })[]> {
  const out: (LookUp & { values: Scalar[] })[] = [];
  const named = namedValues(tools, harvest);
  for (const tool of tools) {
    const parameter = onlyText(tool);
    if (tool.changesWorld || parameter === null) continue;
    let calls = 0;
    const found: typeof named = [];
    const ask = async (said: string, { value, key }: (typeof named)[number]): Promise<boolean> => {
      if (calls >= MOST_CALLS || harvest.isSpent(tool)) return false;
      calls++;
      const seen = await harvest.run(tool, { [parameter]: said });
      if (!seen?.isReal || !isOnly(seen.value, value)) return false;
      if (!out.some((one) => one.call.name === tool.name && one.said === said && one.values.includes(value)))
        out.push({ call: { name: tool.name, arguments: { [parameter]: said } }, said, key, values: [value] });
      return true;
    };
    for (const [i, one] of spread(named).entries()) {
      if (i >= FIRST_TRIES * 2 && found.length === 0) break;
      if (await ask(one.text, one)) found.push(one);
    }
    for (const shorter of SHORTER) {
      let hits = 0;
      for (const [i, one] of found.entries()) {
        const said = shorter(one.text);
        if (i >= 3 && hits === 0) break;
        if (said.length > 2 && said !== one.text && (await ask(said, one))) hits++;
      }
    }
  }
  return out;
}

/** Values that tools take, each with what it is known by (its four best names). */
function namedValues(
  tools: readonly ToolSchema[],
  harvest: Harvest,
): { value: Scalar; text: string; key: string; kind: string }[] {
  const out = new Map<string, { value: Scalar; text: string; key: string; kind: string }>();
  for (const tool of tools) {
    for (const place of harvest.pool.placesOf(tool)) {
      if (!place.isRequired || 'enum' in place.schema) continue;
      for (const value of harvest.pool.valuesAt(tool, place.path).slice(0, 40)) {
        for (const { text, key } of harvest.pool.knownAs(value).slice(0, 4))
          if (!out.has(`${value} ${text}`))
            out.set(`${value} ${text}`, { value, text, key, kind: `${place.words.join(' ')} ${key}` });
      }
    }
  }
  return [...out.values()];
}

/** One of each kind in turn, so that the first tries see all kinds of names. */
function spread<T extends { kind: string }>(items: readonly T[]): T[] {
  const kinds = new Map<string, T[]>();
  for (const item of items) kinds.set(item.kind, [...(kinds.get(item.kind) ?? []), item]);
  const lists = [...kinds.values()];
  return Array.from({ length: Math.max(0, ...lists.map(({ length }) => length)) }, (_, i) =>
    lists.flatMap((list) => list.slice(i, i + 1)),
  ).flat();
}

/** The name of the only required parameter, where it is a free text. */
function onlyText({ parameters }: ToolSchema): string | null {
  const required = requiredOf(parameters);
  const node = propertiesOf(parameters)[String(required[0])];
  return required.length === 1 &&
    isRecord(node) &&
    (node.type === 'string' || node.$ref !== undefined) &&
    !('enum' in node) &&
    !('const' in node)
    ? String(required[0])
    : null;
}

/** Does the result hold the value, and of that kind no other? */
function isOnly(result: unknown, value: Scalar): boolean {
  if (Array.isArray(result)) return result.length > 0 && result.every((item) => isOnly(item, value));
  if (!isRecord(result)) return result === value;
  return Object.values(result).some(
    (member) => member === value || (typeof member === 'object' && member !== null && isOnly(member, value)),
  );
}
