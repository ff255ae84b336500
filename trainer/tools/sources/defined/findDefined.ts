/**
 * Finds the tools of one file that a library's call defines, by syntax alone: names and places. What they take is known
 * once the file has run (describeDefined.ts).
 */
import { ts } from 'ts-morph';
import type { DefinedBinding, DefinedTool } from '../../../protocol/task';
import { type Problem, problemAt } from '../typescript/discovery/candidate';
import { changesWorld } from '../typescript/discovery/changesWorld';
import type { ToolEntry } from '../typescript/discovery/duplicates';
import { fileShape } from '../typescript/discovery/fileShape';
import { type JsDoc, jsDocOf } from '../typescript/discovery/jsDoc';
import { nameOfFile } from '../typescript/discovery/findTools';
import { LEGAL_NAME } from '../typescript/toolSchema';
import { unwrap } from '../../schema/literals';
import { AI, type Definer, definerOf, LIBRARY_NAMES, MCP } from './libraries';
import { isServer, mcpParameter } from './mcpServers';
import { findOpenAi } from './openAi';
import { findOwn } from './ownForm';
import type { Origins } from './origin';
import { toolOfClass } from './toolClasses';
import {
  hiddenIn,
  keyText,
  namesCalledAtLoad,
  outerOf,
  property,
  readObject,
  readText,
  spanOf,
  valueOf,
} from './syntax';

export interface DefinedFound {
  tools: ToolEntry[];
  problems: Problem[];
}

/** What is known of a definition before it becomes a tool. */
export interface Definition {
  node: ts.Node;
  name: string;
  description: string;
  /** Where it is pointed at. */
  nameNode: ts.Node;
  binding: DefinedBinding;
  /** Why nothing answers it. */
  mockOnly?: string;
}

/** @param file with parent pointers; @param path of the file, as it is told to the user */
export function findDefined(file: ts.SourceFile, path: string, origins: Origins): DefinedFound {
  const found: DefinedFound = { tools: [], problems: [] };
  const report = (node: ts.Node, message: string, severity: Problem['severity'] = 'warning') =>
    void found.problems.push(problemAt(file, node, message, severity));
  const reach = loadedCheck(file, origins, report);
  const add = (definition: Definition): void => {
    const { node, name, nameNode, mockOnly } = definition;
    if (!LEGAL_NAME.test(name))
      return report(
        nameNode,
        `${name.slice(0, 70)}: the name of a tool has 1 to 64 letters, digits, "_" or "-" (${LEGAL_NAME.source})`,
        'error',
      );
    const reached = reach(node, name);
    if (!reached) return;
    if (mockOnly !== undefined) report(nameNode, `${name}: ${mockOnly}`);
    found.tools.push(entryOf({ ...definition, binding: { ...definition.binding, ...reached } }, file, path));
  };
  const taken = new Set<ts.Node>();
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) || ts.isNewExpression(node)) {
      const definer = definerOfCall(node, file, origins);
      if (definer) {
        const options = readObject(node.arguments?.[definer.options], file);
        if (options) taken.add(options);
        const definition = definitionOf(node, definer, file);
        if ('problem' in definition) report(definition.at, definition.problem);
        else add(definition);
        reportSpread(node, file, report);
      }
    }
    if (ts.isObjectLiteralExpression(node) && isBareTool(node, file)) {
      const definition = definitionOf(node, AI, file);
      if ('name' in definition) add(definition);
      taken.add(node);
    }
    const ofClass = ts.isClassDeclaration(node) ? toolOfClass(node, file, origins) : undefined;
    if (ofClass && 'problem' in ofClass) report(ofClass.at, ofClass.problem);
    else if (ofClass) add(ofClass);
    ts.forEachChild(node, visit);
  };
  visit(file);
  for (const each of findOwn(file, taken)) add(each);
  for (const each of findOpenAi(file)) {
    if ('problem' in each) report(each.at, each.problem);
    else add(each);
  }
  return found;
}

/** `{ tools: { weather: { description, inputSchema, execute } } }`: the AI SDK takes it without its `tool()`, too. */
function isBareTool(node: ts.ObjectLiteralExpression, file: ts.SourceFile): boolean {
  const { parent } = outerOf(node);
  const isValue = ts.isPropertyAssignment(parent) && property(node, 'inputSchema') && property(node, 'execute');
  if (!isValue || !isToolSet(parent.parent)) return false;
  return [...fileShape(file).imports.values()].some(({ specifier }) => specifier === 'ai');
}

/**
 * How a definition is reached: by loading the file, or by a function of it that needs nothing, or an MCP server. Null,
 * and told, where neither gets there.
 */
function loadedCheck(
  file: ts.SourceFile,
  origins: Origins,
  report: (node: ts.Node, message: string) => void,
): (node: ts.Node, name: string) => Pick<DefinedBinding, 'maker'> | null {
  const called = namesCalledAtLoad(file);
  return (node, name) => {
    const hidden = hiddenIn(node, called);
    if (hidden === null) return {};
    const { maker } = hidden;
    const takes = maker?.parameters.map((each) => mcpParameter(each, file, origins)) ?? [];
    const isKnown = takes.every((each, i) => each !== undefined || isOptional(maker!.parameters[i]!));
    if (maker && isKnown)
      return {
        maker: { span: spanOf(maker, file), takes: takes.slice(0, firstGap(takes)) as ('server' | 'context')[] },
      };
    report(
      node,
      `${name}: it is defined inside ${hidden.in}, so it is not there when the file is loaded; define ` +
        'it at the top level of the file, or in a function without parameters',
    );
    return null;
  };
}

const isOptional = ({ name, initializer, questionToken }: ts.ParameterDeclaration): boolean =>
  initializer !== undefined || questionToken !== undefined || (ts.isIdentifier(name) && name.text.startsWith('_'));

const firstGap = (takes: readonly unknown[]): number => {
  const gap = takes.indexOf(undefined);
  return gap < 0 ? takes.length : gap;
};

/** What the call defines, by where the called name comes from. */
function definerOfCall(
  node: ts.CallExpression | ts.NewExpression,
  file: ts.SourceFile,
  origins: Origins,
): Definer | undefined {
  const callee = unwrap(node.expression);
  if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(callee)) {
    const method = callee.name.text;
    if ((method === 'registerTool' || method === 'tool') && isServer(callee.expression, method, file, origins))
      return MCP;
  }
  if (!ts.isIdentifier(callee) && !ts.isPropertyAccessExpression(callee)) return undefined;
  const called = ts.isIdentifier(callee) ? callee : callee.name;
  // A name of the file's own that no import, require or alias stands behind needs no look.
  if (ts.isIdentifier(callee) && !mayComeFromElsewhere(called.text, file)) return undefined;
  const origin = origins.of(callee, file);
  return origin && definerOf(origin.module, origin.name);
}

function mayComeFromElsewhere(name: string, file: ts.SourceFile): boolean {
  const { imports, declarations } = fileShape(file);
  return imports.has(name) || (declarations.get(name) ?? []).some(ts.isVariableDeclaration);
}

/** Why a definition can't be read, and what to write. */
export type Unread = { problem: string; at: ts.Node };

type Defining = ts.CallExpression | ts.NewExpression | ts.ObjectLiteralExpression;

function definitionOf(node: Defining, definer: Definer, file: ts.SourceFile): Definition | Unread {
  const { library } = definer;
  const options = readObject(ts.isObjectLiteralExpression(node) ? node : node.arguments?.[definer.options], file);
  const named = nameOf(node, definer, options, file);
  if ('problem' in named) return named;
  const spreads = options === undefined || options.properties.some(ts.isSpreadAssignment);
  const hasFunction = definer.runs === null || spreads || property(options, definer.runs) !== undefined;
  return {
    node,
    ...named,
    description: readText(valueOf(options, 'description'), file) ?? '',
    binding: { kind: 'defined', library, span: spanOf(node, file), ...(hasFunction ? {} : { isMockOnly: true }) },
    ...(hasFunction ? {} : { mockOnly: `it has no ${definer.runs}, so its results are always mocked` }),
  };
}

function nameOf(
  node: Defining,
  { name: from, library }: Definer,
  options: ts.ObjectLiteralExpression | undefined,
  file: ts.SourceFile,
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
  const name = readText(written, file);
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

/** The key or variable that the definition is the value of. A key under which the variable stands goes before it. */
function placeName(node: ts.Node, file: ts.SourceFile): { name: string; nameNode: ts.Node } | undefined {
  const outer = outerOf(node);
  const { parent } = outer;
  if (ts.isPropertyAssignment(parent) || ts.isPropertyDeclaration(parent)) {
    const key = keyText(parent.name) ?? computedKey(parent.name, file);
    return key === undefined ? undefined : { name: key, nameNode: parent.name };
  }
  if (ts.isVariableDeclaration(parent) && ts.isIdentifier(parent.name))
    return { name: keyOfVariable(parent.name.text, file) ?? parent.name.text, nameNode: parent.name };
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
function isToolSet(object: ts.ObjectLiteralExpression): boolean {
  const { parent } = outerOf(object);
  return (
    ts.isVariableDeclaration(parent) ||
    ts.isExportAssignment(parent) ||
    (ts.isPropertyAssignment(parent) && keyText(parent.name) === 'tools')
  );
}

/** `{ weather: tool(…), ...more() }`: what a call adds can't be seen. Said once, at the first tool beside it. */
function reportSpread(node: ts.Node, file: ts.SourceFile, report: (node: ts.Node, message: string) => void): void {
  const outer = outerOf(node);
  const set = ts.isPropertyAssignment(outer.parent) ? outer.parent.parent : outer.parent;
  const isFirst = (each: ts.Node) => each.pos <= outer.pos && outer.end <= each.end;
  if (ts.isObjectLiteralExpression(set)) {
    const first = set.properties.find(
      (each) => ts.isPropertyAssignment(each) && ts.isCallExpression(unwrap(each.initializer)),
    );
    if (!first || !isFirst(first)) return;
    for (const each of set.properties) if (ts.isSpreadAssignment(each)) tellSpread(each, each.expression);
  } else if (ts.isArrayLiteralExpression(set)) {
    const first = set.elements.find((each) => ts.isCallExpression(unwrap(each)));
    if (!first || !isFirst(first)) return;
    for (const each of set.elements) if (ts.isSpreadElement(each)) tellSpread(each, each.expression);
  }
  function tellSpread(at: ts.Node, expression: ts.Expression): void {
    if (ts.isIdentifier(unwrap(expression))) return; // its tools stand where it is defined
    report(
      at,
      `${at.getText(file).slice(0, 40)}: the tools that this adds can\u2019t be read without ` +
        'running the code; write them out, each as a `tool({ … })` of its own',
    );
  }
}

function entryOf(
  { node, name, description, nameNode, binding }: Definition,
  file: ts.SourceFile,
  path: string,
): ToolEntry {
  const { line, character } = file.getLineAndCharacterOfPosition(nameNode.getStart(file));
  const end = file.getLineAndCharacterOfPosition(nameNode.getEnd());
  const docs = docsAround(node, file);
  const examples = (docs?.tags ?? []).filter((tag) => tag.name === 'example' && tag.text !== '').map((tag) => tag.text);
  const tool: DefinedTool = {
    name,
    description,
    parameters: { type: 'object' },
    source: { file: path, line: line + 1, column: character + 1 },
    ...(examples.length > 0 && { examples }),
    binding,
    changesWorld: changesWorld(name, description, docs),
  };
  const isOneLine = end.line === line;
  return { tool, isNamed: true, className: null, endColumn: isOneLine ? end.character + 1 : character + 2 };
}

/** JSDoc of the property, or of the statement, that the definition stands in. */
function docsAround(node: ts.Node, file: ts.SourceFile): JsDoc | undefined {
  for (let at = node; at && !ts.isSourceFile(at); at = at.parent) {
    const docs = jsDocOf(at, file);
    if (docs || ts.isStatement(at) || ts.isPropertyAssignment(at)) return docs;
  }
  return undefined;
}
