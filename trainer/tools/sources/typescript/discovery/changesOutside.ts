/**
 * Whether the code of a function changes what outlives a call, as far as its own text shows. Asked only where the words
 * of a tool leave it open ("planCleaning", "checkIn"): a body that is named like a look-up and writes is no look-up.
 */
import { ts } from 'ts-morph';
import { splitWords } from '../../../../base/words';
import { boundNames, unwrap } from '../../../schema/literals';
import { CHANGING, OFTEN_NOUNS } from './worldWords';

/** Of a function in a file: its body's text, which is there where its statements were dropped (trimBodies.ts). */
export function functionChangesOutside(node: ts.SignatureDeclaration, file: ts.SourceFile): boolean {
  if (!('body' in node) || !node.body) return false;
  return changesOutside(
    file.text.slice(node.body.pos, node.body.end),
    node.parameters.flatMap(({ name }) => boundNames(name)),
  );
}

/**
 * @param code text of the function's block or expression, or of a definition with functions in it
 * @param parameters their names: what a caller hands in is the caller's own
 */
export function changesOutside(code: string, parameters: readonly string[] = []): boolean {
  const file = ts.createSourceFile('body.ts', `async function* body() { void (async () => ${code}); }`, LATEST, true);
  const own = ownNames(file, parameters);
  const isOuter = (node: ts.Expression): boolean => {
    const root = rootOf(node);
    return root !== null && !own.has(root) && !PASSING.test(node.getText(file));
  };
  const writes = (node: ts.Node): boolean => {
    const target = writtenBy(node);
    if (target) return isOuter(target);
    if (ts.isCallExpression(node)) return callChanges(node.expression, isOuter);
    if (ts.isPropertyAssignment(node) && node.name.getText(file) === 'method')
      return SENDING.test(node.initializer.getText(file));
    return (ts.isStringLiteralLike(node) || ts.isTemplateHead(node)) && SQL.test(node.text);
  };
  const anyWrites = (node: ts.Node): boolean => writes(node) || (ts.forEachChild(node, anyWrites) ?? false);
  return anyWrites(file);
}
const LATEST = ts.ScriptTarget.Latest;

/** What a process keeps for itself, which nobody would call a change, and what is nobody's. */
const PASSING = /cache|memo\b|\b(seen|visited|logger|metrics?|traces?)\b|^(console|Math|Object|JSON|Number)\b/i;
const SENDING = /^['"`](post|put|patch|delete)['"`]$/i;
const SQL = /^\s*(insert into|update \S+ set|delete from|replace into|create table|drop table)\b/i;

/** `x.y = 1`, `x += 1`, `x++`, `delete x.y`, `Object.assign(x, …)` -> what is written to. */
function writtenBy(node: ts.Node): ts.Expression | null {
  if (ts.isBinaryExpression(node)) {
    const { kind } = node.operatorToken;
    return kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment ? node.left : null;
  }
  if (ts.isDeleteExpression(node)) return node.expression;
  if (ts.isCallExpression(node) && node.expression.getText() === 'Object.assign') return node.arguments[0] ?? null;
  const steps = ts.isPostfixUnaryExpression(node) || (ts.isPrefixUnaryExpression(node) && STEPS.has(node.operator));
  return steps ? node.operand : null;
}
const STEPS = new Set([ts.SyntaxKind.PlusPlusToken, ts.SyntaxKind.MinusMinusToken]);

/** `rooms.push(…)`, `this.store.saveRoom(…)`, `writeFileSync(…)` */
function callChanges(called: ts.Expression, isOuter: (node: ts.Expression) => boolean): boolean {
  const isMethod = ts.isPropertyAccessExpression(called);
  if (!isMethod && !ts.isIdentifier(called)) return false;
  if (!isOuter(isMethod ? called.expression : called)) return false;
  const name = isMethod ? called.name.text : called.text;
  if (isMethod && (WRITERS.has(name) || OF_VALUES.test(name))) return WRITERS.has(name);
  const [first = '', ...others] = splitWords(name);
  if (first === 'check') return /^(in|out|off)$/.test(others[0] ?? '');
  return CHANGING.has(first) && (!OFTEN_NOUNS.has(first) || (isMethod && others.length === 0));
}
const WRITERS = new Set('push pop shift unshift splice set add delete clear unlink rm mkdir'.split(' '));
/** Methods of texts, functions and dates. */
const OF_VALUES = /^(replace(All)?|call|apply|set(UTC)?(Date|Month|FullYear|Hours|Minutes|Seconds|Milliseconds|Time))$/;

/** `this.rooms[0].guest` -> "this"; null where it begins with a call or a literal. */
function rootOf(node: ts.Expression): string | null {
  const value = awaited(node);
  if (ts.isIdentifier(value)) return value.text;
  if (value.kind === ts.SyntaxKind.ThisKeyword) return 'this';
  const goesOn =
    ts.isPropertyAccessExpression(value) || ts.isElementAccessExpression(value) || ts.isCallExpression(value);
  return goesOn ? rootOf(value.expression) : null;
}

/** What is waited for, without what stands around it. */
function awaited(node: ts.Expression): ts.Expression {
  const bare = unwrap(node);
  return ts.isAwaitExpression(bare) ? awaited(bare.expression) : bare;
}

/** Names of what a call makes for itself. `const room = rooms.get(id)` is somebody else's; `const found = []` is its own. */
function ownNames(file: ts.SourceFile, parameters: readonly string[]): Set<string> {
  const own = new Set(parameters);
  const visit = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && isOwn(node)) own.add(node.name.text);
    if (ts.isParameter(node) && !isGone(node)) for (const name of boundNames(node.name)) own.add(name);
    if (ts.isFunctionDeclaration(node) && node.name) own.add(node.name.text);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return own;
}

/** `rooms.forEach((room) => { room.guest = … })`: what is gone through is not the function's own. */
const isGone = ({ parent }: ts.ParameterDeclaration): boolean =>
  ts.isCallExpression(parent.parent) &&
  ts.isPropertyAccessExpression(parent.parent.expression) &&
  parent.parent.expression.name.text === 'forEach';

function isOwn({ initializer, parent }: ts.VariableDeclaration): boolean {
  if (ts.isForOfStatement(parent.parent)) return false;
  if (!initializer) return true;
  const value = awaited(initializer);
  if (ts.isCallExpression(value)) return MAKES_NEW.test(value.expression.getText());
  return rootOf(value) === null;
}
const MAKES_NEW =
  /^(String|Number|Boolean|structuredClone|fetch|Object\.\w+|Array\.\w+|JSON\.\w+|Math\.\w+)$|\.(map|filter|slice|concat|flatMap|split|toSorted|toReversed|join|reduce|json|text)$/;
