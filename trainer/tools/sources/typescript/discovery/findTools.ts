/**
 * Finds the tools of one file by syntax alone. Rules: JSDoc `@tool` on exported functions and on
 * methods, decorator `@tool` on methods.
 */
import { ts } from 'ts-morph';
import { type Found, problemAt } from './candidate';
import { commonJsExports, type ExportTable, exportTable } from './exportTable';
import { decoratorNames, findMethods } from './findMethods';
import { shapeProblem } from './functionShape';
import { findTag, isFileLevel, type JsDoc, jsDocOf, jsDocRange, readToolTag } from './jsDoc';
import { unwrap } from '../../../schema/literals';
import type { Mend } from '../../../../protocol/task';

/** Where the walk stands: the file's top level, or inside something that hides what it declares. */
type Scope = { kind: 'top' } | { kind: 'namespace' | 'function'; name: string };

/** @param file with parent pointers */
export function findTools(file: ts.SourceFile): Found {
  const names = decoratorNames(file);
  const mark = new RegExp(`\\b(?:${[...names, 'tool'].join('|')})\\b`, 'g');
  const marks = [...file.text.matchAll(mark)].map(({ index }) => index);
  const walk: Walk = {
    file,
    marks,
    table: exportTable(file),
    found: { candidates: [], problems: [] },
    counted: new Set(),
    names,
  };
  visitChildren(file, { kind: 'top' }, walk);
  return walk.found;
}

/** The base name without extensions, for an anonymous default export. */
export function nameOfFile(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).replace(/\.[mc]?[jt]sx?$/, '');
}

interface Walk {
  file: ts.SourceFile;
  /** Where the word occurs: nothing else is worth a look. */
  marks: readonly number[];
  table: ExportTable;
  found: Found;
  /** Functions already counted: overloads share one tool. */
  counted: Set<string | ts.Node>;
  names: ReturnType<typeof decoratorNames>;
}

function visitChildren(node: ts.Node, scope: Scope, walk: Walk): void {
  ts.forEachChild(node, (child) => {
    if (walk.marks.some((mark) => mark >= child.pos && mark < child.end)) visit(child, scope, walk);
  });
}

function visit(node: ts.Node, scope: Scope, walk: Walk): void {
  const docs = toolDocs(node, walk);
  if (docs) visitTagged(node, docs, scope, walk);
  if (ts.isClassLike(node)) {
    const place = scope.kind === 'top' ? null : hiddenBy(scope);
    const found = findMethods(node, place, walk);
    walk.found.candidates.push(...found.candidates);
    walk.found.problems.push(...found.problems);
  }
  if (ts.isModuleDeclaration(node)) return visitChildren(node, { kind: 'namespace', name: node.name.text }, walk);
  if (ts.isFunctionLike(node) && 'body' in node && node.body) {
    const name = node.name && ts.isIdentifier(node.name) ? node.name.text : 'a function';
    return visitChildren(node, { kind: 'function', name }, walk);
  }
  visitChildren(node, scope, walk);
}

/** The node's JSDoc when it has the tag and speaks of the node, not of the file. */
function toolDocs(node: ts.Node, walk: Walk): JsDoc | null {
  if (!isDocumentable(node)) return null;
  const range = jsDocRange(node, walk.file);
  if (!range || !walk.file.text.slice(range.pos, range.end).includes('@tool')) return null;
  if (
    ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node) ||
    ts.isTypeElement(node) ||
    ts.isImportDeclaration(node)
  )
    return null;
  const docs = jsDocOf(node, walk.file)!;
  const tag = findTag(docs, 'tool');
  if (!tag || isFileLevel(docs)) return null;
  if (isApart(range, node, walk.file)) {
    const start = range.pos + tag.offset;
    walk.found.problems.push({
      start,
      end: start + 5,
      severity: 'warning',
      message:
        '@tool: this block stands apart from the code below it at the top of the file, so it is ' +
        'taken for the file\u2019s own text; remove the empty line to make a tool',
      mend: { kind: 'joinComment', of: '@tool' },
    });
    return null;
  }
  return docs;
}

/** Nodes that a block can belong to; an expression that begins its statement leaves the block to the statement. */
function isDocumentable(node: ts.Node): boolean {
  if (
    ts.isStatement(node) ||
    ts.isClassElement(node) ||
    ts.isTypeElement(node) ||
    ts.isObjectLiteralElement(node) ||
    ts.isEnumMember(node)
  )
    return true;
  return (ts.isVariableDeclaration(node) || isFunctionExpression(node)) && node.pos !== node.parent.pos;
}

/** The first block of a file with an empty line below it describes the file. */
function isApart(range: { pos: number; end: number }, node: ts.Node, file: ts.SourceFile): boolean {
  if (file.statements[0] !== node || !/^(#!.*)?\s*$/.test(file.text.slice(0, range.pos))) return false;
  return /^[ \t]*\r?\n[ \t]*\r?\n/.test(file.text.slice(range.end));
}

function visitTagged(node: ts.Node, docs: JsDoc, scope: Scope, walk: Walk): void {
  const { file, found } = walk;
  const report = (at: ts.Node, message: string, mend?: Mend) =>
    found.problems.push(problemAt(file, at, message, 'error', mend));
  // findMethods reads these
  if (ts.isClassElement(node) && ts.isClassLike(node.parent)) return;
  const target = functionOf(node, walk);
  if (target === 'elsewhere') return;
  if (target === null) {
    const at = nameOf(node) ?? node;
    report(
      at,
      `${labelOf(at, file)}: @tool needs a function written out here (a declaration, an arrow ` +
        'function or a function expression)',
    );
    return;
  }
  const { node: fn, local, nameNode } = target;
  const own = local ?? nameOfFile(file.fileName);
  if (scope.kind !== 'top') {
    report(nameNode, `${own}: ${hiddenBy(scope)}; a tool is exported at the top level of its file`);
    return;
  }
  const key = ts.isFunctionDeclaration(fn) ? own : fn;
  if (walk.counted.has(key)) return;
  walk.counted.add(key);
  const exportName = target.exported ?? (local === undefined ? undefined : walk.table.names.get(local));
  if (exportName === undefined)
    return void report(
      nameNode,
      `${own}: not exported; a tool must be exported to be called`,
      local === undefined ? undefined : { kind: 'export', of: local },
    );
  const shape = shapeProblem(fn, file);
  if (shape) return void report(nameNode, `${own}: ${shape}`);
  const { name, description } = readToolTag(docs);
  // `export { run as search }`: outside, its name is search.
  const ownName = exportName === 'default' ? own : exportName;
  found.candidates.push({
    name: name ?? ownName,
    isNamed: name !== undefined,
    nameNode,
    node: fn,
    docs,
    tagDescription: description,
    exportName,
  });
}

interface Target {
  node: ts.FunctionLikeDeclaration;
  /** Name in the file; undefined for an anonymous default export. */
  local: string | undefined;
  nameNode: ts.Node;
  /** Set where the tagged statement is itself the export. */
  exported?: string;
}

/** The function that a tagged node stands for. 'elsewhere': another node of the walk answers for it. */
function functionOf(node: ts.Node, walk: Walk): Target | 'elsewhere' | null {
  const { file } = walk;
  if (ts.isFunctionDeclaration(node)) {
    const first = node.modifiers?.[0];
    return {
      node,
      local: node.name?.text,
      nameNode: node.name ?? first ?? node,
      exported: walk.table.inline.get(node),
    };
  }
  if (ts.isVariableStatement(node)) {
    const [declaration] = node.declarationList.declarations;
    return declaration ? fromVariable(declaration) : null;
  }
  if (ts.isVariableDeclaration(node)) return fromVariable(node);
  if (ts.isExportAssignment(node)) {
    const value = unwrap(node.expression);
    if (isFunctionExpression(value))
      return { node: value, local: value.name?.text, nameNode: value.name ?? node, exported: 'default' };
    return ts.isIdentifier(value) ? declared(value.text, file) : null;
  }
  if (ts.isExpressionStatement(node)) {
    const [set] = commonJsExports(node.expression);
    const value = set && unwrap(set.expression);
    if (!set || !value) return null;
    if (ts.isIdentifier(value)) return declared(value.text, file);
    return isFunctionExpression(value)
      ? {
          node: value,
          local: set.exported === 'default' ? value.name?.text : set.exported,
          nameNode: leftName(node.expression),
          exported: set.exported,
        }
      : null;
  }
  if (isFunctionExpression(node)) return fromExpression(node, walk);
  if (ts.isPropertyAssignment(node) || ts.isMethodDeclaration(node)) {
    const value = ts.isMethodDeclaration(node) ? node : unwrap(node.initializer);
    const exported = walk.table.inline.get(value);
    return exported && (isFunctionExpression(value) || ts.isMethodDeclaration(value))
      ? { node: value, local: exported, nameNode: node.name, exported }
      : null;
  }
  return null;
}

function fromVariable(declaration: ts.VariableDeclaration): Target | null {
  const value = declaration.initializer && unwrap(declaration.initializer);
  if (!value || !isFunctionExpression(value) || !ts.isIdentifier(declaration.name)) return null;
  return { node: value, local: declaration.name.text, nameNode: declaration.name };
}

/** JSDoc right before an arrow function: `export const f = /** @tool *\/ () => …`. */
function fromExpression(node: ts.ArrowFunction | ts.FunctionExpression, walk: Walk): Target | 'elsewhere' | null {
  let outer: ts.Node = node;
  while (ts.isExpression(outer.parent) && unwrap(outer.parent) === node) outer = outer.parent;
  if (ts.isVariableDeclaration(outer.parent)) return fromVariable(outer.parent);
  const exported = walk.table.inline.get(node);
  return exported ? { node, local: node.name?.text, nameNode: node.name ?? node, exported } : null;
}

function declared(name: string, file: ts.SourceFile): Target | null {
  for (const statement of file.statements) {
    if (ts.isFunctionDeclaration(statement) && statement.name?.text === name && statement.body)
      return { node: statement, local: name, nameNode: statement.name };
    if (!ts.isVariableStatement(statement)) continue;
    for (const declaration of statement.declarationList.declarations) {
      if (ts.isIdentifier(declaration.name) && declaration.name.text === name) return fromVariable(declaration);
    }
  }
  return null;
}

function hiddenBy(scope: Exclude<Scope, { kind: 'top' }>): string {
  return scope.kind === 'namespace' ? `inside the namespace ${scope.name}` : `not exported, it is inside ${scope.name}`;
}

function isFunctionExpression(node: ts.Node): node is ts.ArrowFunction | ts.FunctionExpression {
  return ts.isArrowFunction(node) || ts.isFunctionExpression(node);
}

function nameOf(node: ts.Node): ts.Node | undefined {
  if (ts.isVariableStatement(node)) return node.declarationList.declarations[0]?.name;
  return (node as { name?: ts.Node }).name;
}

function leftName(expression: ts.Expression): ts.Node {
  return ts.isBinaryExpression(expression) && ts.isPropertyAccessExpression(expression.left)
    ? expression.left.name
    : expression;
}

function labelOf(node: ts.Node, file: ts.SourceFile): string {
  const text = node.getText(file);
  return text.length <= 40 && !text.includes('\n') ? text : nameOfFile(file.fileName);
}
