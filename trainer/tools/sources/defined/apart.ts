/**
 * Definitions inside a function that nobody calls here, a route's handler for instance. What needs nothing of that
 * function is evaluated apart from it, as if it stood at the top level of the file: all of the definition, else its
 * description and schema.
 */
import { ts } from 'ts-morph';
import type { EvaluatedApart } from '../../../protocol/task';
import { OWN_SCHEMAS } from '../../../protocol/toolMarks';
import type { Definition } from './definition';
import { keyText, spanOf } from './syntax';

export interface Apart {
  apart: EvaluatedApart[];
  /** What the function that runs the tool needs of the function around it; [] where all can be evaluated. */
  uses: string[];
}

/** Null: not even its schema can be evaluated apart. */
export function evaluatedApart({ node, binding, runs }: Definition, file: ts.SourceFile): Apart | null {
  if (binding.isClass) return null;
  const local = namesAround(node);
  const usedBy = (part: ts.Node): string[] => [...freeNames(part)].filter((name) => local.has(name));
  const span = spanOf(node, file);
  const ofRuns = runs ? usedBy(runs) : [];
  if (usedBy(node).length === 0 && ofRuns.length === 0)
    return { apart: [{ span }, ...(runs ? [{ span: spanOf(runs, file) }] : [])], uses: [] };
  const [first, second] = ts.isCallExpression(node) ? node.arguments : [];
  if (binding.library === 'mcp' && ts.isCallExpression(node)) {
    const { told, handler } = registered(node);
    if (!handler || told.some(({ at }) => usedBy(at).length > 0)) return null;
    const uses = usedBy(handler);
    const given = uses.length > 0 ? told : [...told, { before: 'handler: ' as const, at: handler }];
    return { apart: [{ span, parts: given.map(({ before, at }) => ({ before, span: spanOf(at, file) })) }], uses };
  }
  const options = [node, first, second].find((each) => each && ts.isObjectLiteralExpression(each));
  if (!options || !ts.isObjectLiteralExpression(options)) return null;
  const telling = options.properties.filter(({ name }) => name && TELLING.has(keyText(name) ?? ''));
  const said = telling.filter((each) => usedBy(each).length === 0);
  const isSchema = ({ name }: ts.ObjectLiteralElementLike): boolean => keyText(name!) !== 'description';
  // a description that is made of what the function is given is read roughly from the text
  if (!said.some(isSchema) || telling.some((each) => isSchema(each) && !said.includes(each))) return null;
  const uses = [...new Set([...usedBy(node), ...ofRuns])];
  return { apart: [{ span, parts: said.map((each) => ({ before: '', span: spanOf(each, file) })) }], uses };
}

type Before = NonNullable<EvaluatedApart['parts']>[number]['before'];

/**
 * What `registerTool(name, options, callback)` and the older `tool(name, description?, shape?, annotations?, callback)`
 * are given.
 */
function registered({ expression, arguments: [, ...given] }: ts.CallExpression): {
  told: { before: Before; at: ts.Expression }[];
  handler: ts.Expression | undefined;
} {
  const handler = given.pop();
  const isOlder = ts.isPropertyAccessExpression(expression) && expression.name.text === 'tool';
  if (!isOlder) return { told: given.slice(0, 1).map((at) => ({ before: '...', at })), handler };
  const description = given[0] && isDescription(given[0]) ? given.shift() : undefined;
  return {
    told: [
      ...(description ? [{ before: 'description: ' as const, at: description }] : []),
      ...(given[0] ? [{ before: 'inputSchema: ' as const, at: given[0] }] : []),
    ],
    handler,
  };
}

const isDescription = (each: ts.Expression): boolean =>
  ts.isStringLiteralLike(each) ||
  ts.isTemplateExpression(each) ||
  ts.isBinaryExpression(each) ||
  (ts.isIdentifier(each) && /desc/i.test(each.text));

const TELLING: ReadonlySet<string> = new Set(['description', ...OWN_SCHEMAS]);

/** Names that the functions and classes around a node declare, and `this`: what it can't have apart from them. */
function namesAround(node: ts.Node): Set<string> {
  const names = new Set(['this', 'super', 'await', 'arguments']);
  let outermost: ts.Node | undefined;
  for (let at = node.parent; !ts.isSourceFile(at); at = at.parent)
    if (ts.isFunctionLike(at) || ts.isClassLike(at)) outermost = at;
  const visit = (at: ts.Node): void => {
    if (at === node) return;
    addDeclared(at, names);
    ts.forEachChild(at, visit);
  };
  if (outermost) ts.forEachChild(outermost, visit);
  return names;
}

function addDeclared(node: ts.Node, names: Set<string>): void {
  const isDeclared =
    ts.isParameter(node) ||
    ts.isVariableDeclaration(node) ||
    ts.isBindingElement(node) ||
    ts.isFunctionDeclaration(node) ||
    ts.isFunctionExpression(node) ||
    ts.isClassDeclaration(node);
  if (isDeclared && node.name && ts.isIdentifier(node.name)) names.add(node.name.text);
}

/** Names that the code reads and does not declare itself; `this` and `await` where they are those of the outside. */
function freeNames(node: ts.Node): Set<string> {
  const own = new Set<string>();
  const read = new Set<string>();
  const visit = (at: ts.Node, inFunction: boolean, hasThis: boolean): void => {
    if (ts.isTypeNode(at)) return;
    addDeclared(at, own);
    if (ts.isIdentifier(at) && isRead(at)) read.add(at.text);
    if (at.kind === ts.SyntaxKind.ThisKeyword && !hasThis) read.add('this');
    if (at.kind === ts.SyntaxKind.SuperKeyword && !hasThis) read.add('super');
    if ((ts.isAwaitExpression(at) || ts.isYieldExpression(at)) && !inFunction) read.add('await');
    const isFunction = ts.isFunctionLike(at);
    const isThis = (isFunction && !ts.isArrowFunction(at)) || ts.isClassLike(at);
    ts.forEachChild(at, (child) => visit(child, inFunction || isFunction, hasThis || isThis));
  };
  visit(node, false, false);
  return new Set([...read].filter((name) => !own.has(name)));
}

/** No key, no member's name, no name that is declared. */
function isRead(name: ts.Identifier): boolean {
  const { parent } = name;
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === name;
  if (ts.isPropertyAssignment(parent) || ts.isBindingElement(parent) || ts.isVariableDeclaration(parent))
    return parent.initializer === name;
  if (ts.isParameter(parent)) return parent.initializer === name;
  return !(ts.isMethodDeclaration(parent) || ts.isFunctionExpression(parent) || ts.isJsxAttribute(parent));
}
