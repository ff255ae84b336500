/**
 * The source files under a list of files and folders, in a stable order. Reads no file but ignore files and tsconfig.
 */
import { type Dirent, existsSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { configOptions } from '../../../../base/tsconfig';
import { type IgnoreRules, isGeneratedName, isIgnored, isSkippedFolder, rulesAround, rulesIn } from './ignoreRules';

export interface FileList {
  /** Files that may hold tools. */
  sources: string[];
  /** Of these, the ones that were asked for by name: they are taken although generated or ignored. */
  named: Set<string>;
  /** Declaration files met on the way: they hold no tools, but may declare global types. */
  declarations: string[];
  /** Paths that don't exist. */
  missing: string[];
}

/**
 * @param paths files and folders; relative ones from the working folder
 * @param overlays absolute paths of unsaved texts; those below a folder of `paths` count although not on disk
 */
export function listFiles(paths: readonly string[], overlays: Iterable<string>): FileList {
  const list: FileList = { sources: [], named: new Set(), declarations: [], missing: [] };
  const seen = new Set<string>();
  const unsaved = [...overlays].map((path) => resolve(path));
  for (const given of paths) {
    const path = resolve(given);
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat?.isDirectory()) {
      const rules = rulesAround(path);
      visitFolder(path, rules, list, seen);
      for (const each of unsaved)
        if (each.startsWith(`${path}/`) && isReachable(path, each, rules)) addFile(each, list, seen);
    } else if (stat?.isFile() || unsaved.includes(path)) {
      if (path.includes('/node_modules/')) continue;
      list.named.add(path);
      addFile(path, list, seen);
    } else {
      list.missing.push(path);
    }
  }
  return list;
}

/** `.ts .tsx .mts .cts .js .mjs .cjs .jsx`, declaration files too. */
function isSourceName(name: string): boolean {
  return /\.[mc]?[jt]s$|\.[jt]sx$/.test(name);
}

function isDeclarationName(name: string): boolean {
  return /\.d\.([^./]+\.)?[mc]?ts$/.test(name);
}

function visitFolder(folder: string, inherited: IgnoreRules | null, list: FileList, seen: Set<string>): void {
  let entries: Dirent[];
  try {
    entries = readdirSync(folder, { withFileTypes: true });
  } catch {
    return; // not readable by us: as if it weren't there
  }
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  const hasRules = entries.some(({ name }) => name === '.gitignore');
  const rules = hasRules && inherited?.folder !== folder ? rulesIn(folder, inherited) : inherited;
  const output = entries.some(({ name }) => name === 'tsconfig.json') ? outputFolder(folder) : null;
  const folders: string[] = [];
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      if (!isSkippedFolder(entry.name) && path !== output && !isIgnored(path, true, rules)) folders.push(path);
    } else if (isSourceName(entry.name) && !isGeneratedName(entry.name) && !isIgnored(path, false, rules)) {
      if (entry.isFile()) addFile(path, list, seen);
      else if (entry.isSymbolicLink() && existsSync(path) && statSync(path).isFile())
        addFile(realpathSync(path), list, seen);
    }
  }
  for (const each of folders) visitFolder(each, rules, list, seen);
}

function addFile(path: string, list: FileList, seen: Set<string>): void {
  if (seen.has(path) || !isSourceName(path)) return;
  seen.add(path);
  (isDeclarationName(path) ? list.declarations : list.sources).push(path);
}

/** Whether a file that isn't on disk would be met by the walk. */
function isReachable(folder: string, path: string, rules: IgnoreRules | null): boolean {
  const parts = path.slice(folder.length + 1).split('/');
  let at = folder;
  let known = rules;
  for (const [i, part] of parts.entries()) {
    at = join(at, part);
    const isFolder = i < parts.length - 1;
    if (isIgnored(at, isFolder, known) || (isFolder ? isSkippedFolder(part) : isGeneratedName(part))) return false;
    if (isFolder && existsSync(at)) known = rulesIn(at, known);
  }
  return true;
}

/** Where the tsconfig of the folder, or one that it extends, has its output written. */
function outputFolder(folder: string): string | null {
  const path = configOptions(join(folder, 'tsconfig.json')).outDir;
  return path === undefined || resolve(path) === folder ? null : resolve(path);
}
