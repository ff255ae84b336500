/**
 * Tools as providers' interfaces take them: OpenAI's `{ type: 'function', function: { name, … } }` and the flat form
 * of Responses, Anthropic's `{ name, input_schema }`, Gemini's FunctionDeclaration, Bedrock's `{ toolSpec: { … } }`,
 * and `{ name, description, inputSchema }` as an MCP server lists them. Nothing in them answers; handlers.ts finds what
 * does.
 */
import { ts } from 'ts-morph';
import type { DefinedBy } from '../../../protocol/task';
import { unwrap } from '../../schema/literals';
import { LEGAL_NAME } from '../typescript/toolSchema';
import type { Definition, Unread } from './definition';
import { besideDefinition, Handlers } from './handlers';
import { placeOf } from './ownForm';
import { keyText, outerOf, property, readObject, readText, spanOf, valueOf } from './syntax';

/** @param taken objects that have a function of their own */
export function findProviders(file: ts.SourceFile, taken: ReadonlySet<ts.Node>): (Definition | Unread)[] {
  const objects = objectsOf(file);
  const handlers = new Handlers(file, objects);
  return objects.flatMap((node): (Definition | Unread)[] => {
    const read =
      taken.has(node) || taken.has(unwrap(valueOf(node, 'function') ?? node)) ? undefined : readForm(node, file);
    if (!read) return [];
    if ('problem' in read) return [read];
    const { name, description, library, takes } = read;
    const handler = besideDefinition(node, file) ?? handlers.of(name, takes);
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
          `object in this file, \`const handlers = { ${name}: async (args) => … }\`` +
          (library === 'mcp' ? ', or train on its MCP server, by mcp.json' : ''),
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

/** What a provider's form holds: the object with the name, and the schema of its arguments. */
interface Parts {
  library: DefinedBy;
  inner: ts.ObjectLiteralExpression;
  schema: ts.Expression | undefined;
}

function readForm(node: ts.ObjectLiteralExpression, file: ts.SourceFile): Form | Unread | undefined {
  const parts = partsOf(node, file);
  const written = valueOf(parts?.inner, 'name');
  if (!parts || !written) return undefined;
  const name = readText(written, file);
  if (name === undefined)
    return {
      problem:
        "the name of this tool can\u2019t be read without running the code; write it as a text, `name: 'get_weather'`",
      at: written,
    };
  const properties = readObject(valueOf(readObject(parts.schema, file), 'properties'), file)?.properties ?? [];
  return {
    name,
    description: readText(valueOf(parts.inner, 'description'), file) ?? '',
    nameNode: written,
    library: parts.library,
    takes: properties.flatMap(({ name: key }) => (key && 'text' in key ? [key.text] : [])),
  };
}

/** A definition has parameters or a description; a call of a tool, and the choice of one, have neither. */
function partsOf(node: ts.ObjectLiteralExpression, file: ts.SourceFile): Parts | undefined {
  const anthropic = valueOf(node, 'input_schema');
  if (anthropic) return { library: 'anthropic', inner: node, schema: anthropic };
  if (readText(valueOf(node, 'type'), file) === 'function') {
    const inner = readObject(valueOf(node, 'function'), file) ?? node;
    const schema = valueOf(inner, 'parameters');
    return schema || property(inner, 'description') ? { library: 'openai', inner, schema } : undefined;
  }
  if (!property(node, 'name') || !property(node, 'description')) return undefined;
  const outer = outerOf(node).parent;
  if (ts.isPropertyAssignment(outer) && keyText(outer.name) === 'toolSpec') {
    const schema = valueOf(readObject(valueOf(node, 'inputSchema'), file), 'json');
    return { library: 'bedrock', inner: node, schema };
  }
  const listed = valueOf(node, 'inputSchema');
  // what only hands tools on, `tools.map(({ name }) => ({ name, … }))`, defines none
  const isNamed = LEGAL_NAME.test(readText(valueOf(node, 'name'), file) ?? '');
  if (listed && isNamed && placeOf(node, file).isTool) return { library: 'mcp', inner: node, schema: listed };
  const schema = valueOf(node, 'parametersJsonSchema') ?? valueOf(node, 'parameters');
  return schema && isDeclaration(node, schema, file) ? { library: 'gemini', inner: node, schema } : undefined;
}

/** Gemini's: typed so, in `functionDeclarations: [ … ]`, or with its types, `Type.OBJECT`. */
function isDeclaration(node: ts.ObjectLiteralExpression, schema: ts.Expression, file: ts.SourceFile): boolean {
  const type = valueOf(readObject(schema, file), 'type');
  if (property(node, 'parametersJsonSchema') || (type && /^\w*Type\.OBJECT$|^['"]OBJECT['"]$/.test(type.getText(file))))
    return true;
  let at: ts.Node = node;
  while (!ts.isSourceFile(at.parent) && (ts.isExpression(at.parent) || ts.isArrayLiteralExpression(at.parent))) {
    at = at.parent;
    if (ts.isSatisfiesExpression(at) && /\bFunctionDeclaration\b/.test(at.type.getText(file))) return true;
  }
  const { parent } = at;
  if (ts.isPropertyAssignment(parent)) return keyText(parent.name) === 'functionDeclarations';
  return ts.isVariableDeclaration(parent) && /\bFunctionDeclaration\b/.test(parent.type?.getText(file) ?? '');
}
