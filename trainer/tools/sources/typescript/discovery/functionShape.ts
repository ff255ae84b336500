/** Whether a function has a form that the tool host runs: a body, one result. */
import { ts } from 'ts-morph';

/** Why a function can't be run as a tool; null when it can. */
export function shapeProblem(node: ts.SignatureDeclaration, file: ts.SourceFile): string | null {
  if ('asteriskToken' in node && node.asteriskToken) {
    const isAsync =
      ts.canHaveModifiers(node) &&
      ts.getModifiers(node)?.some((modifier) => modifier.kind === ts.SyntaxKind.AsyncKeyword);
    return `${isAsync ? 'an async generator' : 'a generator'} can\u2019t be a tool; return the values instead`;
  }
  if ('body' in node && node.body) return null;
  const name = node.name?.getText(file);
  const siblings = ts.isClassLike(node.parent) ? node.parent.members : file.statements;
  const hasBody = (siblings as readonly ts.Node[]).some(
    (each) =>
      (ts.isFunctionDeclaration(each) || ts.isMethodDeclaration(each)) &&
      each.body &&
      each.name?.getText(file) === name,
  );
  return hasBody ? null : 'has no body here, so there is nothing to call';
}
