import type { JsonSchema, ToolSchema } from './task';

export type Arguments = Record<string, unknown>;

/**
 * Arguments with the schema's defaults filled in where they were left out, also inside objects and array items. Pure.
 */
export function withDefaults(args: Arguments, schema: JsonSchema | undefined): Arguments {
  return schema ? (fillObject(args, schema, schema, 0) as Arguments) : args;
}

/**
 * Arguments without those that equal their schema's default: what a call says beyond the defaults. Equal here = equal
 * after defaults.
 */
export function withoutDefaults(args: Arguments, schema: JsonSchema | undefined): Arguments {
  if (!schema) return args;
  const filled = withDefaults(args, schema);
  const blank = withDefaults({}, schema);
  return Object.fromEntries(
    Object.entries(filled).filter(([key, value]) => !(key in blank && equalJson(value, blank[key]))),
  );
}

/** With members in the schema's order, inside objects and items too: a grammar of calls knows no other. Pure. */
export function inSchemaOrder(args: Arguments, schema: JsonSchema | undefined): Arguments {
  return schema ? (orderObject(args, schema, schema, 0) as Arguments) : args;
}

/** Equal as JSON: key order and undefined members do not matter, 1 is 1.0, "1" is not 1. */
export function equalJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b)) {
    return Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((item, i) => equalJson(item, b[i]));
  }
  const [left, right] = [definedEntries(a), definedEntries(b)];
  return (
    left.length === right.length && left.every(([key, value]) => key in b && equalJson(value, (b as Arguments)[key]))
  );
}

/** JSON text with sorted keys: equal values give equal text. */
export function stableJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(stableJson).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    const entries = definedEntries(value).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
    return `{${entries.map(([key, member]) => `${JSON.stringify(key)}:${stableJson(member)}`).join(',')}}`;
  }
  return JSON.stringify(value) ?? 'null';
}

/** The parameters' schema of the tool of that name. */
export function schemaOf(tools: readonly ToolSchema[], name: string): JsonSchema | undefined {
  return tools.find((tool) => tool.name === name)?.parameters;
}

/** The members of an object's schema: of a tool's parameters, its parameters by their names. */
export const propertiesOf = (schema: JsonSchema): Record<string, JsonSchema> =>
  (isRecord(schema.properties) ? schema.properties : {}) as Record<string, JsonSchema>;

/** Names of the members that an object must have. */
export const requiredOf = (schema: JsonSchema): string[] =>
  Array.isArray(schema.required) ? schema.required.map(String) : [];

/** A schema node behind a local `$ref` (`#/$defs/X`); the node itself where there is none. */
export function deref(node: unknown, root: JsonSchema): JsonSchema {
  let at = node;
  for (let i = 0; i < 16; i++) {
    const ref = isRecord(at) ? at.$ref : undefined;
    if (typeof ref !== 'string' || !ref.startsWith('#/')) break;
    at = ref
      .slice(2)
      .split('/')
      .reduce<unknown>(
        (value, part) => (isRecord(value) ? value[part.replace(/~1/g, '/').replace(/~0/g, '~')] : undefined),
        root,
      );
  }
  return isRecord(at) ? at : {};
}

/** What a reference inside a schema (`#`, `#/$defs/name`) stands for. @throws Error where it leads nowhere */
export function resolveRef(root: JsonSchema, ref: string): JsonSchema {
  let at: unknown = root;
  for (const part of ref.split('/').slice(1))
    at = (at as Record<string, unknown> | undefined)?.[part.replaceAll('~1', '/').replaceAll('~0', '~')];
  if (typeof at !== 'object' || at === null) throw new Error(`resolveRef: ${ref} is not in the schema`);
  return at as JsonSchema;
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const definedEntries = (value: object): [string, unknown][] =>
  Object.entries(value).filter(([, member]) => member !== undefined);

/** Depth bounds recursion through `$defs`: a default that contains its own type ends there. */
const MAX_DEPTH = 16;

function fillObject(value: unknown, node: unknown, root: JsonSchema, depth: number): unknown {
  if (depth > MAX_DEPTH) return value;
  const schema = deref(node, root);
  if (Array.isArray(value))
    return 'items' in schema ? value.map((item) => fillObject(item, schema.items, root, depth + 1)) : value;
  if (!isRecord(value) || !isRecord(schema.properties)) return value;
  const out: Arguments = { ...value };
  for (const [key, property] of Object.entries(schema.properties)) {
    const member = deref(property, root);
    if (out[key] !== undefined) out[key] = fillObject(out[key], member, root, depth + 1);
    else if ('default' in member) out[key] = fillObject(member.default, member, root, depth + 1);
    else if (isRecord(property) && 'default' in property) out[key] = property.default; // a default beside a $ref
  }
  return out;
}

function orderObject(value: unknown, node: unknown, root: JsonSchema, depth: number): unknown {
  if (depth > MAX_DEPTH) return value;
  const schema = deref(node, root);
  if (Array.isArray(value)) return value.map((item) => orderObject(item, schema.items, root, depth + 1));
  if (!isRecord(value) || !isRecord(schema.properties)) return value;
  const known = Object.keys(schema.properties).filter((name) => Object.hasOwn(value, name));
  const others = Object.keys(value).filter((name) => !known.includes(name));
  const { properties } = schema;
  return Object.fromEntries(
    [...known, ...others].map((name) => [name, orderObject(value[name], properties[name], root, depth + 1)]),
  );
}
