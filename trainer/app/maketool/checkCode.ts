/** What can be said of a maker's code without running it. */
import { ts } from 'ts-morph';
import { boundNames } from '../../tools/schema/literals';
import { isRecord, propertiesOf } from '../../protocol/arguments';
import type { TypeScriptTool } from '../../protocol/task';
import { isVisible } from '../../protocol/visible';
import { importResolver } from '../../tools/hosts/importResolver';
import { transpileSource } from '../../tools/hosts/transpileSource';
import { LIBRARY_FOLDER, libraryText, WHOLE_LIBRARY } from '../../tools/sources/typescript/discovery/libraryFiles';
import { Discovery, type FoundTools } from '../../tools/sources/typescript/toolFile';
import { Refused } from './refusals';

/**
 * The one tool of a text: TypeScript that reaches for nothing but the language itself, with a name that is free.
 * @param file where the text stands, or would @param taken names that mean something else where the tool is to go
 * @throws Refused with the first thing that is wrong
 */
export function checkCode(code: string, file: string, taken: ReadonlySet<string>): TypeScriptTool {
  if (!isVisible(code))
    throw new Refused(
      'unseen',
      'it holds characters that steer how text is shown: write them as escapes, or leave them out',
    );
  refuseImports(code, file);
  const source = parsed(file, code);
  refuseOutside(source, code);
  const tool = onlyTool(code, file);
  const properties = Object.entries(propertiesOf(tool.parameters));
  if (properties.length === 0)
    throw new Refused('notOneTool', `${tool.name} has no parameters, so it knows no request`);
  const bare = properties.find(([, schema]) => !isRecord(schema) || !schema.description);
  if (bare)
    throw new Refused(
      'undescribed',
      `the parameter ${bare[0]} has no description: add "@param ${bare[0]} …" to the JSDoc`,
    );
  if (tool.changesWorld)
    throw new Refused(
      'changesWorld',
      `${tool.name} reads as if it changed something outside: name it for what it computes, and add @pure`,
    );
  const name = topLevelNames(source).find((one) => taken.has(one));
  if (name !== undefined) throw new Refused('nameTaken', `the name ${name} is taken: choose another one`);
  return tool;
}

const parsed = (file: string, text: string): ts.SourceFile =>
  ts.createSourceFile(file, text, ts.ScriptTarget.ESNext, true);

function refuseImports(code: string, file: string): void {
  const { syntaxError, imports, later } = transpileSource(code, file, false, importResolver().optionsFor(file));
  if (syntaxError)
    throw new Refused('notTypeScript', `line ${syntaxError.line} is no TypeScript: ${syntaxError.message}`);
  const [first] = [...imports, ...later];
  if (first !== undefined) throw new Refused('outside', `it imports ${first}; a tool here imports nothing`);
}

/** Ways to what is outside that the language itself has. */
const DOORS = new Set(['globalThis', 'eval', 'Function', 'require']);
/** What makes another result of the same arguments. */
const CHANCE = new Set(['Math.random', 'Date.now', 'new Date', 'new Date()']);

function refuseOutside(source: ts.SourceFile, code: string): void {
  const door = find(
    source,
    (node) =>
      node.kind === ts.SyntaxKind.ImportKeyword ||
      node.kind === ts.SyntaxKind.MetaProperty ||
      ts.isImportTypeNode(node) ||
      ((ts.isPropertyAccessExpression(node) || ts.isNewExpression(node)) && CHANCE.has(node.getText())) ||
      (ts.isIdentifier(node) && DOORS.has(node.text) && !isMember(node)),
  );
  const what = door?.getText() ?? unknownNames(source.fileName, code)[0];
  if (what !== undefined)
    throw new Refused(
      'outside',
      `it uses ${what}; a tool here computes from its arguments alone, by what the language itself has`,
    );
}

const isMember = (node: ts.Identifier): boolean =>
  (ts.isPropertyAccessExpression(node.parent) && node.parent.name === node) ||
  (ts.isPropertyAssignment(node.parent) && node.parent.name === node);

function find(node: ts.Node, matches: (node: ts.Node) => boolean): ts.Node | undefined {
  return matches(node) ? node : ts.forEachChild(node, (child) => find(child, matches));
}

const library = new Map<string, ts.SourceFile | undefined>();

/** Parsed once for all that is checked. */
function librarySource(path: string, options: ts.ScriptTarget | ts.CreateSourceFileOptions): ts.SourceFile | undefined {
  if (!library.has(path)) {
    const text = path.startsWith(LIBRARY_FOLDER) ? libraryText(path) : undefined;
    library.set(path, text === undefined ? undefined : ts.createSourceFile(path, text, options));
  }
  return library.get(path);
}

/** Names that neither the text declares nor the language has: Node's, the browser's, and those of nobody. */
function unknownNames(file: string, code: string): string[] {
  const host: ts.CompilerHost = {
    getSourceFile: (path, options) =>
      path === file ? ts.createSourceFile(path, code, options) : librarySource(path, options),
    getDefaultLibFileName: () => `${LIBRARY_FOLDER}/${WHOLE_LIBRARY}`,
    getDefaultLibLocation: () => LIBRARY_FOLDER,
    getCurrentDirectory: () => '/',
    getCanonicalFileName: (name) => name,
    useCaseSensitiveFileNames: () => true,
    getNewLine: () => '\n',
    writeFile: () => undefined,
    fileExists: (path) => path === file || librarySource(path, ts.ScriptTarget.ESNext) !== undefined,
    readFile: (path) => (path === file ? code : libraryText(path)),
  };
  const options: ts.CompilerOptions = {
    target: ts.ScriptTarget.ESNext,
    lib: [WHOLE_LIBRARY],
    types: [],
    strict: false,
  };
  const program = ts.createProgram({ rootNames: [file], options, host });
  return program
    .getSemanticDiagnostics(program.getSourceFile(file))
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '))
    .flatMap((words) => /^Cannot find (?:name|namespace) '([^']+)'/.exec(words)?.[1] ?? []);
}

/** One for all that is checked: it keeps what it has parsed of the language. */
const discovery = new Discovery();

/** What discovery finds in a text that need not be on the disk. */
export const foundIn = (code: string, file: string): FoundTools => discovery.discover([file], { [file]: code });

function onlyTool(code: string, file: string): TypeScriptTool {
  const { tools, diagnostics } = foundIn(code, file);
  const error =
    diagnostics.find(({ severity }) => severity === 'error') ?? (tools.length === 0 ? diagnostics[0] : undefined);
  if (error) throw new Refused('notOneTool', `line ${error.line}: ${error.message}`);
  const [tool] = tools;
  if (tools.length !== 1 || tool === undefined)
    throw new Refused(
      'notOneTool',
      tools.length === 0
        ? 'it has no tool: an exported function with @tool in its JSDoc'
        : `it has ${tools.length} tools, ${tools.map(({ name }) => name).join(' and ')}: there must be one`,
    );
  const { binding } = tool;
  if (binding.kind === 'defined' || binding.member !== undefined || binding.exportName !== tool.name)
    throw new Refused('notOneTool', `${tool.name} must be a function that is exported by its own name`);
  return { ...tool, binding };
}

/** What a text declares or imports at its top. */
export function topLevelNames(source: ts.SourceFile | string): string[] {
  const { statements } = typeof source === 'string' ? parsed('tools.ts', source) : source;
  return statements.flatMap((one) => {
    if (ts.isVariableStatement(one)) return one.declarationList.declarations.flatMap(({ name }) => boundNames(name));
    if (ts.isImportDeclaration(one)) return importedNames(one.importClause);
    const { name } = one as { name?: ts.Node };
    return name && ts.isIdentifier(name) ? [name.text] : [];
  });
}

function importedNames(clause: ts.ImportClause | undefined): string[] {
  const bindings = clause?.namedBindings;
  const named = !bindings
    ? []
    : ts.isNamespaceImport(bindings)
      ? [bindings.name]
      : bindings.elements.map(({ name }) => name);
  return [...(clause?.name ? [clause.name] : []), ...named].map(({ text }) => text);
}
