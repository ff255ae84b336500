/** The longest call of a tool that makes sense: every argument given, each as long as people write such values. */
import { propertiesOf } from '../../protocol/arguments';

type Schema = Record<string, unknown>;

/** A few words, a name or a title. */
const TEXT = 'some words of a request';
const NUMBER = 12345;
const ITEMS = 2;
const MAX_DEPTH = 4;

export function longestArguments(schema: Schema): Record<string, unknown> {
  const value = longest(schema, schema, 0);
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

function longest(schema: Schema, root: Schema, depth: number): unknown {
  if (typeof schema.$ref === 'string')
    return depth < MAX_DEPTH ? longest(resolve(schema.$ref, root), root, depth + 1) : {};
  const choices = [...given(schema.enum), ...given(schema.examples), ...('const' in schema ? [schema.const] : [])];
  if (choices.length > 0) return longestOf(choices);
  const branches = (schema.anyOf ?? schema.oneOf) as Schema[] | undefined;
  if (branches && branches.length > 0) return longestOf(branches.map((branch) => longest(branch, root, depth + 1)));
  if (Array.isArray(schema.allOf))
    return Object.assign(
      {},
      ...[schema, ...(schema.allOf as Schema[])].map(({ allOf: _, ...part }) => longest(part, root, depth + 1)),
    );
  const types = (Array.isArray(schema.type) ? schema.type : [schema.type]) as unknown[];
  if (types.includes('object') || schema.properties)
    return depth < MAX_DEPTH
      ? Object.fromEntries(
          Object.entries(propertiesOf(schema)).map(([name, of]) => [name, longest(of, root, depth + 1)]),
        )
      : {};
  if (types.includes('array'))
    return Array.from({ length: Math.min(ITEMS, Number(schema.maxItems ?? ITEMS)) }, () =>
      longest((schema.items ?? {}) as Schema, root, depth + 1),
    );
  if (types.includes('string') || types[0] === undefined) return textOf(schema);
  if (types.includes('number') || types.includes('integer')) return numberOf(schema);
  return types.includes('boolean') ? false : null;
}

const given = (list: unknown): unknown[] => (Array.isArray(list) ? (list as unknown[]) : []);
const longestOf = (values: readonly unknown[]): unknown =>
  values.reduce((best, value) => (JSON.stringify(value).length > JSON.stringify(best).length ? value : best));

function textOf({ format, minLength, maxLength }: Schema): string {
  const text =
    format === 'date-time'
      ? '2026-11-24T12:00:00.000Z'
      : format === 'date'
        ? '2026-11-24'
        : format === 'uuid'
          ? '00000000-0000-4000-8000-000000000000'
          : format === 'uri' || format === 'url'
            ? 'https://example.com/some-page'
            : TEXT;
  return text.padEnd(Math.min(Number(minLength ?? 0), 200), 'x').slice(0, Number(maxLength ?? 200));
}

const numberOf = ({ maximum, minimum }: Schema): number =>
  [maximum, minimum]
    .filter((bound) => typeof bound === 'number')
    .reduce((best, bound) => (String(bound).length > String(best).length ? bound : best), NUMBER);

function resolve(ref: string, root: Schema): Schema {
  let at: unknown = root;
  for (const part of ref.replace(/^#\/?/, '').split('/').filter(Boolean))
    at = (at as Schema | undefined)?.[decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~')];
  return (at ?? {}) as Schema;
}
