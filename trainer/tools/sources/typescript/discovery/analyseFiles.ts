/** Tools and diagnostics of a set of files, in one or two programs made for just them. */
import { ts } from 'ts-morph';
import type { Diagnostic } from '../../../../protocol/task';
import { mayDefineTools, TAG_MARK } from '../../../../protocol/toolMarks';
import { type DefinedFound, findDefined } from '../../defined/findDefined';
import { Origins } from '../../defined/origin';
import { type Candidate, type Found, type Problem, problemAt } from './candidate';
import { constructorProblem } from './constructorProblem';
import { lengthenMethodNames, type ToolEntry } from './duplicates';
import type { FileStore } from './fileStore';
import { findTools } from './findTools';
import { chooseLibrary } from './libraryChoice';
import type { ModuleResolver } from './moduleResolver';
import type { ProgramTypes } from '../../../schema/context';
import { convert } from '../../../schema/convert';
import { buildTool, type BuiltTool } from '../toolSchema';
import { DemandWalk } from './typeDemand';
import { createTypeProgram, isLibraryFile, type ParsedFiles } from './typeProgram';

/** All that discovery keeps of a file. Holds as long as the hashes and probes give the same. */
export interface FileResult {
  hash: string;
  /** Files that its types come from. */
  dependencies: { path: string; hash: string | null }[];
  /** Needed imports that led nowhere, from it or a dependency, and what lay where they could have led. */
  misses: { from: string; specifier: string; probe: string }[];
  tools: ToolEntry[];
  diagnostics: Diagnostic[];
}

const MAX_SYNTAX_ERRORS = 10;

/** @param declarations declaration files of the project, for global types */
export function analyseFiles(
  paths: readonly string[],
  declarations: readonly string[],
  store: FileStore,
  parsed: ParsedFiles,
  resolver: ModuleResolver,
): Map<string, FileResult> {
  const demand = new DemandWalk((path) => parsed.get(path), resolver);
  const found = new Map<string, Found>();
  const defined = new Map<string, Definitions>();
  for (const path of paths) {
    const file = parsed.get(path, true);
    if (!file) continue;
    if (mayDefineTools(file.text)) defined.set(path, definitionsIn(file, path, parsed, resolver));
    if (!TAG_MARK.test(file.text)) continue;
    const each = findTools(file);
    found.set(path, each);
    demand.addTools(file, each.candidates);
  }
  for (const [path, { candidates }] of found) demand.addResults(parsed.get(path)!, candidates);
  const results = new Map<string, FileResult>();
  const choice = chooseLibrary([...found.keys()], declarations, demand, parsed, store, resolver);
  for (const { roots, extra, library } of choice) {
    const program = createTypeProgram(roots, extra, demand, parsed, store, library);
    const types: ProgramTypes = {
      checker: program.getTypeChecker(),
      isLibraryFile,
      convert,
      memos: { arguments: new Map(), returns: new Map() },
    };
    for (const path of roots) {
      const file = program.getSourceFile(path);
      if (!file) continue;
      const syntax = program.getSyntacticDiagnostics(file).filter(({ start }) => start !== undefined);
      const { tools, problems } = analyseFile(file, path, found.get(path)!, syntax, types);
      results.set(path, {
        hash: store.hash(path)!,
        dependencies: withHashes([...demand.dependenciesOf(path), ...extra], store),
        misses: withProbes([path, ...demand.dependenciesOf(path), ...extra], demand.unresolved, resolver),
        tools,
        diagnostics: problems.map((problem) => toDiagnostic(problem, file, path)),
      });
    }
  }
  for (const [path, definitions] of defined)
    results.set(path, withDefinitions(results.get(path), definitions, parsed.get(path)!, path, store, resolver));
  return results;
}

interface Definitions extends DefinedFound {
  origins: Origins;
}

function definitionsIn(file: ts.SourceFile, path: string, parsed: ParsedFiles, resolver: ModuleResolver): Definitions {
  const origins = new Origins((each) => parsed.get(each), resolver);
  return { ...findDefined(file, path, origins), origins };
}

/** What the syntax of a file defines, beside what its marks and types gave; it needs no types. */
function withDefinitions(
  marked: FileResult | undefined,
  { tools, problems, origins }: Definitions,
  file: ts.SourceFile,
  path: string,
  store: FileStore,
  resolver: ModuleResolver,
): FileResult {
  const hasSome = tools.length > 0 || problems.length > 0;
  const syntax =
    marked || !hasSome ? [] : (file as unknown as { parseDiagnostics: ts.DiagnosticWithLocation[] }).parseDiagnostics;
  const all = [...problems, ...syntax.slice(0, MAX_SYNTAX_ERRORS).map(syntaxProblem)];
  return {
    hash: store.hash(path)!,
    dependencies: [...(marked?.dependencies ?? []), ...withHashes([...origins.dependencies], store)],
    misses: [...(marked?.misses ?? []), ...withProbes([...origins.misses.keys()], origins.misses, resolver)],
    tools: [...(marked?.tools ?? []), ...tools].sort((a, b) => a.tool.source.line - b.tool.source.line),
    diagnostics: [...(marked?.diagnostics ?? []), ...all.map((problem) => toDiagnostic(problem, file, path))],
  };
}

const withHashes = (paths: readonly string[], store: FileStore): FileResult['dependencies'] =>
  paths.map((path) => ({ path, hash: store.hash(path) }));

const withProbes = (
  files: readonly string[],
  unresolved: ReadonlyMap<string, ReadonlySet<string>>,
  resolver: ModuleResolver,
): FileResult['misses'] =>
  files.flatMap((from) =>
    [...(unresolved.get(from) ?? [])].map((specifier) => ({ from, specifier, probe: resolver.probe(specifier, from) })),
  );

const syntaxProblem = ({ start, length, messageText }: ts.Diagnostic): Problem => ({
  start: start!,
  end: start! + (length ?? 1),
  severity: 'error',
  message: `syntax error: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`,
  isSyntax: true,
});

function analyseFile(
  file: ts.SourceFile,
  path: string,
  { candidates, problems }: Found,
  syntax: readonly ts.Diagnostic[],
  types: ProgramTypes,
): { tools: ToolEntry[]; problems: Problem[] } {
  const isBroken = (node: ts.Node) =>
    syntax.some(({ start }) => start! >= node.getStart(file) && start! <= node.getEnd());
  // What else is odd about a statement that doesn't parse follows from that.
  const broken = file.statements.filter(isBroken);
  const all = problems.filter(
    ({ start }) => !broken.some((statement) => start >= statement.pos && start <= statement.end),
  );
  all.push(...syntax.slice(0, MAX_SYNTAX_ERRORS).map(syntaxProblem));
  const refused = new Set<ts.Node>(); // classes that can't be constructed: one error each
  const entries: ToolEntry[] = [];
  for (const candidate of [...candidates].sort((a, b) => a.nameNode.pos - b.nameNode.pos)) {
    if (isBroken(candidate.node)) continue;
    const { method } = candidate;
    if (method && !method.isStatic && method.instanceExport === null) {
      const problem = constructorProblem(method.classNode, types.checker);
      if (problem !== null) {
        if (!refused.has(method.classNode))
          all.push(
            problemAt(
              file,
              method.classNode.name ?? method.classNode,
              `${method.className}: ${problem}; the host constructs it without arguments, so export an instance of it`,
            ),
          );
        refused.add(method.classNode);
        continue;
      }
    }
    const built = tryBuild(candidate, file, path, types);
    all.push(...built.problems);
    if (!built.tool) continue;
    const end = file.getLineAndCharacterOfPosition(candidate.nameNode.getEnd());
    entries.push({
      tool: built.tool,
      isNamed: built.candidate.isNamed,
      className: method?.className ?? null,
      endColumn: end.character + 1,
    });
  }
  return { tools: lengthenMethodNames(entries), problems: all };
}

/** The checker can fail on types that nobody foresaw; that costs the one tool, with its name. */
function tryBuild(candidate: Candidate, file: ts.SourceFile, path: string, types: ProgramTypes): BuiltTool {
  try {
    return buildTool(candidate, file, path, types);
  } catch (error) {
    const reason = error instanceof Error ? error.message.split('\n')[0] : String(error);
    return {
      tool: null,
      candidate,
      problems: [problemAt(file, candidate.nameNode, `${candidate.name}: its types could not be read (${reason})`)],
    };
  }
}

function toDiagnostic({ start, end, ...told }: Problem, file: ts.SourceFile, path: string): Diagnostic {
  const from = file.getLineAndCharacterOfPosition(start);
  const to = file.getLineAndCharacterOfPosition(end);
  // What runs over several lines is marked to the end of its first one.
  const lineEnd = file.text.indexOf('\n', start);
  const endColumn =
    to.line === from.line
      ? to.character + 1
      : from.character + 1 + (lineEnd === -1 ? file.text.length : lineEnd) - start;
  return { file: path, line: from.line + 1, column: from.character + 1, endColumn, ...told };
}
