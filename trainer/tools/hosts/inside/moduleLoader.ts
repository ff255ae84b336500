/**
 * Loads the user's own files as CommonJS, fresh in each rollout; packages and built-ins come from the host. A host
 * whose packages a rollout has had is not given to the next.
 * Scripts are compiled once per host. A file that awaits at top level is loaded in the order ES modules have: its
 * imports first.
 */
import { createRequire, isBuiltin } from 'node:module';
import { dirname, isAbsolute, resolve, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Script } from 'node:vm';
import type { PreparedModule } from './hostMessages';
import { noteBuiltIn, noteEntered } from './entrances';
import { onlyDefines } from './definingPackages';
import { blame } from './loadFailure';
import { asNamespace, AwaitingPackage, type Packages } from './packages';
import type { Realm } from './realm';
import { watchBuiltIn, watchPackage } from './sharedState';
import { isTimedOut } from './timedRun';

interface LoadedModule {
  exports: unknown;
  id: string;
  filename: string;
  loaded: boolean;
}

type Load = (specifier: string) => unknown;
type Wrapper = (
  exports: unknown,
  require: Load,
  module: LoadedModule,
  filename: string,
  dirname: string,
  importMeta: object,
  importStatic: Load,
  importDynamic: (specifier: unknown) => Promise<unknown>,
  keep: <T>(key: string, value: T) => T,
) => void | Promise<void>;

const PARAMETERS =
  'exports, require, module, __filename, __dirname, __importMeta, __coachImport, __coachImportDynamic, __coachKeep';

/** The user's code of a run, with its compiled scripts. */
export class ModuleLibrary {
  private readonly scripts = new Map<string, Script>();
  private readonly awaiting = new Map<string, boolean>();

  constructor(
    private readonly modules: Record<string, PreparedModule>,
    readonly packages: Packages,
  ) {}

  has(file: string): boolean {
    return Object.hasOwn(this.modules, file);
  }

  module(file: string): PreparedModule {
    const prepared = this.has(file) ? this.modules[file] : undefined;
    if (!prepared) throw new Error(`the file ${file} was not prepared for this run`);
    return prepared;
  }

  /**
   * An ES module may declare `require` or `__filename`, so its text gets a function of its own inside the one that has
   * them as parameters.
   */
  script(file: string): Script {
    let script = this.scripts.get(file);
    if (!script) {
      const { code, hasTopLevelAwait, isEsModule } = this.module(file);
      const head =
        `(function (${PARAMETERS}) ` +
        `{${isEsModule ? `return (${hasTopLevelAwait ? 'async ' : ''}function () {` : ''}`;
      script = new Script(`${head}${code}\n${isEsModule ? '}).call(undefined)' : ''}})`, {
        filename: file,
        columnOffset: -head.length,
      });
      this.scripts.set(file, script);
    }
    return script;
  }

  /** Whether the file or anything that it imports awaits at top level. */
  awaits(file: string, seen = new Set<string>()): boolean {
    const known = this.awaiting.get(file);
    if (known !== undefined) return known;
    if (seen.has(file)) return false;
    seen.add(file);
    const prepared = this.module(file);
    const answer = prepared.hasTopLevelAwait || prepared.awaited.some((target) => this.awaits(target, seen));
    if (seen.values().next().value === file) this.awaiting.set(file, answer);
    return answer;
  }
}

/** The module instances of one rollout. */
export class ModuleLoader {
  private readonly loaded = new Map<string, LoadedModule>();
  private readonly loading = new Map<string, Promise<void>>();
  /** What definitions of tools gave, by file and span. */
  private readonly kept = new Map<string, unknown>();
  /** Files that got to a definition. */
  private readonly defining = new Set<string>();
  /** Those that are evaluated when they are asked for. */
  private readonly apart = new Map<string, () => unknown>();
  /** The file that is being evaluated; after an interruption, the one that was. */
  current = '';

  constructor(
    private readonly library: ModuleLibrary,
    private readonly realm: Realm,
  ) {}

  /** What the definition at the span gave when its file ran; undefined where the file did not get there. */
  keptValue(file: string, span: readonly [number, number]): unknown {
    const key = `${file}\n${span[0]}:${span[1]}`;
    const make = this.apart.get(key);
    if (make && !this.kept.has(key)) this.kept.set(key, make());
    return this.kept.get(key);
  }

  /** A package of the user's, as their file would get it. @throws where it is not installed */
  packageOf(specifier: string, file: string): unknown {
    return this.shared(specifier, file, 'import');
  }

  /** True when `load` would meet a top-level await that `loadAsync` has not yet carried out. */
  needsAsync(file: string): boolean {
    return !this.loaded.has(file) && this.library.awaits(file);
  }

  /** True before `load` of a program, whose `main()` goes on after it. */
  startsMain(file: string): boolean {
    return !this.loaded.has(file) && this.library.module(file).startsMain;
  }

  /** @returns the exports; for a cycle, what is there so far */
  load(file: string): unknown {
    const present = this.loaded.get(file);
    if (present) return present.exports;
    if (this.library.module(file).hasTopLevelAwait)
      throw new Error(`${file} awaits at top level and cannot be loaded by require`);
    const importer = this.current;
    const module = this.register(file);
    try {
      void this.evaluate(file, module);
    } catch (error) {
      if (!this.isDefinedBefore(file, error)) {
        this.loaded.delete(file); // as Node does: the next require tries again
        blame(error, { file });
        throw error;
      }
    } finally {
      this.current = importer; // an interruption runs no `finally`
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

  /** What `import()` gives. */
  async import(specifier: unknown, from: string): Promise<unknown> {
    const wanted = String(specifier);
    const { ownImports } = this.library.module(from);
    const own = Object.hasOwn(ownImports, wanted) ? ownImports[wanted] : this.ownFile(wanted, from);
    for (;;) {
      try {
        if (own === undefined) return asNamespace(this.shared(wanted, from, 'import'));
        if (this.needsAsync(own)) await this.loadAsync(own);
        return this.namespaceOf(own);
      } catch (error) {
        if (!(error instanceof AwaitingPackage)) throw error;
        await this.library.packages.importAsync(error.url, this.realm, false);
      }
    }
  }

  private async loadInOrder(file: string, path: Set<string>): Promise<void> {
    if (this.loaded.has(file) || path.has(file)) return;
    path.add(file);
    for (const target of this.library.module(file).awaited) await this.loadInOrder(target, path);
    if (this.loaded.has(file)) return;
    const module = this.register(file);
    try {
      await this.evaluate(file, module);
    } catch (error) {
      if (!this.isDefinedBefore(file, error)) {
        this.loaded.delete(file);
        this.loading.clear();
        blame(error, { file });
        throw error;
      }
    }
    module.loaded = true;
  }

  /**
   * A program that defines tools and then fails, its port is taken or a key missing, has its tools. The error goes the
   * way of those that no call waits for.
   */
  private isDefinedBefore(file: string, error: unknown): boolean {
    if (!this.defining.has(file) || error instanceof AwaitingPackage || isTimedOut(error)) return false;
    void Promise.reject(error);
    return true;
  }

  private register(file: string): LoadedModule {
    const module = { exports: this.realm.tools.parse('{}'), id: file, filename: file, loaded: false };
    this.loaded.set(file, module);
    return module;
  }

  private evaluate(file: string, module: LoadedModule): void | Promise<void> {
    const prepared = this.library.module(file);
    this.current = file;
    if (prepared.isJson) {
      module.exports = this.realm.tools.parse(prepared.code);
      return;
    }
    const wrapper = this.library.script(file).runInContext(this.realm.context) as Wrapper;
    const folder = dirname(file);
    const meta = {
      url: pathToFileURL(file).href,
      filename: file,
      dirname: folder,
      resolve: (specifier: unknown) => this.resolve(String(specifier), file),
    };
    const importStatic = (specifier: string) => this.importStatic(specifier, file);
    const importDynamic = (specifier: unknown) => this.import(specifier, file);
    const keep = <T>(key: string, value: T, isApart?: boolean): T => {
      if (isApart) this.apart.set(`${file}\n${key}`, value as () => unknown);
      else {
        this.kept.set(`${file}\n${key}`, value);
        this.defining.add(file);
      }
      return value;
    };
    return wrapper.call(
      module.exports,
      module.exports,
      this.requireOf(file),
      module,
      file,
      folder,
      meta,
      importStatic,
      importDynamic,
      keep,
    );
  }

  private importStatic(specifier: string, from: string): unknown {
    const { ownImports, isNodeEsModule } = this.library.module(from);
    const own = ownImports[specifier];
    if (own === undefined) return this.shared(specifier, from, 'import');
    return isNodeEsModule ? this.namespaceOf(own) : this.load(own);
  }

  /** A CommonJS file as an ES module sees it; JSON stays itself, for default and named imports alike. */
  private namespaceOf(file: string): unknown {
    const exports = this.load(file);
    const { isEsModule, isJson } = this.library.module(file);
    return isEsModule || isJson ? exports : asNamespace(exports);
  }

  private requireOf(file: string): Load {
    const { packages } = this.library;
    const own = (specifier: string) => this.library.module(file).ownImports[specifier] ?? this.ownFile(specifier, file);
    const require = (specifier: string): unknown => {
      const target = own(specifier);
      return target === undefined ? this.shared(specifier, file, 'require') : this.load(target);
    };
    const resolve = (specifier: string) => own(specifier) ?? packages.nativeRequire(file).resolve(specifier);
    return Object.assign(require, { resolve, cache: {}, main: undefined });
  }

  /** `import.meta.resolve` */
  private resolve(specifier: string, from: string): string {
    const own = this.library.module(from).ownImports[specifier];
    if (own !== undefined) return pathToFileURL(own).href;
    return /^(\.|\/|file:)/.test(specifier)
      ? new URL(specifier, pathToFileURL(from)).href
      : this.library.packages.resolve(specifier, from);
  }

  /** A prepared file that a computed path leads to. */
  private ownFile(specifier: string, from: string): string | undefined {
    const path = pathOf(specifier, from);
    return path !== undefined && this.library.has(path) ? path : undefined;
  }

  /** What the host has for all rollouts: built-ins and packages. */
  private shared(specifier: string, from: string, way: 'import' | 'require'): unknown {
    const { packages } = this.library;
    try {
      const name = specifier.replace(/^node:/, '');
      if (name === 'process') return this.realm.process;
      noteBuiltIn(name);
      if (name === 'module') return this.moduleBuiltIn();
      if (specifier === 'vscode')
        throw new Error("the module 'vscode' exists only inside the editor; a tool cannot import its values");
      if (isBuiltin(specifier)) return builtIn(packages.nativeRequire(from), specifier);
      this.checkPath(specifier, from);
      const exports =
        way === 'require'
          ? packages.require(specifier, from, this.realm)
          : packages.import(specifier, from, this.library.module(from).isNodeEsModule, this.realm);
      if (onlyDefines(specifier)) for (const each of [exports, asNamespace(exports)]) watchPackage(each);
      else noteEntered(); // the state of packages is theirs: the next rollout gets a new host
      return exports;
    } catch (error) {
      blame(error, { file: from, specifier });
      throw error;
    }
  }

  /** A path of the user's that was not prepared; files inside node_modules count as packages. */
  private checkPath(specifier: string, from: string): void {
    const path = pathOf(specifier, from);
    if (path === undefined || path.includes(`${sep}node_modules${sep}`)) return;
    if (this.library.module(from).missing.includes(specifier))
      throw notFound(`Cannot find module '${specifier}' imported from ${from}`);
    throw new Error(
      `${from} loads '${specifier}' in a way that cannot be seen beforehand; import it by a literal path`,
    );
  }

  /** `node:module`, whose createRequire gives the user's own files fresh, too. */
  private moduleBuiltIn(): unknown {
    const real = builtIn(createRequire(__filename), 'module') as typeof import('node:module');
    const createOwn = (from: string | URL) => {
      const file = String(from).startsWith('file:') ? fileURLToPath(from) : String(from);
      return this.library.has(file) ? this.requireOf(file) : real.createRequire(from);
    };
    return Object.create(real, {
      ...Object.getOwnPropertyDescriptors(real),
      createRequire: { value: createOwn, enumerable: true, configurable: true, writable: true },
    }) as unknown;
  }
}

/** Undefined for names of packages and built-ins. */
function pathOf(specifier: string, from: string): string | undefined {
  if (specifier.startsWith('file:')) return fileURLToPath(specifier);
  return /^\.\.?($|[\\/])/.test(specifier) || isAbsolute(specifier) ? resolve(dirname(from), specifier) : undefined;
}

const notFound = (message: string): Error => Object.assign(new Error(message), { code: 'ERR_MODULE_NOT_FOUND' });

function builtIn(native: NodeJS.Require, specifier: string): unknown {
  const exports = native(specifier) as unknown;
  watchBuiltIn(specifier.replace(/^node:/, ''), exports);
  return exports;
}

/**
 * After an interruption: a package that was half loaded is forgotten, so that the next rollout does not get half of
 * it.
 */
export function forgetHalfLoadedPackages(): void {
  const { cache } = createRequire(__filename);
  for (const [path, module] of Object.entries(cache))
    if (module && !module.loaded && path !== __filename) delete cache[path];
}
