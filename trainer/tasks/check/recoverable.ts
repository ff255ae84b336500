import type { Task, ToolSchema } from '../../protocol/task';
import { deref, isRecord, propertiesOf, schemaOf, withoutDefaults } from '../../protocol/arguments';
import { saysValue } from '../../base/saysValue';
import { splitWords } from '../../base/words';
import { singular } from '../../tools/schema/words';

/** Does a text say a value, verbatim or in other words? */
export type Says = (text: string, value: string | number) => boolean;

/**
 * The values of the gold calls that nobody could know: neither the request says them (as they are, or restated), nor
 * the schema lists them (enum, const, default, true and
 * false), nor an earlier result holds them. `call.path` each; [] : all can be known. Pure.
 * @param results what the gold calls before it returned, as text, in their order; fewer where they were not run
 */
export function unrecoverable(
  task: Pick<Task, 'prompt' | 'calls'>,
  tools: readonly ToolSchema[],
  results: readonly string[] = [],
  says: Says = saysAsPeople,
): string[] {
  return (task.calls ?? []).flatMap(({ name, arguments: args }, i) => {
    const schema = schemaOf(tools, name);
    const texts = [task.prompt, ...results.slice(0, i)];
    const isKnown = (value: string | number): boolean =>
      says(task.prompt, value) || texts.some((text) => says(text, value));
    return Object.entries(withoutDefaults(args, schema)).flatMap(([key, value]) =>
      unknownIn(value, propertyOf(schema, key, schema ?? {}), schema ?? {}, `${name}.${key}`, isKnown),
    );
  });
}

function unknownIn(
  value: unknown,
  node: unknown,
  root: Record<string, unknown>,
  path: string,
  isKnown: (value: string | number) => boolean,
): string[] {
  const schema = deref(node, root);
  if (isListed(value, schema, root)) return [];
  if (Array.isArray(value))
    return value.flatMap((item, i) => unknownIn(item, schema.items, root, `${path}.${i}`, isKnown));
  if (isRecord(value))
    return Object.entries(value).flatMap(([key, member]) =>
      unknownIn(member, propertyOf(schema, key, root), root, `${path}.${key}`, isKnown),
    );
  return typeof value !== 'string' && typeof value !== 'number' ? [] : value === '' || isKnown(value) ? [] : [path];
}

const propertyOf = (schema: unknown, key: string, root: Record<string, unknown>): unknown =>
  propertiesOf(deref(schema, root))[key];

function isListed(value: unknown, schema: Record<string, unknown>, root: Record<string, unknown>): boolean {
  const union = schema.anyOf ?? schema.oneOf;
  return (
    (Array.isArray(schema.enum) && schema.enum.includes(value)) ||
    ('const' in schema && schema.const === value) ||
    ('default' in schema && schema.default === value) ||
    (Array.isArray(union) && union.some((one) => isListed(value, deref(one, root), root)))
  );
}

/**
 * As it stands or restated; of a text of several words, each of its words in some form: "a note that the milk is out"
 * says "milk is out".
 */
function saysAsPeople(text: string, value: string | number): boolean {
  if (saysValue(text, value)) return true;
  if (typeof value === 'number') return false;
  const own = splitWords(value).map(singular);
  const there = new Set(splitWords(text).map(singular));
  return own.length > 1 && own.every((word) => there.has(word));
}
