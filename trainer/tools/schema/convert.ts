/** A TypeScript type -> JSON Schema (2020-12). The dispatch; each family of types has a file of its own. */
import { ts } from 'ts-morph';
import type { JsonSchema } from '../../protocol/task';
import { convertBuiltin } from './builtins';
import { isNever, type SchemaContext, unsendable, within } from './context';
import { keep, playBack } from './memo';
import { openAlias, withNamedDocs, withSymbolDocs } from './namedDocs';
import { literalSchema, templatePattern } from './literals';
import { convertObject } from './objects';
import { distinct, withoutUndefined } from './typeFacts';
import { convertUnion } from './unions';

/**
 * @param node the type as written, where it is known: it gives unions their source order
 * @returns a schema; `{}` for `any` and `unknown`; `{ not: {} }` for what can't be sent, which the context then lists
 */
export function convert(type: ts.Type, context: SchemaContext, node?: ts.TypeNode): JsonSchema {
  return withNamedDocs(convertType(type, context, node), type, node, context);
}

function convertType(type: ts.Type, context: SchemaContext, node: ts.TypeNode | undefined): JsonSchema {
  if (context.budget-- <= 0) {
    if (context.budget === -1)
      context.remarks.push({
        path: context.path,
        what: 'the type is too large or nests without end; the rest of it accepts anything',
      });
    return {};
  }
  const { flags } = type;
  if (flags & ts.TypeFlags.Any) {
    context.anys.push({ path: context.path, what: 'any' });
    return {};
  }
  if (flags & ts.TypeFlags.Unknown) return {};
  if (flags & (ts.TypeFlags.Undefined | ts.TypeFlags.Void | ts.TypeFlags.Never)) return { not: {} };
  if (flags & ts.TypeFlags.Null) return { type: 'null' };
  if (flags & ts.TypeFlags.Boolean) return { type: 'boolean' };
  const literal = literalSchema(type);
  if (literal) return literal;
  if (flags & ts.TypeFlags.String) return { type: 'string' };
  if (flags & (ts.TypeFlags.Number | ts.TypeFlags.Enum) && !type.isUnion()) return { type: 'number' };
  if (flags & ts.TypeFlags.BigIntLike) return bigintSchema(context);
  if (flags & ts.TypeFlags.ESSymbolLike) return unsendable(context, 'a symbol');
  if (flags & ts.TypeFlags.TemplateLiteral)
    return { type: 'string', pattern: templatePattern(type as ts.TemplateLiteralType) };
  if (flags & ts.TypeFlags.StringMapping) return { type: 'string' };
  if (flags & ts.TypeFlags.NonPrimitive) return { type: 'object' };
  if (type.isUnion()) return guarded(type, context, () => convertUnion(type, context, node));
  if (type.isIntersection()) {
    const primitive = type.types.find((each) => each.flags & PRIMITIVE);
    if (primitive) return convert(primitive, context); // a brand: `string & { __brand: 'Id' }`
    return guarded(type, context, () => convertObject(type, context));
  }
  if (flags & ts.TypeFlags.Object) {
    return guarded(
      type,
      context,
      () =>
        convertBuiltin(type, context, node) ?? convertArray(type, context, node) ?? convertObject(type, context, node),
    );
  }
  const constraint = context.checker.getBaseConstraintOfType(type); // a type parameter, or a type that waits for one
  return constraint && constraint !== type ? convert(constraint, context) : {};
}

const PRIMITIVE =
  ts.TypeFlags.StringLike |
  ts.TypeFlags.NumberLike |
  ts.TypeFlags.BooleanLike |
  ts.TypeFlags.BigIntLike |
  ts.TypeFlags.ESSymbolLike;

/**
 * Converts a type that may contain itself: the second meeting becomes a reference, and the first one its definition.
 */
function guarded(type: ts.Type, context: SchemaContext, body: () => JsonSchema): JsonSchema {
  const known = context.named.get(type);
  if (known) {
    context.oldestNamed = Math.min(context.oldestNamed, [...context.named.keys()].indexOf(type));
    return { $ref: `#/$defs/${known}` };
  }
  const open = context.open.get(type);
  if (open) {
    open.name ??= freeName(type, context);
    context.outermost = Math.min(context.outermost, open.depth);
    return { $ref: `#/$defs/${open.name}` };
  }
  if (!isKeepable(type)) return convertOpen(type, context, body);
  return playBack(type, context) ?? keep(type, context, () => convertOpen(type, context, body));
}

function convertOpen(type: ts.Type, context: SchemaContext, body: () => JsonSchema): JsonSchema {
  const entry = { name: null as string | null, depth: context.open.size };
  context.open.set(type, entry);
  const schema = body();
  context.open.delete(type);
  if (entry.name === null) return schema;
  context.named.set(type, entry.name);
  // A path can't say "at every depth": what lies deeper than the first level reaches the tool as JSON.
  const inside = [...context.revive.keys()].find((path) => path.startsWith(context.path) && path !== context.path);
  if (inside !== undefined)
    context.remarks.push({
      path: inside,
      what: `${context.revive.get(inside)} inside a type that contains itself: below the first level it arrives as plain JSON`,
    });
  context.defs.set(entry.name, withSymbolDocs(schema, type.aliasSymbol ?? type.symbol, context));
  return { $ref: `#/$defs/${entry.name}` };
}

/**
 * A union, or a list or mapped type made of one, is the same type in whatever order it is written: those are done
 * anew.
 */
function isKeepable(type: ts.Type): boolean {
  if (!(type.flags & ts.TypeFlags.Object) || (type as ts.ObjectType).objectFlags & ts.ObjectFlags.Mapped) return false;
  const symbol = type.symbol as ts.Symbol | undefined;
  if (!symbol || symbol.name === 'Array' || symbol.name === 'ReadonlyArray') return false;
  return (symbol.flags & (ts.SymbolFlags.Interface | ts.SymbolFlags.Class | ts.SymbolFlags.TypeLiteral)) !== 0;
}

function freeName(type: ts.Type, context: SchemaContext): string {
  const symbol = type.aliasSymbol ?? (type.symbol as ts.Symbol | undefined);
  const base = symbol && /^[A-Za-z]\w*$/.test(symbol.name) ? symbol.name : 'Part';
  const taken = new Set([...context.defs.keys(), ...[...context.open.values()].map((entry) => entry.name)]);
  for (let i = 1; ; i++) {
    const name = i === 1 ? base : `${base}${i}`;
    if (!taken.has(name)) return name;
  }
}

function convertArray(type: ts.Type, context: SchemaContext, node: ts.TypeNode | undefined): JsonSchema | null {
  const { checker } = context;
  if (checker.isTupleType(type))
    return convertTuple(type as ts.TupleTypeReference, context, node && elementsNode(openAlias(node, context)));
  const isList = checker.isArrayType(type);
  // `interface Rows extends Array<Row>`: what a caller sends for it is a list.
  if (!isList && !(type.getNumberIndexType() && type.getProperty('length') && type.getProperty('slice'))) return null;
  const element = isList ? checker.getTypeArguments(type as ts.TypeReference)[0] : type.getNumberIndexType();
  const written = node && (elementNode(node) ?? elementNode(openAlias(node, context)));
  const items = element ? within(context, '[]', () => convert(element, context, written)) : {};
  return isNever(items) && context.direction === 'returns' ? { type: 'array' } : { type: 'array', items };
}

/** @param written the elements' types as written */
function convertTuple(
  type: ts.TupleTypeReference,
  context: SchemaContext,
  written: readonly ts.TypeNode[] = [],
): JsonSchema {
  const { elementFlags } = type.target;
  const elements = context.checker.getTypeArguments(type);
  const firstRest = elementFlags.findIndex((flag) => flag & ts.ElementFlags.Variable);
  const fixed = firstRest === -1 ? elements.length : firstRest;
  const prefixItems = elements
    .slice(0, fixed)
    .map((element, i) =>
      within(context, `.${i}`, () => convert(withoutUndefined(element, context), context, written[i])),
    );
  const minItems = elementFlags.filter((flag) => flag & ts.ElementFlags.Required).length;
  const schema: JsonSchema = { type: 'array' };
  if (prefixItems.length > 0) schema.prefixItems = prefixItems;
  if (minItems > 0) schema.minItems = minItems;
  if (firstRest === -1) {
    schema.items = false;
    schema.maxItems = elements.length;
    return schema;
  }
  // Elements after the rest can stand at any place behind the prefix: JSON Schema can only say what may occur there.
  const tail = elements.slice(fixed).map((element) => within(context, '[]', () => convert(element, context)));
  schema.items = tail.length === 1 ? tail[0] : { anyOf: distinct(tail) };
  return schema;
}

/** Types of a tuple's fixed elements, without names and `?`. */
function elementsNode(node: ts.TypeNode): ts.TypeNode[] {
  if (ts.isTypeOperatorNode(node)) return elementsNode(node.type);
  const typeOf = (element: ts.TypeNode): ts.TypeNode =>
    ts.isNamedTupleMember(element) || ts.isOptionalTypeNode(element) ? typeOf(element.type) : element;
  return ts.isTupleTypeNode(node) ? node.elements.map(typeOf) : [];
}

function elementNode(node: ts.TypeNode): ts.TypeNode | undefined {
  if (ts.isParenthesizedTypeNode(node)) return elementNode(node.type);
  if (ts.isTypeOperatorNode(node)) return elementNode(node.type);
  if (ts.isArrayTypeNode(node))
    return ts.isParenthesizedTypeNode(node.elementType) ? node.elementType.type : node.elementType;
  if (ts.isTypeReferenceNode(node) && node.typeArguments?.length === 1) return node.typeArguments[0];
  return undefined;
}

function bigintSchema(context: SchemaContext): JsonSchema {
  if (context.direction === 'arguments') context.revive.set(context.path, 'bigint');
  return { type: ['integer', 'string'], pattern: '^-?[0-9]+$' };
}
