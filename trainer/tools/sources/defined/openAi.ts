/**
 * Tools as OpenAI's interface takes them, `{ type: 'function', function: { name, … } }` or the flat form of Responses,
 * and the functions that answer them: members of an object that has the tools' names as keys.
 */
import { ts } from 'ts-morph';
import { unwrap } from '../../schema/literals';
import type { Definition, Unread } from './findDefined';
import { keyText, outerOf, property, readObject, readText, spanOf, valueOf } from './syntax';

export function findOpenAi(file: ts.SourceFile): (Definition | Unread)[] {
  const objects = objectsOf(file);
  return objects.flatMap((node): (Definition | Unread)[] => {
    const read = readForm(node, file);
    if (!read) return [];
    if ('problem' in read) return [read];
    const { name, description } = read;
    const handlers = objects.find((object) => answers(object, name, file));
    const binding = { kind: 'defined', library: 'openai', span: spanOf(node, file) } as const;
    const { parent } = outerOf(node);
    const nameNode = ts.isVariableDeclaration(parent) ? parent.name : read.nameNode;
    const common = { node, name, description, nameNode };
    if (handlers)
      return [{ ...common, binding: { ...binding, handler: { span: spanOf(handlers, file), member: name } } }];
    return [
      {
        ...common,
        binding: { ...binding, isMockOnly: true },
        mockOnly:
          'no function answers it, so its results are always mocked; write one as a member of an ' +
          `object in this file, \`const handlers = { ${name}: async (args) => … }\``,
      },
    ];
  });
}

function objectsOf(file: ts.SourceFile): ts.ObjectLiteralExpression[] {
  const objects: ts.ObjectLiteralExpression[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isObjectLiteralExpression(node)) objects.push(node);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return objects;
}

/** A definition has parameters or a description; a call of a tool, and the choice of one, have neither. */
function readForm(
  node: ts.ObjectLiteralExpression,
  file: ts.SourceFile,
): { name: string; description: string; nameNode: ts.Node } | Unread | undefined {
  if (readText(valueOf(node, 'type'), file) !== 'function') return undefined;
  const inner = readObject(valueOf(node, 'function'), file) ?? node;
  if (!property(inner, 'parameters') && !property(inner, 'description')) return undefined;
  const written = valueOf(inner, 'name');
  const name = readText(written, file);
  if (!written) return undefined;
  if (name === undefined)
    return {
      problem:
        "the name of this tool can\u2019t be read without running the code; write it as a text, `name: 'get_weather'`",
      at: written,
    };
  return { name, description: readText(valueOf(inner, 'description'), file) ?? '', nameNode: written };
}

/** Whether the object has a function, or a name that may be one, under this key. */
function answers(object: ts.ObjectLiteralExpression, name: string, file: ts.SourceFile): boolean {
  const found = property(object, name);
  if (!found || keyText(found.name!) !== name) return false;
  if (ts.isMethodDeclaration(found) || ts.isShorthandPropertyAssignment(found)) return true;
  if (!ts.isPropertyAssignment(found)) return false;
  const value = unwrap(found.initializer);
  if (ts.isIdentifier(value)) return readText(value, file) === undefined && readObject(value, file) === undefined;
  return ts.isArrowFunction(value) || ts.isFunctionExpression(value) || ts.isPropertyAccessExpression(value);
}
