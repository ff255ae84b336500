/**
 * What answers a tool that is defined apart from its function: a member of an object that has the tools' names as
 * keys, else a function that picks by the name (dispatchers.ts).
 */
import { ts } from 'ts-morph';
import type { DefinedHandler } from '../../../protocol/task';
import { fileShape } from '../typescript/discovery/fileShape';
import { unwrap } from '../../schema/literals';
import { type Dispatcher, dispatchersOf } from './dispatchers';
import { keyText, property, readObject, readText, spanOf } from './syntax';

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
    return found && { span: found.span, member: name, dispatch: found.dispatch };
  }
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
  const value =
    declared && ts.isVariableDeclaration(declared) && declared.initializer ? unwrap(declared.initializer) : declared;
  if (!value || !ts.isFunctionLike(value)) return undefined;
  const names = value.parameters.map(({ name }) => (ts.isIdentifier(name) ? name.text : undefined));
  const isOwn = (name: string | undefined): name is string => name !== undefined && takes.includes(name);
  return names.length > 0 && names.every(isOwn) ? names : undefined;
}
