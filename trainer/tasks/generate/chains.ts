import type { JsonSchema, ToolSchema } from '../../protocol/task';
import type { Random } from '../../base/random';
import { deref, isRecord, propertiesOf, requiredOf, type Arguments } from '../../protocol/arguments';
import { nounPhraseFor, parameterWords } from './clauses';
import { isNumberOf } from './drawNumber';
import { feeds, idPrefix, isHandle, isOwnId, kindOfIds } from './feeds';
import { partOf, type Found } from './found';
import type { Harvest, Seen } from './harvest';
import type { KnownAs } from './pool/names';
import { isNameKey, isPointer } from '../../tools/values/fit';
import { isNewHandle } from './newHandles';
import { drawArguments } from './values';
import { splitWords } from '../../base/words';
import { singular, toolWords, type ToolWords, nameWordsOf } from '../../tools/schema/words';

/** One tool's result feeds a parameter of another. */
export interface Link {
  from: ToolSchema;
  /** member of the result that holds the value; '' where the result is the value */
  property: string;
  /** what of a thing holds the value: 'sets' of `{ id, name, sets: [{ id }] }` */
  part?: string;
  to: ToolSchema;
  parameter: string;
  /** the parameter takes several such values: "pupilIds" */
  isMany?: boolean;
}

/**
 * The links between the tools, found by name and type among the values that were really returned; where the second tool
 * is read-only, the
 * link was tried and gave something.
 */
export async function findLinks(
  tools: readonly ToolSchema[],
  harvest: Harvest,
  random: Random,
  fits: (tool: ToolSchema, args: Arguments) => boolean,
): Promise<Link[]> {
  const links: Link[] = [];
  for (const to of tools) {
    const properties = propertiesOf(to.parameters);
    const words = toolWords(to);
    for (const [parameter, node] of Object.entries(properties)) {
      if (!isAsked(to, parameter)) continue;
      const { schema, isMany } = takenBy(node, to);
      if ('enum' in schema || 'const' in schema) continue;
      // "add a card" that is called as one that is there already
      if (isNewHandle(to, parameter, String(schema.description ?? ''))) continue;
      const types = Array.isArray(schema.type) ? schema.type : [schema.type];
      const sources = new Map<string, Source>();
      const kind = kindOfIds(parameter, harvest.known(to, parameter, 'string'));
      for (const found of harvest.values()) {
        const type = typeof found.value;
        const isId = isHandle(parameter) && isHandle(found.property);
        const isTyped = types.includes(type) || (type === 'number' && (types.includes('integer') || isId));
        if (found.tool === to || !isTyped) continue;
        const isFed = feeds(found, to, parameter);
        if (
          !(isFed || (kind !== null && idPrefix(found.value) === kind && isOwnId(found.tool, found))) ||
          !isOfThing(found, to, parameter, words) ||
          (type === 'number' && !isNumberOf(schema, parameter) && isQuantity(to, parameter, found.property))
        )
          continue;
        const { tool: from, property, part } = found;
        const key = `${from.name}.${part ?? ''}.${property}`;
        const source = sources.get(key) ?? { from, property, ...(part !== undefined && { part }), isFed, values: [] };
        source.values.push(asTaken(found.value, to, parameter));
        sources.set(key, source);
      }
      const naming = new Set([...sources.values()].filter(({ property }) => property === parameter).map(byTool));
      const isFoundByName = [...sources.values()].some((one) => one.isFed && isOwnId(one.from, one));
      for (const source of sources.values()) {
        // a result that says what group it is does not give its code for one
        if (source.property !== parameter && naming.has(byTool(source))) continue;
        const { values, isFed, ...given } = source;
        // a kind of id says less than a name: tickets and trips may both begin with T
        if (!isFed && isFoundByName) continue;
        const link = { ...given, to, parameter, isMany };
        if (await works(link, values, harvest, random, fits)) links.push(link);
      }
    }
  }
  return links;
}

/** isFed: its name says so; else the kind of its ids does: `requesterId` takes the `employeeId` of an employee. */
type Source = Pick<Link, 'from' | 'property' | 'part'> & { isFed: boolean; values: (string | number)[] };

/** What a parameter takes; of a list what each of its items is. */
function takenBy(node: unknown, { parameters }: ToolSchema): { schema: JsonSchema; isMany: boolean } {
  const schema = deref(node, parameters);
  const isMany = schema.type === 'array' && isRecord(schema.items);
  return { schema: isMany ? deref(schema.items, parameters) : schema, isMany };
}

const byTool = ({ from }: { from: ToolSchema }): string => from.name;

/**
 * The value that a chain takes from a first result: from the result itself, from an object's member, or from a list's
 * first item, also where one member of the result holds the object or the list. null where
 * it is not there, was given to the first call (then nothing is looked up), or lies deeper.
 */
export function pickLinked(link: Link, first: Seen): { value: string | number; isFirstOf: boolean } | null {
  const held = heldFor(link, first);
  const isList = Array.isArray(held);
  const holder: unknown = isList ? (held as unknown[])[0] : held;
  const value = link.property === '' ? holder : isRecord(holder) ? holder[link.property] : undefined;
  if ((typeof value !== 'string' && typeof value !== 'number') || value === '') return null;
  if (Object.values(first.args).some((given) => String(given) === String(value))) return null;
  const isFirstOf = isList && (held as unknown[]).length > 1;
  // "the first set of the act" is nothing that people say
  return isFirstOf && link.part !== undefined ? null : { value: asTaken(value, link.to, link.parameter), isFirstOf };
}

function heldFor({ property, part }: Link, first: Seen): unknown {
  if (part !== undefined) return partOf(first.value, part);
  return property === '' ? first.value : holding(first, property);
}

/** Results are cut in their middle: what stands far behind may not be seen. */
const SEEN_CHARS = 300;

/**
 * May one of those that the first tool lists be named? Not where a name can be looked up, there or by another tool that
 * leads to the same. What only narrows a list down (a day, the coach of a class) is no name of what is listed.
 */
export const isListed = (link: Link, links: readonly Link[], found: readonly Found[]): boolean =>
  !links.some(({ from, to, parameter }) => to === link.to && parameter === link.parameter && takesName(from, found));

function takesName(tool: ToolSchema, found: readonly Found[]): boolean {
  const { parameters } = tool;
  const required = requiredOf(parameters);
  const members = new Set(found.filter((one) => one.tool === tool).map(({ property }) => property));
  return Object.entries(propertiesOf(parameters)).some(([name, node]) => {
    const schema = deref(node, parameters);
    // "the bookings of m_1001" are found by no name
    const isId = isPointer(name);
    const isText = [schema.type].flat().includes('string') && !isId && !('enum' in schema || 'const' in schema);
    const narrows = !required.includes(name) && !isNameKey(name) && (members.has(name) || IS_DAY.test(name));
    return isText && !narrows;
  });
}
const IS_DAY = /^(on|day|date|week|month|year|since|until|after|before|from|to)$|(day|date)$/i;

/**
 * One of a list by its name: "add the oak chair to the cart", where a call without arguments lists all that there are.
 * null where the first call says which, nothing is listed, or the things have no names.
 * @param knownAs what people know a value by, best first
 */
export function pickNamed(
  link: Link,
  first: Seen,
  knownAs: (value: unknown) => readonly KnownAs[],
  random: Random,
): { value: string | number; thing: string } | null {
  const held = holding(first, link.property);
  if (
    link.part !== undefined ||
    Object.keys(first.args).length > 0 ||
    !first.isReal ||
    !isHandle(link.parameter) ||
    !Array.isArray(held)
  )
    return null;
  let chars = 0;
  const cut = held.findIndex((one) => (chars += JSON.stringify(one).length) > SEEN_CHARS);
  const seen = held.slice(0, cut < 0 ? undefined : cut).filter(isRecord);
  if (seen.length < 2) return null;
  const record = random.pick(seen);
  const value = record[link.property];
  if (typeof value !== 'string' && typeof value !== 'number') return null;
  const name = knownAs(value).find(({ text, key }) => isNameKey(key) && record[key] === text);
  return name ? { value: asTaken(value, link.to, link.parameter), thing: name.text } : null;
}

/**
 * `{ success: true, orders: [{ id }] }`: the orders; of a text the things in it that have the property. The result
 * itself where no one member alone holds it.
 */
function holding({ value, data = [] }: Seen, property: string): unknown {
  const has = (one: unknown): boolean => isRecord(one) && property in one;
  const things = data.find((one) => Array.isArray(one) && has(one[0])) ?? data.filter(has);
  if ((things as unknown[]).length > 0) return things;
  if (!isRecord(value) || has(value)) return value;
  const held = Object.values(value).filter((member) => has(Array.isArray(member) ? member[0] : member));
  return held.length === 1 ? held[0] : value;
}

/** An id that one tool gives as a number and another takes as a text. */
function asTaken(value: string | number, to: ToolSchema, parameter: string): string | number {
  const { schema } = takenBy(propertiesOf(to.parameters)[parameter], to);
  return schema.type === 'string' ? String(value) : value;
}

/** By which another thing of the last tool can be looked up, or another of those that the link's parameter takes. */
export const besideLinks = (link: Link, links: readonly Link[]): Link[] =>
  links.filter((one) =>
    one === link
      ? link.isMany === true
      : one.to === link.to && one.parameter !== link.parameter && one.from !== link.from,
  );

/** By which what the link's first call is given can be looked up: "extend the loan of Galleria Morandi". */
export const beforeLinks = (link: Link, links: readonly Link[]): Link[] =>
  links.filter((one) => one.to === link.from && one.from !== link.to && one.isMany !== true);

/** The argument that a link's values make. */
export const asArgument = ({ isMany }: Link, values: readonly (string | number)[]): unknown =>
  isMany ? values : values[0];

const TRIES = 4;

/**
 * "Extend the stay by the nights that it has", "use as much milk as there is flour": nobody asks so. A pupil's number
 * is one thing, and what a thing costs may be converted.
 */
const isQuantity = (to: ToolSchema, parameter: string, property: string): boolean =>
  !isHandle(parameter) && !isHandle(property) && (to.changesWorld || !WORTH.test(splitWords(parameter).at(-1) ?? ''));
const WORTH = /^(amount|price|total|cost|value|sum)$/;

/** "What is free on the day of that order": nobody asks so. */
const DAYS = /^(date|day|time|hour|when|week|month|year|due|deadline|start|end|until|since)$/;

/** Would one ask for a look-up to fill this parameter? Where it is required, or narrows down what is listed. */
function isAsked(to: ToolSchema, parameter: string): boolean {
  const isRequired = requiredOf(to.parameters).includes(parameter);
  // "the loans of Galleria Morandi"
  const narrows = !to.changesWorld && isPointer(parameter);
  if (!isRequired && !narrows) return false;
  return !DAYS.test(splitWords(parameter).at(-1) ?? '');
}

/**
 * A tool that changes the world is given what points to a thing: an id, what the request speaks of, or how the thing
 * that it speaks of is marked ("reserve a car" by the plate that carsIn tells): "send an email with that subject" is no
 * request that anybody makes.
 */
function isOfThing(found: Found, to: ToolSchema, parameter: string, words: ToolWords): boolean {
  if (!to.changesWorld) return true;
  if (isHandle(parameter)) return true;
  const isSpokenOf = (noun: string): boolean => nounPhraseFor(words.request, words, noun) !== null;
  if (isSpokenOf(parameterWords(parameter))) return true;
  const isMark = typeof found.value === 'string' && /\d/.test(found.value) && found.property === parameter;
  return isMark && nameWordsOf(found.tool).some((word) => word.length > 2 && isSpokenOf(singular(word)));
}

async function works(
  link: Link,
  values: (string | number)[],
  harvest: Harvest,
  random: Random,
  fits: (tool: ToolSchema, args: Arguments) => boolean,
): Promise<boolean> {
  const { to, parameter } = link;
  for (const value of random.shuffle(values).slice(0, TRIES)) {
    const args = drawArguments(to, random, harvest.known, 0);
    if (!args) return false;
    args[parameter] = asArgument(link, [value]);
    if (!fits(to, args)) continue;
    const seen = await harvest.run(to, args);
    if (seen && harvest.tells(to, seen)) return true;
  }
  return false;
}
