/**
 * Unions: literals -> `enum`, plain types -> a type list, everything else -> `anyOf`. `undefined` is the caller's
 * matter.
 */
import { ts } from 'ts-morph';
import type { JsonSchema } from '../../protocol/task';
import { isNever, type SchemaContext } from './context';
import { type Literal, literalValue } from './literals';
import { memberNode, writtenMembers } from './namedDocs';
import { distinct } from './typeFacts';
import { inSourceOrder } from './unionOrder';

/** @param node the union as written, for its order; an alias' own declaration is found without it */
export function convertUnion(type: ts.UnionType, context: SchemaContext, node?: ts.TypeNode): JsonSchema {
  const members = inSourceOrder(type, context, node).filter(
    (each) => !(each.flags & (ts.TypeFlags.Undefined | ts.TypeFlags.Void)),
  );
  const hasNull = members.some((each) => each.flags & ts.TypeFlags.Null);
  const { literals, others, hasBoolean } = partition(members);

  const unsendableBefore = context.unsendable.length;
  const written = writtenMembers(node ?? aliasNode(type), context);
  const parts = convertMembers(others, literals.length > 0 || hasBoolean, context, written);
  const sendable = parts.filter((part) => !isNever(part));
  // One member that can be sent is enough: `string | (() => string)` is a string to a caller.
  if (sendable.length > 0 || literals.length > 0 || hasBoolean) context.unsendable.length = unsendableBefore;
  else if (parts.length > 0) return { not: {} };

  const variants: JsonSchema[] = [];
  for (const kind of ['string', 'number', 'boolean'] as const) {
    const values = literals.filter((value) => typeof value === kind);
    if (values.length > 0) variants.push({ type: kind, enum: values });
  }
  if (hasBoolean) variants.push({ type: 'boolean' });
  variants.push(...sendable);
  return combine(distinct(variants), hasNull);
}

/**
 * A member that must be revived (`Date | number`) can't be told from its neighbours once it is JSON, so where another
 * member can be sent as it is, only that one is offered; of several to be revived, the first.
 */
function convertMembers(
  members: ts.Type[],
  hasLiterals: boolean,
  context: SchemaContext,
  written: readonly ts.TypeNode[],
): JsonSchema[] {
  const { path, revive } = context;
  const outer = revive.get(path);
  const parts = members.map((member) => {
    revive.delete(path);
    const schema = context.convert(member, context, memberNode(member, written, context));
    return { schema, how: revive.get(path) };
  });
  revive.delete(path);
  if (outer !== undefined) revive.set(path, outer);
  const plain = parts.filter(({ how, schema }) => how === undefined && !isNever(schema));
  const revived = parts.filter(({ how }) => how !== undefined);
  const [first] = revived;
  if (!first || plain.length > 0 || hasLiterals)
    return parts.filter(({ how }) => how === undefined).map(({ schema }) => schema);
  revive.set(path, first.how!);
  return revived.filter(({ how }) => how === first.how).map(({ schema }) => schema);
}

function aliasNode(type: ts.Type): ts.TypeNode | undefined {
  return type.aliasSymbol?.declarations?.find(ts.isTypeAliasDeclaration)?.type;
}

function partition(members: ts.Type[]): { literals: Literal[]; others: ts.Type[]; hasBoolean: boolean } {
  const values = members.map((each) => literalValue(each));
  const hasBoolean = values.includes(true) && values.includes(false);
  const literals = values.filter(
    (value): value is string | number | boolean =>
      value !== undefined && value !== null && !(hasBoolean && typeof value === 'boolean'),
  );
  const others = members.filter((each, i) => values[i] === undefined && !(each.flags & ts.TypeFlags.Null));
  return { literals: [...new Set(literals)], others, hasBoolean };
}

function combine(variants: JsonSchema[], hasNull: boolean): JsonSchema {
  if (variants.some((variant) => Object.keys(variant).length === 0)) return {}; // one member accepts anything
  const isEnum = (variant: JsonSchema) => Array.isArray(variant.enum) && Object.keys(variant).length === 2;
  const isPlain = (variant: JsonSchema) =>
    Object.keys(variant).length === 1 && variant.type !== undefined && variant.type !== 'object';
  if (variants.length > 0 && variants.every(isEnum)) {
    const types = variants.map((variant) => variant.type as string);
    const values = variants.flatMap((variant) => variant.enum as Literal[]);
    if (hasNull) return { type: [...types, 'null'], enum: [...values, null] };
    return { type: types.length === 1 ? types[0] : types, enum: values };
  }
  if (variants.length > 0 && variants.every(isPlain)) {
    const types = [...new Set(variants.flatMap((variant) => variant.type as string | string[]))];
    if (hasNull) types.push('null');
    return { type: types.length === 1 ? types[0] : types };
  }
  const only = variants[0];
  if (hasNull && variants.length === 1 && only && PRIMITIVES.has(only.type as string) && only.enum === undefined) {
    return { ...only, type: [only.type, 'null'] };
  }
  const all = hasNull ? [...variants, { type: 'null' }] : variants;
  return all.length === 1 ? all[0]! : { anyOf: all };
}

const PRIMITIVES = new Set(['string', 'number', 'integer', 'boolean']);
