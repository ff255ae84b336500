/** A file's top level by name: what it declares, imports and exports. The map on which type demand is followed. */
import { ts } from 'ts-morph';
import { boundNames } from '../../../schema/literals';

export interface Imported {
  specifier: string;
  /** '*' for a namespace import, `require` or `export * as`. */
  name: string;
}

export interface FileShape {
  declarations: ReadonlyMap<string, readonly ts.Node[]>;
  imports: ReadonlyMap<string, Imported>;
  /** Exported name -> local name, or the place it comes from. */
  exports: ReadonlyMap<string, string | Imported>;
  /** `export * from`. */
  stars: readonly string[];
  /** Statements that add to types declared elsewhere: module augmentations, `declare global`. */
  augmentations: readonly ts.Node[];
}

const shapes = new WeakMap<ts.SourceFile, FileShape>();

export function fileShape(file: ts.SourceFile): FileShape {
  let shape = shapes.get(file);
  if (!shape) shapes.set(file, (shape = readShape(file)));
  return shape;
}

function readShape(file: ts.SourceFile): FileShape {
  const declarations = new Map<string, ts.Node[]>();
  const imports = new Map<string, Imported>();
  const exports = new Map<string, string | Imported>();
  const stars: string[] = [];
  const augmentations: ts.Node[] = [];
  const declare = (name: string, node: ts.Node, statement: ts.Node) => {
    declarations.set(name, [...(declarations.get(name) ?? []), node]);
    const modifiers = ts.canHaveModifiers(statement) ? ts.getModifiers(statement) : undefined;
    const isExported = modifiers?.some((modifier) => modifier.kind === ts.SyntaxKind.ExportKeyword);
    const isDefault = modifiers?.some((modifier) => modifier.kind === ts.SyntaxKind.DefaultKeyword);
    if (isDefault) exports.set('default', name);
    else if (isExported || file.isDeclarationFile) exports.set(name, name);
  };

  for (const statement of file.statements) {
    if (ts.isImportDeclaration(statement)) readImport(statement, imports);
    else if (ts.isImportEqualsDeclaration(statement)) {
      const { moduleReference } = statement;
      if (ts.isExternalModuleReference(moduleReference) && ts.isStringLiteral(moduleReference.expression)) {
        imports.set(statement.name.text, { specifier: moduleReference.expression.text, name: '*' });
      } else declare(statement.name.text, statement, statement);
    } else if (ts.isExportDeclaration(statement)) readExport(statement, exports, stars);
    else if (ts.isExportAssignment(statement)) {
      const local = ts.isIdentifier(statement.expression) ? statement.expression.text : 'default';
      if (local === 'default') declarations.set('default', [statement]);
      exports.set('default', local);
      if (statement.isExportEquals) exports.set('*', local);
    } else if (ts.isVariableStatement(statement)) {
      for (const declaration of statement.declarationList.declarations)
        readVariable(declaration, statement, declare, imports);
    } else if (ts.isModuleDeclaration(statement)) {
      if (ts.isStringLiteral(statement.name) || statement.flags & ts.NodeFlags.GlobalAugmentation)
        augmentations.push(statement);
      else declare(statement.name.text, statement, statement);
    } else if (
      ts.isFunctionDeclaration(statement) ||
      ts.isClassDeclaration(statement) ||
      ts.isInterfaceDeclaration(statement) ||
      ts.isTypeAliasDeclaration(statement) ||
      ts.isEnumDeclaration(statement)
    ) {
      declare(statement.name?.text ?? 'default', statement, statement);
    }
  }
  return { declarations, imports, exports, stars, augmentations };
}

function readImport(statement: ts.ImportDeclaration, imports: Map<string, Imported>): void {
  const clause = statement.importClause;
  if (!clause || !ts.isStringLiteral(statement.moduleSpecifier)) return;
  const specifier = statement.moduleSpecifier.text;
  if (clause.name) imports.set(clause.name.text, { specifier, name: 'default' });
  const bindings = clause.namedBindings;
  if (!bindings) return;
  if (ts.isNamespaceImport(bindings)) imports.set(bindings.name.text, { specifier, name: '*' });
  else
    for (const element of bindings.elements)
      imports.set(element.name.text, { specifier, name: (element.propertyName ?? element.name).text });
}

function readExport(statement: ts.ExportDeclaration, exports: Map<string, string | Imported>, stars: string[]): void {
  const from =
    statement.moduleSpecifier && ts.isStringLiteral(statement.moduleSpecifier) ? statement.moduleSpecifier.text : null;
  const clause = statement.exportClause;
  if (!clause) {
    if (from !== null) stars.push(from);
  } else if (ts.isNamespaceExport(clause)) {
    if (from !== null) exports.set(clause.name.text, { specifier: from, name: '*' });
  } else {
    for (const element of clause.elements) {
      const name = (element.propertyName ?? element.name).text;
      exports.set(element.name.text, from === null ? name : { specifier: from, name });
    }
  }
}

/** Also `const { parse } = require('./parse')`. */
function readVariable(
  declaration: ts.VariableDeclaration,
  statement: ts.Node,
  declare: (name: string, node: ts.Node, statement: ts.Node) => void,
  imports: Map<string, Imported>,
): void {
  const call = declaration.initializer;
  const required =
    call && ts.isCallExpression(call) && ts.isIdentifier(call.expression) && call.expression.text === 'require'
      ? call.arguments[0]
      : undefined;
  for (const text of boundNames(declaration.name)) {
    if (required && ts.isStringLiteral(required)) imports.set(text, { specifier: required.text, name: '*' });
    else declare(text, declaration, statement);
  }
}
