/**
 * What answers a tool that is defined apart from its function: a member of an object that has the tools' names as
 * keys, else a function that picks by the name (dispatchers.ts), else one that is called like the tool.
 */
import { ts } from 'ts-morph';
import type { DefinedHandler } from '../../../protocol/task';
import { OWN_FUNCTIONS } from '../../../protocol/toolMarks';
import { isFunction } from './beside';
import { fileShape } from '../typescript/discovery/fileShape';
import { unwrap } from '../../schema/literals';
import { type Dispatcher, dispatchersOf } from './dispatchers';
import { declaredValue, keyText, outerOf, property, readObject, readText, spanOf } from './syntax';

export class Handlers {
  private dispatchers: Dispatcher[] | undefined;

  /** @param objects all of the file */
  constructor(
    private readonly file: ts.SourceFile,
    private readonly objects: readonly ts.ObjectLiteralExpression[],
  ) {}

  /** @param takes names of the tool's parameters */
  of(name: string, takes: readonly string[]): DefinedHandler | undefined {
    for (const object of this.objects) {
      const member = answering(object, name, this.file);
      if (!member) continue;
      const positional = positionalOf(member, takes, this.file);
      return { span: spanOf(object, this.file), member: name, ...(positional && { positional }) };
    }
    this.dispatchers ??= dispatchersOf(this.file);
    const found = this.dispatchers.find(({ names }) => names.has(name));
    return found ? { span: found.span, member: name, dispatch: found.dispatch } : namesake(name, takes, this.file);
  }
}

/** `get_weather` and `getWeather` are one name. */
const bare = (name: string): string => name.replaceAll(/[_-]/g, '').toLowerCase();

/** A function at the top level that is called like the tool, and takes its parameters, one by one or as one object. */
function namesake(name: string, takes: readonly string[], file: ts.SourceFile): DefinedHandler | undefined {
  for (const [own, declared] of fileShape(file).declarations) {
    if (bare(own) !== bare(name)) continue;
    const value = declared.map(functionOf).find((each) => each !== undefined);
    const positional = value && inOrder(value.parameters, takes);
    if (!value || !(positional || takesObject(value.parameters, takes))) continue;
    return { span: spanOf(value, file), member: name, isAlone: true, ...(positional && { positional }) };
  }
  return undefined;
}

function functionOf(declared: ts.Node): ts.SignatureDeclaration | undefined {
  const value = declaredValue(declared);
  return ts.isFunctionDeclaration(value) || ts.isArrowFunction(value) || ts.isFunctionExpression(value)
    ? value
    : undefined;
}

/** `(args)`, `({ city, unit })`, or nothing where the tool takes nothing. */
function takesObject([first, ...more]: ts.NodeArray<ts.ParameterDeclaration>, takes: readonly string[]): boolean {
  if (!first) return takes.length === 0;
  if (more.some(({ initializer, questionToken }) => !initializer && !questionToken)) return false;
  if (!ts.isObjectBindingPattern(first.name)) return first.type?.kind !== ts.SyntaxKind.StringKeyword;
  return first.name.elements.every(({ name, propertyName }) => takes.includes((propertyName ?? name).getText()));
}

/** `{ definition: { name, … }, handler: async (args) => … }`: what stands beside the definition answers it. */
export function besideDefinition(node: ts.ObjectLiteralExpression, file: ts.SourceFile): DefinedHandler | undefined {
  const holder = outerOf(node).parent.parent;
  if (!holder || !ts.isObjectLiteralExpression(holder)) return undefined;
  const member = OWN_FUNCTIONS.find((name) => {
    const found = answering(holder, name, file);
    return found && (ts.isMethodDeclaration(found) || isFunction(found, file));
  });
  return member && { span: spanOf(holder, file), member };
}

/** The function, or a name that may be one, that stands under this key. */
function answering(
  object: ts.ObjectLiteralExpression,
  name: string,
  file: ts.SourceFile,
): ts.MethodDeclaration | ts.Expression | undefined {
  const found = property(object, name);
  if (!found || keyText(found.name!) !== name) return undefined;
  if (ts.isMethodDeclaration(found)) return found;
  if (ts.isShorthandPropertyAssignment(found)) return found.name;
  if (!ts.isPropertyAssignment(found)) return undefined;
  const value = unwrap(found.initializer);
  const isFunction =
    ts.isArrowFunction(value) || ts.isFunctionExpression(value) || ts.isPropertyAccessExpression(value);
  const isName = ts.isIdentifier(value) && readText(value, file) === undefined && readObject(value, file) === undefined;
  return isFunction || isName ? value : undefined;
}

/** `getWeather(location, unit)`: the tool's own parameters, one by one; undefined: all in one object. */
function positionalOf(
  member: ts.MethodDeclaration | ts.Expression,
  takes: readonly string[],
  file: ts.SourceFile,
): string[] | undefined {
  const declared = ts.isIdentifier(member) ? (fileShape(file).declarations.get(member.text) ?? [])[0] : member;
  const value = declared && declaredValue(declared);
  if (!value || !ts.isFunctionLike(value)) return undefined;
  return inOrder(value.parameters, takes);
}

/** The tool's parameters in the order of the function's; `minPrice` is `min_price`. */
function inOrder(parameters: ts.NodeArray<ts.ParameterDeclaration>, takes: readonly string[]): string[] | undefined {
  const names = parameters.map(({ name }) => {
    const own = ts.isIdentifier(name) ? bare(name.text) : undefined;
    return takes.find((each) => bare(each) === own);
  });
  return names.length > 0 && names.every((name) => name !== undefined) ? names : undefined;
}
