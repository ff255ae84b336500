/**
 * JSDoc tags that narrow or annotate a schema: `@minimum 1`, `@pattern ^[a-z]+$`, `@default "km"`, `@asType integer`,
 * …
 */
import type { JsonSchema } from '../../protocol/task';
import type { JsDocTag } from '../sources/typescript/discovery/jsDoc';

const NUMBERS = new Set([
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'minProperties',
  'maxProperties',
]);

/** Tags that speak of a value. `@example` and `@deprecated` do too, but after `@param` they belong to the function. */
export const CONSTRAINT_TAGS: ReadonlySet<string> = new Set([
  ...NUMBERS,
  'uniqueItems',
  'pattern',
  'format',
  'asType',
  'default',
  'defaultValue',
]);

/**
 * The schema with the tags' keywords added; the given one is left as it is.
 * A tag whose text can't be read (`@minimum many`) adds nothing and is named in `unreadable`.
 */
export function withTags(schema: JsonSchema, tags: readonly JsDocTag[], unreadable: string[] = []): JsonSchema {
  const result = { ...schema };
  if (tags.some(isExample)) delete result.examples; // nearer ones take the place of those of a type
  for (const tag of tags) {
    if (!addTag(result, tag)) unreadable.push(`@${tag.name} ${tag.sameLine}`);
  }
  return result;
}

const isExample = ({ name, text }: JsDocTag): boolean => (name === 'example' || name === 'examples') && text !== '';

/** A value as written in a tag: JSON where it is JSON, else the text itself. */
export function tagValue(text: string): unknown {
  const bare = text.replace(/^`(.*)`$/s, '$1').trim();
  try {
    return JSON.parse(bare);
  } catch {
    return /^'.*'$/s.test(bare) ? bare.slice(1, -1) : bare;
  }
}

function addTag(schema: JsonSchema, tag: JsDocTag): boolean {
  const word = firstWord(tag.text);
  if (NUMBERS.has(tag.name)) {
    const value = Number(word);
    if (word === '' || Number.isNaN(value)) return false;
    if (tag.name === 'multipleOf' && value === 1) return asInteger(schema);
    schema[tag.name] = value;
    return true;
  }
  switch (tag.name) {
    case 'pattern': {
      const pattern = unquoted(tag.sameLine).replace(/^\/(.*)\/[a-z]*$/, '$1');
      if (pattern === '' || !isPattern(pattern)) return false;
      schema.pattern = pattern;
      return true;
    }
    case 'format':
      if (word === '') return false;
      schema.format = word;
      return true;
    case 'asType':
      if (word === 'integer' || word === 'int') return asInteger(schema);
      if (!['string', 'number', 'boolean', 'array', 'object', 'null'].includes(word)) return false;
      schema.type = word;
      return true;
    case 'uniqueItems':
      schema.uniqueItems = word !== 'false';
      return true;
    case 'default':
    case 'defaultValue':
      if (tag.text === '') return false;
      schema.default = valueFor(schema, tag.text);
      return true;
    case 'example':
    case 'examples':
      if (tag.text === '') return false;
      schema.examples = [...((schema.examples as unknown[] | undefined) ?? []), valueFor(schema, tag.text)];
      return true;
    case 'deprecated':
      schema.deprecated = true;
      return true;
    default:
      return true;
  }
}

/** `@default 10115` on a string is the text, on a number the number. */
function valueFor(schema: JsonSchema, text: string): unknown {
  const value = tagValue(text);
  return schema.type === 'string' && typeof value !== 'string' ? text.trim() : value;
}

function asInteger(schema: JsonSchema): boolean {
  const { type } = schema;
  if (type === 'number' || type === 'integer' || type === undefined) schema.type = 'integer';
  else if (Array.isArray(type)) schema.type = type.map((each) => (each === 'number' ? 'integer' : each));
  else if (type === 'array' && typeof schema.items === 'object' && schema.items) {
    schema.items = { ...schema.items };
    return asInteger(schema.items as JsonSchema);
  } else return false;
  return true;
}

function firstWord(text: string): string {
  return unquoted(/^\S*/.exec(text.trim())![0]);
}

function unquoted(text: string): string {
  return text.trim().replace(/^(['"`])(.*)\1$/, '$2');
}

function isPattern(pattern: string): boolean {
  try {
    new RegExp(pattern, 'u');
    return true;
  } catch {
    return false;
  }
}
