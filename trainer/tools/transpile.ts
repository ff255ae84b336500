/**
 * The user's tool and reward files, and every file of theirs that they import, as CommonJS text for the tool hosts.
 * One file at a time and without type checking (`transpileModule`), by the TypeScript that ts-morph brings: the user needs no build step.
 */
import { readFileSync, realpathSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join, resolve, sep } from 'node:path';
import { ts } from 'ts-morph';
import type { PreparedModule } from './host/hostMessages';

export interface PreparedCode {
  modules: Record<string, PreparedModule>;
  /** Files that could not be read or have syntax errors; their tools fail at the call with the same words. */
  problems: { file: string; message: string }[];
}

/** @param entries absolute paths of tool and reward files */
export function prepareCode(entries: readonly string[]): PreparedCode {
  const modules: Record<string, PreparedModule> = {};
  const problems: PreparedCode['problems'] = [];
  const resolver = importResolver();
  const queue = entries.map((file) => resolve(file));
  for (let file = queue.pop(); file !== undefined; file = queue.pop()) {
    if (modules[file]) continue;
    try {
      modules[file] = prepareModule(file, resolver);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      problems.push({ file, message });
      modules[file] = { code: `throw new Error(${JSON.stringify(message)});`, isJson: false, ownImports: {}, hasTopLevelAwait: false };
    }
    queue.push(...Object.values(modules[file]?.ownImports ?? {}));
  }
  return { modules, problems };
}

interface Resolver {
  optionsFor(file: string): ts.CompilerOptions;
  /** Absolute path of the user's own file that is meant, or undefined for built-ins and packages. */
  resolve(specifier: string, from: string): string | undefined;
}

function prepareModule(file: string, resolver: Resolver): PreparedModule {
  const text = readFileSync(file, 'utf8');
  if (file.endsWith('.json')) return { code: text, isJson: true, ownImports: {}, hasTopLevelAwait: false };
  const facts = { specifiers: new Set<string>(), hasTopLevelAwait: false };
  const output = ts.transpileModule(text, {
    fileName: file,
    reportDiagnostics: true,
    compilerOptions: resolver.optionsFor(file),
    transformers: { before: [replaceImportMeta, findTopLevelAwait(facts)], after: [collectRequires(facts)] },
  });
  const broken = output.diagnostics?.find((d) => d.category === ts.DiagnosticCategory.Error && d.code < 2000 && d.file); // 1xxx: syntax
  if (broken && !TOLERATED.has(broken.code)) {
    const place = broken.file?.getLineAndCharacterOfPosition(broken.start ?? 0);
    throw new Error(`${file}:${(place?.line ?? 0) + 1}: ${ts.flattenDiagnosticMessageText(broken.messageText, ' ')}`);
  }
  const ownImports: Record<string, string> = {};
  for (const specifier of facts.specifiers) {
    const target = resolver.resolve(specifier, file);
    if (target !== undefined) ownImports[specifier] = target;
  }
  return { code: output.outputText, isJson: false, ownImports, hasTopLevelAwait: facts.hasTopLevelAwait };
}

/** Complaints about CommonJS that the wrapper makes untrue: top-level await and for-await, import.meta. */
const TOLERATED = new Set([1309, 1343, 1375, 1378, 1431, 1432, 1470]);

/** `import.meta` -> the wrapper's parameter. */
const replaceImportMeta: ts.TransformerFactory<ts.SourceFile> = (context) => (source) => {
  const visit = (node: ts.Node): ts.Node =>
    ts.isMetaProperty(node) && node.keywordToken === ts.SyntaxKind.ImportKeyword
      ? context.factory.createIdentifier('__importMeta')
      : ts.visitEachChild(node, visit, context);
  return ts.visitEachChild(source, visit, context);
};

function findTopLevelAwait(facts: { hasTopLevelAwait: boolean }): ts.TransformerFactory<ts.SourceFile> {
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) || ts.isClassStaticBlockDeclaration(node)) return;
    if (ts.isAwaitExpression(node) || (ts.isForOfStatement(node) && node.awaitModifier)) facts.hasTopLevelAwait = true;
    ts.forEachChild(node, visit);
  };
  return () => (source) => {
    ts.forEachChild(source, visit);
    return source;
  };
}

/** Reads the specifiers from the output, where type-only imports are gone. */
function collectRequires(facts: { specifiers: Set<string> }): ts.TransformerFactory<ts.SourceFile> {
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === 'require') {
      const argument = node.arguments[0];
      if (argument && ts.isStringLiteralLike(argument)) facts.specifiers.add(argument.text);
    }
    ts.forEachChild(node, visit);
  };
  return () => (source) => {
    visit(source);
    return source;
  };
}

function importResolver(): Resolver {
  const byFolder = new Map<string, ts.CompilerOptions>();
  const resolved = new Map<string, string | undefined>();
  const userOptions = (folder: string): ts.CompilerOptions => {
    let options = byFolder.get(folder);
    if (!options) byFolder.set(folder, (options = readUserOptions(folder)));
    return options;
  };
  return {
    optionsFor: (file) => emitOptions(userOptions(dirname(file))),
    resolve(specifier, from) {
      if (isBuiltin(specifier)) return undefined;
      const folder = dirname(from);
      const key = `${folder}\n${specifier}`;
      if (!resolved.has(key)) resolved.set(key, resolveImport(specifier, from, userOptions(folder)));
      return resolved.get(key);
    },
  };
}

function resolveImport(specifier: string, from: string, options: ts.CompilerOptions): string | undefined {
  const { resolvedModule } = ts.resolveModuleName(specifier, from, options, ts.sys);
  if (!resolvedModule) return undefined;
  const path = realpathSync(resolvedModule.resolvedFileName);
  if (path.includes(`${sep}node_modules${sep}`)) return undefined;
  if (!/\.d\.[mc]?ts$/.test(path)) return path;
  // A hand-written declaration stands beside the JavaScript that runs.
  const script = path.replace(/\.d\.([mc]?)ts$/, '.$1js');
  return ts.sys.fileExists(script) ? script : undefined;
}

/** What of the user's tsconfig changes how code behaves or where imports lead; no file list is read, no plugin loaded. */
function readUserOptions(folder: string): ts.CompilerOptions {
  const configFile = ts.findConfigFile(folder, ts.sys.fileExists);
  const host = { ...ts.sys, readDirectory: () => [] };
  const config: unknown = configFile ? ts.readConfigFile(configFile, ts.sys.readFile).config : undefined;
  const parsed = config && configFile ? ts.parseJsonConfigFileContent(config, host, dirname(configFile)).options : {};
  return {
    ...parsed,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    module: ts.ModuleKind.ESNext,
    allowJs: true,
    resolveJsonModule: true,
    allowImportingTsExtensions: true,
    preserveSymlinks: false,
    ...(parsed.baseUrl === undefined && parsed.paths && configFile ? { pathsBasePath: join(dirname(configFile)) } : {}),
  };
}

function emitOptions(user: ts.CompilerOptions): ts.CompilerOptions {
  const kept: ts.CompilerOptions = {};
  for (const name of ['experimentalDecorators', 'emitDecoratorMetadata', 'useDefineForClassFields', 'jsxFactory', 'jsxFragmentFactory', 'jsxImportSource'] as const) {
    if (user[name] !== undefined) kept[name] = user[name] as never;
  }
  return {
    ...kept,
    module: ts.ModuleKind.CommonJS,
    target: ts.ScriptTarget.ES2022,
    jsx: user.jsx === undefined || user.jsx === ts.JsxEmit.Preserve ? ts.JsxEmit.ReactJSX : user.jsx,
    esModuleInterop: true,
    allowJs: true,
    isolatedModules: true,
    sourceMap: false,
    declaration: false,
  };
}
