/**
 * The user's tool and reward files, and every file of theirs that they import, as CommonJS text for the tool hosts.
 * One file at a time and without type checking: the user needs no build step.
 */

import { isAbsolute, resolve } from 'node:path';
import type { PreparedModule } from './inside/hostMessages';
import { importResolver, isAsset, isStyleSheet, type ImportResolver } from './importResolver';
import { type Kept, transpileSource } from './transpileSource';
import { readTextFile } from '../../base/storage';

/**
 * What is wrong with a file before anything runs: it cannot be read, or its syntax is broken. Lines and columns from
 * 1.
 */
export interface CodeProblem {
  file: string;
  line?: number;
  column?: number;
  message: string;
  isUnreadable?: boolean;
}

export interface PreparedCode {
  modules: Record<string, PreparedModule>;
  /** Loading these files, or one that imports them, fails with the same words. */
  problems: CodeProblem[];
}

/** By the absolute path of the file. */
export type KeptSpans = ReadonlyMap<string, Kept>;

/** @param entries absolute paths of tool and reward files */
export function prepareCode(entries: readonly string[], kept: KeptSpans = new Map()): PreparedCode {
  const modules: Record<string, PreparedModule> = {};
  const problems: CodeProblem[] = [];
  const resolver = importResolver();
  const queue = entries.map((file) => resolve(file));
  for (let file = queue.pop(); file !== undefined; file = queue.pop()) {
    if (modules[file]) continue;
    const prepared = prepareModule(file, resolver, kept.get(file));
    if ('problem' in prepared) problems.push(prepared.problem);
    const module: PreparedModule = 'problem' in prepared ? brokenModule(prepared.problem) : prepared;
    modules[file] = module;
    queue.push(...Object.values(module.ownImports));
  }
  return { modules, problems };
}

/** `tools.ts:3: Expression expected` */
function describeProblem({ file, line, message }: CodeProblem): string {
  return `${file}${line === undefined ? '' : `:${line}`}: ${message}`;
}

const EMPTY = {
  isJson: false,
  ownImports: {},
  awaited: [],
  missing: [],
  hasTopLevelAwait: false,
  startsMain: false,
  isEsModule: false,
  isNodeEsModule: false,
};

function brokenModule(problem: CodeProblem): PreparedModule {
  return { ...EMPTY, code: `throw new SyntaxError(${JSON.stringify(describeProblem(problem))});` };
}

function prepareModule(
  file: string,
  resolver: ImportResolver,
  kept: Kept | undefined,
): PreparedModule | { problem: CodeProblem } {
  if (isAsset(file)) return { ...EMPTY, code: isStyleSheet(file) ? '{}' : JSON.stringify(file), isJson: true };
  let text: string;
  try {
    text = readTextFile(file);
  } catch (error) {
    return { problem: { file, message: (error as Error).message, isUnreadable: true } };
  }
  if (file.endsWith('.json')) return prepareJson(file, text.replace(/^\uFEFF/, ''));
  const isNodeEsModule = resolver.isNodeEsModule(file);
  const { code, imports, later, syntaxError, hasTopLevelAwait, startsMain, isEsModule } = transpileSource(
    text,
    file,
    isNodeEsModule,
    resolver.optionsFor(file),
    false,
    kept,
  );
  if (syntaxError) return { problem: { file, ...syntaxError } };
  const ownImports: Record<string, string> = {};
  const missing: string[] = [];
  for (const specifier of new Set([...imports, ...later])) {
    const target = resolver.resolve(specifier, file);
    if (target !== undefined) ownImports[specifier] = target;
    else if (specifier.startsWith('.') || isAbsolute(specifier)) missing.push(specifier);
  }
  const awaited = [...imports].flatMap((specifier) => ownImports[specifier] ?? []);
  return {
    code,
    isJson: false,
    ownImports,
    awaited,
    missing,
    hasTopLevelAwait,
    startsMain,
    isEsModule,
    isNodeEsModule,
  };
}

function prepareJson(file: string, text: string): PreparedModule | { problem: CodeProblem } {
  try {
    JSON.parse(text);
  } catch (error) {
    return { problem: { file, message: `is not JSON: ${(error as Error).message}` } };
  }
  return { ...EMPTY, code: text, isJson: true };
}
