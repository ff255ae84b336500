/**
 * The function of a tool that stands beside its description: in the same call (`defineTool({ … }, fn)`,
 * `tool(fn, { … })`), or given to what the call makes (`toolDefinition({ … }).server(fn)`).
 */
import { ts } from 'ts-morph';
import { unwrap } from '../../schema/literals';
import { fileShape } from '../typescript/discovery/fileShape';
import { declaredValue, outerOf } from './syntax';

/** The function, or a name that stands for one. */
export function functionBeside(options: ts.ObjectLiteralExpression, file: ts.SourceFile): ts.Expression | undefined {
  const outer = outerOf(options);
  const call = outer.parent;
  const isMade = ts.isNewExpression(call);
  if (!(isMade || ts.isCallExpression(call)) || call.expression === outer) return undefined;
  const given = call.arguments?.find((each) => each !== outer && isFunction(each, file));
  return given ?? (isMade ? undefined : givenToMade(call, file));
}

/** A function, or a name that stands for one. */
export function isFunction(expression: ts.Expression, file: ts.SourceFile): boolean {
  const value = unwrap(expression);
  if (ts.isArrowFunction(value) || ts.isFunctionExpression(value)) return true;
  if (!ts.isIdentifier(value)) return false;
  const { declarations, imports } = fileShape(file);
  const declared = declarations.get(value.text) ?? [];
  return imports.has(value.text) || declared.some((each) => ts.isFunctionLike(declaredValue(each)));
}

/** TanStack's `.server(fn)`, on the call itself or on the constant that has its value. */
function givenToMade(call: ts.CallExpression, file: ts.SourceFile): ts.Expression | undefined {
  const outer = outerOf(call);
  const { parent } = outer;
  const direct = ts.isPropertyAccessExpression(parent) ? serverFunction(parent) : undefined;
  if (direct || !ts.isVariableDeclaration(parent) || !ts.isIdentifier(parent.name)) return direct;
  const name = parent.name.text;
  const find = (node: ts.Node): ts.Expression | undefined => {
    const isOfMade =
      ts.isPropertyAccessExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === name;
    return (isOfMade && serverFunction(node)) || ts.forEachChild(node, find);
  };
  return find(file);
}

function serverFunction(access: ts.PropertyAccessExpression): ts.Expression | undefined {
  const { parent } = access;
  return access.name.text === 'server' && ts.isCallExpression(parent) && parent.expression === access
    ? parent.arguments[0]
    : undefined;
}
