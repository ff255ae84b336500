/**
 * A file that is one tool, as xmcp has it: `export const metadata = { name, description }`, a `schema` beside it, and a
 * function as the default export.
 */
import { ts } from 'ts-morph';
import { fileShape } from '../typescript/discovery/fileShape';
import { LEGAL_NAME } from '../typescript/toolSchema';
import type { Definition } from './definition';
import { isFunction } from './beside';
import { readObject, readRoughly, readText, spanOf, valueOf } from './syntax';

export function findFileTool(file: ts.SourceFile): Definition[] {
  const metadata = exported(file, 'metadata');
  const told = metadata && readObject(metadata.initializer, file);
  const written = valueOf(told, 'name');
  const name = readText(written, file);
  const runs = defaultFunction(file);
  if (!metadata || !told || !runs || name === undefined || !LEGAL_NAME.test(name)) return [];
  const description = readRoughly(valueOf(told, 'description'), file);
  if (description === undefined) return [];
  const schema = exported(file, 'schema');
  const span = spanOf(told, file);
  const parts = [
    { before: '...' as const, span: spanOf(metadata.name, file) },
    ...(schema ? [{ before: 'inputSchema: ' as const, span: spanOf(schema.name, file) }] : []),
    { before: 'handler: ' as const, span: spanOf(runs, file) },
  ];
  return [
    {
      node: told,
      name,
      description,
      nameNode: written!,
      binding: { kind: 'defined', library: 'own', span, apart: [{ span, parts }] },
    },
  ];
}

/** `export const schema = …` */
function exported(file: ts.SourceFile, name: string): ts.VariableDeclaration | undefined {
  const { declarations, exports } = fileShape(file);
  return exports.get(name) === name ? declarations.get(name)?.find(ts.isVariableDeclaration) : undefined;
}

/** The default export's function: its name, else itself. */
function defaultFunction(file: ts.SourceFile): ts.Node | undefined {
  for (const statement of file.statements) {
    if (ts.isExportAssignment(statement) && !statement.isExportEquals && isFunction(statement.expression, file))
      return statement.expression;
    const isDefault =
      ts.isFunctionDeclaration(statement) &&
      statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.DefaultKeyword);
    if (isDefault) return statement.name;
  }
  return undefined;
}
