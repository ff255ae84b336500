/** Types of the language's own library that have a form in JSON: dates, maps, sets, bytes, boxed primitives. */
import { ts } from 'ts-morph';
import type { JsonSchema } from '../../protocol/task';
import { type SchemaContext, unsendable, within } from './context';
import { openAlias } from './namedDocs';
import { hasMethods, withoutUndefined } from './typeFacts';

const BYTES = new Set(['Uint8Array', 'Uint8ClampedArray', 'ArrayBuffer', 'ArrayBufferLike', 'Buffer']);
const LISTS = new Set(['Array', 'ReadonlyArray']);
const MAPS = new Set(['Map', 'ReadonlyMap']);
const SETS = new Set(['Set', 'ReadonlySet']);
const BOXED: Record<string, JsonSchema> = {
  String: { type: 'string' },
  Number: { type: 'number' },
  Boolean: { type: 'boolean' },
  Object: {},
};

/**
 * The schema of a library type, null for every type that isn't one. A library type with methods and no JSON form can't
 * be sent.
 */
export function convertBuiltin(type: ts.Type, context: SchemaContext, node?: ts.TypeNode): JsonSchema | null {
  const symbol = type.symbol as ts.Symbol | undefined;
  const isLibrary = symbol?.declarations?.some((declaration) => context.isLibraryFile(declaration.getSourceFile()));
  if (!symbol || !isLibrary || symbol.flags & (ts.SymbolFlags.TypeLiteral | ts.SymbolFlags.ObjectLiteral)) return null;
  const { name } = symbol;
  if (LISTS.has(name)) return null;
  const revive = context.direction === 'arguments';
  if (name === 'Date') {
    if (revive) context.revive.set(context.path, 'Date');
    return { type: 'string', format: 'date-time' };
  }
  if (BYTES.has(name)) {
    if (revive) context.revive.set(context.path, 'bytes');
    return { type: 'string', contentEncoding: 'base64' };
  }
  if (Object.hasOwn(BOXED, name)) return BOXED[name]!;
  const parameters = context.checker.getTypeArguments(type as ts.TypeReference);
  const written = node && openAlias(node, context);
  const nodes: readonly ts.TypeNode[] = written && ts.isTypeReferenceNode(written) ? (written.typeArguments ?? []) : [];
  if (MAPS.has(name)) {
    if (revive) context.revive.set(context.path, 'Map');
    return convertMap(parameters[0], parameters[1], context, nodes[1]);
  }
  if (SETS.has(name)) {
    if (revive) context.revive.set(context.path, 'Set');
    const items = parameters[0] ? within(context, '[]', () => context.convert(parameters[0]!, context, nodes[0])) : {};
    return { type: 'array', items, uniqueItems: true };
  }
  if (name === 'ArrayLike' || (name === 'Iterable' && !revive)) {
    return {
      type: 'array',
      items: parameters[0] ? within(context, '[]', () => context.convert(parameters[0]!, context)) : {},
    };
  }
  if (hasMethods(type, context)) return unsendable(context, `an instance of ${name}`);
  return null;
}

/** Text keys make an object, with the keys named where they are literals; other keys make pairs. */
function convertMap(
  key: ts.Type | undefined,
  value: ts.Type | undefined,
  context: SchemaContext,
  valueNode: ts.TypeNode | undefined,
): JsonSchema {
  if (!key || !value) return { type: 'object' };
  const { checker } = context;
  const isText = (type: ts.Type): boolean =>
    type.isUnion() ? type.types.every(isText) : (type.flags & ts.TypeFlags.StringLike) !== 0;
  if (isText(key)) {
    const schema: JsonSchema = { type: 'object' };
    if (!(key.flags & ts.TypeFlags.String)) schema.propertyNames = context.convert(key, context);
    schema.additionalProperties = within(context, '.*', () =>
      context.convert(withoutUndefined(value, context), context, valueNode),
    );
    return schema;
  }
  const pair = [key, value].map((each, i) =>
    within(context, `[].${i}`, () =>
      context.convert(checker.getNonNullableType(each) === each ? each : withoutUndefined(each, context), context),
    ),
  );
  return { type: 'array', items: { type: 'array', prefixItems: pair, minItems: 2, items: false, maxItems: 2 } };
}
