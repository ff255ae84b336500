/** What several families of types ask of a type or of schemas. */
import { ts } from 'ts-morph';
import type { JsonSchema } from '../../protocol/task';
import type { SchemaContext } from './context';

/** Whether a caller would have to send functions: methods on the type, apart from those that every object has. */
export function hasMethods(type: ts.Type, context: SchemaContext): boolean {
  return type
    .getProperties()
    .some(
      (property) =>
        property.flags & (ts.SymbolFlags.Method | ts.SymbolFlags.Accessor) &&
        !property.name.startsWith('__@toString') &&
        (property.flags & ts.SymbolFlags.Method ||
          context.isLibraryFile(property.declarations?.[0]?.getSourceFile() ?? context.at.getSourceFile())),
    );
}

/** Schemas that differ, in order. */
export function distinct(schemas: JsonSchema[]): JsonSchema[] {
  const seen = new Set<string>();
  return schemas.filter((schema) => {
    const key = JSON.stringify(schema);
    return !seen.has(key) && seen.add(key);
  });
}

/** `T | undefined` -> `T`. */
export function withoutUndefined(type: ts.Type, context: SchemaContext): ts.Type {
  if (!type.isUnion() || !type.types.some((each) => each.flags & (ts.TypeFlags.Undefined | ts.TypeFlags.Void)))
    return type;
  const stripped = context.checker.getNonNullableType(type);
  if (!type.types.some((each) => each.flags & ts.TypeFlags.Null)) return stripped;
  return type; // `T | null | undefined`: the union itself leaves undefined out
}
