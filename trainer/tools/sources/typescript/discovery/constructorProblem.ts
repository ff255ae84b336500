/** Whether a class can be constructed without arguments, as the host does once per rollout. */
import { ts } from 'ts-morph';

/** Why not; null when it can. */
export function constructorProblem(node: ts.ClassLikeDeclaration, checker: ts.TypeChecker): string | null {
  const modifiers = ts.canHaveModifiers(node) ? ts.getModifiers(node) : undefined;
  if (modifiers?.some((modifier) => modifier.kind === ts.SyntaxKind.AbstractKeyword))
    return 'an abstract class can\u2019t be constructed';
  const own = node.members.filter(ts.isConstructorDeclaration);
  for (const constructor of own) {
    const hidden = ts
      .getModifiers(constructor)
      ?.find(
        (modifier) =>
          modifier.kind === ts.SyntaxKind.PrivateKeyword || modifier.kind === ts.SyntaxKind.ProtectedKeyword,
      );
    if (hidden) return `its constructor is ${hidden.kind === ts.SyntaxKind.PrivateKeyword ? 'private' : 'protected'}`;
  }
  // bound by the program; a class expression has no other way to it
  const symbol = (node as { symbol?: ts.Symbol }).symbol;
  const signatures = symbol ? checker.getTypeOfSymbolAtLocation(symbol, node).getConstructSignatures() : [];
  let names: string[] | null = null;
  for (const signature of signatures) {
    const required = signature.parameters.filter((parameter) => isRequired(parameter, checker, node));
    if (required.length === 0) return null;
    names ??= required.map(({ name }) => name);
  }
  return names === null ? null : `its constructor requires ${names.join(', ')}`;
}

function isRequired(parameter: ts.Symbol, checker: ts.TypeChecker, at: ts.Node): boolean {
  const declaration = parameter.valueDeclaration;
  if (declaration && ts.isParameter(declaration)) {
    if (
      declaration.dotDotDotToken ||
      declaration.initializer ||
      declaration.questionToken ||
      checker.isOptionalParameter(declaration)
    )
      return false;
  }
  const type = checker.getTypeOfSymbolAtLocation(parameter, declaration ?? at);
  return !(type.flags & (ts.TypeFlags.Undefined | ts.TypeFlags.Void));
}
