/**
 * What a project's tsconfig says, read by TypeScript itself, with all that it extends. The files that it lists are not
 * looked for, and no plugin is loaded.
 */
import { dirname, join } from 'node:path';
import { ts } from 'ts-morph';

/** Where configs lie: on the disk, unless somebody knows better. */
type ConfigFiles = Pick<ts.ParseConfigHost, 'fileExists' | 'readFile'>;

/** The tsconfig.json or jsconfig.json that speaks for a folder; null where there is none. */
export function nearestConfig(folder: string, files: ConfigFiles = ts.sys): string | null {
  for (let at = folder; ; at = dirname(at)) {
    for (const name of ['tsconfig.json', 'jsconfig.json']) if (files.fileExists(join(at, name))) return join(at, name);
    if (dirname(at) === at) return null;
  }
}

/** Paths in it are full ones. Of a config with a mistake, the rest counts. */
export function configOptions(path: string, files: ConfigFiles = ts.sys): ts.CompilerOptions {
  const { config } = ts.readConfigFile(path, (each) => files.readFile(each)) as { config?: unknown };
  const host: ts.ParseConfigHost = {
    useCaseSensitiveFileNames: ts.sys.useCaseSensitiveFileNames,
    readDirectory: () => [],
    fileExists: (each) => files.fileExists(each),
    readFile: (each) => files.readFile(each),
  };
  return ts.parseJsonConfigFileContent(config ?? {}, host, dirname(path), undefined, path).options;
}

/** Options by which `ts.resolveModuleName` follows the imports of a project: the same for all who follow them. */
export function importOptions(user: ts.CompilerOptions): ts.CompilerOptions {
  const { baseUrl, paths, pathsBasePath, rootDirs, customConditions, moduleSuffixes } = user;
  return {
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    allowJs: true,
    resolveJsonModule: true,
    allowImportingTsExtensions: true,
    ...(baseUrl !== undefined && { baseUrl }),
    ...(paths && { paths }),
    ...(pathsBasePath !== undefined && { pathsBasePath }),
    ...(rootDirs && { rootDirs }),
    ...(customConditions && { customConditions }),
    ...(moduleSuffixes && { moduleSuffixes }),
  };
}
