/**
 * Finds reward functions: exported functions with the JSDoc tag `@reward` in `*.rewards.ts` files. Static, like
 * discovery.
 */
import { ts } from 'ts-morph';
import { exportTable } from './exportTable';
import { listFiles } from './fileList';
import { FileStore } from './fileStore';
import { nameOfFile } from './findTools';
import { findTag, isFileLevel, jsDocOf } from './jsDoc';
import { ModuleResolver } from './moduleResolver';
import { unwrap } from '../../../schema/literals';
import { DemandWalk } from './typeDemand';
import { createTypeProgram, ParsedFiles } from './typeProgram';

export interface RewardFunctionPlace {
  name: string;
  file: string;
  exportName: string;
  /** It scores a whole group at once: its second parameter is a list of traces. */
  isGroup: boolean;
  line: number;
}

interface Rewarding {
  file: ts.SourceFile;
  fn: ts.SignatureDeclaration;
  name: string;
  exportName: string;
  at: ts.Node;
}

/**
 * @param paths files and folders; in a folder only `*.rewards.ts` and its JavaScript kin are read
 * @param overlays unsaved texts by absolute path
 */
export function discoverRewards(paths: string[], overlays: Record<string, string> = {}): RewardFunctionPlace[] {
  const store = new FileStore();
  store.startRound(new Map(Object.entries(overlays)));
  const parsed = new ParsedFiles(store);
  const files = listFiles(paths, Object.keys(overlays)).sources.filter(
    (path) => /\.rewards\.[mc]?[jt]s$/.test(path) && store.text(path)?.includes('@reward'),
  );
  const found = files.flatMap((path) => {
    const file = parsed.get(path, true);
    return file ? rewardsOf(file) : [];
  });
  const groups = groupRewards(found, parsed, store);
  return found.map(({ file, fn, name, exportName, at }) => ({
    name,
    file: file.fileName,
    exportName,
    isGroup: groups.has(fn),
    line: file.getLineAndCharacterOfPosition(at.getStart(file)).line + 1,
  }));
}

function rewardsOf(file: ts.SourceFile): Rewarding[] {
  const table = exportTable(file);
  const seen = new Set<string>();
  return file.statements.flatMap((statement) => {
    const docs = jsDocOf(statement, file);
    if (!docs || !findTag(docs, 'reward') || isFileLevel(docs)) return [];
    const target = functionOf(statement);
    if (!target) return [];
    const exportName = table.inline.get(target.fn) ?? (target.name === null ? undefined : table.names.get(target.name));
    const name = target.name ?? nameOfFile(file.fileName).replace(/\.rewards$/, '');
    if (exportName === undefined || seen.has(name)) return [];
    seen.add(name);
    return [{ file, fn: target.fn, at: target.at, name, exportName }];
  });
}

function functionOf(statement: ts.Statement): { fn: ts.SignatureDeclaration; name: string | null; at: ts.Node } | null {
  if (ts.isFunctionDeclaration(statement))
    return { fn: statement, name: statement.name?.text ?? null, at: statement.name ?? statement };
  if (ts.isExportAssignment(statement)) {
    const value = unwrap(statement.expression);
    return ts.isArrowFunction(value) || ts.isFunctionExpression(value)
      ? { fn: value, name: null, at: statement }
      : null;
  }
  const declaration = ts.isVariableStatement(statement) ? statement.declarationList.declarations[0] : undefined;
  const value = declaration?.initializer && unwrap(declaration.initializer);
  if (
    !declaration ||
    !value ||
    !ts.isIdentifier(declaration.name) ||
    !(ts.isArrowFunction(value) || ts.isFunctionExpression(value))
  )
    return null;
  return { fn: value, name: declaration.name.text, at: declaration.name };
}

/**
 * Functions whose second parameter is a list. What the types can't say (an import that is not installed) the names
 * say.
 */
function groupRewards(found: readonly Rewarding[], parsed: ParsedFiles, store: FileStore): Set<ts.Node> {
  const groups = new Set<ts.Node>();
  const open: { fn: ts.SignatureDeclaration; file: ts.SourceFile; second: ts.ParameterDeclaration }[] = [];
  for (const { fn, file } of found) {
    const second = fn.parameters[1];
    if (!second) continue;
    if (second.type && isListNode(second.type)) groups.add(fn);
    else open.push({ fn, file, second });
  }
  if (open.length === 0) return groups;
  const demand = new DemandWalk((path) => parsed.get(path), new ModuleResolver(store));
  for (const { file, fn } of open) {
    demand.addNode(file, fn);
    if (ts.isVariableDeclaration(fn.parent) && fn.parent.type) demand.addNode(file, fn.parent.type);
  }
  const roots = [...new Set(open.map(({ file }) => file.fileName))];
  const checker = createTypeProgram(roots, [], demand, parsed, store, {
    isSmall: true,
    hasBrowser: false,
    nodeTypes: null,
  }).getTypeChecker();
  for (const { fn, second } of open) {
    const type = checker.getNonNullableType(checker.getTypeAtLocation(second));
    const isUnknown = (type.flags & ts.TypeFlags.Any) !== 0;
    if (checker.isArrayType(type) || checker.isTupleType(type) || (isUnknown && isPlural(second, fn))) groups.add(fn);
  }
  return groups;
}

function isListNode(node: ts.TypeNode): boolean {
  if (ts.isArrayTypeNode(node) || ts.isTupleTypeNode(node)) return true;
  if (ts.isTypeOperatorNode(node) || ts.isParenthesizedTypeNode(node)) return isListNode(node.type);
  return (
    ts.isTypeReferenceNode(node) &&
    ts.isIdentifier(node.typeName) &&
    ['Array', 'ReadonlyArray'].includes(node.typeName.text)
  );
}

function isPlural(second: ts.ParameterDeclaration, fn: ts.SignatureDeclaration): boolean {
  const written = ts.isVariableDeclaration(fn.parent)
    ? (fn.parent.type?.getText() ?? '')
    : (second.type?.getText() ?? '');
  if (written !== '') return /Group|Traces\b/.test(written);
  return ts.isIdentifier(second.name) && /^(traces|group|rollouts|samples|completions)$/.test(second.name.text);
}
