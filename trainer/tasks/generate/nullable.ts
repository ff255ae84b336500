/**
 * OpenAI's strict schemas require each parameter, and what may be left out may be null. Requests are made for such tools
 * as if it could be left out; then each call gets its nulls.
 */
import { deref, isRecord, requiredOf, type Arguments } from '../../protocol/arguments';
import type { JsonSchema, ToolSchema } from '../../protocol/task';

const MAX_DEPTH = 6;

/** The tool without its nulls: itself where it has none. */
export function withoutNulls(tool: ToolSchema): ToolSchema {
  const parameters = withoutNull(tool.parameters, tool.parameters, 0);
  return parameters === tool.parameters ? tool : { ...tool, parameters };
}

/**
 * The call's arguments with null for each that the tool's own schema requires and that is not there, in the schema's
 * order: the constraint knows no other.
 */
export function withNulls(args: Arguments, { parameters }: ToolSchema): Arguments {
  return filled(args, parameters, parameters, 0) as Arguments;
}

function withoutNull(schema: JsonSchema, root: JsonSchema, depth: number): JsonSchema {
  if (depth > MAX_DEPTH) return schema;
  const own = alone(schema, root);
  if (isRecord(own.items)) {
    const items = withoutNull(own.items, root, depth + 1);
    return items === own.items ? own : { ...own, items };
  }
  if (!isRecord(own.properties)) return own;
  const entries = Object.entries(own.properties).map(([name, node]) => {
    const member = isRecord(node) ? withoutNull(node, root, depth + 1) : node;
    return { name, node, member };
  });
  if (entries.every(({ node, member }) => node === member)) return own;
  const nullable = new Set(entries.flatMap(({ name, node }) => (isNullable(node, root) ? [name] : [])));
  return {
    ...own,
    properties: Object.fromEntries(entries.map(({ name, member }) => [name, member])),
    ...(Array.isArray(own.required) && { required: own.required.filter((name) => !nullable.has(String(name))) }),
  };
}

/** What else than null it is. */
function alone(schema: JsonSchema, root: JsonSchema): JsonSchema {
  if (!isNullable(schema, root)) return schema;
  const { anyOf, oneOf, ...outer } = schema;
  const branches = branchesOf(schema)?.filter((branch) => !isNull(branch, root));
  if (branches)
    return branches.length === 1 ? { ...outer, ...deref(branches[0], root) } : { ...outer, anyOf: branches };
  const types = (schema.type as unknown[]).filter((type) => type !== 'null');
  return {
    ...schema,
    type: types.length === 1 ? types[0] : types,
    ...(Array.isArray(schema.enum) && { enum: schema.enum.filter((value) => value !== null) }),
  };
}

const branchesOf = ({ anyOf, oneOf }: JsonSchema): unknown[] | undefined =>
  Array.isArray(anyOf) ? anyOf : Array.isArray(oneOf) ? oneOf : undefined;

const isNull = (node: unknown, root: JsonSchema): boolean => deref(node, root).type === 'null';

/** May it be null or something else? */
function isNullable(node: unknown, root: JsonSchema): boolean {
  if (!isRecord(node)) return false;
  const branches = branchesOf(node);
  if (branches) return branches.length > 1 && branches.some((branch) => isNull(branch, root));
  return Array.isArray(node.type) && node.type.length > 1 && node.type.includes('null');
}

function filled(value: unknown, schema: JsonSchema, root: JsonSchema, depth: number): unknown {
  if (depth > MAX_DEPTH) return value;
  const own = alone(deref(schema, root), root);
  if (Array.isArray(value))
    return isRecord(own.items) ? value.map((item) => filled(item, own.items as JsonSchema, root, depth + 1)) : value;
  if (!isRecord(value) || !isRecord(own.properties)) return value;
  const required = new Set(requiredOf(own));
  const out: Arguments = {};
  for (const [name, node] of Object.entries(own.properties)) {
    if (name in value) out[name] = filled(value[name], node as JsonSchema, root, depth + 1);
    else if (required.has(name) && isNullable(node, root)) out[name] = null;
  }
  return { ...out, ...Object.fromEntries(Object.entries(value).filter(([name]) => !(name in out))) };
}
