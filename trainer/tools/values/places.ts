/** The places in a tool's arguments that a value can go to: parameters, members of objects, items of lists. */
import { boundedPattern, type BoundedPattern } from '../../base/boundedPattern';
import type { JsonSchema, ToolSchema } from '../../protocol/task';
import { deref, isRecord, requiredOf, type Arguments } from '../../protocol/arguments';
import { nameWordsOf, singular } from '../schema/words';
import { wordsOf, type Scalar } from './facts';

export interface ParameterPlace {
  tool: ToolSchema;
  /** 'room', 'address.city', 'lines.sku' (items of a list have no name of their own) */
  path: string;
  /** words of the last name, in the singular */
  words: readonly string[];
  /** words of what holds it, and of the tool's name: the things that it may be of */
  context: readonly string[];
  /** words of its description */
  described: readonly string[];
  /** words of the tool's description */
  about: readonly string[];
  schema: JsonSchema;
  isRequired: boolean;
}

const MAX_DEPTH = 5;

/** All of a tool's places that hold a text or a number, outermost first. */
export function placesOf(tool: ToolSchema): ParameterPlace[] {
  const out: ParameterPlace[] = [];
  const own = nameWordsOf(tool).map(singular);
  const context = own.length > 1 ? own.slice(1) : own;
  const about = wordsOf(tool.description);
  walk(tool.parameters, '', [], true, 0);
  return out;

  function walk(node: unknown, path: string, parents: string[], isRequired: boolean, depth: number): void {
    const schema = branchOf(node, tool.parameters);
    if (depth > MAX_DEPTH) return;
    if (isRecord(schema.properties)) {
      const required = new Set(requiredOf(schema));
      for (const [name, member] of Object.entries(schema.properties))
        walk(
          member,
          path ? `${path}.${name}` : name,
          path ? [...parents, ...wordsOf(path.split('.').at(-1)!)] : parents,
          isRequired && required.has(name),
          depth + 1,
        );
    } else if (schema.type === 'array' || isRecord(schema.items))
      walk(itemOf(schema), path, parents, isRequired, depth + 1);
    else if (
      path !== '' &&
      (typesOf(schema).includes('string') || typesOf(schema).some((type) => type === 'number' || type === 'integer'))
    ) {
      const described = [schema.description, isRecord(node) ? node.description : undefined].find(
        (text) => typeof text === 'string',
      );
      out.push({
        tool,
        path,
        words: wordsOf(path.split('.').at(-1)!),
        context: [...new Set([...parents, ...context])],
        // "Searches restaurants by cuisine or name" says what an `input` without words of its own is
        described: typeof described === 'string' ? wordsOf(described) : isVague(path) ? about : [],
        about,
        schema,
        isRequired,
      });
    }
  }
}

const isVague = (path: string): boolean => /^(input|query|q|text|value|arg|args|argument|search|term)$/i.test(path);

const itemOf = (schema: JsonSchema): unknown =>
  Array.isArray(schema.prefixItems) ? schema.prefixItems[0] : schema.items;

export const typesOf = (schema: JsonSchema): unknown[] => (Array.isArray(schema.type) ? schema.type : [schema.type]);

/** Behind references, and of a choice the first branch that is not null. */
function branchOf(node: unknown, root: JsonSchema): JsonSchema {
  const schema = deref(node, root);
  const branches = schema.anyOf ?? schema.oneOf;
  if (!Array.isArray(branches)) return schema;
  const first = branches.map((branch) => deref(branch, root)).find((branch) => branch.type !== 'null') ?? {};
  return { ...first, ...(typeof schema.description === 'string' && { description: schema.description }) };
}

/** Texts and numbers of arguments with the paths that they stand at. */
export function leavesOf(args: Arguments, path = ''): { path: string; value: Scalar }[] {
  const out: { path: string; value: Scalar }[] = [];
  for (const [name, value] of Object.entries(args)) {
    const at = path ? `${path}.${name}` : name;
    for (const item of Array.isArray(value) ? value : [value]) {
      if (isRecord(item)) out.push(...leavesOf(item, at));
      else if (typeof item === 'string' || typeof item === 'number') out.push({ path: at, value: item });
    }
  }
  return out;
}

/** Does the value keep to type, pattern, enum and bounds? */
export function suits(value: Scalar, schema: JsonSchema): boolean {
  const types = typesOf(schema);
  if (Array.isArray(schema.enum)) return schema.enum.includes(value);
  if (typeof value === 'number') {
    if (!types.includes('number') && !(types.includes('integer') && Number.isInteger(value))) return false;
    return (
      !(typeof schema.minimum === 'number' && value < schema.minimum) &&
      !(typeof schema.maximum === 'number' && value > schema.maximum)
    );
  }
  if (!types.includes('string')) return false;
  const pattern = patternOf(schema);
  if (pattern && !pattern.test(value)) return false;
  return value.length >= Number(schema.minLength ?? 0) && value.length <= Number(schema.maxLength ?? Infinity);
}

/** The pattern, where it can be compiled. */
export function patternOf(schema: JsonSchema): BoundedPattern | null {
  if (typeof schema.pattern !== 'string') return null;
  try {
    return boundedPattern(schema.pattern);
  } catch {
    return null;
  }
}

/** A pattern that says something: plain words, numbers and dates don't match it by chance. */
export function isTellingPattern(schema: JsonSchema): boolean {
  const pattern = patternOf(schema);
  return pattern !== null && !['a', 'Some words', 'word', '12', '2024-05-06'].some((text) => pattern.test(text));
}
