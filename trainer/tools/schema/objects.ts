/** Object types: interfaces, literals, data classes, mapped and merged types, index signatures. */
import { ts } from 'ts-morph';
import type { JsonSchema } from '../../protocol/task';
import { docsOfProperty, withDocs } from './docs';
import { openAlias } from './namedDocs';
import { hasMethods, withoutUndefined } from './typeFacts';
import { namesInSourceOrder } from './unionOrder';
import { isNever, type SchemaContext, unsendable, within } from './context';

/** @returns `{ type: 'object', properties?, required?, additionalProperties? }` with the properties in source order */
export function convertObject(type: ts.Type, context: SchemaContext, node?: ts.TypeNode): JsonSchema {
  if (type.getCallSignatures().length > 0) return unsendable(context, 'a function');
  if (type.getConstructSignatures().length > 0) return unsendable(context, 'a class');
  const symbol = type.symbol as ts.Symbol | undefined;
  if (symbol && symbol.flags & ts.SymbolFlags.Class && hasMethods(type, context)) {
    return unsendable(context, `an instance of ${context.checker.typeToString(type)}, a class with methods`);
  }
  const properties: Record<string, JsonSchema> = {};
  const required: string[] = [];
  for (const property of propertiesInOrder(type, context, node)) {
    if (property.name.startsWith('__@') || !isPublic(property)) continue;
    if (property.name === '__proto__') {
      within(context, '.__proto__', () => unsendable(context, PROTO));
      continue;
    }
    const schema = propertySchema(property, context);
    if (schema === null) continue;
    properties[property.name] = schema;
    if (!isOptional(property, context)) required.push(property.name);
  }
  const schema: JsonSchema = { type: 'object' };
  if (Object.keys(properties).length > 0) schema.properties = properties;
  if (required.length > 0) schema.required = required;
  addIndexSignatures(type, schema, context, node);
  return schema;
}

/** An object made from JSON would get another prototype by it, and no member. */
export const PROTO = 'a value by the name of __proto__: give it another name';

/** Optional by `?`, by `| undefined`, or by a default where it is taken apart. */
export function isOptional(property: ts.Symbol, context: SchemaContext): boolean {
  if (property.flags & ts.SymbolFlags.Optional) return true;
  const type = context.checker.getTypeOfSymbolAtLocation(property, context.at);
  return (
    (type.flags & ts.TypeFlags.Undefined) !== 0 ||
    (type.isUnion() && type.types.some((each) => each.flags & ts.TypeFlags.Undefined))
  );
}

/** A mapped type's properties come in the order of the checker's unions: they are put as declared, else as written. */
function propertiesInOrder(type: ts.Type, context: SchemaContext, node: ts.TypeNode | undefined): ts.Symbol[] {
  const properties = context.checker.getPropertiesOfType(type);
  if (!((type as ts.ObjectType).objectFlags & ts.ObjectFlags.Mapped)) return properties;
  const written = namesInSourceOrder(type, context, node);
  const place = (property: ts.Symbol) =>
    property.declarations?.[0]?.pos ?? written.get(property.name) ?? Number.MAX_SAFE_INTEGER;
  return [...properties].sort((a, b) => place(a) - place(b) || (a.name < b.name ? -1 : 1));
}

/** Null: the property has no place in the JSON (`b?: never`, or a method of something that comes back). */
function propertySchema(property: ts.Symbol, context: SchemaContext): JsonSchema | null {
  return within(context, `.${property.name}`, () => {
    const type = withoutUndefined(context.checker.getTypeOfSymbolAtLocation(property, context.at), context);
    const before = context.unsendable.length;
    const schema = context.convert(type, context, writtenType(property, type, context));
    if (
      isNever(schema) &&
      (context.direction === 'returns' || (isOptional(property, context) && context.unsendable.length === before))
    )
      return null;
    return withDocs(schema, docsOfProperty(property), context);
  });
}

/**
 * A mapped type (`Partial<T>`) keeps its source's declaration: what is written there counts where the type is still
 * the same.
 */
function writtenType(property: ts.Symbol, type: ts.Type, context: SchemaContext): ts.TypeNode | undefined {
  const node = typeNodeOf(property.valueDeclaration ?? property.declarations?.[0]);
  const isSame =
    property.valueDeclaration !== undefined ||
    (node && withoutUndefined(context.checker.getTypeFromTypeNode(node), context) === type);
  return isSame ? node : undefined;
}

function typeNodeOf(declaration: ts.Declaration | undefined): ts.TypeNode | undefined {
  if (declaration && ts.isJSDocPropertyLikeTag(declaration)) return declaration.typeExpression?.type;
  if (
    !declaration ||
    !(ts.isPropertySignature(declaration) || ts.isPropertyDeclaration(declaration) || ts.isParameter(declaration))
  )
    return undefined;
  return declaration.type;
}

function isPublic(property: ts.Symbol): boolean {
  const declaration = property.valueDeclaration;
  if (!declaration) return true;
  const name = ts.getNameOfDeclaration(declaration);
  if (name && ts.isPrivateIdentifier(name)) return false;
  return !(ts.getCombinedModifierFlags(declaration) & (ts.ModifierFlags.Private | ts.ModifierFlags.Protected));
}

function addIndexSignatures(
  type: ts.Type,
  schema: JsonSchema,
  context: SchemaContext,
  node: ts.TypeNode | undefined,
): void {
  const written = node && recordValue(openAlias(node, context));
  const values: JsonSchema[] = [];
  for (const info of context.checker.getIndexInfosOfType(type)) {
    const value = within(context, '.*', () =>
      context.convert(withoutUndefined(info.type, context), context, written ?? indexNode(info)),
    );
    if (info.keyType.flags & ts.TypeFlags.String) values.push(value);
    else if (info.keyType.flags & ts.TypeFlags.Number)
      schema.patternProperties = { ...(schema.patternProperties as object), '^[0-9]+$': value };
    else if (info.keyType.flags & ts.TypeFlags.TemplateLiteral) {
      const key = context.convert(info.keyType, context) as { pattern: string };
      schema.patternProperties = { ...(schema.patternProperties as object), [key.pattern]: value };
    }
  }
  const [value] = values;
  if (value && !(isNever(value) && context.direction === 'returns')) schema.additionalProperties = value;
}

/** T of `Record<string, T>`. */
function recordValue(node: ts.TypeNode): ts.TypeNode | undefined {
  return ts.isTypeReferenceNode(node) && ts.isIdentifier(node.typeName) && node.typeName.text === 'Record'
    ? node.typeArguments?.[1]
    : undefined;
}

function indexNode({ declaration }: ts.IndexInfo): ts.TypeNode | undefined {
  return declaration && ts.isIndexSignatureDeclaration(declaration) ? declaration.type : undefined;
}
