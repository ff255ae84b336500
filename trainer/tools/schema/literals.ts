/** Literal types, template literals, and values written in the source (defaults). */
import { ts } from 'ts-morph';
import type { JsonSchema } from '../../protocol/task';

export type Literal = string | number | boolean | null;

/** The value of a literal type or enum member; undefined for every other type. */
export function literalValue(type: ts.Type): Literal | undefined {
  if (type.isStringLiteral() || type.isNumberLiteral()) return type.value;
  if (type.flags & ts.TypeFlags.BooleanLiteral)
    return (type as ts.Type & { intrinsicName?: string }).intrinsicName === 'true';
  return undefined;
}

/** `'km'` -> a string with one value. */
export function literalSchema(type: ts.Type): JsonSchema | null {
  const value = literalValue(type);
  return value === undefined ? null : { type: typeof value, enum: [value] };
}

/** The pattern of a template literal type: `item-${number}` -> `^item-…$`. */
export function templatePattern(type: ts.TemplateLiteralType): string {
  const holes = type.types.map((hole) => {
    if (hole.flags & ts.TypeFlags.Number) return '-?[0-9]+(?:\\.[0-9]+)?(?:e[+-]?[0-9]+)?';
    if (hole.flags & ts.TypeFlags.BigInt) return '-?[0-9]+';
    if (hole.flags & ts.TypeFlags.TemplateLiteral) return templatePattern(hole as ts.TemplateLiteralType).slice(1, -1);
    return '[\\s\\S]*';
  });
  const body = type.texts.map((text, i) => escapePattern(text) + (holes[i] ?? '')).join('');
  return `^${body}$`;
}

/**
 * The value of an expression that can be read without running it: literals, arrays and objects of them, enum members,
 * constants. `{ value: undefined }` is never returned; null means that it can't be read.
 */
export function readValue(expression: ts.Expression, checker: ts.TypeChecker): { value: unknown } | null {
  const bare = unwrap(expression);
  if (ts.isStringLiteralLike(bare)) return { value: bare.text };
  if (ts.isNumericLiteral(bare)) return { value: Number(bare.text) };
  if (bare.kind === ts.SyntaxKind.TrueKeyword) return { value: true };
  if (bare.kind === ts.SyntaxKind.FalseKeyword) return { value: false };
  if (bare.kind === ts.SyntaxKind.NullKeyword) return { value: null };
  if (ts.isPrefixUnaryExpression(bare)) {
    const operand = readValue(bare.operand, checker);
    if (typeof operand?.value !== 'number') return null;
    if (bare.operator === ts.SyntaxKind.MinusToken) return { value: -operand.value };
    return bare.operator === ts.SyntaxKind.PlusToken ? operand : null;
  }
  if (ts.isArrayLiteralExpression(bare)) {
    const elements = bare.elements.map((element) => readValue(element, checker));
    return elements.every((element) => element !== null) ? { value: elements.map((element) => element.value) } : null;
  }
  if (ts.isObjectLiteralExpression(bare)) return readObject(bare, checker);
  if (ts.isIdentifier(bare) || ts.isPropertyAccessExpression(bare) || ts.isElementAccessExpression(bare)) {
    const value = literalValue(checker.getTypeAtLocation(bare));
    return value === undefined ? null : { value };
  }
  return null;
}

/** Without parentheses, `as`, `satisfies`, `!` and old-style assertions around it. */
export function unwrap(expression: ts.Expression): ts.Expression {
  let bare = expression;
  while (
    ts.isParenthesizedExpression(bare) ||
    ts.isAsExpression(bare) ||
    ts.isSatisfiesExpression(bare) ||
    ts.isNonNullExpression(bare) ||
    ts.isTypeAssertionExpression(bare)
  )
    bare = bare.expression;
  return bare;
}

/** `{ a, b: [c] }` -> a, c: the names that a declaration or a parameter binds. */
export const boundNames = (name: ts.BindingName): string[] =>
  ts.isIdentifier(name)
    ? [name.text]
    : name.elements.flatMap((element) => (ts.isBindingElement(element) ? boundNames(element.name) : []));

function readObject(node: ts.ObjectLiteralExpression, checker: ts.TypeChecker): { value: unknown } | null {
  const value: Record<string, unknown> = {};
  for (const property of node.properties) {
    if (!ts.isPropertyAssignment(property)) return null;
    const { name } = property;
    if (!ts.isIdentifier(name) && !ts.isStringLiteralLike(name) && !ts.isNumericLiteral(name)) return null;
    const read = readValue(property.initializer, checker);
    if (!read) return null;
    value[name.text] = read.value;
  }
  return { value };
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
