import type { JsonSchema, ToolSchema } from '../../protocol/task';
import type { Random } from '../../base/random';
import { deref, isRecord, propertiesOf, requiredOf, stableJson, type Arguments } from '../../protocol/arguments';
import { aboutWords, given, type Drawing, type KnownValues } from './drawing';
import { drawNumber } from './drawNumber';
import { drawString } from './drawText';
import { creates } from './newHandles';
import { isSignedChange } from '../../base/signedChange';
import { signOf } from './grammar/changes';
import { stateOf } from './grammar/states';
import { withinScale } from './scales';
import { inOrder } from './spans';
import { splitWords } from '../../base/words';
import { singular } from '../../tools/schema/words';
import { isPointer } from '../../tools/values/fit';

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
  const properties = propertiesOf(tool.parameters);
  const required = new Set(requiredOf(tool.parameters));
  const optional = Object.keys(properties).filter((name) => !required.has(name));
  const chosen = new Set(chooseOptional(optional, required.size > 0, maxOptional, random));
  // "look up a contact" says which; "list orders" may say nothing
  const isOfOne = required.size === 0 && optional.length > 0 && !isOfMany(tool) && maxOptional !== 0;
  const saysMore = isOfOne || (changesOne(tool, required) && optional.length > 0 && maxOptional !== 0);
  if (saysMore && chosen.size === 0 && random.next() < SAYS_WHICH) chosen.add(random.pick(optional));
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
  return withinScale(inOrder(asReasoned(out, properties), random), tool, random);
}

/** What is damaged or lost is less, what is found is more. */
function asReasoned(args: Arguments, properties: Readonly<Record<string, unknown>>): Arguments {
  const [sign] = Object.entries(args).flatMap(([name, value]) => signOf(name, value) ?? []);
  if (sign === undefined) return args;
  const isChange = (name: string): boolean => isRecord(properties[name]) && isSignedChange(name, properties[name]);
  const signed = ([name, value]: [string, unknown]): [string, unknown] =>
    typeof value === 'number' && isChange(name) ? [name, sign * Math.abs(value)] : [name, value];
  return Object.fromEntries(Object.entries(args).map(signed));
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
/** "Move set 7" says where to, "update the customer" what of it. */
const changesOne = ({ name, changesWorld }: ToolSchema, required: ReadonlySet<string>): boolean =>
  changesWorld && CHANGES.test(splitWords(name)[0] ?? '') && [...required].every((one) => isPointer(one));
const CHANGES = /^(adjust|amend|change|edit|modify|move|reschedule|revise|set|shift|update)$/;
const isOfMany = ({ name }: ToolSchema): boolean => {
  const last = splitWords(name).at(-1) ?? '';
  return singular(last) !== last || /^(list|all|overview|summary|status|report|search)$/.test(last);
};

const MANY_OPTIONAL = 4;
const OPTIONAL_CHANCE = 0.35;
const MAX_DEPTH = 4;

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
  const has = (item: unknown): boolean => out.some((one) => stableJson(one) === stableJson(item));
  for (let i = least + drawing.random.int(most - least + 1); i > 0 && out.length < most; i--) {
    const node = prefix[out.length] ?? items;
    let item = drawValue(node, inner);
    for (let again = 0; again < 8 && has(item); again++) item = drawValue(node, inner);
    if (item === undefined) return undefined;
    if (!has(item)) out.push(item);
  }
  return out.length >= least ? out : undefined;
}

const COMES = /^(attendee|participant|companion|invitee)$/;

function drawObject(schema: JsonSchema, drawing: Drawing): Arguments | undefined {
  if (drawing.depth >= MAX_DEPTH || !isRecord(schema.properties)) return undefined;
  const required = new Set(requiredOf(schema));
  const out = seenWhole(schema.properties, required, drawing);
  for (const [name, node] of Object.entries(schema.properties)) {
    if (name in out || (!required.has(name) && drawing.random.next() > OPTIONAL_CHANCE)) continue;
    const path = `${drawing.path}.${name}`;
    const beside = Object.keys(schema.properties);
    const value = drawValue(node, { ...drawing, name, path, beside, depth: drawing.depth + 1, isOfList: false });
    if (value !== undefined) out[name] = value;
    else if (required.has(name)) return undefined;
  }
  return Object.keys(out).length ? out : undefined;
}

/** A relation that is deleted is one that there is, with both of its ends: {} where none was seen, or a thing is made. */
function seenWhole(
  properties: Record<string, unknown>,
  required: ReadonlySet<unknown>,
  { tool, known, random }: Drawing,
): Arguments {
  const names = Object.keys(properties).filter((name) => required.has(name));
  const seen = names.length < 2 || creates(tool) ? [] : (known.records?.(names) ?? []);
  return seen.length > 0 && random.next() < SEEN_WHOLE ? { ...random.pick(seen) } : {};
}
const SEEN_WHOLE = 0.8;
