/** What a definition is called: by its options, its first argument, or the key or variable that it is the value of. */
import { ts } from 'ts-morph';
import { nameOfFile } from '../typescript/discovery/findTools';
import { unwrap } from '../../schema/literals';
import type { Defining, Unread } from './definition';
import { type Definer, LIBRARY_NAMES } from './libraries';
import type { Origins } from './origin';
import { keyText, outerOf, readText, valueOf } from './syntax';

export function nameOf(
  node: Defining,
  { name: from, library }: Definer,
  options: ts.ObjectLiteralExpression | undefined,
  file: ts.SourceFile,
  origins: Origins,
): { name: string; nameNode: ts.Node } | Unread {
  const place = placeName(node, file);
  const at = place?.nameNode ?? node;
  if (from === 'place')
    return (
      place ?? {
        problem:
          `a tool of ${LIBRARY_NAMES[library]} has the name of its key or variable, and here is none ` +
          'that can be read without running the code; write `const weather = tool({ … })`, or `{ ' +
          'weather: tool({ … }) }`',
        at: node,
      }
    );
  const [first] = 'arguments' in node ? (node.arguments ?? []) : [];
  const written = from === 'argument' ? first : valueOf(options, 'name');
  const name = origins.textOf(written, file);
  if (name !== undefined) return { name: library === 'openai-agents' ? asAgentsSdk(name) : name, nameNode: at };
  return {
    problem:
      'the name of this tool can\u2019t be read without running the code; write it as a text, ' +
      `${from === 'argument' ? "`registerTool('weather', …)`" : "`name: 'weather'`"}`,
    at: written ?? at,
  };
}

/** The Agents SDK puts `_` in the place of what a name may not have. */
const asAgentsSdk = (name: string): string => name.replace(/[^a-zA-Z0-9_]/g, '_');

/**
 * The key or variable that the definition is the value of, or the function that gives it. A key under which the
 * variable stands goes before it.
 */
function placeName(node: ts.Node, file: ts.SourceFile): { name: string; nameNode: ts.Node } | undefined {
  const outer = outerOf(node);
  const { parent } = outer;
  if (ts.isPropertyAssignment(parent) || ts.isPropertyDeclaration(parent)) {
    const key = keyText(parent.name) ?? computedKey(parent.name, file);
    return key === undefined ? undefined : { name: key, nameNode: parent.name };
  }
  if (ts.isVariableDeclaration(parent) && ts.isIdentifier(parent.name))
    return { name: keyOfVariable(parent.name.text, file) ?? parent.name.text, nameNode: parent.name };
  const maker = ts.isReturnStatement(parent) ? parent.parent.parent : parent;
  if (ts.isFunctionDeclaration(maker) && maker.name) return { name: maker.name.text, nameNode: maker.name };
  if (ts.isArrowFunction(maker) || ts.isFunctionExpression(maker)) return placeName(maker, file);
  if (ts.isBinaryExpression(parent) && ts.isPropertyAccessExpression(parent.left) && parent.right === outer)
    return { name: parent.left.name.text, nameNode: parent.left.name };
  return ts.isExportAssignment(parent) ? { name: nameOfFile(file.fileName), nameNode: outer } : undefined;
}

const computedKey = (name: ts.PropertyName, file: ts.SourceFile): string | undefined =>
  ts.isComputedPropertyName(name) ? readText(name.expression, file) : undefined;

/** `const tools = { weather: weatherTool }`: the one key, where it differs from the variable's name. */
function keyOfVariable(variable: string, file: ts.SourceFile): string | undefined {
  const keys = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isObjectLiteralExpression(node) && isToolSet(node)) {
      for (const each of node.properties) {
        if (ts.isShorthandPropertyAssignment(each) && each.name.text === variable) keys.add(variable);
        else if (ts.isPropertyAssignment(each)) {
          const value = unwrap(each.initializer);
          const key = keyText(each.name);
          if (key !== undefined && ts.isIdentifier(value) && value.text === variable) keys.add(key);
        }
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return keys.size === 1 ? [...keys][0] : undefined;
}

/** An object that is a variable's value, exported, or given as `tools`. */
export function isToolSet(object: ts.ObjectLiteralExpression): boolean {
  const { parent } = outerOf(object);
  return (
    ts.isVariableDeclaration(parent) ||
    ts.isExportAssignment(parent) ||
    (ts.isPropertyAssignment(parent) && keyText(parent.name) === 'tools')
  );
}
