import { ts } from 'ts-morph';
import { wordsOf } from './facts';

export const COMPARISONS = new Set([
  ts.SyntaxKind.EqualsEqualsEqualsToken,
  ts.SyntaxKind.EqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsToken,
]);

export function signature(node: ts.SignatureDeclaration, name: string): { names: string[]; nouns: string[] } {
  const words = wordsOf(name);
  return { names: parameterNames(node), nouns: words.length > 1 ? words.slice(1) : words };
}

export const parameterNames = (node: ts.SignatureDeclaration): string[] =>
  node.parameters.map(({ name }) => (ts.isIdentifier(name) ? name.text : ''));

/** `([id, title]) => …`: names of the columns. */
export function patternNames(callback: ts.Expression | undefined): string[] | undefined {
  const pattern =
    callback && (ts.isArrowFunction(callback) || ts.isFunctionExpression(callback))
      ? callback.parameters[0]?.name
      : undefined;
  return pattern && ts.isArrayBindingPattern(pattern)
    ? pattern.elements.map((one) => (ts.isBindingElement(one) && ts.isIdentifier(one.name) ? one.name.text : ''))
    : undefined;
}

/**
 * `Room[]` -> room; `Record<Sku, Article>`, `Map<Sku, Article>`, `{ [sku: string]: Article }` -> article, keyed by
 * sku.
 */
export function typeWords(
  type: ts.TypeNode | undefined,
  made: readonly ts.TypeNode[] | undefined,
): { nouns: string[]; indexKey?: string } {
  if (!type)
    return made && made.length === 2
      ? indexed(made[0]!, made[1]!)
      : { nouns: made?.[0] ? typeWords(made[0], undefined).nouns : [] };
  if (ts.isTypeOperatorNode(type)) return typeWords(type.type, made);
  if (ts.isArrayTypeNode(type)) return typeWords(type.elementType, undefined);
  if (ts.isTypeLiteralNode(type)) {
    const index = type.members.find(ts.isIndexSignatureDeclaration);
    return index
      ? {
          nouns: typeWords(index.type, undefined).nouns,
          indexKey: index.parameters[0] ? keyName(index.parameters[0].name.getText()) : 'id',
        }
      : { nouns: [] };
  }
  if (!ts.isTypeReferenceNode(type)) return { nouns: [] };
  const name = type.typeName.getText();
  const [first, second] = type.typeArguments ?? [];
  if (/^(Readonly|Partial|Required|Array|ReadonlyArray|Set|Iterable)$/.test(name) && first)
    return typeWords(first, undefined);
  if (/^(Record|Map|ReadonlyMap)$/.test(name) && first && second) return indexed(first, second);
  return { nouns: wordsOf(name) };
}

const indexed = (key: ts.TypeNode, value: ts.TypeNode): { nouns: string[]; indexKey: string } => ({
  nouns: typeWords(value, undefined).nouns,
  indexKey: ts.isTypeReferenceNode(key) ? keyName(key.typeName.getText()) : 'id',
});
const keyName = (name: string): string =>
  /^(key|k|index|name|\w)$/i.test(name) ? 'id' : name.charAt(0).toLowerCase() + name.slice(1);

/** The name of what an expression points to: `room`, `each.status`, `this.rooms`. */
export function nameOf(expression: ts.Expression): string | null {
  const node = unwrap(expression);
  if (ts.isIdentifier(node)) return node.text === 'undefined' ? null : node.text;
  return ts.isPropertyAccessExpression(node) ? node.name.text : null;
}

const DEFINING = new Set(['parameters', 'inputSchema', 'input_schema', 'outputSchema', 'schema', 'execute']);

/** JSON Schema: what stands there describes values and is none. */
export const isSchema = (node: ts.ObjectLiteralExpression): boolean => hasAll(node, 'type', 'properties');

/** The definition of a tool or an agent: its names and texts are no values; its functions may hold some. */
export const isDefinition = (node: ts.ObjectLiteralExpression): boolean =>
  isSchema(node) ||
  hasAll(node, 'type', 'function') ||
  hasAll(node, 'name', 'instructions') ||
  (hasAll(node, 'description') && [...keysOf(node)].some((name) => DEFINING.has(name)));

/** `{ content: [{ type: 'text', text }] }`, `{ contents: [{ uri, mimeType }] }`: the envelope of a result, no values. */
export const isMcpResultLiteral = (node: ts.ObjectLiteralExpression): boolean =>
  node.properties.some((each) => {
    if (!ts.isPropertyAssignment(each) || !/^contents?$/.test(each.name.getText())) return false;
    const list = unwrap(each.initializer);
    const [first] = ts.isArrayLiteralExpression(list) ? list.elements : [];
    const part = first && unwrap(first);
    return part !== undefined && ts.isObjectLiteralExpression(part) && (hasAll(part, 'type') || hasAll(part, 'uri'));
  });

const hasAll = (node: ts.ObjectLiteralExpression, ...names: string[]): boolean => {
  const keys = keysOf(node);
  return names.every((name) => keys.has(name));
};
const keysOf = ({ properties }: ts.ObjectLiteralExpression): Set<string> =>
  new Set(properties.map(({ name }) => (name && 'text' in name ? name.text : '')));

/** Children of a literal that are no literals: functions, calls, spreads. They are visited by themselves. */
export function unread(node: ts.Expression): ts.Node[] {
  const out: ts.Node[] = [];
  const look = (child: ts.Node): void => {
    if (
      ts.isObjectLiteralExpression(child) ||
      ts.isArrayLiteralExpression(child) ||
      ts.isPropertyAssignment(child) ||
      ts.isParenthesizedExpression(child) ||
      ts.isAsExpression(child)
    )
      ts.forEachChild(child, look);
    else if (!ts.isStringLiteralLike(child) && !ts.isIdentifier(child)) out.push(child);
  };
  ts.forEachChild(node, look);
  return out;
}

export function unwrap(expression: ts.Expression): ts.Expression {
  let node = expression;
  while (
    ts.isParenthesizedExpression(node) ||
    ts.isAsExpression(node) ||
    ts.isSatisfiesExpression(node) ||
    ts.isNonNullExpression(node) ||
    ts.isTypeAssertionExpression(node) ||
    ts.isAwaitExpression(node)
  )
    node = node.expression;
  return ts.isCallExpression(node) &&
    ts.isPropertyAccessExpression(node.expression) &&
    node.expression.name.text === 'freeze' &&
    node.arguments[0]
    ? unwrap(node.arguments[0])
    : node;
}
