/**
 * Functions that answer several tools by their names, `switch (name) { case 'find': … }`: which names they know, and
 * what they take.
 */
import { ts } from 'ts-morph';
import type { DefinedHandler } from '../../../protocol/task';
import { unwrap } from '../../schema/literals';
import { hiddenIn, keyText, namesCalledAtLoad, readText, spanOf } from './syntax';

export interface Dispatcher {
  span: DefinedHandler['span'];
  names: ReadonlySet<string>;
  dispatch: NonNullable<DefinedHandler['dispatch']>;
}
type Callee = ts.FunctionDeclaration | ts.ArrowFunction | ts.FunctionExpression;

/** Those at the top level of the file, in its order; then what an MCP server's calls of tools come to. */
export function dispatchersOf(file: ts.SourceFile): Dispatcher[] {
  return [...file.statements.flatMap(functionsOf), ...requestHandlers(file)].flatMap(
    (node) => dispatcherOf(node, file) ?? [],
  );
}

/**
 * `server.setRequestHandler(CallToolRequestSchema, async (request) => …)`, where loading the file gets there, or makes
 * an object of the class that does it.
 */
function requestHandlers(file: ts.SourceFile): Callee[] {
  if (!file.text.includes('setRequestHandler')) return [];
  const found: Callee[] = [];
  const made = new Set<string>();
  const called = namesCalledAtLoad(file);
  const isReached = (at: ts.Node): boolean => {
    const own = ts.findAncestor(at, ts.isClassLike)?.name?.text;
    return own === undefined ? hiddenIn(at, called) === null : made.has(own);
  };
  const visit = (at: ts.Node): void => {
    if (ts.isCallExpression(at) && /\.setRequestHandler$/.test(at.expression.getText(file))) {
      const [schema, second] = at.arguments;
      const value = second && unwrap(second);
      const isCallee = value && (ts.isArrowFunction(value) || ts.isFunctionExpression(value));
      if (isCallee && /CallTool|tools\/call/.test(schema!.getText(file))) found.push(value);
    }
    if (ts.isNewExpression(at) && ts.isIdentifier(at.expression)) made.add(at.expression.text);
    ts.forEachChild(at, visit);
  };
  visit(file);
  return found.filter(isReached);
}

function functionsOf(statement: ts.Statement): Callee[] {
  if (ts.isFunctionDeclaration(statement)) return statement.name && statement.body ? [statement] : [];
  if (!ts.isVariableStatement(statement)) return [];
  return statement.declarationList.declarations.flatMap(({ initializer }) => {
    const value = initializer && unwrap(initializer);
    return value && (ts.isArrowFunction(value) || ts.isFunctionExpression(value)) ? [value] : [];
  });
}

function dispatcherOf(node: Callee, file: ts.SourceFile): Dispatcher | undefined {
  const [first, second] = node.parameters;
  if (!first || !node.body) return undefined;
  const isName = nameTest(first, node.body);
  const found = { name: new Set<string>(), call: new Set<string>() };
  const take = (chosen: ts.Expression, values: readonly ts.Expression[]): void => {
    const how = isName(unwrap(chosen));
    if (how) for (const value of values) found[how].add(readText(value, file) ?? '');
  };
  const visit = (at: ts.Node): void => {
    if (ts.isSwitchStatement(at))
      take(
        at.expression,
        at.caseBlock.clauses.flatMap((clause) => (ts.isCaseClause(clause) ? [clause.expression] : [])),
      );
    if (ts.isBinaryExpression(at) && isEquality(at.operatorToken.kind)) {
      take(at.left, [at.right]);
      take(at.right, [at.left]);
    }
    ts.forEachChild(at, visit);
  };
  visit(node.body);
  const isByName = found.name.size > 0;
  const names = isByName ? found.name : found.call;
  names.delete('');
  if (names.size === 0) return undefined;
  const dispatch = !isByName ? 'call' : second && takesText(second, node.body) ? 'nameAndText' : 'name';
  return { span: spanOf(node, file), names, dispatch };
}

/** Also `if (name !== 'find') throw …` */
const isEquality = (kind: ts.SyntaxKind): boolean => EQUALITY.has(kind);
const EQUALITY: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.EqualsEqualsEqualsToken,
  ts.SyntaxKind.EqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsToken,
]);

/** Whether an expression is the tool's name: the first parameter itself, or `name` of a call that it is. */
function nameTest(first: ts.ParameterDeclaration, body: ts.Node): (at: ts.Expression) => 'name' | 'call' | undefined {
  const own = ts.isIdentifier(first.name) ? first.name.text : undefined;
  const taken = new Set<string>();
  const calls = new Set(own === undefined ? [] : [own]);
  const isOfCall = (at: ts.Expression): boolean =>
    ts.isIdentifier(at)
      ? calls.has(at.text)
      : ts.isPropertyAccessExpression(at) && isOfCall(unwrap(at.expression) as ts.Expression);
  /** `{ name }`, `{ function: { name: tool } }`, `{ params }` */
  const addNames = (pattern: ts.BindingName): void => {
    if (!ts.isObjectBindingPattern(pattern)) return;
    for (const { name, propertyName } of pattern.elements) {
      const key = propertyName ? keyText(propertyName) : ts.isIdentifier(name) ? name.text : undefined;
      if (!ts.isIdentifier(name)) addNames(name);
      else if (key === 'name') taken.add(name.text);
      else if (key === 'params') calls.add(name.text);
    }
  };
  addNames(first.name);
  const visit = (at: ts.Node): void => {
    if (ts.isVariableDeclaration(at) && at.initializer) {
      const value = unwrap(at.initializer);
      if (isOfCall(value)) addNames(at.name);
      if (isNameOf(value, isOfCall) && ts.isIdentifier(at.name)) taken.add(at.name.text);
    }
    ts.forEachChild(at, visit);
  };
  if (calls.size > 0) visit(body);
  return (at) => {
    if (ts.isIdentifier(at)) return at.text === own ? 'name' : taken.has(at.text) ? 'call' : undefined;
    return isNameOf(at, isOfCall) ? 'call' : undefined;
  };
}

const isNameOf = (at: ts.Expression, isOfCall: (at: ts.Expression) => boolean): boolean =>
  ts.isPropertyAccessExpression(at) && at.name.text === 'name' && isOfCall(unwrap(at.expression));

/** `args: string`, or `JSON.parse(args)`. */
function takesText({ name, type }: ts.ParameterDeclaration, body: ts.Node): boolean {
  if (type?.kind === ts.SyntaxKind.StringKeyword) return true;
  if (!ts.isIdentifier(name)) return false;
  const isParsed = (at: ts.Node): boolean => {
    if (ts.isCallExpression(at) && /^JSON\s*\.\s*parse$/.test(at.expression.getText())) {
      const [argument] = at.arguments;
      if (argument && ts.isIdentifier(unwrap(argument)) && (unwrap(argument) as ts.Identifier).text === name.text)
        return true;
    }
    return ts.forEachChild(at, isParsed) ?? false;
  };
  return isParsed(body);
}
