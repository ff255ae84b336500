/**
 * Tools in a form of the user's own, or of a library that is not known here: an object with a description, a schema and
 * a function, where a name says that it is a tool (`createTool({ … })`, `const weatherTool = { … }`, `tools: [{ … }]`).
 * The function may stand beside the object (`defineTool({ … }, async (input) => …)`). What a call with "tool" in its
 * name takes needs no schema, or no function: then its results are mocked.
 */
import { ts } from 'ts-morph';
import { OWN_FUNCTIONS, OWN_SCHEMAS } from '../../../protocol/toolMarks';
import { unwrap } from '../../schema/literals';
import { LEGAL_NAME } from '../typescript/toolSchema';
import { functionBeside, isFunction } from './beside';
import type { Definition } from './definition';
import { keyText, outerOf, property, readRoughly, readText, spanOf, valueOf } from './syntax';

/** @param taken objects that a known library's call takes */
export function findOwn(file: ts.SourceFile, taken: ReadonlySet<ts.Node>): Definition[] {
  const found: Definition[] = [];
  const visit = (node: ts.Node): void => {
    const own = ts.isObjectLiteralExpression(node) && !taken.has(node) ? ownTool(node, file) : undefined;
    if (own) found.push(own);
    else ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

function ownTool(node: ts.ObjectLiteralExpression, file: ts.SourceFile): Definition | undefined {
  const schema = OWN_SCHEMAS.map((name) => valueOf(node, name)).find((value) => value !== undefined);
  if (!property(node, 'description') || (schema && !isSchema(unwrap(schema)))) return undefined;
  const member = OWN_FUNCTIONS.map((each) => property(node, each)).find((each) => each && mayRun(each, file));
  const beside = member ? undefined : functionBeside(node, file);
  const runs = member ?? beside;
  const written = valueOf(node, 'name') ?? valueOf(node, 'id') ?? nameBeside(node, file);
  const isPart = (schema ?? runs) !== undefined && written !== undefined && isToolCall(node, file);
  if (!(schema && runs) && !isPart && !(schema && isInTable(node))) return undefined;
  const place = placeOf(node, file);
  if (!place.isTool) return undefined;
  const said = readText(written, file);
  // an `id` may be a text for people
  const name = said !== undefined && LEGAL_NAME.test(said) ? said : written && !said ? undefined : place.name;
  if (name === undefined) return undefined;
  const wraps = runs && wrapperOf(runs);
  const handler = beside && { span: spanOf(beside, file), member: name, isAlone: true };
  return {
    node,
    name,
    description: readRoughly(valueOf(node, 'description'), file) ?? '',
    nameNode: written ?? node,
    ...(beside && { runs: beside }),
    ...(!runs && { mockOnly: 'it has no function here, so its results are always mocked' }),
    binding: {
      kind: 'defined',
      library: 'own',
      span: spanOf(node, file),
      ...(wraps && { wraps }),
      ...(handler && { handler }),
      ...(!runs && { isMockOnly: true }),
    },
  };
}

/** `tool('list_tags', { … })` */
function nameBeside(node: ts.ObjectLiteralExpression, file: ts.SourceFile): ts.Expression | undefined {
  const { parent } = outerOf(node);
  const [first] = ts.isCallExpression(parent) ? parent.arguments : [];
  return first && LEGAL_NAME.test(readText(first, file) ?? '') ? first : undefined;
}

/** `const toolDefinitions = { get_cost: { description, parameters }, … }`: the keys are the names. */
function isInTable(node: ts.ObjectLiteralExpression): boolean {
  const { parent } = outerOf(node);
  if (!ts.isPropertyAssignment(parent) || !ts.isObjectLiteralExpression(parent.parent)) return false;
  const holder = outerOf(parent.parent).parent;
  return ts.isVariableDeclaration(holder) && TOOL_NAME.test(holder.name.getText());
}

/** Of a member that is called `tool` a function: it may as well be a name. */
const mayRun = (member: ts.ObjectLiteralElementLike, file: ts.SourceFile): boolean =>
  !ts.isPropertyAssignment(member) || keyText(member.name) !== 'tool' || isFunction(member.initializer, file);

/** `createTool({ … })`, `server.addTool({ … })` */
function isToolCall(node: ts.ObjectLiteralExpression, file: ts.SourceFile): boolean {
  const { parent } = outerOf(node);
  if (!ts.isCallExpression(parent) || parent.expression === node) return false;
  return TOOL_NAME.test(parent.expression.getText(file).split('.').at(-1)!);
}

/** No toolbar. */
const TOOL_NAME = /tool(?!bar|tip|box)/i;

/** `z.object(…)`, `{ type: 'object' }`, `{ city: z.string() }`, or a constant that is called a schema. */
function isSchema(value: ts.Expression): boolean {
  if (ts.isPropertyAccessExpression(value) && value.name.text === 'shape') return true;
  if (ts.isIdentifier(value) || ts.isPropertyAccessExpression(value))
    return /schema|param|input|args|json/i.test(value.getText());
  if (ts.isCallExpression(value))
    return /\.(object|Object|strictObject|looseObject|interface|Struct)\b|\bjsonSchema\b/.test(
      value.expression.getText(),
    );
  if (!ts.isObjectLiteralExpression(value)) return false;
  if (property(value, 'properties') || property(value, 'type')) return true;
  return value.properties.some((each) => ts.isPropertyAssignment(each) && /^z\./.test(each.initializer.getText()));
}

/** What it is called by where it stands, and whether something there speaks of a tool. */
export function placeOf(node: ts.Node, file: ts.SourceFile): { name?: string; isTool: boolean } {
  const texts = file.fileName.split(/[\\/]/).slice(-3); // tools/news/index.ts
  let name: string | undefined;
  for (let at = outerOf(node); at.parent && !ts.isSourceFile(at); at = at.parent) {
    const { parent } = at;
    if ((ts.isCallExpression(parent) || ts.isNewExpression(parent)) && parent.expression !== at)
      texts.push(parent.expression.getText(file).slice(-60));
    else if (ts.isVariableDeclaration(parent) || ts.isPropertyDeclaration(parent)) {
      texts.push(parent.name.getText(file), parent.type?.getText(file) ?? '');
      name ??= parent.name.getText(file);
    } else if (ts.isPropertyAssignment(parent)) {
      texts.push(parent.name.getText(file));
      name ??= keyText(parent.name);
    } else if (ts.isSatisfiesExpression(parent) || ts.isAsExpression(parent)) texts.push(parent.type.getText(file));
    if (ts.isFunctionLike(parent)) {
      texts.push(parent.name?.getText(file) ?? '', parent.type?.getText(file) ?? '');
      break;
    }
  }
  return { ...(name !== undefined && { name }), isTool: texts.some((text) => TOOL_NAME.test(text)) };
}

/** `execute: async ({ context }) => …`: the arguments are a member of what it takes. */
function wrapperOf(runs: ts.Node): string | undefined {
  const value = ts.isPropertyAssignment(runs) ? unwrap(runs.initializer) : runs;
  const [first] = ts.isFunctionLike(value) ? value.parameters : [];
  if (!first || !ts.isObjectBindingPattern(first.name)) return undefined;
  const keys = first.name.elements.map(({ name, propertyName }) => (propertyName ?? name).getText());
  return keys.find((key) => /^(context|inputData|input|args|arguments|params)$/.test(key));
}
