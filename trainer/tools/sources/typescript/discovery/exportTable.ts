/** Which of a file's own declarations can be reached from outside, and under which name. ESM and CommonJS. */
import { ts } from 'ts-morph';
import { unwrap } from '../../../schema/literals';

export interface ExportTable {
  /** Local name -> exported name; the same name wins over others, a name over `default`. */
  readonly names: ReadonlyMap<string, string>;
  /** Class -> exported name of an instance of it (`export const service = new Service(db)`). */
  readonly instances: ReadonlyMap<string, string>;
  /**
   * Function and class expressions that are exported on the spot: `export default () => …`, `exports.find = function
   * …`.
   */
  readonly inline: ReadonlyMap<ts.Node, string>;
}

/** Reads the top level of a file. Re-exports of other files are left out: what they name is declared elsewhere. */
export function exportTable(file: ts.SourceFile): ExportTable {
  const names = new Map<string, string>();
  const inline = new Map<ts.Node, string>();
  const news = new Map<string, string>(); // local name -> class whose instance it holds
  const values: { expression: ts.Expression; exported: string }[] = [];
  const add = (local: string, exported: string) => {
    const known = names.get(local);
    if (known === undefined || exported === local || known === 'default') names.set(local, exported);
  };

  for (const statement of file.statements) {
    if (ts.isVariableStatement(statement)) {
      for (const declaration of statement.declarationList.declarations) {
        if (!ts.isIdentifier(declaration.name)) continue;
        const className = declaration.initializer && newedClass(declaration.initializer);
        if (className) news.set(declaration.name.text, className);
        if (isExported(statement)) add(declaration.name.text, declaration.name.text);
      }
    } else if ((ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement)) && isExported(statement)) {
      const isDefault = statement.modifiers?.some((modifier) => modifier.kind === ts.SyntaxKind.DefaultKeyword);
      if (!isDefault && statement.name) add(statement.name.text, statement.name.text);
      else if (statement.name) add(statement.name.text, 'default');
      else inline.set(statement, 'default');
    } else if (ts.isExportAssignment(statement)) {
      values.push({ expression: statement.expression, exported: 'default' });
    } else if (
      ts.isExportDeclaration(statement) &&
      !statement.moduleSpecifier &&
      !statement.isTypeOnly &&
      statement.exportClause &&
      ts.isNamedExports(statement.exportClause)
    ) {
      for (const element of statement.exportClause.elements) {
        if (!element.isTypeOnly) add((element.propertyName ?? element.name).text, element.name.text);
      }
    } else if (ts.isExpressionStatement(statement)) {
      values.push(...commonJsExports(statement.expression));
    }
  }

  const instances = new Map<string, string>();
  for (const { expression, exported } of values) {
    const value = unwrap(expression);
    const className = newedClass(value);
    if (ts.isIdentifier(value)) add(value.text, exported);
    else if (className) instances.set(className, exported);
    else inline.set(value, exported);
  }
  for (const [local, className] of news) {
    const exported = names.get(local);
    if (exported !== undefined && !instances.has(className)) instances.set(className, exported);
  }
  return { names, instances, inline };
}

/** What `module.exports = …` or `exports.name = …` sets; empty for every other expression. */
export function commonJsExports(expression: ts.Expression): { expression: ts.Expression; exported: string }[] {
  if (!ts.isBinaryExpression(expression) || expression.operatorToken.kind !== ts.SyntaxKind.EqualsToken) return [];
  const { left, right } = expression;
  if (isModuleExports(left)) {
    const value = unwrap(right);
    if (!ts.isObjectLiteralExpression(value)) return [{ expression: right, exported: 'default' }];
    return value.properties.flatMap((property) => {
      const name =
        property.name && (ts.isIdentifier(property.name) || ts.isStringLiteral(property.name))
          ? property.name.text
          : null;
      if (name === null) return [];
      if (ts.isShorthandPropertyAssignment(property)) return [{ expression: property.name, exported: name }];
      if (ts.isPropertyAssignment(property)) return [{ expression: property.initializer, exported: name }];
      return ts.isMethodDeclaration(property)
        ? [{ expression: property as unknown as ts.Expression, exported: name }]
        : [];
    });
  }
  if (!ts.isPropertyAccessExpression(left)) return [];
  const isExports = ts.isIdentifier(left.expression) && left.expression.text === 'exports';
  return isExports || isModuleExports(left.expression) ? [{ expression: right, exported: left.name.text }] : [];
}

function isModuleExports(node: ts.Expression): boolean {
  return (
    ts.isPropertyAccessExpression(node) &&
    ts.isIdentifier(node.expression) &&
    node.expression.text === 'module' &&
    node.name.text === 'exports'
  );
}

function newedClass(expression: ts.Expression): string | null {
  const value = unwrap(expression);
  return ts.isNewExpression(value) && ts.isIdentifier(value.expression) ? value.expression.text : null;
}

function isExported(node: ts.HasModifiers): boolean {
  return ts.getModifiers(node)?.some((modifier) => modifier.kind === ts.SyntaxKind.ExportKeyword) ?? false;
}
