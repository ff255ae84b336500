/** A JSON Schema that a library or a person wrote, as the parameters of a tool: its root, its references. */
import type { JsonSchema } from '../../protocol/task';
import { argumentValidator } from './validateArguments';

/**
 * @returns the schema with an object at its root, without `$schema`
 * @throws Error in words where it is none, leads in a circle, or can't be used
 */
export function writtenSchema(name: string, schema: unknown): JsonSchema {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema))
    throw new Error('its schema is not an object; a tool takes an object of named arguments');
  const { $schema: _, ...own } = schema as JsonSchema;
  const root = resolved(own, own);
  if (root['type'] !== undefined && root['type'] !== 'object')
    throw new Error(`its schema is of type ${JSON.stringify(root['type'])}; a tool takes an object of named arguments`);
  checkReferences(own);
  // A reference at the root would hide the properties from who looks for them.
  const { $ref: __, ...rest } = own;
  const parameters = { type: 'object', ...(own['$ref'] === undefined ? own : { ...root, ...rest }) };
  argumentValidator({ name, parameters });
  return parameters;
}

/** @throws Error where a reference leads to nothing, or to references alone that lead back to it */
function checkReferences(root: JsonSchema): void {
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    if (typeof (value as JsonSchema)['$ref'] === 'string') resolved(value as JsonSchema, root);
    Object.values(value).forEach(visit);
  };
  visit(root);
}

/** What stands at the end of a schema's references. */
function resolved(schema: JsonSchema, root: JsonSchema): JsonSchema {
  const seen = new Set<string>();
  let at = schema;
  while (typeof at['$ref'] === 'string') {
    const reference = at['$ref'];
    if (seen.has(reference))
      throw new Error(
        `its schema has references that lead in a circle (${[...seen, reference].join(' -> ')}); let ` +
          'one of them lead to a type',
      );
    seen.add(reference);
    const next = pointedAt(reference, root);
    if (typeof next !== 'object' || next === null)
      throw new Error(`its schema refers to ${reference}, which is not in it; write it below $defs`);
    at = next as JsonSchema;
  }
  return at;
}

function pointedAt(reference: string, root: JsonSchema): unknown {
  if (!reference.startsWith('#')) return undefined;
  const keys = reference.slice(1).split('/').slice(1);
  return keys.reduce<unknown>(
    (at, key) => (at as JsonSchema | undefined)?.[decodeURIComponent(key).replaceAll('~1', '/').replaceAll('~0', '~')],
    root,
  );
}
