/**
 * One file of the user's as CommonJS text for a tool host, and what it imports in which way. No type checking, by the
 * TypeScript that ts-morph brings. What ES modules have and CommonJS lacks becomes parameters of the host's wrapper:
 * `__coachImport` for import statements, `__coachImportDynamic` for `import()`, `__importMeta` for `import.meta`,
 * `__coachKeep` for definitions;
 * so a file may declare `require`,
 * `__filename` or `__dirname` of its own, as ES modules often do.
 */
import { ts } from 'ts-morph';
import type { EvaluatedApart } from '../../protocol/task';

export interface TranspiledSource {
  code: string;
  /** Import statements and re-exports that have values, in their order. */
  imports: Set<string>;
  /** Literal `require()` and `import()`: looked up beforehand, run when the code gets there. */
  later: Set<string>;
  hasTopLevelAwait: boolean;
  /** A program: `main()` or `main().catch(…)` goes on when the file is loaded. */
  startsMain: boolean;
  /** Written with import or export; else it is a CommonJS script. */
  isEsModule: boolean;
  /** The first syntax error, line from 1. */
  syntaxError: { line: number; column: number; message: string } | undefined;
  /** Asked for only. */
  sourceMap: string | undefined;
}

/** Expressions whose values the host keeps: definitions of tools. */
export interface Kept {
  /** As `spanKey` writes them. */
  spans: ReadonlySet<string>;
  /** By their keys. */
  apart: ReadonlyMap<string, EvaluatedApart>;
}
const NOTHING_KEPT: Kept = { spans: new Set(), apart: new Map() };

/** Complaints about CommonJS that the wrapper makes untrue: top-level await and for-await, import.meta. */
const TOLERATED = new Set([1309, 1343, 1375, 1378, 1431, 1432, 1470]);

/**
 * @param isNodeEsModule Node itself takes the file for an ES module (`.mjs`, `.mts`, `"type": "module"`), whatever its
 * text says
 * @param options how code behaves: decorators, JSX
 */
export function transpileSource(
  text: string,
  file: string,
  isNodeEsModule: boolean,
  options: ts.CompilerOptions,
  wantsMap = false,
  kept: Kept = NOTHING_KEPT,
): TranspiledSource {
  const facts: Facts = {
    imports: new Set(),
    later: new Set(),
    hasTopLevelAwait: false,
    startsMain: false,
    isEsModule: false,
  };
  const output = ts.transpileModule(readable(text) + apartFrom(readable(text), kept), {
    fileName: plainName(file),
    reportDiagnostics: true,
    compilerOptions: {
      ...options,
      ...(isNodeEsModule ? { moduleDetection: ts.ModuleDetectionKind.Force } : {}),
      sourceMap: wantsMap,
    },
    transformers: {
      before: [keepValues(kept.spans), replaceEsForms(facts), findTopLevelAwait(facts)],
      after: [renameImports(facts)],
    },
  });
  const broken = output.diagnostics?.find(
    (d) => d.category === ts.DiagnosticCategory.Error && d.code < 2000 && d.file && !TOLERATED.has(d.code),
  ); // 1xxx: syntax
  return {
    ...facts,
    code: output.outputText,
    syntaxError: broken && syntaxErrorOf(broken),
    sourceMap: output.sourceMapText,
  };
}

interface Facts {
  imports: Set<string>;
  later: Set<string>;
  hasTopLevelAwait: boolean;
  startsMain: boolean;
  isEsModule: boolean;
}

/** Without the mark of UTF-8 and the line for the shell; positions stay. */
const readable = (text: string): string => text.replace(/^\uFEFF/, '').replace(/^#!/, '//');

/** TypeScript would leave `.mjs` and `.mts` as ES modules, whatever module kind is asked for. */
const plainName = (file: string): string => file.replace(/\.[mc]([jt]s)$/, '.$1');

function syntaxErrorOf(diagnostic: ts.Diagnostic): TranspiledSource['syntaxError'] {
  const place = diagnostic.file?.getLineAndCharacterOfPosition(diagnostic.start ?? 0);
  return {
    line: (place?.line ?? 0) + 1,
    column: (place?.character ?? 0) + 1,
    message: ts.flattenDiagnosticMessageText(diagnostic.messageText, ' '),
  };
}

/** `import.meta` -> `__importMeta`; `import(x)` -> `__coachImportDynamic(x)`. */
function replaceEsForms(facts: Facts): ts.TransformerFactory<ts.SourceFile> {
  return (context) => (source) => {
    facts.isEsModule = ts.isExternalModule(source);
    const visit = (node: ts.Node): ts.Node => {
      if (ts.isMetaProperty(node) && node.keywordToken === ts.SyntaxKind.ImportKeyword)
        return context.factory.createIdentifier('__importMeta');
      if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
        const [specifier] = node.arguments;
        if (specifier && ts.isStringLiteralLike(specifier)) facts.later.add(specifier.text);
        const args = node.arguments.slice(0, 1).map((argument) => ts.visitNode(argument, visit) as ts.Expression);
        return context.factory.createCallExpression(
          context.factory.createIdentifier('__coachImportDynamic'),
          undefined,
          args,
        );
      }
      return ts.visitEachChild(node, visit, context);
    };
    return ts.visitEachChild(source, visit, context);
  };
}

/** Behind the file, where only its own names are seen; evaluated when it is asked for. */
function apartFrom(text: string, { apart }: Kept): string {
  const slice = ({ span: [start, end] }: { span: readonly [number, number] }): string => text.slice(start, end);
  return [...apart]
    .map(([key, each]) => {
      const parts = each.parts?.map((part) => part.before + slice(part)).join(', ');
      return `\n;__coachKeep("${key}", () => (${parts === undefined ? slice(each) : `{ ${parts} }`}), true);`;
    })
    .join('');
}

export const spanKey = ([start, end]: readonly [number, number]): string => `${start}:${end}`;

const isKeepable = (node: ts.Node): boolean =>
  ts.isCallExpression(node) ||
  ts.isNewExpression(node) ||
  ts.isObjectLiteralExpression(node) ||
  ts.isIdentifier(node) ||
  ts.isArrowFunction(node) ||
  ts.isFunctionExpression(node);

/**
 * `tool({ … })` -> `__coachKeep("120:240", tool({ … }))`: what the definition gave is found without a name. What a
 * statement declares, a function or a class, is kept by one behind it.
 */
function keepValues(kept: ReadonlySet<string>): ts.TransformerFactory<ts.SourceFile> {
  return (context) => (source) => {
    if (kept.size === 0) return source;
    const { factory } = context;
    const visit = (node: ts.Node): ts.VisitResult<ts.Node> => {
      const visited = ts.visitEachChild(node, visit, context);
      const isDeclared = ts.isFunctionDeclaration(node) || ts.isClassDeclaration(node);
      if (!isDeclared && !isKeepable(node)) return visited;
      const key = spanKey([node.getStart(source), node.getEnd()]);
      if (!kept.has(key) || (isDeclared && !node.name)) return visited;
      const keep = (value: ts.Expression): ts.Expression =>
        factory.createCallExpression(factory.createIdentifier('__coachKeep'), undefined, [
          factory.createStringLiteral(key),
          value,
        ]);
      if (!isDeclared) return keep(visited as ts.Expression);
      return [visited, factory.createExpressionStatement(keep(factory.createIdentifier(node.name!.text)))];
    };
    return ts.visitEachChild(source, visit, context);
  };
}

function findTopLevelAwait(facts: Facts): ts.TransformerFactory<ts.SourceFile> {
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) || ts.isClassStaticBlockDeclaration(node)) return;
    const isAwaitUsing =
      ts.isVariableDeclarationList(node) && (node.flags & ts.NodeFlags.AwaitUsing) === ts.NodeFlags.AwaitUsing;
    if (ts.isAwaitExpression(node) || isAwaitUsing || (ts.isForOfStatement(node) && node.awaitModifier))
      facts.hasTopLevelAwait = true;
    ts.forEachChild(node, visit);
  };
  return () => (source) => {
    ts.forEachChild(source, visit);
    facts.startsMain = startsMain(source);
    return source;
  };
}

function startsMain({ statements }: ts.SourceFile): boolean {
  const isAsync = (each: ts.Statement): each is ts.FunctionDeclaration =>
    ts.isFunctionDeclaration(each) &&
    (each.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.AsyncKeyword) ?? false);
  const mains = new Set(statements.filter(isAsync).map(({ name }) => name?.text));
  return statements.some((statement) => {
    if (!ts.isExpressionStatement(statement)) return false;
    const { expression } = statement;
    const call = ts.isVoidExpression(expression) ? expression.expression : expression;
    if (!ts.isCallExpression(call)) return false;
    const { expression: callee } = call;
    if (ts.isPropertyAccessExpression(callee))
      return /^(catch|then|finally)$/.test(callee.name.text) && ts.isCallExpression(callee.expression);
    return ts.isIdentifier(callee) && mains.has(callee.text);
  });
}

/**
 * In the output, where type-only imports are gone: a `require` that TypeScript wrote becomes `__coachImport`; the
 * user's own stay.
 */
function renameImports(facts: Facts): ts.TransformerFactory<ts.SourceFile> {
  return (context) => (source) => {
    const visit = (node: ts.Node): ts.Node => {
      if (!ts.isCallExpression(node) || !ts.isIdentifier(node.expression) || node.expression.text !== 'require')
        return ts.visitEachChild(node, visit, context);
      const [specifier] = node.arguments;
      if (!specifier || !ts.isStringLiteralLike(specifier)) return ts.visitEachChild(node, visit, context);
      if (node.expression.pos >= 0) {
        facts.later.add(specifier.text);
        return node;
      }
      facts.imports.add(specifier.text);
      return context.factory.updateCallExpression(
        node,
        context.factory.createIdentifier('__coachImport'),
        undefined,
        node.arguments,
      );
    };
    // `import x = require('y')` means require, in ES modules too.
    return ts.visitEachChild(
      source,
      (node) => {
        if (!ts.isImportEqualsDeclaration(ts.getOriginalNode(node))) return visit(node);
        collectRequires(node, facts);
        return node;
      },
      context,
    );
  };
}

function collectRequires(node: ts.Node, facts: Facts): void {
  if (ts.isCallExpression(node) && node.arguments[0] && ts.isStringLiteralLike(node.arguments[0]))
    facts.imports.add(node.arguments[0].text);
  ts.forEachChild(node, (child) => collectRequires(child, facts));
}
