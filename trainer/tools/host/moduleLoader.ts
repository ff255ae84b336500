/**
 * Loads the user's own files as CommonJS, fresh in each rollout; packages and built-ins come from the host and are shared.
 * Scripts are compiled once per host. A file that awaits at top level is loaded in the order ES modules have: its imports first.
 */
import { createRequire, isBuiltin } from 'node:module';
import { dirname, isAbsolute } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Script } from 'node:vm';
import type { PreparedModule } from './hostMessages';
import { adoptPolyfills, type Realm } from './realm';
import { keepSharedState, restoreSharedState, watchBuiltIn } from './sharedState';

interface LoadedModule {
  exports: unknown;
  id: string;
  filename: string;
  loaded: boolean;
}

type Wrapper = (exports: unknown, require: unknown, module: LoadedModule, filename: string, dirname: string, importMeta: object) => void | Promise<void>;

/** The user's code of a run, with its compiled scripts. */
export class ModuleLibrary {
  private readonly scripts = new Map<string, Script>();
  private readonly nativeRequires = new Map<string, NodeJS.Require>();
  private readonly awaiting = new Map<string, boolean>();
  private readonly packages = new Set<string>();

  constructor(private readonly modules: Record<string, PreparedModule>) {}

  module(file: string): PreparedModule {
    const prepared = this.modules[file];
    if (!prepared) throw new Error(`the file ${file} was not prepared for this run`);
    return prepared;
  }

  script(file: string): Script {
    let script = this.scripts.get(file);
    if (!script) {
      const { code, hasTopLevelAwait } = this.module(file);
      const head = `(${hasTopLevelAwait ? 'async ' : ''}function (exports, require, module, __filename, __dirname, __importMeta) {`;
      script = new Script(`${head}${code}\n})`, { filename: file, columnOffset: -head.length });
      this.scripts.set(file, script);
    }
    return script;
  }

  nativeRequire(file: string): NodeJS.Require {
    let native = this.nativeRequires.get(file);
    if (!native) this.nativeRequires.set(file, (native = createRequire(file)));
    return native;
  }

  isPackageLoaded(file: string, specifier: string): boolean {
    return this.packages.has(`${file}\n${specifier}`);
  }

  markPackageLoaded(file: string, specifier: string): void {
    this.packages.add(`${file}\n${specifier}`);
  }

  /** Whether the file or anything that it imports awaits at top level. */
  awaits(file: string, seen = new Set<string>()): boolean {
    const known = this.awaiting.get(file);
    if (known !== undefined) return known;
    if (seen.has(file)) return false;
    seen.add(file);
    const prepared = this.module(file);
    const answer = prepared.hasTopLevelAwait || Object.values(prepared.ownImports).some((target) => this.awaits(target, seen));
    if (seen.values().next().value === file) this.awaiting.set(file, answer);
    return answer;
  }
}

/** The module instances of one rollout. */
export class ModuleLoader {
  private readonly loaded = new Map<string, LoadedModule>();
  private readonly loading = new Map<string, Promise<void>>();

  constructor(private readonly library: ModuleLibrary, private readonly realm: Realm) {}

  /** True when `load` would meet a top-level await that `loadAsync` has not yet carried out. */
  needsAsync(file: string): boolean {
    return !this.loaded.has(file) && this.library.awaits(file);
  }

  /** @returns the exports; for a cycle, what is there so far */
  load(file: string): unknown {
    const present = this.loaded.get(file);
    if (present) return present.exports;
    const module = this.register(file);
    try {
      const pending = this.evaluate(file, module);
      if (pending) throw new Error(`${file} awaits at top level and cannot be loaded by require`);
    } catch (error) {
      this.loaded.delete(file); // as Node does: the next require tries again
      throw error;
    }
    module.loaded = true;
    return module.exports;
  }

  /** Loads a graph with top-level await: imports first, each awaited. */
  loadAsync(file: string): Promise<void> {
    let work = this.loading.get(file);
    if (!work) this.loading.set(file, (work = this.loadInOrder(file, new Set())));
    return work;
  }

  private async loadInOrder(file: string, path: Set<string>): Promise<void> {
    if (this.loaded.has(file) || path.has(file)) return;
    path.add(file);
    for (const target of Object.values(this.library.module(file).ownImports)) await this.loadInOrder(target, path);
    if (this.loaded.has(file)) return;
    const module = this.register(file);
    try {
      await this.evaluate(file, module);
    } catch (error) {
      this.loaded.delete(file);
      this.loading.delete(file);
      throw error;
    }
    module.loaded = true;
  }

  private register(file: string): LoadedModule {
    const module = { exports: this.realm.tools.parse('{}'), id: file, filename: file, loaded: false };
    this.loaded.set(file, module);
    return module;
  }

  private evaluate(file: string, module: LoadedModule): void | Promise<void> {
    const prepared = this.library.module(file);
    if (prepared.isJson) {
      module.exports = this.realm.tools.parse(prepared.code);
      return;
    }
    const wrapper = this.library.script(file).runInContext(this.realm.context) as Wrapper;
    const folder = dirname(file);
    return wrapper.call(module.exports, module.exports, this.requireFor(file), module, file, folder, { url: pathToFileURL(file).href, filename: file, dirname: folder });
  }

  private requireFor(file: string): (specifier: string) => unknown {
    const { ownImports } = this.library.module(file);
    const native = this.library.nativeRequire(file);
    const require = (specifier: string): unknown => {
      const own = ownImports[specifier];
      if (own !== undefined) return this.load(own);
      if (specifier === 'process' || specifier === 'node:process') return this.realm.process;
      if (specifier === 'vscode') throw new Error("the module 'vscode' exists only inside the editor; a tool cannot import its values");
      if (specifier.startsWith('.') || isAbsolute(specifier)) {
        throw new Error(`${file} loads '${specifier}' in a way that cannot be seen beforehand; import it by a literal path`);
      }
      return isBuiltin(specifier) ? builtIn(native, specifier) : this.packageOf(native, file, specifier);
    };
    return Object.assign(require, { resolve: native.resolve, cache: {}, main: undefined });
  }

  /** What a package patches while it loads is part of the host from then on. */
  private packageOf(native: NodeJS.Require, file: string, specifier: string): unknown {
    if (this.library.isPackageLoaded(file, specifier)) return native(specifier);
    restoreSharedState();
    const exports = native(specifier) as unknown;
    adoptPolyfills(this.realm);
    keepSharedState();
    this.library.markPackageLoaded(file, specifier);
    return exports;
  }
}

function builtIn(native: NodeJS.Require, specifier: string): unknown {
  const exports = native(specifier) as unknown;
  watchBuiltIn(specifier.replace(/^node:/, ''), exports);
  return exports;
}

/** After an interruption: a package that was half loaded is forgotten, so that the next rollout does not get half of it. */
export function forgetHalfLoadedPackages(): void {
  const { cache } = createRequire(__filename);
  for (const [path, module] of Object.entries(cache)) if (module && !module.loaded && path !== __filename) delete cache[path];
}
