/**
 * What the types of some tools need: starting at the tools' signatures, names are followed through declarations and
 * imports, and function bodies with a declared result are never entered. So a tool file that imports half a program
 * to do its work costs one file, not half a program.
 */
import { ts } from 'ts-morph';
import { isBuiltin } from 'node:module';
import type { Candidate } from './candidate';
import { type FileShape, fileShape, type Imported } from './fileShape';
import { LEFT_OUT } from './libraryFiles';
import type { ModuleResolver } from './moduleResolver';
import { forEachReference, isInjectedType } from './references';

export interface Demand {
  /** File -> what its imports resolve to, for those that are needed. */
  imports: ReadonlyMap<string, ReadonlyMap<string, string>>;
  /** File -> imports that are needed and lead nowhere. */
  unresolved: ReadonlyMap<string, ReadonlySet<string>>;
  /** File -> names of global types that it uses. */
  globals: ReadonlyMap<string, ReadonlySet<string>>;
}

export class DemandWalk implements Demand {
  readonly imports = new Map<string, Map<string, string>>();
  readonly unresolved = new Map<string, Set<string>>();
  readonly globals = new Map<string, Set<string>>();
  private readonly visited = new Set<string>();
  private isForResult = false;

  constructor(
    private readonly parse: (path: string) => ts.SourceFile | null,
    private readonly resolver: ModuleResolver,
  ) {}

  /** Follows what these tools of one file need. */
  addTools(file: ts.SourceFile, candidates: readonly Candidate[]): void {
    const visit = (node: ts.Node | undefined) => node && this.visitNode(file, node);
    for (const { node, method } of candidates) {
      node.typeParameters?.forEach(visit);
      for (const parameter of node.parameters) if (!parameter.type || !isInjectedType(parameter.type)) visit(parameter);
      visit(node.type);
      if (method) {
        visit(method.options);
        method.classNode.typeParameters?.forEach(visit);
        method.classNode.heritageClauses?.forEach(visit);
        for (const member of method.classNode.members)
          if (ts.isConstructorDeclaration(member)) member.parameters.forEach(visit);
      }
      // `const find: Finder = …` and `… satisfies Finder` give the parameters their types from outside.
      for (let at = node.parent; at && !ts.isStatement(at) && !ts.isClassLike(at); at = at.parent) {
        if (ts.isVariableDeclaration(at) || ts.isSatisfiesExpression(at) || ts.isAsExpression(at)) visit(at.type);
      }
    }
    if (isJavaScript(file)) this.visitJsDocTypes(file);
  }

  /**
   * Follows what the results of tools need that don't write theirs out: a body, and the project's own functions that
   * it calls. Packages are not entered for this. Comes after all `addTools`, so that nothing a signature needs is
   * missed.
   */
  addResults(file: ts.SourceFile, candidates: readonly Candidate[]): void {
    this.isForResult = true;
    for (const { node } of candidates) if (!node.type && 'body' in node && node.body) this.visitNode(file, node.body);
    this.isForResult = false;
  }

  /** Follows everything one exported function needs, for callers that have no candidate. */
  addNode(file: ts.SourceFile, node: ts.Node): void {
    this.visitNode(file, node);
    if (isJavaScript(file)) this.visitJsDocTypes(file);
  }

  /** Files that a file's types depend on, without itself. */
  dependenciesOf(path: string): string[] {
    const seen = new Set([path]);
    for (const each of seen) for (const next of this.imports.get(each)?.values() ?? []) seen.add(next);
    seen.delete(path);
    return [...seen];
  }

  private visitNode(file: ts.SourceFile, node: ts.Node): void {
    const shape = fileShape(file);
    forEachReference(node, {
      name: (name, isType) => this.visitName(file, shape, name, isType),
      imported: (specifier, name) => this.visitImport(file, { specifier, name }),
    });
  }

  private visitName(file: ts.SourceFile, shape: FileShape, name: string, isType: boolean): void {
    const key = `${file.fileName}\0${name}`;
    const declarations = shape.declarations.get(name);
    if (declarations && !this.visited.has(key)) {
      this.visited.add(key);
      for (const node of declarations) this.visitNode(file, node);
    }
    const imported = shape.imports.get(name);
    if (imported) this.visitImport(file, imported);
    else if (!declarations && (isType || LEFT_OUT.test(name))) addTo(this.globals, file.fileName, name);
  }

  private visitImport(file: ts.SourceFile, { specifier, name }: Imported): void {
    const target = this.resolveFrom(file.fileName, specifier);
    if (target === null) return;
    const next = this.parse(target);
    if (next) this.visitExport(next, name);
  }

  private visitExport(file: ts.SourceFile, name: string): void {
    const key = `${file.fileName}\0export ${name}`;
    if (this.visited.has(key)) return;
    this.visited.add(key);
    const shape = fileShape(file);
    for (const node of shape.augmentations) this.visitNode(file, node);
    if (isJavaScript(file)) this.visitJsDocTypes(file);
    const target = shape.exports.get(name) ?? (name === 'default' || name === '*' ? undefined : shape.exports.get('*'));
    if (typeof target === 'string') return this.visitName(file, shape, target, false);
    if (target) return this.visitImport(file, target);
    if (name === '*') {
      for (const each of shape.exports.keys()) this.visitExport(file, each);
    }
    if (name !== 'default') for (const specifier of shape.stars) this.visitImport(file, { specifier, name });
  }

  /** JavaScript says its types in comments: every import that a JSDoc block mentions counts. */
  private visitJsDocTypes(file: ts.SourceFile): void {
    const key = `${file.fileName}\0jsdoc`;
    if (this.visited.has(key)) return;
    this.visited.add(key);
    const shape = fileShape(file);
    for (const [block] of file.text.matchAll(/\/\*\*[\s\S]*?\*\//g)) {
      for (const match of block.matchAll(/\bimport\(\s*['"]([^'"]+)['"]\s*\)|@import\b[^'"]*['"]([^'"]+)['"]/g))
        this.visitImport(file, { specifier: (match[1] ?? match[2])!, name: '*' });
      for (const [word] of block.matchAll(/[A-Za-z_$][\w$]*/g)) {
        if (shape.imports.has(word) || shape.declarations.has(word)) this.visitName(file, shape, word, false);
      }
    }
  }

  private resolveFrom(path: string, specifier: string): string | null {
    const known = this.imports.get(path)?.get(specifier);
    if (known !== undefined) return known;
    if (this.unresolved.get(path)?.has(specifier)) return null;
    if (this.isForResult && !/^[./#~@]/.test(specifier) && !this.resolver.isMapped(specifier, path)) return null;
    const target = this.resolver.resolve(specifier, path);
    if (this.isForResult && target?.includes('/node_modules/')) return null;
    if (target === null) {
      addTo(this.unresolved, path, specifier);
      if (isBuiltin(specifier)) addTo(this.globals, path, `module ${specifier}`);
      return null;
    }
    let imports = this.imports.get(path);
    if (!imports) this.imports.set(path, (imports = new Map()));
    imports.set(specifier, target);
    return target;
  }
}

function isJavaScript(file: ts.SourceFile): boolean {
  return /\.[mc]?jsx?$/.test(file.fileName);
}

function addTo(map: Map<string, Set<string>>, key: string, value: string): void {
  const set = map.get(key);
  if (set) set.add(value);
  else map.set(key, new Set([value]));
}
