/**
 * Methods that carry the tag `@tool` in their JSDoc, or the decorator `@tool`, `@tool()` or
 * `@tool({ name, description })`, under whatever name it was imported.
 */
import { ts } from 'ts-morph';
import { type Found, problemAt } from './candidate';
import type { ExportTable } from './exportTable';
import { shapeProblem } from './functionShape';
import { findTag, jsDocOf, jsDocRange, readToolTag, type JsDocTag } from './jsDoc';
import type { Mend } from '../../../../protocol/task';

/** Local names that mean the decorator: `tool`, and `t` after `import { tool as t }`. */
export function decoratorNames(file: ts.SourceFile): ReadonlySet<string> {
  const names = new Set(['tool']);
  for (const statement of file.statements) {
    const bindings = ts.isImportDeclaration(statement) ? statement.importClause?.namedBindings : undefined;
    if (!bindings || !ts.isNamedImports(bindings)) continue;
    for (const { name, propertyName } of bindings.elements) {
      if (propertyName?.text === 'tool') names.add(name.text);
      // another decorator under this name
      else if (name.text === 'tool' && propertyName && propertyName.text !== 'default') names.delete('tool');
    }
  }
  return names;
}

interface Place {
  file: ts.SourceFile;
  table: ExportTable;
  names: ReadonlySet<string>;
}

/**
 * @param hidden why the class can't be reached, null at the top level of the file
 * @returns candidates without a check of the constructor, which needs types
 */
export function findMethods(
  node: ts.ClassLikeDeclaration,
  hidden: string | null,
  { file, table, names }: Place,
): Found {
  const found: Found = { candidates: [], problems: [] };
  const report = (at: ts.Node, message: string, mend?: Mend) =>
    found.problems.push(problemAt(file, at, message, 'error', mend));
  const className = localName(node);
  const classMark = toolDecorator(node, names);
  if (classMark) report(classMark, `${className ?? 'class'}: @tool belongs on a method, not on a class`);
  const groups = markedGroups(node, file, names);
  if (groups.length === 0) return found;

  const label = className ?? 'class';
  const classAt = node.name ?? node;
  const classExport = table.inline.get(node) ?? (className ? table.names.get(className) : undefined) ?? null;
  const instanceExport = (className ? table.instances.get(className) : undefined) ?? null;
  if (hidden !== null) {
    report(classAt, `${label}: ${hidden}; a class with tools is exported at the top level of its file`);
    return found;
  }
  if (classExport === null && instanceExport === null) {
    report(
      classAt,
      `${label}: not exported; a class with tools must be exported, or an instance of it`,
      className ? { kind: 'export', of: className } : undefined,
    );
    return found;
  }
  for (const { members, mark } of groups) {
    const marked = members.find((member) => toolDecorator(member, names) ?? tagOf(member, file))!;
    const at = marked.name ?? marked;
    const name = memberName(marked.name);
    const problem = memberProblem(members, name, file);
    if (problem) {
      report(at, `${name ?? at.getText(file)}: ${problem}`);
      continue;
    }
    const isStatic = hasModifier(marked, ts.SyntaxKind.StaticKeyword);
    if (isStatic && classExport === null) {
      report(at, `${name}: a static method needs its class exported; only an instance of ${label} is`);
      continue;
    }
    const options = mark ? optionsOf(mark) : undefined;
    if (options === 'unreadable') {
      report(mark ?? at, `${name}: the argument of @tool must be an object written out here, { name, description }`);
      continue;
    }
    const documented = [marked, ...members].find((member) => jsDocOf(member, file));
    const docs = documented && jsDocOf(documented, file);
    const stated =
      docs && !mark ? readToolTag(docs) : { name: undefined, description: findTag(docs, 'tool')?.text ?? '' };
    found.candidates.push({
      name: stated.name ?? name!,
      isNamed: stated.name !== undefined,
      nameNode: at,
      node: marked as ts.MethodDeclaration,
      docs,
      tagDescription: stated.description,
      exportName: classExport ?? instanceExport!,
      method: {
        classNode: node,
        className: label,
        member: name!,
        isStatic,
        classExport,
        instanceExport,
        ...(options && { options }),
      },
    });
  }
  return found;
}

/** The tag `@tool` of the member's JSDoc. */
function tagOf(member: ts.ClassElement, file: ts.SourceFile): JsDocTag | undefined {
  const range = jsDocRange(member, file);
  if (!range || !file.text.slice(range.pos, range.end).includes('@tool')) return undefined;
  return findTag(jsDocOf(member, file), 'tool');
}

/** Overloads and implementation of one method are one group; it counts once, wherever the mark is; null: JSDoc's. */
function markedGroups(
  node: ts.ClassLikeDeclaration,
  file: ts.SourceFile,
  names: ReadonlySet<string>,
): { members: ts.ClassElement[]; mark: ts.Decorator | null }[] {
  const groups = new Map<string, ts.ClassElement[]>();
  for (const member of node.members) {
    const key = `${hasModifier(member, ts.SyntaxKind.StaticKeyword)} ${member.name?.getText(file) ?? member.pos}`;
    groups.set(key, [...(groups.get(key) ?? []), member]);
  }
  return [...groups.values()].flatMap((members) => {
    const mark = members.map((member) => toolDecorator(member, names)).find((each) => each !== null) ?? null;
    return mark || members.some((member) => tagOf(member, file)) ? [{ members, mark }] : [];
  });
}

/** The node's decorator `@tool`, null where it has none. */
export function toolDecorator(node: ts.Node, names: ReadonlySet<string>): ts.Decorator | null {
  if (!ts.canHaveDecorators(node)) return null;
  return (
    ts.getDecorators(node)?.find((decorator) => {
      const called = ts.isCallExpression(decorator.expression) ? decorator.expression.expression : decorator.expression;
      if (ts.isIdentifier(called)) return names.has(called.text);
      return ts.isPropertyAccessExpression(called) && called.name.text === 'tool';
    }) ?? null
  );
}

function optionsOf({ expression }: ts.Decorator): ts.ObjectLiteralExpression | 'unreadable' | undefined {
  if (!ts.isCallExpression(expression) || expression.arguments.length === 0) return undefined;
  const [argument] = expression.arguments;
  return argument && ts.isObjectLiteralExpression(argument) ? argument : 'unreadable';
}

/** Why a marked member can't be a tool; null when it can. */
function memberProblem(members: ts.ClassElement[], name: string | null, file: ts.SourceFile): string | null {
  const [first] = members;
  if (members.some((member) => member.name && ts.isPrivateIdentifier(member.name)))
    return 'a #private method can\u2019t be called from outside';
  for (const [kind, word] of [
    [ts.SyntaxKind.PrivateKeyword, 'private'],
    [ts.SyntaxKind.ProtectedKeyword, 'protected'],
  ] as const) {
    if (members.some((member) => hasModifier(member, kind)))
      return `a ${word} method can\u2019t be called from outside`;
  }
  const method = members.find(ts.isMethodDeclaration);
  if (!method || !first) return 'only a method can be a tool, not a field or an accessor';
  if (name === null) return 'a method with a computed name can\u2019t be a tool';
  if (hasModifier(method, ts.SyntaxKind.AbstractKeyword)) return 'an abstract method has no body to call';
  return shapeProblem(members.filter(ts.isMethodDeclaration).find((member) => member.body) ?? method, file);
}

function memberName(name: ts.PropertyName | undefined): string | null {
  if (!name) return null;
  if (ts.isIdentifier(name) || ts.isStringLiteralLike(name) || ts.isNumericLiteral(name)) return name.text;
  return ts.isComputedPropertyName(name) && ts.isStringLiteralLike(name.expression) ? name.expression.text : null;
}

function localName(node: ts.ClassLikeDeclaration): string | null {
  if (ts.isClassExpression(node) && ts.isVariableDeclaration(node.parent) && ts.isIdentifier(node.parent.name))
    return node.parent.name.text;
  return node.name?.text ?? null;
}

function hasModifier(node: ts.Node, kind: ts.SyntaxKind): boolean {
  return ts.canHaveModifiers(node) && (ts.getModifiers(node)?.some((modifier) => modifier.kind === kind) ?? false);
}
