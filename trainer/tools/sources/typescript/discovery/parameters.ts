/**
 * A function's parameter list -> the schema of its arguments object, and how the host makes positional arguments of
 * it.
 */
import { ts } from 'ts-morph';
import type { JsonSchema, TypeScriptTool } from '../../../../protocol/task';
import { type JsDoc, jsDocOf, plainText } from './jsDoc';
import { type ParameterDoc, parameterDocs } from './parameterDocs';
import { isInjectedType } from './references';
import { withTags } from '../../../schema/constraints';
import { type SchemaContext, unsendable, within } from '../../../schema/context';
import { PROTO } from '../../../schema/objects';
import { convert } from '../../../schema/convert';
import { withoutUndefined } from '../../../schema/typeFacts';
import { readValue } from '../../../schema/literals';
import { withDocs } from '../../../schema/docs';

type Positional = TypeScriptTool['binding']['positional'];

export interface Parameters {
  schema: JsonSchema;
  positional: Positional;
  injectsSignal: boolean;
  /** Argument name -> the node that declares it, for diagnostics; those without a description are listed apart. */
  places: Map<string, ts.Node>;
  undescribed: string[];
}

/** @param context collects what can't be sent, what is `any`, and what must be revived */
export function convertParameters(
  node: ts.SignatureDeclaration,
  docs: JsDoc | undefined,
  context: SchemaContext,
): Parameters {
  const described = parameterDocs(docs);
  const all = [...node.parameters].filter((each) => !(ts.isIdentifier(each.name) && each.name.text === 'this'));
  const last = all[all.length - 1];
  const injectsSignal = last !== undefined && isInjected(last, context);
  const sent = injectsSignal ? all.slice(0, -1) : all;
  const [lone] = sent;
  if (lone && sent.length === 1 && isArgumentsObject(lone, context))
    return { ...flattened(lone, described, context), injectsSignal };

  const properties: Record<string, JsonSchema> = {};
  const required: string[] = [];
  const positional: { name: string; isRest?: boolean }[] = [];
  const places = new Map<string, ts.Node>();
  const names = argumentNames(sent, described);
  sent.forEach((parameter, i) => {
    const name = names[i]!;
    places.set(name, parameter.name);
    positional.push(parameter.dotDotDotToken ? { name, isRest: true } : { name });
    if (name === '__proto__') within(context, name, () => unsendable(context, PROTO));
    const type = typeOf(parameter, context);
    let schema = within(context, name, () => convert(withoutUndefined(type, context), context, writtenType(parameter)));
    schema = within(context, name, () => withDocs(schema, inlineDocs(parameter), context));
    schema = withDefaults(schema, parameter.name, context);
    const initial = parameter.initializer && readValue(parameter.initializer, context.checker);
    if (initial) schema = { ...schema, default: initial.value };
    properties[name] = withParameterDocs(schema, [name], described, context);
    if (!isOptionalParameter(parameter, type, context)) required.push(name);
  });
  return {
    schema: rootSchema(properties, required, context),
    positional,
    injectsSignal,
    places,
    undescribed: undescribed(properties),
  };
}

/** The lone object parameter is the arguments object itself. */
function flattened(
  parameter: ts.ParameterDeclaration,
  described: ParameterDoc[],
  context: SchemaContext,
): Omit<Parameters, 'injectsSignal'> {
  const type = context.checker.getNonNullableType(typeOf(parameter, context));
  let schema = convert(type, context, writtenType(parameter));
  const reference =
    typeof schema.$ref === 'string' ? context.defs.get(schema.$ref.slice('#/$defs/'.length)) : undefined;
  if (reference) schema = reference; // a recursive type: its own text at the root, references below
  schema = withDefaults({ ...schema, type: 'object' }, parameter.name, context);
  const own = ts.isIdentifier(parameter.name) ? [parameter.name.text] : prefixes(described);
  schema = withParameterDocs(schema, own, described, context, true);
  const initial = parameter.initializer && readValue(parameter.initializer, context.checker)?.value;
  const properties = { ...((schema.properties ?? {}) as Record<string, JsonSchema>) };
  for (const [name, value] of Object.entries((initial ?? {}) as object))
    if (properties[name] && !('default' in properties[name]))
      properties[name] = { ...properties[name], default: value };
  const places = new Map<string, ts.Node>([['', parameter.name]]);
  for (const property of context.checker.getPropertiesOfType(type)) {
    const declaration = property.valueDeclaration;
    const isNear = declaration?.getSourceFile() === parameter.getSourceFile();
    places.set(
      property.name,
      isNear && declaration ? (ts.getNameOfDeclaration(declaration) ?? declaration) : parameter.name,
    );
  }
  const { type: _, properties: __, required, description: ___, ...rest } = schema;
  const root = rootSchema(properties, (required as string[] | undefined) ?? [], context);
  return {
    schema: { ...root, ...rest, ...(root.$defs ? { $defs: root.$defs } : {}) },
    positional: 'object',
    places,
    undescribed: undescribed(properties),
  };
}

function rootSchema(properties: Record<string, JsonSchema>, required: string[], context: SchemaContext): JsonSchema {
  const schema: JsonSchema = { type: 'object', properties };
  if (required.length > 0) schema.required = required;
  if (context.defs.size > 0) schema.$defs = Object.fromEntries(context.defs);
  return schema;
}

/** An object type with members of its own; lists, maps, dates and unions are values, and so stay properties. */
function isArgumentsObject(parameter: ts.ParameterDeclaration, context: SchemaContext): boolean {
  if (parameter.dotDotDotToken) return false;
  if (ts.isObjectBindingPattern(parameter.name)) return true;
  const type = withoutUndefined(typeOf(parameter, context), context);
  const { checker } = context;
  if (type.flags & ts.TypeFlags.NonPrimitive) return true;
  const plain = type.flags & ts.TypeFlags.TypeParameter ? (checker.getBaseConstraintOfType(type) ?? type) : type;
  if (plain.isIntersection()) return plain.types.every((each) => each.flags & ts.TypeFlags.Object);
  if (!(plain.flags & ts.TypeFlags.Object) || checker.isArrayType(plain) || checker.isTupleType(plain)) return false;
  if (plain.getCallSignatures().length > 0 || plain.getConstructSignatures().length > 0) return false;
  // A table of any keys: flattened, it would have no property and no name.
  if (checker.getIndexInfosOfType(plain).length > 0 && checker.getPropertiesOfType(plain).length === 0) return false;
  const symbol = plain.symbol as ts.Symbol | undefined;
  const isNamedType = symbol && symbol.flags & (ts.SymbolFlags.Interface | ts.SymbolFlags.Class);
  return !(
    isNamedType && symbol.declarations?.some((declaration) => context.isLibraryFile(declaration.getSourceFile()))
  );
}

function typeOf(parameter: ts.ParameterDeclaration, context: SchemaContext): ts.Type {
  return context.checker.getTypeAtLocation(parameter);
}

/** The type as written, in JavaScript in its JSDoc. */
function writtenType(parameter: ts.ParameterDeclaration): ts.TypeNode | undefined {
  return parameter.type ?? ts.getJSDocType(parameter);
}

function isInjected(parameter: ts.ParameterDeclaration, context: SchemaContext): boolean {
  if (parameter.dotDotDotToken) return false;
  const written = writtenType(parameter);
  if (written) return isInjectedType(written);
  const symbol = context.checker.getNonNullableType(typeOf(parameter, context)).symbol as ts.Symbol | undefined;
  return symbol?.name === 'AbortSignal' || symbol?.name === 'CancellationToken';
}

function isOptionalParameter(parameter: ts.ParameterDeclaration, type: ts.Type, context: SchemaContext): boolean {
  if (
    parameter.questionToken ||
    parameter.initializer ||
    parameter.dotDotDotToken ||
    context.checker.isOptionalParameter(parameter)
  )
    return true;
  return (
    (type.flags & ts.TypeFlags.Undefined) !== 0 ||
    (type.isUnion() && type.types.some((each) => each.flags & ts.TypeFlags.Undefined))
  );
}

/**
 * Names of arguments: the parameters' own; one that is taken apart among others gets its JSDoc name, else `options`.
 */
function argumentNames(parameters: ts.ParameterDeclaration[], described: ParameterDoc[]): string[] {
  const taken = new Set(parameters.flatMap(({ name }) => (ts.isIdentifier(name) ? [name.text] : [])));
  const whole = described.filter(({ path }) => /^[\w$]+$/.test(path));
  return parameters.map(({ name }, i) => {
    if (ts.isIdentifier(name)) return name.text;
    const documented = whole[i]?.path;
    const candidates = [...(documented ? [documented] : []), 'options', `argument${i + 1}`];
    const free = candidates.find((each) => !taken.has(each))!;
    taken.add(free);
    return free;
  });
}

/** `/** How many. *\/ count: number` in front of the parameter itself. */
function inlineDocs(parameter: ts.ParameterDeclaration): JsDoc | undefined {
  return jsDocOf(parameter, parameter.getSourceFile());
}

/** Defaults of a pattern, `{ unit = 'km', page = 1 }`: values on the properties, which are not required then. */
function withDefaults(schema: JsonSchema, pattern: ts.BindingName, context: SchemaContext): JsonSchema {
  if (!ts.isObjectBindingPattern(pattern) || typeof schema.properties !== 'object') return schema;
  const properties = { ...(schema.properties as Record<string, JsonSchema>) };
  let required = (schema.required as string[] | undefined) ?? [];
  for (const element of pattern.elements) {
    const key = element.propertyName ?? element.name;
    const name = ts.isIdentifier(key) || ts.isStringLiteral(key) ? key.text : null;
    const property = name === null ? undefined : properties[name];
    if (name === null || !property) continue;
    let next = withDefaults(property, element.name, context);
    if (element.initializer) {
      const initial = readValue(element.initializer, context.checker);
      if (initial) next = { ...next, default: initial.value };
      required = required.filter((each) => each !== name);
    }
    properties[name] = next;
  }
  const { required: _, ...rest } = schema;
  return { ...rest, properties, ...(required.length > 0 && { required }) };
}

/** `options` of `@param options.city`, for a pattern that has no name. */
function prefixes(described: ParameterDoc[]): string[] {
  return [...new Set(described.map(({ path }) => /^[\w$]+/.exec(path)![0]))];
}

/**
 * Puts `@param` texts on the schema of one parameter.
 *
 * @param own names under which the JSDoc may speak of it
 * @param isRoot the parameter is the arguments object: `@param city` may speak of its property
 */
function withParameterDocs(
  schema: JsonSchema,
  own: string[],
  described: ParameterDoc[],
  context: SchemaContext,
  isRoot = false,
): JsonSchema {
  let result = schema;
  for (const doc of described) {
    const [head, ...steps] = doc.path.split(/\.|(?=\[\])/);
    const isOwn = own.includes(head!);
    const path = isOwn && (steps.length > 0 || !isRoot) ? steps : isRoot ? [head!, ...steps] : null;
    if (path === null) continue;
    result = changeAt(result, path, (part) => {
      const unreadable: string[] = [];
      const tagged = withTags(part, doc.tags, unreadable);
      for (const what of unreadable)
        context.remarks.push({ path: doc.path, what: `the tag ${what} can\u2019t be read` });
      return doc.description === '' ? tagged : { ...tagged, description: plainText(doc.description) };
    });
  }
  return result;
}

function changeAt(schema: JsonSchema, path: string[], change: (part: JsonSchema) => JsonSchema): JsonSchema {
  const [step, ...rest] = path;
  if (step === undefined) return change(schema);
  if (schema.type === 'array' && typeof schema.items === 'object' && schema.items) {
    return { ...schema, items: changeAt(schema.items as JsonSchema, step === '[]' ? rest : path, change) };
  }
  const properties = schema.properties as Record<string, JsonSchema> | undefined;
  const property = properties?.[step];
  return property ? { ...schema, properties: { ...properties, [step]: changeAt(property, rest, change) } } : schema;
}

function undescribed(properties: Record<string, JsonSchema>): string[] {
  return Object.keys(properties).filter((name) => !properties[name]!.description);
}
