/** Classes that extend LangChain's: `class Weather extends StructuredTool { name = 'weather'; … }`. */
import { ts } from 'ts-morph';
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
  const base = node.heritageClauses?.find(({ token }) => token === ts.SyntaxKind.ExtendsKeyword)?.types[0];
  const origin = base && origins.of(base.expression, file);
  if (!node.name || !origin || !isToolClass(origin.module, origin.name)) return undefined;
  if (node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.AbstractKeyword)) return undefined;
  const name = readText(fieldOf(node, 'name'), file);
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
  const description = readText(fieldOf(node, 'description'), file) ?? '';
  const binding = { kind: 'defined', library: 'langchain', span: spanOf(node, file), isClass: true } as const;
  return { node, name, description, nameNode, binding };
}

function fieldOf(node: ts.ClassDeclaration, name: string): ts.Expression | undefined {
  for (const member of node.members)
    if (ts.isPropertyDeclaration(member) && keyText(member.name) === name)
      return member.initializer && unwrap(member.initializer);
  return undefined;
}

/** Of one that the class has itself; LangChain's own needs none. */
function needsArguments(node: ts.ClassDeclaration): boolean {
  const own = node.members.find(ts.isConstructorDeclaration);
  return own?.parameters.some((each) => !each.initializer && !each.questionToken && !each.dotDotDotToken) ?? false;
}
