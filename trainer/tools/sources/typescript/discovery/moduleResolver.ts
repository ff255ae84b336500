/**
 * Which file an import means: TypeScript's own rules, with the `paths` of the nearest tsconfig. No plugin is loaded.
 */
import { ts } from 'ts-morph';
import { isBuiltin } from 'node:module';
import { dirname, join } from 'node:path';
import { readdirSync, realpathSync, statSync } from 'node:fs';
import { configOptions, importOptions, nearestConfig } from '../../../../base/tsconfig';
import type { FileStore } from './fileStore';

export const COMPILER_OPTIONS: ts.CompilerOptions = {
  strict: true,
  target: ts.ScriptTarget.ESNext,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  allowJs: true,
  checkJs: false,
  jsx: ts.JsxEmit.Preserve,
  allowImportingTsExtensions: true,
  resolveJsonModule: true,
  noEmit: true,
  skipLibCheck: true,
  experimentalDecorators: false,
  types: [],
};

const PROBED = [
  '',
  '.ts',
  '.tsx',
  '.mts',
  '.cts',
  '.d.ts',
  '.d.mts',
  '.d.cts',
  '.js',
  '.jsx',
  '.mjs',
  '.cjs',
  '/index.ts',
  '/index.tsx',
  '/index.d.ts',
  '/index.js',
];

interface Scope {
  options: ts.CompilerOptions;
  cache: ts.ModuleResolutionCache;
}

export class ModuleResolver {
  private readonly scopes = new Map<string, Scope>();
  /** Folder -> path of its nearest tsconfig, '' for none. */
  private readonly nearest = new Map<string, string>();
  /** Configs read, with their hashes: a change of one makes every resolution doubtful. */
  readonly configs = new Map<string, string | null>();

  constructor(private readonly store: FileStore) {}

  /** Full path of a source or declaration file; null for builtins, assets, and what can't be found. */
  resolve(specifier: string, fromFile: string): string | null {
    if (isBuiltin(specifier)) return null;
    const { options, cache } = this.scopeOf(dirname(fromFile));
    const { resolvedModule } = ts.resolveModuleName(specifier, fromFile, options, this.host, cache);
    if (!resolvedModule) return null;
    const path = resolvedModule.resolvedFileName;
    const isPackageCode = path.includes('/node_modules/') && !/\.[mc]?tsx?$/.test(path);
    return isPackageCode || path.endsWith('.json') ? null : path;
  }

  /** Whether the tsconfig's `paths` or `baseUrl` could make a bare specifier a file of the project. */
  isMapped(specifier: string, fromFile: string): boolean {
    const { paths, baseUrl } = this.scopeOf(dirname(fromFile)).options;
    return (
      baseUrl !== undefined || Object.keys(paths ?? {}).some((pattern) => specifier.startsWith(pattern.split('*')[0]!))
    );
  }

  /** Path of Node's types for a file, null where none are installed. */
  nodeTypes(fromFile: string): string | null {
    for (let at = dirname(fromFile); ; at = dirname(at)) {
      const path = join(at, 'node_modules/@types/node/index.d.ts');
      if (this.store.exists(path)) return realpathSync(path);
      if (dirname(at) === at) return null;
    }
  }

  /** Drops what was found and not found; the configs' options stay. */
  forgetMisses(): void {
    for (const scope of this.scopes.values()) scope.cache.clear();
  }

  /** What lies where an import could lead. When it changes, an import that led nowhere may lead somewhere. */
  probe(specifier: string, fromFile: string): string {
    if (isBuiltin(specifier)) return '';
    if (specifier.startsWith('.')) {
      const base = join(dirname(fromFile), specifier).replace(/\.[mc]?jsx?$/, '');
      return PROBED.filter((end) => this.store.exists(base + end)).join(' ');
    }
    const name = specifier
      .split('/')
      .slice(0, specifier.startsWith('@') ? 2 : 1)
      .join('/');
    const found: string[] = [];
    for (let at = dirname(fromFile); dirname(at) !== at; at = dirname(at)) {
      for (const folder of [name, `@types/${name.replace(/^@/, '').replace('/', '__')}`]) {
        const stat = statSync(join(at, 'node_modules', folder, 'package.json'), { throwIfNoEntry: false });
        if (stat) found.push(`${at} ${stat.mtimeMs}`);
      }
    }
    return found.join(' ');
  }

  /** True once a config that was read has changed. */
  isStale(): boolean {
    return (
      [...this.configs].some(([path, hash]) => this.store.hash(path) !== hash) ||
      [...this.nearest].some(([folder, path]) => this.findConfig(folder) !== path)
    );
  }

  private readonly host = {
    fileExists: (path: string) => this.store.exists(path),
    readFile: (path: string) => this.store.text(path) ?? undefined,
    directoryExists: (path: string) => this.store.folderExists(path),
    getDirectories: (path: string) =>
      readdirSync(path, { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map((entry) => entry.name),
    realpath: (path: string) => {
      try {
        return realpathSync(path);
      } catch {
        return path;
      }
    },
    useCaseSensitiveFileNames: true,
  };

  private scopeOf(folder: string): Scope {
    const config = this.nearestConfig(folder);
    let scope = this.scopes.get(config);
    if (!scope) {
      const options = config === '' ? COMPILER_OPTIONS : this.readOptions(config);
      scope = { options, cache: ts.createModuleResolutionCache(dirname(config) || '/', (name) => name, options) };
      this.scopes.set(config, scope);
    }
    return scope;
  }

  private nearestConfig(folder: string): string {
    const known = this.nearest.get(folder);
    if (known !== undefined) return known;
    const path = this.findConfig(folder);
    this.nearest.set(folder, path);
    return path;
  }

  private findConfig(folder: string): string {
    return nearestConfig(folder, this.host) ?? '';
  }

  private readOptions(path: string): ts.CompilerOptions {
    const readFile = (each: string): string | undefined => {
      this.configs.set(each, this.store.hash(each));
      return this.store.text(each) ?? undefined;
    };
    const fileExists = (each: string): boolean => this.store.exists(each);
    return { ...COMPILER_OPTIONS, ...importOptions(configOptions(path, { fileExists, readFile })) };
  }
}
