/** Which parameter a value of a result goes to, by its name alone. */
import { splitWords } from '../../base/words';
import { isRecord, propertiesOf } from '../../protocol/arguments';
import type { ToolSchema } from '../../protocol/task';
import { nameWordsOf, singular } from '../../tools/schema/words';
import { isHolder, wordsOf } from '../../tools/values/facts';
import { isPointer } from '../../tools/values/fit';
import { actsOf } from './grammar/acts';
import { thingPointedAt } from './grammar/roles';
import type { Found } from './found';
import { handleOf } from './pool/results';

/**
 * Does a value found under that name fit the parameter? "orderId" takes orderId of anything and id of a tool about
 * orders; "id" takes the id of a
 * tool about the same thing; "customer" takes customer, customerName of anything and name of a tool about customers.
 */
export function feeds(found: Found, tool: ToolSchema, parameter: string): boolean {
  const wanted = splitWords(parameter).map(singular);
  const offered = splitWords(found.property).map(singular);
  const source = found.part === undefined ? nameWordsOf(found.tool).map(singular) : ['get', ...wordsOf(found.part)];
  const own = nameWordsOf(tool).map(singular);
  // describe_table gives names of columns, and of no table
  const { properties } = found.tool.parameters;
  const isOfOther = isRecord(properties) && Object.hasOwn(properties, parameter);
  const sameThing =
    behindVerb(source).some((word) => behindVerb(own).includes(word)) ||
    source.join() === own.join() ||
    (found.part === undefined && isAboutOne(found.tool, tool, parameter));
  const [wantedText, offeredText] = [wanted.join(' '), offered.join(' ')];
  // A bare result only goes by its tool's name, which is too little where no call can show that it fits.
  if ((offeredText === '' || isHolder(offered)) && wantedText === handleOf(found.tool)) return true;
  if (offeredText === '')
    return !tool.changesWorld && source.slice(-wanted.length).join(' ') === wantedText && wantedText !== '';
  if (wantedText === offeredText) {
    if (!isGeneric(wantedText) || sameThing) return true;
    // stockLevel: "How many of a product are in stock" takes the sku that findProducts gives
    return (
      isPointer(wantedText) && splitWords(tool.description).some((word) => behindVerb(source).includes(singular(word)))
    );
  }
  const [short, long] = wanted.length < offered.length ? [wanted, offered] : [offered, wanted];
  if (
    long.length === short.length + 1 &&
    HANDLES.has(long.at(-1) ?? '') &&
    short.join(' ') === long.slice(0, -1).join(' ')
  )
    return true;
  if (HANDLES.has(offeredText)) {
    // "find: Find batches by name" gives the id that "move(batch)" takes
    const about = source.length > 1 ? source : [...source, ...thingsOf(found.tool).slice(0, 1)];
    return (
      !isOfOther &&
      wanted.every((word) => about.includes(word) || word === offeredText) &&
      wanted.some((word) => about.includes(word))
    );
  }
  return HANDLES.has(wantedText) && offered.every((word) => own.includes(word) || word === wantedText);
}

/**
 * "find: Find plants by name" and "water: Water a plant": where a name has no thing, the description does, or what it
 * says of the parameter ("plant id").
 */
function isAboutOne(source: ToolSchema, tool: ToolSchema, parameter: string): boolean {
  const [from, to] = [nameWordsOf(source), nameWordsOf(tool)];
  if (from.length > 1 && to.length > 1) return false;
  const schema = propertiesOf(tool.parameters)[parameter];
  const told = isRecord(schema) && typeof schema.description === 'string' ? schema.description : '';
  const pointsAt = thingPointedAt(told);
  const wanted = pointsAt === null ? thingsOf(tool) : [pointsAt];
  return thingsOf(source).some((word) => wanted.includes(word));
}

/** Of its name, else what its description does something to, or is of. */
function thingsOf(tool: ToolSchema): readonly string[] {
  const named = behindVerb(nameWordsOf(tool).map(singular));
  if (named.length > 0) return named;
  const [, ...behind] = splitWords(tool.description);
  return behind
    .filter((_, i) => i === 0 || OPENS.test(behind[i - 1]!))
    .filter((word) => !OPENS.test(word))
    .map(singular);
}
const OPENS = /^(an?|the|all|some|one|every|each|your|my|of|for)$/;

/** "find_notes", and "notes_find" of a service of notes. */
function behindVerb(words: readonly string[]): readonly string[] {
  const isLast = words.length > 1 && actsOf(words[0]!).length === 0 && actsOf(words.at(-1)!).length > 0;
  return isLast ? words.slice(0, -1) : words.slice(1);
}

/** Does the name point to a thing, or to several: an id, or orderId, itemCodes? */
export function isHandle(name: string): boolean {
  return HANDLES.has(singular(splitWords(name).at(-1) ?? ''));
}

/** Is it the id of what its tool is about: the employeeId that findEmployee gives, and not the one of a ticket? */
export function isOwnId(tool: ToolSchema, { property, part }: Pick<Found, 'property' | 'part'>): boolean {
  if (part !== undefined || !isPointer(property)) return false;
  const of = splitWords(property).map(singular).slice(0, -1);
  const about = nameWordsOf(tool).map(singular);
  return of.every((word) => about.includes(word));
}

/**
 * How the ids begin that a parameter is known to take, "E-" of `requesterId`: those of a thing that has another name
 * there. null: they begin in several ways, or in none.
 */
export function kindOfIds(parameter: string, known: readonly unknown[]): string | null {
  if (!isPointer(parameter)) return null;
  const kinds = new Set(known.map(idPrefix));
  const [kind] = kinds;
  return kinds.size === 1 ? kind! : null;
}

export const idPrefix = (value: unknown): string | null =>
  typeof value === 'string' ? (/^([A-Za-z]{1,6}[-_/#]?)\d{2,}$/.exec(value)?.[1] ?? null) : null;

/** Members that stand for the thing itself. */
const HANDLES = new Set(['id', 'name', 'number', 'code', 'key', 'ref', 'reference', 'sku', 'title', 'slug', 'path']);
const isGeneric = (name: string): boolean =>
  HANDLES.has(name) || name === 'value' || name === 'type' || name === 'result';
