/**
 * Where the imports of the user's own files lead, by their tsconfig and package.json; nothing is executed, no plugin
 * is loaded.
 */
import { realpathSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join, sep } from 'node:path';
import { ts } from 'ts-morph';
import { configOptions, importOptions, nearestConfig } from '../../base/tsconfig';
import { readTextFile } from '../../base/storage';

export interface ImportResolver {
  /** How the file's code is to behave: decorators, JSX. */
  optionsFor(file: string): ts.CompilerOptions;
  /** Absolute path of the user's own file that is meant, or undefined for built-ins, packages and what is not there. */
  resolve(specifier: string, from: string): string | undefined;
  /** Whether Node takes the file for an ES module by its name or the package.json above it. */
  isNodeEsModule(file: string): boolean;
}

export function importResolver(): ImportResolver {
  const userOptions = remembered(readUserOptions);
  const isModuleFolder = remembered((folder: string): boolean => {
    const type = packageType(folder);
    if (type !== undefined || dirname(folder) === folder) return type === 'module';
    return isModuleFolder(dirname(folder));
  });
  const resolved = new Map<string, string | undefined>();
  return {
    optionsFor: (file) => emitOptions(userOptions(dirname(file))),
    isNodeEsModule: (file) => /\.m[jt]s$/.test(file) || (!/\.c[jt]s$/.test(file) && isModuleFolder(dirname(file))),
    resolve(specifier, from) {
      if (isBuiltin(specifier)) return undefined;
      const folder = dirname(from);
      const key = `${folder}\n${specifier}`;
      if (!resolved.has(key))
        resolved.set(
          key,
          assetFile(specifier, folder) ?? resolveImport(specifier, from, importOptions(userOptions(folder))),
        );
      return resolved.get(key);
    },
  };
}

/** What bundlers take beside code: a style sheet is nothing to a tool, a picture is its path. */
export const isStyleSheet = (file: string): boolean => /\.(css|scss|sass|less|styl)$/i.test(file);
export const isAsset = (file: string): boolean =>
  isStyleSheet(file) || /\.(svg|png|jpe?g|gif|webp|avif|ico|woff2?|ttf|mp3|wav|mp4|webm|pdf)$/i.test(file);

function assetFile(specifier: string, folder: string): string | undefined {
  const path = /^\.{1,2}\//.test(specifier) && isAsset(specifier) ? join(folder, specifier) : undefined;
  return path !== undefined && ts.sys.fileExists(path) ? path : undefined;
}

function remembered<T>(read: (folder: string) => T): (folder: string) => T {
  const known = new Map<string, T>();
  return (folder) => {
    if (!known.has(folder)) known.set(folder, read(folder));
    return known.get(folder) as T;
  };
}

/** Undefined where there is no package.json; one that is not JSON has no type, as for Node without its error. */
function packageType(folder: string): string | undefined {
  const path = join(folder, 'package.json');
  if (!ts.sys.fileExists(path)) return undefined;
  try {
    return (JSON.parse(readTextFile(path)) as { type?: string } | null)?.type ?? 'commonjs';
  } catch {
    return 'commonjs';
  }
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

function readUserOptions(folder: string): ts.CompilerOptions {
  const config = nearestConfig(folder);
  return config === null ? {} : configOptions(config);
}

const BEHAVIOUR = [
  'experimentalDecorators',
  'emitDecoratorMetadata',
  'useDefineForClassFields',
  'jsxFactory',
  'jsxFragmentFactory',
  'jsxImportSource',
] as const;

function emitOptions(user: ts.CompilerOptions): ts.CompilerOptions {
  const kept: ts.CompilerOptions = {};
  for (const name of BEHAVIOUR) if (user[name] !== undefined) kept[name] = user[name] as never;
  return {
    ...kept,
    module: ts.ModuleKind.CommonJS,
    target: ts.ScriptTarget.ES2022,
    jsx: user.jsx === undefined || user.jsx === ts.JsxEmit.Preserve ? ts.JsxEmit.ReactJSX : user.jsx,
    esModuleInterop: true,
    allowJs: true,
    alwaysStrict: false, // ES modules are strict all the same; a CommonJS script is what it says
    isolatedModules: true,
    declaration: false,
  };
}
