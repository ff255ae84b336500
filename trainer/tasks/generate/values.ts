import type { JsonSchema, ToolSchema } from '../../protocol/task';
import type { Random } from '../../base/random';
import { deref, isRecord, type Arguments } from '../../protocol/arguments';
import { type DescribedForm, describedForm, LETTER } from './describedForm';
import { drawNumber } from './drawNumber';
import { everydayKind, isClassName, isTellingName } from './everydayKind';
import { DATE, SPOKEN, TIME } from './everydayKinds';
import type { Draw } from './draw';
import { firstName, FORMATS, fullName, inventedName, lastName, plain } from './everydayValues';
import { stateOf } from './grammar/states';
import { besideShown, drawOther } from './otherText';
import { shownIn } from './pool/describedFacts';
import { drawQuestion, isQuestion, topicsOf } from './questions';
import { inOrder } from './spans';
import { shownCode } from './shownCodes';
import { samplePattern } from '../../tools/schema/pattern';
import { patternOf } from '../../tools/values/places';
import { splitWords } from '../../base/words';
import { holdsAny, singular, valueWords } from '../../tools/schema/words';

/** Real values for a parameter, from examples and from what the tools returned; [] where nothing is known. */
export interface KnownValues {
  /** @param parameter its name; inside objects and lists the names on the way ('address.city', 'lines.sku') */
  (tool: ToolSchema, parameter: string, type: 'string' | 'number'): readonly unknown[];
  /**
   * Arguments that were seen to go together, now and then: null where the parameters are to be drawn each by itself.
   */
  together?: (tool: ToolSchema, random: Random) => Arguments | null;
  /** Are the values only those that a description shows, of which there may be more? */
  areShown?: (tool: ToolSchema, parameter: string) => boolean;
  /** What all tools are about, in words: where one tool alone does not tell. */
  matter?: () => readonly string[];
}

/** Words that say what a tool is about, in the singular. */
export const aboutWords = ({ name, description }: ToolSchema): string[] =>
  [...splitWords(name), ...splitWords(description)].map(singular);

/**
 * Arguments for one call: every required parameter, each optional one by chance, at most `maxOptional` of them. Values
 * come from enum and
 * const, then from what is known, then from pattern and format, then from the name and type. They may still break the
 * schema (the caller checks).
 *
 * @returns null where a required parameter has a type that no value can be made for
 */
export function drawArguments(
  tool: ToolSchema,
  random: Random,
  known: KnownValues,
  maxOptional?: number,
): Arguments | null {
  const properties = isRecord(tool.parameters.properties) ? tool.parameters.properties : {};
  const required = new Set(Array.isArray(tool.parameters.required) ? tool.parameters.required : []);
  const optional = Object.keys(properties).filter((name) => !required.has(name));
  const chosen = new Set(chooseOptional(optional, required.size > 0, maxOptional, random));
  // "look up a contact" says which; "list orders" may say nothing
  const isOfOne = required.size === 0 && optional.length > 0 && !isOfMany(tool) && maxOptional !== 0;
  if (isOfOne && chosen.size === 0 && random.next() < SAYS_WHICH) chosen.add(random.pick(optional));
  // what is already together is seldom asked for again
  const isAnew = tool.changesWorld && random.next() < 0.5;
  const together = (isAnew ? null : known.together?.(tool, random)) ?? {};
  const out: Arguments = {};
  for (const [name, node] of Object.entries(properties)) {
    if (!required.has(name) && !chosen.has(name)) continue;
    const draw = (): unknown => drawValue(node, { tool, random, known, name, path: name, depth: 0 });
    let value = name in together ? together[name] : draw();
    // "from metre to metre" is nothing that one asks for: texts differ where they can
    for (let again = 0; again < 4 && typeof value === 'string' && Object.values(out).includes(value); again++)
      value = draw();
    if (value !== undefined) out[name] = value;
    else if (required.has(name)) return null;
  }
  return inOrder(out, random);
}

/** @param most of them; not given: two, or as many as people say where there are many ("a table for 5 on friday in …") */
function chooseOptional(names: string[], isAnyRequired: boolean, most: number | undefined, random: Random): string[] {
  if (most === undefined && names.length >= MANY_OPTIONAL)
    return random
      .shuffle([...names])
      .slice(0, random.pick(isAnyRequired ? [0, 1, 1, 2, 2, 3] : [0, 1, 1, 1, 1, 2, 2, 2, 3, 3, 4]));
  return random.shuffle(names.filter(() => random.next() < OPTIONAL_CHANCE)).slice(0, most ?? 2);
}

const SAYS_WHICH = 0.9;
const isOfMany = ({ name }: ToolSchema): boolean => {
  const last = splitWords(name).at(-1) ?? '';
  return singular(last) !== last || /^(list|all|overview|summary|status|report|search)$/.test(last);
};

const MANY_OPTIONAL = 4;
const OPTIONAL_CHANCE = 0.35;
const MAX_DEPTH = 4;

interface Drawing {
  tool: ToolSchema;
  random: Random;
  known: KnownValues;
  name: string;
  path: string;
  depth: number;
  /** one of a list */
  isOfList?: boolean;
}

/** undefined: no value can be made. */
function drawValue(node: unknown, drawing: Drawing): unknown {
  const { tool, random } = drawing;
  const schema = deref(node, tool.parameters);
  if ('const' in schema) return schema.const;
  if (Array.isArray(schema.enum) && schema.enum.length) {
    const values = schema.enum.filter((value) => value !== null);
    // nobody speaks of what is so anyway
    const told = values.filter((value) => value !== schema.default);
    return random.pick(told.length > 0 ? told : values);
  }
  const branches = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(branches)) {
    const usable = branches.filter((branch) => deref(branch, tool.parameters).type !== 'null');
    return usable.length ? drawValue(random.pick(usable), drawing) : undefined;
  }
  const type = Array.isArray(schema.type) ? schema.type.find((one) => one !== 'null') : schema.type;
  switch (type) {
    case 'boolean':
      if ('default' in schema) return schema.default === false;
      return random.next() < (stateOf(splitWords(drawing.name).join(' '), true) === null ? 0.7 : 0.5);
    case 'integer':
    case 'number':
      return drawNumber(schema, drawing.name, given(schema, drawing, 'number'), random, aboutWords(tool));
    case 'string':
      return drawString(schema, drawing);
    case 'array':
      return drawArray(schema, drawing);
    case 'object':
      return drawObject(schema, drawing);
    default:
      return undefined;
  }
}

function given(schema: JsonSchema, drawing: Drawing, type: 'string' | 'number'): readonly unknown[] {
  const examples = [
    ...(Array.isArray(schema.examples) ? schema.examples : []),
    ...('example' in schema ? [schema.example] : []),
  ];
  const known = [...examples, ...drawing.known(drawing.tool, drawing.path, type)].filter(
    (value) => typeof value === type,
  );
  // what a list's description shows goes for each of it
  return known.length === 0 && drawing.isOfList && type === 'string' && typeof schema.description === 'string'
    ? shownIn(schema.description)
    : known;
}

const formOf = (schema: JsonSchema): DescribedForm | null =>
  schema.maxLength === 1 ? LETTER : schema.format === undefined ? describedForm(schema.description) : null;

function drawString(schema: JsonSchema, drawing: Drawing): string | undefined {
  const { random, name, tool } = drawing;
  const form = formOf(schema);
  const known = (given(schema, drawing, 'string') as readonly string[]).filter(
    (text) => form?.holds.test(text) ?? true,
  );
  const isOneOfMany = isOpen(known, schema);
  const isShowing = isOneOfMany && known.length > 0;
  const told = typeof schema.description === 'string' ? schema.description : '';
  const described = splitWords(isShowing ? told.split(SHOWS)[0]! : told).map(singular);
  const words = ofWhat(name, tool, described) ?? valueWords(name);
  if (schema.pattern === undefined && schema.format === undefined && isQuestion(splitWords(name), splitWords(told)))
    return drawQuestion([...topicsOf(tool.description), ...topicsOf(told)])(random);
  const isCode = schema.pattern === undefined && drawing.known.areShown?.(tool, drawing.path) === true;
  const code = isCode ? shownCode(known as readonly string[], [...splitWords(name), ...described]) : null;
  if (code && random.next() < OTHER_CODE) return code(random);
  const format = typeof schema.format === 'string' ? FORMATS[schema.format] : form?.draw;
  const about = [...holderOf(drawing.path), aboutWords(tool), drawing.known.matter?.() ?? []];
  const everyday = everydayKind(words.map(singular), described, { about, isSure: isShowing });
  const isAny = format === undefined && schema.pattern === undefined;
  if (isAny && known.length > 1 && isClassName(singular(words.at(-1) ?? '')))
    return (isShowing && random.next() < OTHER_CLASS ? besideShown(known, random) : null) ?? random.pick(known);
  if (isAny && !everyday?.isStrict && isOneOfMany) {
    const text = drawOther([...words, ...described], known, everyday?.draw ?? null, random);
    if (text !== null) return text;
  }
  const spoken = isAny && everyday && isSpoken(known, schema, random) ? SPOKEN.get(everyday) : undefined;
  const usual = format ?? spoken ?? everyday?.draw;
  const isWhen = everyday === DATE || everyday === TIME;
  if (isAny && !isWhen && isOfNewThing(tool, known) && random.next() < NEW_NAME)
    return newName(known as readonly string[], everyday?.draw, random);
  const isInvented = (tool.changesWorld && FREE_TEXT.test(name)) || isWhen || form?.isAnew === true;
  const isShown =
    isAny && isShownOnly(known) && isTellingName(words.map(singular)) && !CLOSED.test(String(schema.description));
  const isExample = isAny && known.length > 0 && isExampleOnly(known, schema);
  const shown = isListed(known, told) ? LISTED_SHARE : shownShare(known.length);
  // "Formatted like '(111) 222-3333'" shows one of many
  const isForm = typeof schema.pattern === 'string' && known.every((value) => told.includes(value));
  const share = isInvented ? 0.7 : isShown ? shown : isExample || isForm ? EXAMPLE_SHARE : 0;
  if (known.length && !((usual || isForm) && random.next() < share)) return random.pick(known);
  if (typeof schema.pattern === 'string')
    return (usual && fitting(usual, schema.pattern, random)) ?? samplePattern(schema.pattern, random) ?? undefined;
  const value = (usual ?? plain)(random);
  return isAny && random.next() < LOWER_CASE ? value.toLowerCase() : value;
}

const MOST_TRIES = 4;
/** A day of the calendar, where the pattern asks for digits of that form only. */
function fitting(draw: Draw, pattern: string, random: Random): string | undefined {
  const form = patternOf({ pattern });
  for (let tries = 0; form && tries < MOST_TRIES; tries++) {
    const value = draw(random);
    if (form.test(value)) return value;
  }
  return undefined;
}

/** What the object is that holds it: the name of an item is none of a customer. [] where nothing tells. */
function holderOf(path: string): string[][] {
  const holder = splitWords(path.split('.').at(-2) ?? '').map(singular);
  return holder.length === 0 || holdsAny(holder) ? [] : [['', ...holder]];
}

/** "from" and "to" of what converts currencies, or finds a way between cities. */
function ofWhat(name: string, tool: ToolSchema, described: readonly string[]): [string] | null {
  if (!/^(from|to|source|target|base|quote)$/i.test(name)) return null;
  const thing = [...described, ...aboutWords(tool)].find((word) =>
    /^(currency|unit|language|country|city|airport|station)$/.test(word),
  );
  return thing === undefined ? null : [thing];
}

/**
 * "Register the dog Gizmo of Rosenthal": what creates a thing is mostly given names that nothing has yet. Not so what
 * points to a thing by a number.
 */
const isOfNewThing = (tool: ToolSchema, known: readonly string[]): boolean =>
  tool.changesWorld &&
  (creates(tool) || known.length <= FEW_NAMES) &&
  known.length > 0 &&
  // "USD" is no name
  known.every((value) => /^\p{Lu}[\p{L} .'’-]*$/u.test(value) && !/^[A-Z]{2,5}$/.test(value));
export const creates = ({ name }: ToolSchema): boolean => CREATES.test(splitWords(name)[0] ?? '');
const CREATES =
  /^(add|create|enroll?|enter|hire|insert|invite|make|new|open|put|record|register|save|sign|signup|store)$/;
const NEW_NAME = 0.6;
/** So few would be learnt by heart. */
const FEW_NAMES = 2;

function newName(known: readonly string[], usual: Draw | undefined, random: Random): string {
  const like = random.pick(known);
  // "Crash on start without a network" is nobody's name
  const isName = like.split(' ').every((word) => /^\p{Lu}/u.test(word));
  const draws: readonly Draw[] = [
    usual ?? inventedName,
    inventedName,
    ...(!isName ? [] : like.includes(' ') ? [fullName] : [firstName, lastName]),
  ];
  return random.pick(draws)(random);
}

/** Who writes to an assistant seldom writes capitals. */
const LOWER_CASE = 0.4;

/** Is a day or a time given in people's words? By what is known of it; where nothing is, now and then. */
function isSpoken(known: readonly string[], schema: JsonSchema, random: Random): boolean {
  const told = [...known, typeof schema.description === 'string' ? schema.description : ''].join(' ');
  if (/\d{4}-\d\d|\d\d:\d\d|\b(YYYY|ISO|HH)\b/i.test(told)) return false;
  return known.length > 0 || /\b(such as|as (it was )?said|words|like)\b/.test(told) || random.next() < 0.7;
}

/** Nothing is known, or examples ("such as rain"), which are not all; a list ("stars or points") is. */
const isOpen = (known: readonly unknown[], { description }: JsonSchema): boolean =>
  known.length === 0 ||
  (isShownOnly(known) && SHOWS.test(String(description))) ||
  isExampleOnly(known, { description });

/** "e.g. Berlin": a name that only the description holds is one of many. */
const isExampleOnly = (known: readonly unknown[], { description }: JsonSchema): boolean =>
  typeof description === 'string' &&
  SHOWS.test(description) &&
  known.every((value) => typeof value === 'string' && /^[\p{L} .'’-]+$/u.test(value) && description.includes(value));

/** All that there are stand in the description. */
const CLOSED = /\b(one of|any of|either|must be|allowed|options?|choices?)\b/i;
const SHOWS = /\bsuch as|\be\.\s?g|\bfor (example|instance)|\blike\b/i;

/** A few plain words, as a description shows them ("such as rain, fog"), are not all that may be given. */
const isShownOnly = (known: readonly unknown[]): boolean =>
  known.length <= 4 && known.every((value) => typeof value === 'string' && /^[a-z ]+$/.test(value));
/** So often one that is not shown: of a single one the more. */
const shownShare = (shown: number): number => (shown === 1 ? 0.55 : 0.4);
const EXAMPLE_SHARE = 0.8;
const OTHER_CODE = 0.8;
/** "stars or points" are nearly all that there are. */
const isListed = (known: readonly string[], description: string): boolean =>
  known.length > 1 && !SHOWS.test(description) && known.every((value) => description.includes(value));
const LISTED_SHARE = 0.15;

/** So often a category beside those that a description shows. */
const OTHER_CLASS = 0.3;

/** What one writes anew, whatever was found under that name. */
const FREE_TEXT = /^(body|message|text|note|notes|comment|content|subject|title|description|summary|reason)$/i;

function drawArray(schema: JsonSchema, drawing: Drawing): unknown[] | undefined {
  if (drawing.depth >= MAX_DEPTH) return undefined;
  const prefix = Array.isArray(schema.prefixItems) ? schema.prefixItems : [];
  // "the average of 1" is nothing that one asks for
  const usual = /^(number|integer)$/.test(String(deref(schema.items, drawing.tool.parameters).type)) ? 2 : 1;
  const least = Math.max(typeof schema.minItems === 'number' ? schema.minItems : usual, prefix.length);
  const most = Math.max(least, Math.min(typeof schema.maxItems === 'number' ? schema.maxItems : 3, least + 2));
  const one = singular(drawing.name);
  // of those who come each is somebody
  const name = COMES.test(splitWords(one).at(-1) ?? '') ? 'person' : one;
  const inner = { ...drawing, name, depth: drawing.depth + 1, isOfList: true };
  // "List of attendees' emails" says what each of them is
  const { description } = schema;
  const items = isRecord(schema.items) && description !== undefined ? { description, ...schema.items } : schema.items;
  const out: unknown[] = [];
  for (let i = least + drawing.random.int(most - least + 1); i > 0 && out.length < most; i--) {
    const node = prefix[out.length] ?? items;
    let item = drawValue(node, inner);
    for (let again = 0; again < 8 && out.includes(item); again++) item = drawValue(node, inner);
    if (item === undefined) return undefined;
    if (!out.includes(item)) out.push(item);
  }
  return out.length >= least ? out : undefined;
}

const COMES = /^(attendee|participant|companion|invitee)$/;

function drawObject(schema: JsonSchema, drawing: Drawing): Arguments | undefined {
  if (drawing.depth >= MAX_DEPTH || !isRecord(schema.properties)) return undefined;
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  const out: Arguments = {};
  for (const [name, node] of Object.entries(schema.properties)) {
    if (!required.has(name) && drawing.random.next() > OPTIONAL_CHANCE) continue;
    const path = `${drawing.path}.${name}`;
    const value = drawValue(node, { ...drawing, name, path, depth: drawing.depth + 1, isOfList: false });
    if (value !== undefined) out[name] = value;
    else if (required.has(name)) return undefined;
  }
  return Object.keys(out).length ? out : undefined;
}
