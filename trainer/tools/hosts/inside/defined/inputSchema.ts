/**
 * The schema object of a definition -> JSON Schema of its input, and arguments through it. Taken from the object
 * itself: plain JSON Schema, the AI SDK's `jsonSchema()`, Standard JSON Schema, zod 4, zod 3 by the library that it
 * came with.
 */
import type { DefinedBinding } from '../../../../protocol/task';
import { OWN_SCHEMAS } from '../../../../protocol/toolMarks';
import type { DefinedIn } from './definition';

type Json = Record<string, unknown>;
interface Standard {
  validate?(value: unknown): unknown;
  jsonSchema?: { input(options: { target: string }): Json };
}

/** Where each library's object has the schema of its arguments; undefined: it takes none. */
export function schemaOf({ library }: DefinedBinding, value: Json): unknown {
  switch (library) {
    case 'ai': {
      const schema = value['inputSchema'] ?? value['parameters'];
      return isLazy(schema) ? schema() : schema;
    }
    case 'openai-agents':
      return value['parameters'];
    case 'langchain':
      return value['schema'];
    case 'mcp':
      return value['inputSchema'];
    case 'openai':
      return ((value['function'] as Json | undefined) ?? value)['parameters'];
    case 'anthropic':
      return value['input_schema'];
    case 'gemini':
      return value['parametersJsonSchema'] ?? inLowerCase(value['parameters']);
    case 'bedrock':
      return (value['inputSchema'] as Json | undefined)?.['json'];
    case 'own': {
      const schema = OWN_SCHEMAS.map((name) => value[name]).find((each) => each !== undefined);
      return isLazy(schema) ? Reflect.apply(schema, value, []) : schema;
    }
  }
}

/** The AI SDK's lazy schemas are functions; a schema of ArkType is one too, and says so. */
const isLazy = (schema: unknown): schema is () => unknown =>
  typeof schema === 'function' && !('~standard' in schema) && !('_zod' in schema);

/** Gemini's `Type.OBJECT` is 'OBJECT'; JSON Schema writes types in small letters. */
function inLowerCase(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(inLowerCase);
  if (typeof schema !== 'object' || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [
      key,
      key === 'type' && typeof value === 'string' ? value.toLowerCase() : inLowerCase(value),
    ]),
  );
}

const AI_SCHEMA = Symbol.for('vercel.ai.schema');

/**
 * @returns JSON Schema 2020-12, or draft 7 as zod 3's converters write it
 * @throws Error in words where it can't be said
 */
export async function jsonSchemaOf(schema: unknown, place: DefinedIn): Promise<Json> {
  if (schema === undefined || schema === null || isEmpty(schema)) return { type: 'object', properties: {} };
  const object = schema as Json & { [AI_SCHEMA]?: boolean };
  if (object[AI_SCHEMA] === true) return (await object['jsonSchema']) as Json;
  if ('_zod' in object) return zod4(object, place);
  const standard = object['~standard'] as Standard | undefined;
  if (standard?.jsonSchema) return standard.jsonSchema.input({ target: 'draft-2020-12' });
  if (isZod3(object)) return zod3(object, place);
  const shape = shapeOf(object);
  if (shape) return jsonSchemaOf(objectOf(shape, place), place);
  if (standard) {
    const { asSchema } = fromPackage('ai', place) as { asSchema?(schema: unknown): { jsonSchema: unknown } };
    if (asSchema) return (await asSchema(schema).jsonSchema) as Json;
    throw new Error('its schema can\u2019t be said in JSON Schema: it is of a library that does not write it');
  }
  return object;
}

/** `inputSchema: {}` */
const isEmpty = (schema: object): boolean => typeof schema === 'object' && Object.keys(schema).length === 0;

const isZod3 = (schema: Json): boolean => typeof (schema['_def'] as Json | undefined)?.['typeName'] === 'string';

/** `{ city: z.string() }`: the members of an object, as some libraries take them. */
const isShape = (schema: Json): boolean => {
  const members = Object.values(schema);
  return members.length > 0 && members.every((one) => typeof one === 'object' && one !== null && '_def' in one);
};

/** The shape itself, or mcp-framework's `{ city: { type: z.string(), description: 'Which city' } }` as one. */
function shapeOf(schema: Json): Json | null {
  if (isShape(schema)) return schema;
  const told = Object.entries(schema as Record<string, Told | null>);
  const types = Object.fromEntries(told.map(([name, one]) => [name, one?.type]));
  if (!isShape(types)) return null;
  const described = ({ type, description }: Told): unknown =>
    description === undefined ? type : type.describe(description);
  return Object.fromEntries(told.map(([name, one]) => [name, described(one!)]));
}
interface Told {
  type: { describe(text: string): unknown };
  description?: string;
}

function objectOf(shape: Json, place: DefinedIn): unknown {
  const { z } = fromPackage('zod', place) as { z?: { object(shape: Json): unknown } };
  if (!z) throw new Error('its schema is of zod, and zod can\u2019t be loaded from the file');
  return z.object(shape);
}

/** By the zod that made it, which knows the descriptions; its own method came with 4.1. */
function zod4(schema: Json, place: DefinedIn): Json {
  const zod = ['zod', 'zod/v4'].map((name) => fromPackage(name, place)).find(hasConverter);
  if (!zod) throw new Error('its schema is of zod 4, and zod can\u2019t be loaded from the file');
  return zod.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', target: 'draft-2020-12' });
}

interface Converter {
  toJSONSchema(schema: unknown, options: object): Json;
}
const hasConverter = (module: unknown): module is Converter =>
  typeof (module as Partial<Converter>).toJSONSchema === 'function';

/** zod 3 can't write JSON Schema; the libraries that take its schemas bring what can. */
async function zod3(schema: Json, place: DefinedIn): Promise<Json> {
  const { zodToJsonSchema } = fromPackage('zod-to-json-schema', place) as {
    zodToJsonSchema?(schema: unknown, options: object): Json;
  };
  if (zodToJsonSchema)
    return zodToJsonSchema(schema, { $refStrategy: 'root', pipeStrategy: 'input', effectStrategy: 'input' });
  const { asSchema } = fromPackage('ai', place) as { asSchema?(schema: unknown): { jsonSchema: unknown } };
  if (asSchema) return (await asSchema(schema).jsonSchema) as Json;
  const { toJsonSchema } = fromPackage('@langchain/core/utils/json_schema', place) as {
    toJsonSchema?(schema: unknown): Json;
  };
  if (toJsonSchema) return toJsonSchema(schema);
  throw new Error('its schema is of zod 3, which needs the package zod-to-json-schema to be read');
}

function fromPackage(name: string, { file, loader }: DefinedIn): object {
  try {
    return (loader.packageOf(name, file) as object | undefined) ?? {};
  } catch {
    return {}; // not installed: there are other ways, or the caller says so
  }
}

/**
 * Arguments as the definition's function gets them: defaults filled in, transforms made.
 * @throws Error with what the schema says of them
 */
export async function parsedBy(schema: unknown, args: Json, place?: DefinedIn): Promise<unknown> {
  const object = (schema ?? {}) as Json & { [AI_SCHEMA]?: boolean; validate?(value: unknown): unknown };
  const shape = place && shapeOf(object);
  if (shape) return parsedBy(objectOf(shape, place), args);
  if (object[AI_SCHEMA] === true) {
    if (!object.validate) return args;
    const result = (await object.validate(args)) as { success: boolean; value?: unknown; error?: Error };
    if (!result.success) throw result.error ?? new Error('the schema refuses the arguments');
    return result.value;
  }
  const standard = object['~standard'] as Standard | undefined;
  if (!standard?.validate) return args;
  const result = (await standard.validate(args)) as {
    value?: unknown;
    issues?: { message: string; path?: unknown[] }[];
  };
  if (!result.issues) return result.value;
  const said = result.issues.map(({ message, path = [] }) => [pathText(path), message].filter(Boolean).join(': '));
  throw new Error(`invalid arguments: ${said.join('; ')}`);
}

const pathText = (path: readonly unknown[]): string =>
  path.map((key) => String(typeof key === 'object' && key !== null ? (key as { key: unknown }).key : key)).join('.');
