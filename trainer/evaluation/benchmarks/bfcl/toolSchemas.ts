import type { JsonSchema, ToolSchema } from '../../../protocol/task';
import type { BfclFunction } from '../../../rewards/bfcl/checker';

/** BFCL's words for types that JSON Schema has others for; "any" is no type at all. */
const TYPES: Readonly<Record<string, string>> = { dict: 'object', float: 'number', tuple: 'array' };

/**
 * BFCL's functions as tools that a chat template can write: types in JSON Schema's words, and "_" for "." in names, as
 * BFCL itself does for models that call
 * by tool-call formats (`underscore_to_dot`; the verdict then wants the names so).
 */
export function toolSchemas(functions: readonly BfclFunction[], file: string): ToolSchema[] {
  return functions.map(({ name, description = '', parameters }): ToolSchema => {
    const legal = name.replaceAll('.', '_');
    return {
      name: legal,
      description,
      parameters: { ...schemaOf(parameters), type: 'object' },
      source: { file, line: 1 },
      binding: { exportName: legal, positional: 'object' },
      changesWorld: false,
    };
  });
}

type Open = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Open =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function schemaOf({
  type,
  properties,
  items,
  additionalProperties,
  optional: _,
  enum: choices,
  ...rest
}: Open): JsonSchema {
  const out: Record<string, unknown> = {
    ...(typeof type === 'string' && type !== 'any' ? { type: TYPES[type] ?? type } : {}),
    ...rest,
  };
  if (isObject(properties))
    out['properties'] = Object.fromEntries(
      Object.entries(properties).map(([name, schema]) => [name, isObject(schema) ? schemaOf(schema) : schema]),
    );
  if (isObject(items)) out['items'] = schemaOf(items);
  if (isObject(additionalProperties)) out['additionalProperties'] = schemaOf(additionalProperties);
  if (choices === undefined) return out;
  // of a list BFCL names what its items may be, where JSON Schema would mean the list itself
  if (out['type'] === 'array' && isObject(out['items'])) out['items'] = { ...out['items'], enum: choices };
  else out['enum'] = choices;
  return out;
}
