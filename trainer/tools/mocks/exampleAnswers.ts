/**
 * Results that `@example` tags show. Read as code and never run: a call with literal arguments, and its result after
 * `// =>`, `=>`, `// ->`, `→`
 * or `// returns`, on the same line or the next; or a text that is one literal value, then taken as a result.
 */
import { ts } from 'ts-morph';
import type { ToolSchema } from '../../protocol/task';

export interface ExampleAnswer {
  /** Arguments by name, where the example shows a call with literal ones. */
  args: Record<string, unknown> | undefined;
  result: unknown;
}

const ARROW = /(?:\/\/|\/\*)?\s*(?:=>|->|→|⇒|[Rr]eturns?:?)\s*/;

export function exampleAnswers(tool: ToolSchema): ExampleAnswer[] {
  return (tool.examples ?? []).flatMap((text) => exampleAnswer(text, tool));
}

function exampleAnswer(text: string, tool: ToolSchema): ExampleAnswer[] {
  const code = text.replace(/^```\w*\s*$/gm, '').trim();
  const whole = literalOf(code);
  if (whole) return [{ args: undefined, result: whole.value }];
  const callEnd = endOfCall(code);
  const arrow = ARROW.exec(code.slice(callEnd));
  if (!arrow) return [];
  const shown = code
    .slice(callEnd + arrow.index + arrow[0].length)
    .replace(/^\s*\/\/ ?/gm, '')
    .replace(/\*\/\s*$/, '')
    .trim();
  const result =
    literalOf(shown) ?? literalOf(shown.split('\n', 1)[0] ?? '') ?? (shown === '' ? undefined : { value: shown });
  return result ? [{ args: argumentsOf(code.slice(0, callEnd), tool), result: result.value }] : [];
}

/** End of the first call expression, so that an arrow inside its arguments is not taken for the result's. */
function endOfCall(code: string): number {
  return firstCall(code)?.end ?? 0;
}

function firstCall(code: string): ts.CallExpression | undefined {
  const source = ts.createSourceFile('example.ts', code, ts.ScriptTarget.ES2022, true);
  const find = (node: ts.Node): ts.CallExpression | undefined =>
    ts.isCallExpression(node) ? node : ts.forEachChild(node, find);
  return find(source);
}

function argumentsOf(code: string, tool: ToolSchema): Record<string, unknown> | undefined {
  const values = firstCall(code)?.arguments.map(literalValue);
  if (!values || values.some((value) => value === undefined)) return undefined;
  const positional = 'positional' in tool.binding ? tool.binding.positional : 'object';
  if (positional === 'object') return values[0]?.value as Record<string, unknown> | undefined;
  const args: Record<string, unknown> = {};
  positional.forEach(({ name, isRest }, index) => {
    if (isRest) args[name] = values.slice(index).map((item) => item?.value);
    else if (index < values.length) args[name] = values[index]?.value;
  });
  return args;
}

function literalOf(text: string): { value: unknown } | undefined {
  if (text === '') return undefined;
  const source = ts.createSourceFile('literal.ts', `(${text.replace(/;\s*$/, '')}\n)`, ts.ScriptTarget.ES2022, true);
  const [statement, ...others] = source.statements;
  if (
    !statement ||
    others.length > 0 ||
    !ts.isExpressionStatement(statement) ||
    !ts.isParenthesizedExpression(statement.expression)
  )
    return undefined;
  if ((source as unknown as { parseDiagnostics: unknown[] }).parseDiagnostics.length > 0) return undefined;
  return literalValue(statement.expression.expression);
}

function literalValue(node: ts.Node): { value: unknown } | undefined {
  if (ts.isStringLiteralLike(node)) return { value: node.text };
  if (ts.isNumericLiteral(node)) return { value: Number(node.text) };
  if (
    ts.isPrefixUnaryExpression(node) &&
    node.operator === ts.SyntaxKind.MinusToken &&
    ts.isNumericLiteral(node.operand)
  )
    return { value: -Number(node.operand.text) };
  if (node.kind === ts.SyntaxKind.TrueKeyword || node.kind === ts.SyntaxKind.FalseKeyword)
    return { value: node.kind === ts.SyntaxKind.TrueKeyword };
  if (node.kind === ts.SyntaxKind.NullKeyword) return { value: null };
  if (ts.isArrayLiteralExpression(node)) {
    const items = node.elements.map(literalValue);
    return items.some((item) => !item) ? undefined : { value: items.map((item) => item?.value) };
  }
  if (!ts.isObjectLiteralExpression(node)) return undefined;
  const entries: [string, unknown][] = [];
  for (const property of node.properties) {
    if (!ts.isPropertyAssignment(property)) return undefined;
    const { name } = property;
    const value = literalValue(property.initializer);
    if (!value || !(ts.isIdentifier(name) || ts.isStringLiteralLike(name) || ts.isNumericLiteral(name)))
      return undefined;
    entries.push([name.text, value.value]);
  }
  return { value: Object.fromEntries(entries) };
}
