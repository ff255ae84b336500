/**
 * Classes that are tools: `class Weather extends StructuredTool { name = 'weather'; … }` of LangChain, and any other
 * with a name, a description, a schema and a function, where a name says that it is a tool.
 */
import { ts } from 'ts-morph';
import { OWN_FUNCTIONS, OWN_SCHEMAS } from '../../../protocol/toolMarks';
import { unwrap } from '../../schema/literals';
import type { Definition, Unread } from './definition';
import { isToolClass } from './libraries';
import type { Origins } from './origin';
import { keyText, readText, spanOf } from './syntax';

/** What the class defines; undefined where it is no tool. */
export function toolOfClass(
  node: ts.ClassDeclaration,
  file: ts.SourceFile,
  origins: Origins,
): Definition | Unread | undefined {
  const library = libraryOf(node, file, origins);
  if (!node.name || !library) return undefined;
  if (node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.AbstractKeyword)) return undefined;
  const name = readText(valueIn(node, 'name'), file);
  const nameNode = node.name;
  if (name === undefined)
    return {
      problem:
        'the name of this tool can\u2019t be read without running the code; write it as a field of its class, ' +
        "`name = 'weather'`",
      at: nameNode,
    };
  if (needsArguments(node))
    return {
      problem:
        `${name}: the constructor of ${nameNode.text} needs arguments, which nobody gives here; give them defaults, ` +
        'or define the tool by `tool(…)`',
      at: nameNode,
    };
  const description = readText(valueIn(node, 'description'), file) ?? '';
  const binding = { kind: 'defined', library, span: spanOf(node, file), isClass: true } as const;
  return { node, name, description, nameNode, binding };
}

function libraryOf(node: ts.ClassDeclaration, file: ts.SourceFile, origins: Origins): 'langchain' | 'own' | undefined {
  const clauses = node.heritageClauses ?? [];
  const base = clauses.find(({ token }) => token === ts.SyntaxKind.ExtendsKeyword)?.types[0];
  const origin = base && origins.of(base.expression, file);
  if (origin && isToolClass(origin.module, origin.name)) return 'langchain';
  const has = (names: readonly string[]): boolean => names.some((name) => memberOf(node, name) !== undefined);
  const isWhole = has(['name']) && has(['description']) && has(OWN_SCHEMAS) && has(OWN_FUNCTIONS);
  const said = [node.name?.text ?? '', ...clauses.map((clause) => clause.getText(file))];
  return isWhole && said.some((text) => /tool/i.test(text)) ? 'own' : undefined;
}

/** A field, a method or a getter; no static one. */
function memberOf(node: ts.ClassDeclaration, name: string): ts.ClassElement | undefined {
  return node.members.find(
    (each) =>
      each.name &&
      keyText(each.name) === name &&
      !(ts.canHaveModifiers(each) && each.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.StaticKeyword)),
  );
}

/** What the field holds, or the getter gives at once. */
function valueIn(node: ts.ClassDeclaration, name: string): ts.Expression | undefined {
  const member = memberOf(node, name);
  if (member && ts.isPropertyDeclaration(member)) return member.initializer && unwrap(member.initializer);
  const [only] = member && ts.isGetAccessor(member) ? (member.body?.statements ?? []) : [];
  return only && ts.isReturnStatement(only) ? only.expression : undefined;
}

/** Of one that the class has itself; LangChain's own needs none. */
function needsArguments(node: ts.ClassDeclaration): boolean {
  const own = node.members.find(ts.isConstructorDeclaration);
  return own?.parameters.some((each) => !each.initializer && !each.questionToken && !each.dotDotDotToken) ?? false;
}
