/**
 * Packages of node_modules as the user's files see them, as the host has them: a rollout that uses one is its last. An
 * import statement gets what Node's import gives (the `import` conditions of `exports`; ES modules, loaded by
 * `require` as far as they don't await at top level), `require` what require gives.
 */
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { types } from 'node:util';
import { adoptPolyfills, type Realm } from './realm';
import { keepSharedState, restoreSharedState } from './sharedState';

/** As `import.meta.resolve` with a parent. */
export type ResolveImport = (specifier: string, parentUrl: string) => string;

/** Node's own resolver of imports. Taken before the user's code runs; needs the flag of hostLaunch.ts. */
export async function nodeResolver(): Promise<ResolveImport> {
  const source = encodeURIComponent('export const resolve = import.meta.resolve;');
  // not a literal: a bundler would take it in
  const { resolve } = (await import(`data:text/javascript,${source}`)) as { resolve: ResolveImport };
  return resolve;
}

/** A package that awaits at top level: `Packages.importAsync(url)`, then try again. */
export class AwaitingPackage extends Error {
  constructor(
    readonly url: string,
    specifier: string,
  ) {
    super(`the package '${specifier}' awaits at top level and cannot be loaded by require`);
  }
}

export class Packages {
  private readonly nativeRequires = new Map<string, NodeJS.Require>();
  private readonly loaded = new Map<string, unknown>();
  /** Namespaces of packages that await at top level, by URL. */
  private readonly awaited = new Map<string, object>();

  constructor(private readonly resolveImport: ResolveImport) {}

  nativeRequire(file: string): NodeJS.Require {
    let native = this.nativeRequires.get(file);
    if (!native) this.nativeRequires.set(file, (native = createRequire(file)));
    return native;
  }

  /** URL of what an import of `file` means. */
  resolve(specifier: string, file: string): string {
    return this.resolveImport(specifier, pathToFileURL(file).href);
  }

  /** @param realm the polyfills of a package reach it, and the later ones */
  require(specifier: string, file: string, realm: Realm): unknown {
    return this.load(`require\n${file}\n${specifier}`, realm, () => this.nativeRequire(file)(specifier) as unknown);
  }

  /**
   * @param isNodeEsModule the importing file is an ES module for Node; else CommonJS is tried first, as tools that
   * compile TypeScript do
   * @throws AwaitingPackage
   */
  import(specifier: string, file: string, isNodeEsModule: boolean, realm: Realm): unknown {
    return this.load(`import\n${file}\n${specifier}`, realm, () => {
      if (isNodeEsModule) return asNamespace(this.byImport(specifier, file));
      try {
        return this.nativeRequire(file)(specifier) as unknown;
      } catch (error) {
        if (!REFUSED.has((error as { code?: string } | null)?.code ?? '')) throw error;
        return this.byImport(specifier, file);
      }
    });
  }

  /** @param isAlone no rollout is open, so that what the package patched is known to be its doing */
  async importAsync(url: string, realm: Realm, isAlone: boolean): Promise<void> {
    restoreSharedState();
    this.awaited.set(url, (await import(url)) as object);
    adoptPolyfills(realm);
    if (isAlone) keepSharedState();
  }

  /** What a package patches while it loads is part of the host from then on. */
  private load(key: string, realm: Realm, how: () => unknown): unknown {
    if (this.loaded.has(key)) return this.loaded.get(key);
    restoreSharedState();
    const exports = how();
    adoptPolyfills(realm);
    keepSharedState();
    this.loaded.set(key, exports);
    return exports;
  }

  private byImport(specifier: string, file: string): unknown {
    const url = this.resolve(specifier, file);
    const present = this.awaited.get(url);
    if (present) return present;
    try {
      return this.nativeRequire(file)(url.startsWith('file:') ? fileURLToPath(url) : url) as unknown;
    } catch (error) {
      if ((error as { code?: string } | null)?.code === 'ERR_REQUIRE_ASYNC_MODULE')
        throw new AwaitingPackage(url, specifier);
      throw error;
    }
  }
}

/**
 * `require` gave no answer, and import may: no such path for require, not found by its rules, an ES module that
 * awaits.
 */
const REFUSED = new Set([
  'ERR_PACKAGE_PATH_NOT_EXPORTED',
  'MODULE_NOT_FOUND',
  'ERR_REQUIRE_ESM',
  'ERR_REQUIRE_ASYNC_MODULE',
]);

const namespaces = new WeakMap<object, object>();

/** CommonJS exports as Node shows them to an ES module: the default is all of it, `__esModule` or not. */
export function asNamespace(exports: unknown): unknown {
  if (types.isModuleNamespaceObject(exports)) return exports;
  const isObject = (typeof exports === 'object' && exports !== null) || typeof exports === 'function';
  const known = isObject ? namespaces.get(exports) : undefined;
  if (known) return known;
  const namespace: Record<string, unknown> = { default: exports };
  Object.defineProperty(namespace, '__esModule', { value: true });
  for (const name of isObject ? Object.keys(exports) : []) {
    if (name === 'default' || name === '__esModule') continue;
    Object.defineProperty(namespace, name, {
      enumerable: true,
      configurable: true,
      get: () => (exports as Record<string, unknown>)[name],
    });
  }
  if (isObject) namespaces.set(exports, namespace);
  return namespace;
}
