/** Object types: interfaces, literals, data classes, mapped and merged types, index signatures. */
import { ts } from 'ts-morph';
import type { JsonSchema } from '../../protocol/task';
import { findTag, type JsDoc, jsDocOf, plainText } from '../discovery/jsDoc';
import { hasMethods } from './builtins';
import { withTags } from './constraints';
import { convert, withoutUndefined } from './convert';
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
    const schema = propertySchema(property, context);
    if (schema === null) continue;
    properties[property.name] = schema;
    if (!isOptional(property, context)) required.push(property.name);
  }
  const schema: JsonSchema = { type: 'object' };
  if (Object.keys(properties).length > 0) schema.properties = properties;
  if (required.length > 0) schema.required = required;
  addIndexSignatures(type, schema, context);
  return schema;
}

/** Optional by `?`, by `| undefined`, or by a default where it is taken apart. */
export function isOptional(property: ts.Symbol, context: SchemaContext): boolean {
  if (property.flags & ts.SymbolFlags.Optional) return true;
  const type = context.checker.getTypeOfSymbolAtLocation(property, context.at);
  return (type.flags & ts.TypeFlags.Undefined) !== 0 || (type.isUnion() && type.types.some((each) => each.flags & ts.TypeFlags.Undefined));
}

/** JSDoc of a property, wherever its declaration lies; a mapped type keeps its source's. */
export function docsOfProperty(property: ts.Symbol): JsDoc | undefined {
  for (const declaration of property.declarations ?? []) {
    const docs = ts.isJSDocPropertyLikeTag(declaration) ? docsOfTypedefProperty(declaration) : jsDocOf(declaration, declaration.getSourceFile());
    if (docs) return docs;
  }
  return undefined;
}

/** Description and tags of a declaration, put onto its schema. */
export function withDocs(schema: JsonSchema, docs: JsDoc | undefined, context: SchemaContext): JsonSchema {
  if (!docs) return schema;
  const unreadable: string[] = [];
  const tagged = withTags(schema, docs.tags, unreadable);
  for (const what of unreadable) context.remarks.push({ path: context.path, what: `the tag ${what} can't be read` });
  const description = docs.description || plainText(findTag(docs, 'description', 'desc')?.text ?? '');
  return description === '' ? tagged : { ...tagged, description };
}

/** A mapped type's properties come in the order of the checker's unions: they are put as declared, else as written. */
function propertiesInOrder(type: ts.Type, context: SchemaContext, node: ts.TypeNode | undefined): ts.Symbol[] {
  const properties = context.checker.getPropertiesOfType(type);
  if (!((type as ts.ObjectType).objectFlags & ts.ObjectFlags.Mapped)) return properties;
  const written = namesInSourceOrder(type, context, node);
  const place = (property: ts.Symbol) => property.declarations?.[0]?.pos ?? written.get(property.name) ?? Number.MAX_SAFE_INTEGER;
  return [...properties].sort((a, b) => place(a) - place(b) || (a.name < b.name ? -1 : 1));
}

/** Null: the property has no place in the JSON (`b?: never`, or a method of something that comes back). */
function propertySchema(property: ts.Symbol, context: SchemaContext): JsonSchema | null {
  return within(context, `.${property.name}`, () => {
    const type = withoutUndefined(context.checker.getTypeOfSymbolAtLocation(property, context.at), context);
    const before = context.unsendable.length;
    const schema = convert(type, context, writtenType(property));
    if (isNever(schema) && (context.direction === 'returns' || (isOptional(property, context) && context.unsendable.length === before))) return null;
    return withDocs(schema, docsOfProperty(property), context);
  });
}

function writtenType(property: ts.Symbol): ts.TypeNode | undefined {
  const declaration = property.valueDeclaration;
  if (!declaration || !(ts.isPropertySignature(declaration) || ts.isPropertyDeclaration(declaration) || ts.isParameter(declaration))) return undefined;
  return declaration.type;
}

function isPublic(property: ts.Symbol): boolean {
  const declaration = property.valueDeclaration;
  if (!declaration) return true;
  const name = ts.getNameOfDeclaration(declaration);
  if (name && ts.isPrivateIdentifier(name)) return false;
  return !(ts.getCombinedModifierFlags(declaration) & (ts.ModifierFlags.Private | ts.ModifierFlags.Protected));
}

function addIndexSignatures(type: ts.Type, schema: JsonSchema, context: SchemaContext): void {
  const values: JsonSchema[] = [];
  for (const info of context.checker.getIndexInfosOfType(type)) {
    const value = within(context, '.*', () => convert(withoutUndefined(info.type, context), context));
    if (info.keyType.flags & ts.TypeFlags.String) values.push(value);
    else if (info.keyType.flags & ts.TypeFlags.Number) schema.patternProperties = { ...(schema.patternProperties as object), '^[0-9]+$': value };
    else if (info.keyType.flags & ts.TypeFlags.TemplateLiteral) {
      const key = convert(info.keyType, context) as { pattern: string };
      schema.patternProperties = { ...(schema.patternProperties as object), [key.pattern]: value };
    }
  }
  const [value] = values;
  if (value && !(isNever(value) && context.direction === 'returns')) schema.additionalProperties = value;
}

/** `@property {string} city - Where` of a JavaScript typedef. */
function docsOfTypedefProperty(tag: ts.JSDocPropertyLikeTag): JsDoc | undefined {
  const text = typeof tag.comment === 'string' ? tag.comment : (tag.comment ?? []).map((part) => part.text).join('');
  const description = plainText(text.replace(/^\s*[-\u2013\u2014]\s+/, ''));
  return description === '' ? undefined : { description, tags: [] };
}
