/**
 * A seeded value that fits a JSON Schema: the last resort of a mock. It keeps to types, enums and bounds; patterns it
 * leaves to `likely`.
 */
import { propertiesOf, requiredOf } from '../../protocol/arguments';
import type { Random } from '../../base/random';

type Schema = Record<string, unknown>;

const MAX_DEPTH = 6;
const WORDS = ['alpha', 'bravo', 'cedar', 'delta', 'ember', 'falcon', 'grove', 'harbor', 'iris', 'jade'] as const;

/** What a member most likely holds, by its name; undefined: nothing is likelier than another. */
export type Likely = (name: string, schema: Schema, random: Random) => unknown;

/** @param schema 2020-12; `{}` gives a word */
export function sampleFromSchema(schema: Schema, random: Random, likely?: Likely): unknown {
  return sample(schema, { ...schema, [LIKELY]: likely }, random, 0);
}

/** The root carries it through the recursion. */
const LIKELY = Symbol('likely');
type Root = Schema & { [LIKELY]?: Likely | undefined };

function sample(schema: Schema, root: Root, random: Random, depth: number): unknown {
  const fixed = fixedValue(schema, random);
  if (fixed) return fixed.value;
  if (typeof schema.$ref === 'string')
    return depth > MAX_DEPTH ? null : sample(resolveRef(schema.$ref, root), root, random, depth + 1);
  const choices = (schema.anyOf ?? schema.oneOf) as Schema[] | undefined;
  if (choices && choices.length > 0) return sample(random.pick(atDepth(choices, depth)), root, random, depth + 1);
  if (Array.isArray(schema.allOf))
    return sample(merged(schema, schema.allOf as Schema[], root), root, random, depth + 1);
  switch (typeOf(schema, random)) {
    case 'object':
      return sampleObject(schema, root, random, depth);
    case 'array':
      return sampleArray(schema, root, random, depth);
    case 'number':
      return sampleNumber(schema, random, false);
    case 'integer':
      return sampleNumber(schema, random, true);
    case 'boolean':
      return random.next() < 0.5;
    case 'null':
      return null;
    default:
      return sampleString(schema, random);
  }
}

function fixedValue(schema: Schema, random: Random): { value: unknown } | undefined {
  if ('const' in schema) return { value: schema.const };
  if (Array.isArray(schema.enum) && schema.enum.length > 0) return { value: random.pick(schema.enum as unknown[]) };
  if (Array.isArray(schema.examples) && schema.examples.length > 0)
    return { value: random.pick(schema.examples as unknown[]) };
  return undefined;
}

/** Deep inside a recursive type the branches that end it are taken. */
function atDepth(choices: Schema[], depth: number): Schema[] {
  if (depth < MAX_DEPTH) return choices;
  const ending = choices.filter(
    (choice) => choice.$ref === undefined && choice.type !== 'object' && choice.type !== 'array',
  );
  return ending.length > 0 ? ending : choices;
}

function typeOf(schema: Schema, random: Random): unknown {
  if (Array.isArray(schema.type)) {
    const types = schema.type as unknown[];
    const easy = schema.pattern === undefined ? types : types.filter((type) => type !== 'string');
    return random.pick(easy.length > 0 ? easy : types);
  }
  if (schema.type !== undefined) return schema.type;
  if (schema.properties ?? schema.additionalProperties) return 'object';
  return (schema.items ?? schema.prefixItems) ? 'array' : 'string';
}

function sampleObject(schema: Schema, root: Root, random: Random, depth: number): Schema {
  const required = new Set(requiredOf(schema));
  const value: Schema = {};
  for (const [name, property] of Object.entries(propertiesOf(schema))) {
    const isWanted = required.has(name) || (depth < MAX_DEPTH && random.next() < 0.7);
    if (!isWanted) continue;
    const node = typeof property.$ref === 'string' ? resolveRef(property.$ref, root) : property;
    value[name] = root[LIKELY]?.(name, node, random) ?? sample(property, root, random, depth + 1);
  }
  if (
    !schema.properties &&
    typeof schema.additionalProperties === 'object' &&
    schema.additionalProperties &&
    depth < MAX_DEPTH
  ) {
    value[random.pick(WORDS)] = sample(schema.additionalProperties as Schema, root, random, depth + 1);
  }
  return value;
}

function sampleArray(schema: Schema, root: Root, random: Random, depth: number): unknown[] {
  const fixed = ((schema.prefixItems ?? []) as Schema[]).map((item) => sample(item, root, random, depth + 1));
  const items = schema.items;
  if (typeof items !== 'object' || items === null) return fixed;
  const least = Number(schema.minItems ?? 0);
  const most = Math.min(Number(schema.maxItems ?? least + 3), least + 3);
  const wanted = Math.max(least, depth > MAX_DEPTH ? 0 : 1 + random.int(Math.max(1, most)));
  while (fixed.length < Math.min(wanted, Math.max(most, least)))
    fixed.push(sample(items as Schema, root, random, depth + 1));
  return fixed;
}

function sampleNumber(schema: Schema, random: Random, isInteger: boolean): number {
  const step = Number(schema.multipleOf ?? (isInteger ? 1 : 0.01));
  const least = Number(
    schema.minimum ?? (schema.exclusiveMinimum === undefined ? 0 : Number(schema.exclusiveMinimum) + step),
  );
  const most = Number(
    schema.maximum ?? (schema.exclusiveMaximum === undefined ? least + 100 : Number(schema.exclusiveMaximum) - step),
  );
  const first = Math.ceil(least / step);
  const steps = Math.max(0, Math.floor(most / step) - first);
  return Number(((first + random.int(steps + 1)) * step).toPrecision(12));
}

function sampleString(schema: Schema, random: Random): string {
  switch (schema.format) {
    case 'date-time':
      return new Date(1.7e12 + random.int(1e9) * 60).toISOString();
    case 'date':
      return new Date(1.7e12 + random.int(1e9) * 60).toISOString().slice(0, 10);
    case 'email':
      return `${random.pick(WORDS)}@example.com`;
    case 'uri':
    case 'url':
      return `https://example.com/${random.pick(WORDS)}`;
    case 'uuid':
      return `00000000-0000-4000-8000-${String(random.int(1e12)).padStart(12, '0')}`;
  }
  let text: string = random.pick(WORDS);
  while (text.length < Number(schema.minLength ?? 0)) text += ` ${random.pick(WORDS)}`;
  return text.slice(0, Number(schema.maxLength ?? text.length));
}

function resolveRef(ref: string, root: Root): Schema {
  let target: unknown = root;
  for (const part of ref
    .replace(/^#\/?/, '')
    .split('/')
    .filter((name) => name !== '')) {
    target = (target as Schema | undefined)?.[decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~')];
  }
  return (target ?? {}) as Schema;
}

function merged(schema: Schema, parts: Schema[], root: Root): Schema {
  const { allOf: _, ...rest } = schema;
  const all = [rest, ...parts].map((part) => (typeof part.$ref === 'string' ? resolveRef(part.$ref, root) : part));
  return {
    ...Object.assign({}, ...all),
    properties: Object.assign({}, ...all.map((part) => part.properties as Schema)),
    required: all.flatMap(requiredOf),
  };
}
