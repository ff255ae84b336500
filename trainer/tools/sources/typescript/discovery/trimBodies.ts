/**
 * Makes a parsed file cheap to bind and check: the body of a function whose result is written out can't shape any
 * type, so its statements are dropped. The text, all positions and the syntax errors stay as they were.
 */
import { ts } from 'ts-morph';

/** A getter that gives a text: the name of a tool, maybe. */
const SHORT = 200;

/** @param keep what a body must not contain to be dropped: a nested function may be marked as a tool by mistake */
export function trimBodies(file: ts.SourceFile, keep: RegExp): void {
  const trim = (node: ts.Node | undefined): void => {
    if (!node) return;
    if (
      ts.isFunctionDeclaration(node) ||
      ts.isMethodDeclaration(node) ||
      ts.isGetAccessor(node) ||
      ts.isArrowFunction(node) ||
      ts.isFunctionExpression(node)
    ) {
      const { type, body } = node;
      const isShort = ts.isGetAccessor(node) && body !== undefined && body.end - body.pos < SHORT;
      if (type && body && ts.isBlock(body) && !isShort && !keep.test(file.text.slice(body.pos, body.end)))
        emptyBlock(body);
    } else if (ts.isClassLike(node)) node.members.forEach(trim);
    else if (ts.isVariableStatement(node))
      for (const { initializer } of node.declarationList.declarations) trim(initializer);
    else if (ts.isExportAssignment(node)) trim(node.expression);
    else if (ts.isAsExpression(node) || ts.isSatisfiesExpression(node) || ts.isParenthesizedExpression(node))
      trim(node.expression);
  };
  file.statements.forEach(trim);
}

/** Sets the parent pointers that a program's binder would set, for those who look before there is a program. */
export function linkParents(file: ts.SourceFile): void {
  const link = (node: ts.Node): void =>
    ts.forEachChild(node, (child) => {
      (child as { parent: ts.Node }).parent = node;
      link(child);
    });
  link(file);
}

function emptyBlock(block: ts.Block): void {
  (block as { statements: ts.NodeArray<ts.Statement> }).statements = ts.factory.createNodeArray<ts.Statement>([]);
}
