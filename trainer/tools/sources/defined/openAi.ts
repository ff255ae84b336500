/**
 * Tools as providers' interfaces take them: OpenAI's `{ type: 'function', function: { name, … } }` and the flat form
 * of Responses, Anthropic's `{ name, input_schema }`. Nothing in them answers; handlers.ts finds what does.
 */
import { ts } from 'ts-morph';
import type { DefinedBy } from '../../../protocol/task';
import type { Definition, Unread } from './definition';
import { Handlers } from './handlers';
import { outerOf, property, readObject, readText, spanOf, valueOf } from './syntax';

export function findOpenAi(file: ts.SourceFile): (Definition | Unread)[] {
  const objects = objectsOf(file);
  const handlers = new Handlers(file, objects);
  return objects.flatMap((node): (Definition | Unread)[] => {
    const read = readForm(node, file);
    if (!read) return [];
    if ('problem' in read) return [read];
    const { name, description, library, takes } = read;
    const handler = handlers.of(name, takes);
    const binding = { kind: 'defined', library, span: spanOf(node, file) } as const;
    const { parent } = outerOf(node);
    const nameNode = ts.isVariableDeclaration(parent) ? parent.name : read.nameNode;
    const common = { node, name, description, nameNode };
    if (handler) return [{ ...common, binding: { ...binding, handler } }];
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

interface Form {
  name: string;
  description: string;
  nameNode: ts.Node;
  library: DefinedBy;
  /** Names of the parameters, as far as they are written out. */
  takes: readonly string[];
}

/** A definition has parameters or a description; a call of a tool, and the choice of one, have neither. */
function readForm(node: ts.ObjectLiteralExpression, file: ts.SourceFile): Form | Unread | undefined {
  const isAnthropic = property(node, 'input_schema') !== undefined;
  if (!isAnthropic && readText(valueOf(node, 'type'), file) !== 'function') return undefined;
  const inner = isAnthropic ? node : (readObject(valueOf(node, 'function'), file) ?? node);
  if (!isAnthropic && !property(inner, 'parameters') && !property(inner, 'description')) return undefined;
  const written = valueOf(inner, 'name');
  const name = readText(written, file);
  if (!written) return undefined;
  if (name === undefined)
    return {
      problem:
        "the name of this tool can\u2019t be read without running the code; write it as a text, `name: 'get_weather'`",
      at: written,
    };
  const schema = readObject(valueOf(inner, isAnthropic ? 'input_schema' : 'parameters'), file);
  const properties = readObject(valueOf(schema, 'properties'), file)?.properties ?? [];
  return {
    name,
    description: readText(valueOf(inner, 'description'), file) ?? '',
    nameNode: written,
    library: isAnthropic ? 'anthropic' : 'openai',
    takes: properties.flatMap(({ name: key }) => (key && 'text' in key ? [key.text] : [])),
  };
}
