/**
 * JSDoc on what a type names: `/** @minimum 1 *\/ type Port = number` counts wherever Port is written. TypeScript's
 * types forget such
 * names, so they are read off the type as written, through aliases of aliases, files and unions.
 */
import { ts } from 'ts-morph';
import type { JsonSchema } from '../../protocol/task';
import { type JsDoc, jsDocOf, parseJsDoc, plainText } from '../sources/typescript/discovery/jsDoc';
import { skipType } from '../sources/typescript/discovery/parameterDocs';
import { tagValue } from './constraints';
import type { SchemaContext } from './context';
import { docsOfProperty, withDocs } from './docs';

/** The schema with what the names in `node` say; what stands at the parameter or property comes later and wins. */
export function withNamedDocs(
  schema: JsonSchema,
  type: ts.Type,
  node: ts.TypeNode | undefined,
  context: SchemaContext,
): JsonSchema {
  if (!node || '$ref' in schema) return schema; // the definition has them
  return docsOfNode(node, type, context).reduce(
    (result, docs) => withDocs(result, fitting(docs, result), context),
    schema,
  );
}

/** For the definition of a type that contains itself. */
export function withSymbolDocs(schema: JsonSchema, symbol: ts.Symbol | undefined, context: SchemaContext): JsonSchema {
  return docsOfSymbol(symbol, context).reduce(
    (result, docs) => withDocs(result, fitting(docs, result), context),
    schema,
  );
}

/** The types that a union is written of, aliases of unions opened. */
export function writtenMembers(node: ts.TypeNode | undefined, context: SchemaContext, depth = 0): ts.TypeNode[] {
  const bare = node && unwrap(node);
  if (!bare || depth > MOST_ALIASES) return [];
  if (ts.isUnionTypeNode(bare)) return bare.types.flatMap((each) => writtenMembers(each, context, depth + 1));
  const target = aliasTarget(bare, context);
  return target && ts.isUnionTypeNode(unwrap(target)) ? writtenMembers(target, context, depth + 1) : [bare];
}

/** The type that an alias without parameters stands for, as written; else the node itself. */
export function openAlias(node: ts.TypeNode, context: SchemaContext, depth = 0): ts.TypeNode {
  const bare = unwrap(node);
  const target = depth < MOST_ALIASES ? aliasTarget(bare, context) : undefined;
  return target ? openAlias(target, context, depth + 1) : bare;
}

/**
 * The one written member of this type; undefined where several names mean the same, since a union keeps but one of
 * them.
 */
export function memberNode(
  member: ts.Type,
  members: readonly ts.TypeNode[],
  context: SchemaContext,
): ts.TypeNode | undefined {
  const same = members.filter((each) => context.checker.getTypeFromTypeNode(each) === member);
  return same.length === 1 ? same[0] : undefined;
}

const MOST_ALIASES = 20;

/** Innermost first. */
function docsOfNode(node: ts.TypeNode, type: ts.Type, context: SchemaContext): JsDoc[] {
  const bare = unwrap(node);
  if (ts.isUnionTypeNode(bare)) {
    const parts = bare.types.filter((each) => !isNothing(each));
    const only = type.isUnion()
      ? parts.length === 1 && context.checker.getTypeFromTypeNode(parts[0]!).isUnion() && parts[0]
      : memberNode(type, writtenMembers(bare, context), context);
    return only ? docsOfNode(only, type, context) : []; // `Port | null` with more to it: its members have their own
  }
  if (ts.isIndexedAccessTypeNode(bare)) return docsOfAccess(bare, context);
  return isReference(bare) ? docsOfSymbol(symbolOf(bare, context), context) : [];
}

function docsOfSymbol(symbol: ts.Symbol | undefined, context: SchemaContext, depth = 0): JsDoc[] {
  const declarations = (symbol?.declarations ?? []).filter(
    (each) => isNamedType(each) && !context.isLibraryFile(each.getSourceFile()),
  );
  const own = declarations.map(docsOfDeclaration).find((docs) => docs !== undefined);
  const target = declarations.map(targetOf).find((each) => each !== undefined);
  const bare = target && unwrap(target);
  const inner =
    bare && isReference(bare) && depth < MOST_ALIASES ? docsOfSymbol(symbolOf(bare, context), context, depth + 1) : [];
  return own ? [...inner, own] : inner;
}

/** `Config['port']`: what the property and its type say. */
function docsOfAccess({ objectType, indexType }: ts.IndexedAccessTypeNode, context: SchemaContext): JsDoc[] {
  const name = ts.isLiteralTypeNode(indexType) && ts.isStringLiteral(indexType.literal) ? indexType.literal.text : null;
  const property = name === null ? undefined : context.checker.getTypeFromTypeNode(objectType).getProperty(name);
  const own = property && docsOfProperty(property);
  return own ? [own] : [];
}

type Named =
  | ts.TypeAliasDeclaration
  | ts.InterfaceDeclaration
  | ts.ClassDeclaration
  | ts.EnumDeclaration
  | ts.JSDocTypedefTag;

const isNamedType = (node: ts.Declaration): node is Named =>
  ts.isTypeAliasDeclaration(node) ||
  ts.isInterfaceDeclaration(node) ||
  ts.isClassDeclaration(node) ||
  ts.isEnumDeclaration(node) ||
  ts.isJSDocTypedefTag(node);

const known = new WeakMap<ts.Node, { docs: JsDoc | undefined }>();

function docsOfDeclaration(node: ts.Declaration): JsDoc | undefined {
  let entry = known.get(node);
  if (!entry)
    known.set(
      node,
      (entry = { docs: ts.isJSDocTypedefTag(node) ? docsOfTypedef(node) : jsDocOf(node, node.getSourceFile()) }),
    );
  return entry.docs;
}

/** `@typedef {number} Port - A port` with the block's own text before it and its tags up to the next typedef. */
function docsOfTypedef(node: ts.JSDocTypedefTag): JsDoc | undefined {
  const block = node.parent as ts.Node | undefined;
  const name = node.name && ts.isIdentifier(node.name) ? node.name.text : undefined;
  if (!block || name === undefined) return undefined;
  const { description, tags } = parseJsDoc(node.getSourceFile().text.slice(block.pos, block.end));
  const isDefinition = (tag: JsDoc['tags'][number]) => tag.name === 'typedef' || tag.name === 'callback';
  const at = tags.findIndex((tag) => tag.name === 'typedef' && skipType(tag.text).startsWith(name));
  if (at === -1) return undefined;
  const end = tags.findIndex((tag, i) => i > at && isDefinition(tag));
  const said = plainText(
    skipType(tags[at]!.text)
      .slice(name.length)
      .replace(/^\s*(?:[-\u2013\u2014:]+(?=\s|$))?\s*/, ''),
  );
  const isFirst = !tags.slice(0, at).some(isDefinition);
  return {
    description: said || (isFirst ? description : ''),
    tags: tags
      .slice(at + 1, end === -1 ? undefined : end)
      .filter((tag) => tag.name !== 'property' && tag.name !== 'prop'),
  };
}

function targetOf(node: ts.Declaration): ts.TypeNode | undefined {
  if (ts.isTypeAliasDeclaration(node)) return node.type;
  if (ts.isJSDocTypedefTag(node))
    return node.typeExpression && ts.isJSDocTypeExpression(node.typeExpression) ? node.typeExpression.type : undefined;
  return undefined;
}

function aliasTarget(node: ts.TypeNode, context: SchemaContext): ts.TypeNode | undefined {
  if (!isReference(node) || node.typeArguments?.length) return undefined;
  return (symbolOf(node, context)?.declarations ?? []).map(targetOf).find((each) => each !== undefined);
}

type Reference = ts.TypeReferenceNode | ts.ImportTypeNode;
const isReference = (node: ts.TypeNode): node is Reference => ts.isTypeReferenceNode(node) || ts.isImportTypeNode(node);

function symbolOf(node: Reference, { checker }: SchemaContext): ts.Symbol | undefined {
  const name = ts.isImportTypeNode(node) ? node.qualifier : node.typeName;
  const symbol = name && checker.getSymbolAtLocation(name);
  return symbol && symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}

/** Without parentheses and the marks of JSDoc types: `?Port`, `!Port`, `Port=`. */
function unwrap(node: ts.TypeNode): ts.TypeNode {
  if (
    ts.isParenthesizedTypeNode(node) ||
    ts.isJSDocNullableType(node) ||
    ts.isJSDocNonNullableType(node) ||
    ts.isJSDocOptionalType(node)
  )
    return unwrap(node.type);
  return node;
}

function isNothing(node: ts.TypeNode): boolean {
  return (
    node.kind === ts.SyntaxKind.UndefinedKeyword ||
    node.kind === ts.SyntaxKind.VoidKeyword ||
    (ts.isLiteralTypeNode(node) && node.literal.kind === ts.SyntaxKind.NullKeyword)
  );
}

/** An example of an object type is often code that uses it: only what is an object counts. */
function fitting(docs: JsDoc, schema: JsonSchema): JsDoc {
  if (schema.type !== 'object') return docs;
  const isObject = (text: string) => typeof tagValue(text) === 'object';
  return {
    ...docs,
    tags: docs.tags.filter(({ name, text }) => (name !== 'example' && name !== 'examples') || isObject(text)),
  };
}
