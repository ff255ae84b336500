/**
 * The checker orders a union's members by when it first saw them, which depends on what else was checked before. As
 * written is what the author expects, and what stays the same from one discovery to the next.
 */
import { ts } from 'ts-morph';
import type { SchemaContext } from './context';
import { type Literal, literalValue } from './literals';

/** Types seen so far, and literal values: `keyof T` names its members without any of their types being written. */
type Ranks = Map<ts.Type | Literal, number>;

/**
 * Members in the order of the source; what isn't written out follows by kind, place of declaration, then value.
 *
 * @param node the union as written; the declaration of an alias is found without it
 */
export function inSourceOrder(type: ts.UnionType, context: SchemaContext, node?: ts.TypeNode): ts.Type[] {
  const ranks: Ranks = new Map();
  const seen = new Set<ts.Node>();
  for (const start of [node, ...aliasNodes(type.aliasSymbol)]) if (start) rankNode(start, context.checker, ranks, seen);
  const place = (each: ts.Type) => ranks.get(each) ?? ranks.get(literalValue(each) ?? null) ?? Number.MAX_SAFE_INTEGER;
  return [...type.types].sort((a, b) => place(a) - place(b) || compareUnwritten(a, b));
}

/** Places of literal names in a type as written: `Record<'b' | 'a', T>` has b before a. */
export function namesInSourceOrder(
  type: ts.Type,
  context: SchemaContext,
  node?: ts.TypeNode,
): { get(name: string): number | undefined } {
  const ranks: Ranks = new Map();
  const seen = new Set<ts.Node>();
  for (const start of [node, ...aliasNodes(type.aliasSymbol)]) if (start) rankNode(start, context.checker, ranks, seen);
  return ranks;
}

function rankNode(node: ts.TypeNode, checker: ts.TypeChecker, ranks: Ranks, seen: Set<ts.Node>): void {
  if (seen.has(node) || seen.size > 300) return;
  seen.add(node);
  const recurse = (next: ts.TypeNode) => rankNode(next, checker, ranks, seen);
  if (ts.isParenthesizedTypeNode(node)) return recurse(node.type);
  if (ts.isUnionTypeNode(node)) return node.types.forEach(recurse);
  if (ts.isTypeOperatorNode(node)) {
    if (node.operator !== ts.SyntaxKind.KeyOfKeyword) return recurse(node.type);
    for (const property of checker.getPropertiesOfType(checker.getTypeFromTypeNode(node.type)))
      add(ranks, property.name);
    return;
  }
  if (ts.isIndexedAccessTypeNode(node)) return rankIndexed(node, checker, ranks);
  if (ts.isMappedTypeNode(node)) return node.typeParameter.constraint && recurse(node.typeParameter.constraint);
  const type = checker.getTypeFromTypeNode(node);
  if (ts.isTypeReferenceNode(node)) {
    node.typeArguments?.forEach(recurse);
    const symbol = checker.getSymbolAtLocation(node.typeName);
    const target = symbol && symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
    aliasNodes(target).forEach(recurse);
  }
  if (type.isUnion()) for (const member of [...type.types].sort(compareUnwritten)) addType(ranks, member);
  else addType(ranks, type);
}

/** `(typeof LIST)[number]` and `(typeof TABLE)[keyof typeof TABLE]`: in the order of the list or table. */
function rankIndexed(node: ts.IndexedAccessTypeNode, checker: ts.TypeChecker, ranks: Ranks): void {
  const whole = checker.getTypeFromTypeNode(node.objectType);
  const parts = checker.isTupleType(whole)
    ? checker.getTypeArguments(whole as ts.TypeReference)
    : checker.getPropertiesOfType(whole).map((property) => checker.getTypeOfSymbolAtLocation(property, node));
  for (const part of parts) addType(ranks, part);
}

function addType(ranks: Ranks, type: ts.Type): void {
  add(ranks, type);
  const value = literalValue(type);
  if (value !== undefined) add(ranks, value);
}

function add(ranks: Ranks, key: ts.Type | Literal): void {
  if (!ranks.has(key)) ranks.set(key, ranks.size);
}

function aliasNodes(symbol: ts.Symbol | undefined): ts.TypeNode[] {
  return (symbol?.declarations ?? []).filter(ts.isTypeAliasDeclaration).map((declaration) => declaration.type);
}

function compareUnwritten(a: ts.Type, b: ts.Type): number {
  const [kindA, kindB] = [kindRank(a), kindRank(b)];
  if (kindA !== kindB) return kindA - kindB;
  const [whereA, whereB] = [declarationOf(a), declarationOf(b)];
  if (whereA && whereB && whereA !== whereB) {
    const [fileA, fileB] = [whereA.getSourceFile().fileName, whereB.getSourceFile().fileName];
    return fileA === fileB ? whereA.pos - whereB.pos : fileA < fileB ? -1 : 1;
  }
  const [valueA, valueB] = [literalValue(a), literalValue(b)];
  if (typeof valueA === 'number' && typeof valueB === 'number') return valueA - valueB;
  if (typeof valueA === 'string' && typeof valueB === 'string') return valueA < valueB ? -1 : 1;
  return 0;
}

function kindRank(type: ts.Type): number {
  if (type.flags & ts.TypeFlags.StringLike) return 0;
  if (type.flags & ts.TypeFlags.NumberLike) return 1;
  if (type.flags & ts.TypeFlags.BooleanLike) return 2;
  if (type.flags & ts.TypeFlags.Null) return 9;
  return 3;
}

function declarationOf(type: ts.Type): ts.Declaration | undefined {
  return (type.symbol as ts.Symbol | undefined)?.declarations?.[0];
}
