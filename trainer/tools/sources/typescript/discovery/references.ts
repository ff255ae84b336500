/** The names and imports that a piece of source refers to in ways that can shape a type. */
import { ts } from 'ts-morph';

export interface ReferenceVisitor {
  /** @param isType the name stands where only a type can */
  name(name: string, isType: boolean): void;
  /** `import('./shapes').Circle` */
  imported(specifier: string, name: string): void;
}

const INJECTED = new Set(['AbortSignal', 'CancellationToken']);

/** `AbortSignal`, `vscode.CancellationToken`, also with `| undefined`: given by the host, never by a caller. */
export function isInjectedType(node: ts.TypeNode): boolean {
  if (ts.isUnionTypeNode(node)) {
    const rest = node.types.filter((each) => each.kind !== ts.SyntaxKind.UndefinedKeyword);
    return rest.length === 1 && isInjectedType(rest[0]!);
  }
  if (ts.isParenthesizedTypeNode(node)) return isInjectedType(node.type);
  if (ts.isImportTypeNode(node)) return node.qualifier !== undefined && INJECTED.has(lastName(node.qualifier));
  return ts.isTypeReferenceNode(node) && INJECTED.has(lastName(node.typeName));
}

/** Bodies of functions with a written result, initialisers beside a written type, and member names are left out. */
export function forEachReference(root: ts.Node, visitor: ReferenceVisitor): void {
  const parameters = new Set<string>(); // type parameters in sight: their names refer to nothing outside
  const collect = (node: ts.Node): void => {
    if (ts.isTypeParameterDeclaration(node)) parameters.add(node.name.text);
    ts.forEachChild(node, collect);
  };
  collect(root);
  const name = (text: string, isType: boolean) => {
    if (!isType || !parameters.has(text)) visitor.name(text, isType);
  };

  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node)) return name(node.text, false);
    if (ts.isImportTypeNode(node)) {
      if (ts.isLiteralTypeNode(node.argument) && ts.isStringLiteral(node.argument.literal)) {
        visitor.imported(node.argument.literal.text, node.qualifier ? firstName(node.qualifier) : '*');
      }
      return node.typeArguments?.forEach(visit);
    }
    if (ts.isTypeReferenceNode(node)) {
      name(firstName(node.typeName), true);
      return node.typeArguments?.forEach(visit);
    }
    if (ts.isTypeQueryNode(node)) {
      if (ts.isImportTypeNode(node.exprName as ts.Node)) visit(node.exprName);
      else name(firstName(node.exprName), false);
      return node.typeArguments?.forEach(visit);
    }
    if (ts.isQualifiedName(node)) return visit(node.left);
    if (ts.isPropertyAccessExpression(node)) return visit(node.expression);
    if (ts.isFunctionLike(node)) {
      node.typeParameters?.forEach(visit);
      node.parameters.forEach(visit);
      if (node.type) return visit(node.type);
      return 'body' in node && node.body ? visit(node.body) : undefined;
    }
    if (
      ts.isVariableDeclaration(node) ||
      ts.isParameter(node) ||
      ts.isPropertyDeclaration(node) ||
      ts.isPropertySignature(node)
    ) {
      if (ts.isComputedPropertyName(node.name)) visit(node.name);
      else if (ts.isObjectBindingPattern(node.name))
        for (const element of node.name.elements) if (element.initializer) visit(element.initializer);
      if (node.type) visit(node.type);
      // A default's value is read too (`unit = DEFAULT_UNIT`), so a parameter's is visited even beside a type.
      const initial = ts.isPropertySignature(node) ? undefined : node.initializer;
      if (initial && (!node.type || ts.isParameter(node))) visit(initial);
      return;
    }
    ts.forEachChild(node, (child) => {
      const isOwnName =
        (node as { name?: ts.Node }).name === child &&
        !ts.isShorthandPropertyAssignment(node) &&
        !ts.isComputedPropertyName(child);
      if (!isOwnName) visit(child);
    });
  };
  visit(root);
}

function firstName(name: ts.EntityName): string {
  return ts.isIdentifier(name) ? name.text : firstName(name.left);
}

function lastName(name: ts.EntityName): string {
  return ts.isIdentifier(name) ? name.text : name.right.text;
}
