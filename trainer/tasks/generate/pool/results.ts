/** What a result says: facts under the names of its members, and the call's own arguments beside them. */
import type { ToolSchema } from '../../../protocol/task';
import { nameWordsOf, singular } from '../../../tools/schema/words';
import { isRecord, type Arguments } from '../../../protocol/arguments';
import { factsOf, isHolder, isScalar, wordsOf, type Fact, type Scalar } from '../../../tools/values/facts';
import { isHandleWord, isNameKey, isPointer } from '../../../tools/values/fit';

/** Is there something in a result: not null, '', [], {}, nor an object of only such, nor a list's empty envelope? */
export function isTelling(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  if (isRecord(value)) {
    const members = Object.entries(value);
    const hasList = members.some(([, member]) => Array.isArray(member));
    return members.some(([key, member]) => isTelling(member) && !(hasList && isOfCall(key, member)));
  }
  return value !== null && value !== undefined && value !== '';
}

/** `{ success: true, results: [], total: 0, message: "No orders found" }`: how the call went, and nothing of a thing. */
const isOfCall = (key: string, member: unknown): boolean =>
  (typeof member !== 'object' || member === null) && OF_CALL.has(key.toLowerCase());
const OF_CALL = new Set(
  (
    'success ok status message msg note info hint total count length size totalcount total_count found query q page ' +
    'limit offset'
  ).split(' '),
);

/**
 * A tool that says in its result that it failed, and does not throw: `{ error: "not found" }`, `{ success: false }`,
 * "Error: no such order".
 */
export function saysFailed(value: unknown): boolean {
  if (typeof value === 'string') return FAILED.test(value) || (value.length < 160 && NOT_THERE.test(value));
  if (!isRecord(value)) return false;
  const [only, ...more] = Object.values(value);
  if (typeof only === 'string' && more.length === 0 && saysFailed(only)) return true;
  const { error, success, ok, status } = value;
  if (success === false || ok === false || value['isError'] === true) return true;
  if (status === 'error' || status === 'failed') return true;
  return typeof error === 'string' ? error.trim() !== '' : Boolean(error);
}
/** "notes/a.md: Error - …" too, but no title */
const FAILED =
  /^(?:\S{0,90}[/.~]\S{0,30}: )?\W*(error|failed|failure|invalid|unable to|could not|couldn.t|cannot|can.t)\b/i;
const NOT_THERE =
  /^\W*no (\w+ ){1,4}(was |were |is |are )?(found|available|matche[sd]|match)\b|\b(not found|does(n.t| not) exist|no such)\b/i;

/** The same of a result as the policy reads it. */
export function saysFailedText(content: string): boolean {
  try {
    return saysFailed(JSON.parse(content));
  } catch {
    return false;
  }
}

/** The same of a result as the policy reads it; a text that is no JSON tells something unless it is blank. */
export function isTellingText(content: string): boolean {
  try {
    return isTelling(JSON.parse(content));
  } catch {
    return !/^\s*(?:undefined\s*)?$/.test(content);
  }
}

/**
 * Facts of one call's result. Arguments of a call that gives one object stand in its record, too: findMember("Jonas
 * Weber") that gives { id } has
 * seen the name and the id together. What a call was given and sends back is no fact.
 * @param of by what a list was asked for: of a table's columns none is a table
 */
export function resultFacts(
  tool: ToolSchema,
  args: Arguments,
  value: unknown,
  of: Arguments = Array.isArray(value) ? args : {},
): Fact[] {
  const facts: Fact[] = [];
  const asked = Object.keys(of)
    .map(wordsOf)
    .filter((words) => isHandleWord(words.at(-1) ?? ''))
    .flat();
  const nouns = nounsOf(tool).filter((noun) => !asked.includes(noun));
  const given = Object.entries(args).filter(([, argument]) => isScalar(argument));
  const whole = isRecord(value)
    ? { ...Object.fromEntries(given.filter(([name]) => !(name in value))), ...value }
    : value;
  factsOf(whole, { key: Array.isArray(value) ? listKey(tool) : '', nouns, from: 'result', where: tool.name }, (fact) =>
    facts.push(fact),
  );
  if (isScalar(value) && given.length === 1)
    facts[0] = {
      ...facts[0]!,
      record: { members: { [given[0]![0]]: given[0]![1], [listKey(tool)]: value }, nouns, from: 'result' },
    };
  const handle = handleOf(tool);
  const held = isScalar(value) ? [value] : heldIn(value);
  if (handle !== '')
    for (const one of held) facts.push({ value: one, key: handle, nouns, from: 'result', where: tool.name });
  // What was only given is no news: it would make a made-up value look like one that a tool returned.
  const news = new Set(leaves(value));
  return facts.filter((fact) => news.has(fact.value) && !isEcho(fact, args));
}

/**
 * `weather("Oslo")` that gives `{ place: "Oslo", … }`, `flights({ destination })` that gives `{ to: destination }`. An
 * id or a name that was found by it is none.
 */
function isEcho({ key, value }: Fact, args: Arguments): boolean {
  if (key in args && args[key] === value) return true;
  return typeof value === 'string' && !isPointer(key) && !isNameKey(key) && Object.values(args).includes(value);
}

function leaves(value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return [value];
  return [...(Array.isArray(value) ? [] : Object.keys(value)), ...Object.values(value).flatMap(leaves)];
}

const SMALL = new Set(
  (
    'by of in for from at with on to the a an all is are do does get list find search show read ' +
    'fetch look lookup up count describe load query check give return'
  ).split(' '),
);
const PREPOSITIONS = new Set('by of in for from at with on to'.split(' '));

/** Words of a tool's name that may be things, in the singular. */
export const nounsOf = (tool: ToolSchema): string[] =>
  nameWordsOf(tool)
    .map(singular)
    .filter((word) => !SMALL.has(word));

/** What the items of a tool's list are: `branches`, `doctorsIn` -> branch, doctor. */
const listKey = (tool: ToolSchema): string => givenBy(tool).at(-1) ?? '';

/** `find_user_id_by_email` gives a "user id"; '' where the name tells of no id, code or name. */
export function handleOf(tool: ToolSchema): string {
  const words = givenBy(tool);
  return words.length > 1 && isHandleWord(words.at(-1)!) ? words.join(' ') : '';
}

function givenBy(tool: ToolSchema): string[] {
  const words = nameWordsOf(tool).map(singular);
  const end = words.findIndex((word, i) => i > 0 && PREPOSITIONS.has(word));
  return (end < 0 ? words : words.slice(0, end)).filter((word) => !SMALL.has(word));
}

/** `{ ok: true, result: "U-17" }`: the one text or number that it holds. */
function heldIn(value: unknown): Scalar[] {
  if (!isRecord(value)) return [];
  const held = Object.entries(value).filter(([key, member]) => isHolder(wordsOf(key)) && isScalar(member));
  return held.length === 1 ? [held[0]![1] as Scalar] : [];
}
