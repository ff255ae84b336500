/**
 * The user's own files behind a tool file: what it imports, and the data files that it names. Read, never run; bounded
 * in number and size.
 */
import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { ts } from 'ts-morph';
import { configOptions, importOptions, nearestConfig } from '../../base/tsconfig';

export interface GraphFile {
  path: string;
  text: string;
}

const MOST_FILES = 80;
const MOST_BYTES = 1_000_000;
const CODE = /\.[cm]?[jt]sx?$/;
/** What a data file may be called. */
export const DATA = /\.(json|jsonl|ndjson|csv|tsv)$/i;

/**
 * The files themselves and what they import, in the order in which they are met; packages and declarations are left
 * out.
 */
export function moduleGraph(entries: readonly string[]): GraphFile[] {
  const files: GraphFile[] = [];
  const seen = new Set<string>();
  const queue = entries.filter((path) => isAbsolute(path));
  while (queue.length > 0 && files.length < MOST_FILES) {
    const file = readSmall(queue.shift()!);
    if (!file || seen.has(file.path)) continue;
    seen.add(file.path);
    files.push(file);
    if (CODE.test(file.path)) queue.push(...importsOf(file));
  }
  return files;
}

/** The file by its real path; null where it is none, too large, or can't be read. */
function readSmall(path: string): GraphFile | null {
  try {
    const real = realpathSync(path);
    const stats = statSync(real);
    return stats.isFile() && stats.size <= MOST_BYTES ? { path: real, text: readFileSync(real, 'utf8') } : null;
  } catch {
    return null;
  }
}

/**
 * A data file that a text in the code names, sought where its host may read it: beside the code, one folder below it,
 * or in the workspace.
 * @param names parts of a path as they stand in the code: 'data', 'rooms.json'; @param parts other texts of the file
 * that may be folders
 */
export function dataFile(
  names: readonly string[],
  parts: readonly string[],
  from: string,
  workspace: string | undefined,
): GraphFile | null {
  const folder = dirname(from);
  const roots = [folder, ...(workspace === undefined ? [] : [workspace])];
  const tails = [
    ...names.map((_, i) => join(...names.slice(i))),
    ...parts.map((part) => join(part, names.at(-1)!)),
    ...below(folder).map((part) => join(part, names.at(-1)!)),
  ];
  for (const root of roots) {
    for (const tail of tails) {
      const file = readSmall(resolve(root, tail));
      if (file && roots.some((each) => isInside(file.path, each))) return file;
    }
  }
  return null;
}

const MOST_FOLDERS = 50;

function below(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && entry.name !== 'node_modules' && !entry.name.startsWith('.'))
      .map(({ name }) => name)
      .slice(0, MOST_FOLDERS);
  } catch {
    return [];
  }
}

function isInside(path: string, folder: string): boolean {
  let root = folder;
  try {
    root = realpathSync(folder);
  } catch {
    return false;
  }
  const way = relative(root, path);
  return way !== '' && !way.startsWith(`..${sep}`) && way !== '..' && !isAbsolute(way);
}

function importsOf({ path, text }: GraphFile): string[] {
  const { importedFiles } = ts.preProcessFile(text, true, true);
  const required = [...text.matchAll(/\brequire\(\s*['"]([^'"]+)['"]\s*\)/g)].map((match) => match[1]!);
  const out: string[] = [];
  for (const specifier of new Set([...importedFiles.map(({ fileName }) => fileName), ...required])) {
    const { resolvedModule } = ts.resolveModuleName(specifier, path, optionsFor(dirname(path)), ts.sys);
    const file = resolvedModule?.resolvedFileName;
    if (file && !file.includes(`${sep}node_modules${sep}`) && !/\.d\.[cm]?ts$/.test(file)) out.push(file);
  }
  return out;
}

/** Where the user's tsconfig leads imports. */
function optionsFor(folder: string): ts.CompilerOptions {
  const config = nearestConfig(folder);
  return importOptions(config === null ? {} : configOptions(config));
}
