/**
 * Finds the tools of one file that a library's call defines, by syntax alone: names and places. What they take is known
 * once the file has run (describeDefined.ts).
 */
import { ts } from 'ts-morph';
import type { DefinedTool } from '../../../protocol/task';
import { type Problem, problemAt } from '../typescript/discovery/candidate';
import { changesOutside } from '../typescript/discovery/changesOutside';
import { changesWorld } from '../typescript/discovery/changesWorld';
import type { ToolEntry } from '../typescript/discovery/duplicates';
import { fileShape } from '../typescript/discovery/fileShape';
import { type JsDoc, jsDocOf } from '../typescript/discovery/jsDoc';
import { LEGAL_NAME } from '../typescript/toolSchema';
import { unwrap } from '../../schema/literals';
import { AI, type Definer, definerOf, MCP } from './libraries';
import { isServer } from './mcpServers';
import { isToolSet, nameOf } from './names';
import { findFileTool } from './fileForm';
import { findProviders } from './providers';
import { findOwn } from './ownForm';
import type { Origins } from './origin';
import { loadedCheck } from './reach';
import type { Defining, Definition, Unread } from './definition';
import { toolOfClass } from './toolClasses';
import { outerOf, property, readObject, readRoughly, spanOf, valueOf } from './syntax';

export interface DefinedFound {
  tools: ToolEntry[];
  problems: Problem[];
}

/** @param file with parent pointers; @param path of the file, as it is told to the user */
export function findDefined(file: ts.SourceFile, path: string, origins: Origins): DefinedFound {
  const found: DefinedFound = { tools: [], problems: [] };
  const report = (node: ts.Node, message: string, severity: Problem['severity'] = 'warning') =>
    void found.problems.push(problemAt(file, node, message, severity));
  const reach = loadedCheck(file, origins, report);
  const add = (definition: Definition): void => {
    const { name, nameNode, mockOnly } = definition;
    if (!LEGAL_NAME.test(name))
      return report(
        nameNode,
        `${name.slice(0, 70)}: the name of a tool has 1 to 64 letters, digits, "_" or "-" (${LEGAL_NAME.source})`,
        'error',
      );
    const reached = reach(definition);
    if (!reached) return;
    if (mockOnly !== undefined) report(nameNode, `${name}: ${mockOnly}`);
    found.tools.push(entryOf({ ...definition, binding: { ...definition.binding, ...reached } }, file, path));
  };
  const take = (each: Definition | Unread): void => ('problem' in each ? report(each.at, each.problem) : add(each));
  const taken = new Set<ts.Node>();
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) || ts.isNewExpression(node)) {
      const definer = definerOfCall(node, file, origins);
      if (definer) {
        const options = readObject(node.arguments?.[definer.options], file);
        if (options) taken.add(options);
        take(definitionOf(node, definer, file, origins));
        reportSpread(node, file, report);
      }
    }
    if (ts.isObjectLiteralExpression(node) && isBareTool(node, file)) {
      const definition = definitionOf(node, AI, file, origins);
      if ('name' in definition) add(definition);
      taken.add(node);
    }
    const ofClass = ts.isClassDeclaration(node) ? toolOfClass(node, file, origins) : undefined;
    if (ofClass) take(ofClass);
    ts.forEachChild(node, visit);
  };
  visit(file);
  const own = findOwn(file, taken);
  for (const { node } of own) taken.add(node);
  for (const each of [...own, ...findProviders(file, taken), ...findFileTool(file)]) take(each);
  return found;
}

/** `{ tools: { weather: { description, inputSchema, execute } } }`: the AI SDK takes it without its `tool()`, too. */
function isBareTool(node: ts.ObjectLiteralExpression, file: ts.SourceFile): boolean {
  const { parent } = outerOf(node);
  const isValue = ts.isPropertyAssignment(parent) && property(node, 'inputSchema') && property(node, 'execute');
  if (!isValue || !isToolSet(parent.parent)) return false;
  return [...fileShape(file).imports.values()].some(({ specifier }) => specifier === 'ai');
}

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
  const definer = origin && definerOf(origin.module, origin.name);
  // LangChain's tools of a browser have no function: `tool({ name, … })`
  const isAlone = definer?.options === 1 && node.arguments?.length === 1;
  return isAlone ? { ...definer, options: 0, runs: 'func' } : definer;
}

function mayComeFromElsewhere(name: string, file: ts.SourceFile): boolean {
  const { imports, declarations } = fileShape(file);
  return imports.has(name) || (declarations.get(name) ?? []).some(ts.isVariableDeclaration);
}

function definitionOf(node: Defining, definer: Definer, file: ts.SourceFile, origins: Origins): Definition | Unread {
  const { library } = definer;
  const options = readObject(ts.isObjectLiteralExpression(node) ? node : node.arguments?.[definer.options], file);
  const named = nameOf(node, definer, options, file, origins);
  if ('problem' in named) return named;
  const spreads = options === undefined || options.properties.some(ts.isSpreadAssignment);
  const hasFunction = definer.runs === null || spreads || property(options, definer.runs) !== undefined;
  return {
    node,
    ...named,
    description: readRoughly(valueOf(options, 'description'), file) ?? '',
    binding: { kind: 'defined', library, span: spanOf(node, file), ...(hasFunction ? {} : { isMockOnly: true }) },
    ...(hasFunction ? {} : { mockOnly: `it has no ${definer.runs}, so its results are always mocked` }),
  };
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
    changesWorld: changesWorld(name, description, docs, () => changesOutside(node.getText(file))),
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
