/** What the text around a defining call says: texts, keys, whether it runs when the file is loaded. */
import { ts } from 'ts-morph';
import { fileShape } from '../typescript/discovery/fileShape';
import { unwrap } from '../../schema/literals';

/** The text of an expression, also of a constant of the file; undefined where it can't be read. */
export function readText(expression: ts.Expression | undefined, file: ts.SourceFile): string | undefined {
  if (!expression) return undefined;
  const bare = constantOf(expression, file);
  return ts.isStringLiteralLike(bare) ? bare.text : undefined;
}

/** The same, where what stands between the texts is known only when the code runs: that by its name. */
export function readRoughly(expression: ts.Expression | undefined, file: ts.SourceFile): string | undefined {
  const text = readText(expression, file);
  if (text !== undefined || !expression) return text;
  const bare = unwrap(expression);
  const said = (part: ts.Expression): string => readRoughly(part, file) ?? part.getText(file).split('.').at(-1)!;
  if (ts.isTemplateExpression(bare))
    return bare.head.text + bare.templateSpans.map((span) => said(span.expression) + span.literal.text).join('');
  if (ts.isBinaryExpression(bare) && bare.operatorToken.kind === ts.SyntaxKind.PlusToken)
    return said(bare.left) + said(bare.right);
  return undefined;
}

/** The object that is written there, also as a constant of the file. */
export function readObject(
  expression: ts.Expression | undefined,
  file: ts.SourceFile,
): ts.ObjectLiteralExpression | undefined {
  if (!expression) return undefined;
  const bare = constantOf(expression, file);
  return ts.isObjectLiteralExpression(bare) ? bare : undefined;
}

/** `NAME`, `names.weather` -> what stands in the file for it; everything else is itself. */
function constantOf(expression: ts.Expression, file: ts.SourceFile, steps = 4): ts.Expression {
  const bare = unwrap(expression);
  if (steps === 0) return bare;
  if (ts.isIdentifier(bare)) {
    const [declared] = fileShape(file).declarations.get(bare.text) ?? [];
    const value = declared && ts.isVariableDeclaration(declared) ? declared.initializer : undefined;
    return value && isConstant(declared as ts.VariableDeclaration) ? constantOf(value, file, steps - 1) : bare;
  }
  if (ts.isPropertyAccessExpression(bare)) {
    const object = constantOf(bare.expression, file, steps - 1);
    const value = ts.isObjectLiteralExpression(object) ? property(object, bare.name.text) : undefined;
    return value && ts.isPropertyAssignment(value) ? constantOf(value.initializer, file, steps - 1) : bare;
  }
  return bare;
}

const isConstant = ({ parent }: ts.VariableDeclaration): boolean => (parent.flags & ts.NodeFlags.Const) !== 0;

/** The property of this name. */
export function property(object: ts.ObjectLiteralExpression, name: string): ts.ObjectLiteralElementLike | undefined {
  return object.properties.find((each) => each.name && keyText(each.name) === name);
}

/** The value of the property of this name, where it has one written out. */
export function valueOf(object: ts.ObjectLiteralExpression | undefined, name: string): ts.Expression | undefined {
  const found = object && property(object, name);
  if (!found) return undefined;
  if (ts.isPropertyAssignment(found)) return found.initializer;
  return ts.isShorthandPropertyAssignment(found) ? found.name : undefined;
}

/** The key as text; undefined where it is computed. */
export function keyText(name: ts.PropertyName): string | undefined {
  if (ts.isIdentifier(name) || ts.isStringLiteralLike(name) || ts.isNumericLiteral(name)) return name.text;
  return ts.isComputedPropertyName(name) && ts.isStringLiteralLike(name.expression) ? name.expression.text : undefined;
}

/** What a declaration stands for: a variable's value, else itself. */
export const declaredValue = (declared: ts.Node): ts.Node =>
  ts.isVariableDeclaration(declared) && declared.initializer ? unwrap(declared.initializer) : declared;

/** Offsets without the BOM, as tool hosts have the text. */
export function spanOf(node: ts.Node, file: ts.SourceFile): [number, number] {
  const mark = file.text.startsWith('\uFEFF') ? 1 : 0;
  return [node.getStart(file) - mark, node.getEnd() - mark];
}

/** The node around an expression, without `as`, `satisfies`, `await` and parentheses. */
export function outerOf(node: ts.Node): ts.Node {
  let at = node;
  while (
    ts.isParenthesizedExpression(at.parent) ||
    ts.isAsExpression(at.parent) ||
    ts.isSatisfiesExpression(at.parent) ||
    ts.isNonNullExpression(at.parent) ||
    ts.isAwaitExpression(at.parent)
  )
    at = at.parent;
  return at;
}

/** What keeps a place from being reached when the file is loaded. */
export interface Hidden {
  /** In words: the innermost function that is not called, or a class. */
  in: string;
  /** The only such function, where it stands at the top level of the file, or is given to a call there. */
  maker?: ts.FunctionDeclaration | ts.ArrowFunction | ts.FunctionExpression;
  /** It is given to a call: who knows what that does with it. */
  isCallback?: boolean;
}

/** Null: nothing keeps it from being reached. */
export function hiddenIn(node: ts.Node, calledAtLoad: ReadonlySet<string>): Hidden | null {
  const hiding: { name: string; at: ts.Node; outer: ts.Node }[] = [];
  for (let at: ts.Node = node.parent; at && !ts.isSourceFile(at); at = at.parent) {
    if (ts.isPropertyDeclaration(at) && !at.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.StaticKeyword))
      hiding.push({ name: 'a class', at, outer: at });
    if (!ts.isFunctionLike(at)) continue;
    const outer = outerOf(at);
    if (ts.isCallExpression(outer.parent) && outer.parent.expression === outer) continue; // called on the spot
    const name = functionName(at, outer);
    if (name === undefined || !calledAtLoad.has(name)) hiding.push({ name: name ?? 'a function', at, outer });
  }
  const [first, second] = hiding;
  if (!first) return null;
  const { at, outer } = first;
  const isMaker = ts.isFunctionDeclaration(at) || ts.isArrowFunction(at) || ts.isFunctionExpression(at);
  const isCallback = ts.isCallExpression(outer.parent);
  const statement = ts.isFunctionDeclaration(at) ? at : outer.parent.parent?.parent;
  const isOuter = isCallback || (statement !== undefined && ts.isSourceFile(statement.parent ?? statement));
  return { in: first.name, ...(isMaker && !second && isOuter ? { maker: at, isCallback } : {}) };
}

function functionName(node: ts.SignatureDeclaration, outer: ts.Node): string | undefined {
  if (node.name && ts.isIdentifier(node.name)) return node.name.text;
  return ts.isVariableDeclaration(outer.parent) && ts.isIdentifier(outer.parent.name)
    ? outer.parent.name.text
    : undefined;
}

/** Functions that the file calls by name while it is loaded, and those that these call. */
export function namesCalledAtLoad(file: ts.SourceFile): Set<string> {
  const called = new Set<string>();
  const { declarations } = fileShape(file);
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node)) {
      const callee = unwrap(node.expression);
      if (ts.isIdentifier(callee)) enter(callee.text);
      else if (ts.isFunctionLike(callee)) ts.forEachChild(callee, visit);
    }
    if (!ts.isFunctionLike(node)) ts.forEachChild(node, visit);
  };
  const enter = (name: string): void => {
    if (called.has(name)) return;
    called.add(name);
    for (const declared of declarations.get(name) ?? []) {
      const value = declaredValue(declared);
      if (ts.isFunctionLike(value)) ts.forEachChild(value, visit);
    }
  };
  ts.forEachChild(file, visit);
  return called;
}
