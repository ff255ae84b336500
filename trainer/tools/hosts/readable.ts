/**
 * What a tool host may read, so that no link leads out of it. Node's permission model looks at the path that is asked
 * for, not at where its links lead:
 * whoever may read a folder reads through each link in it. So links are looked for beforehand, and one that leaves is
 * not among what is granted.
 */
import { existsSync, lstatSync, readdirSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { UserError } from '../../protocol/result';

export interface Readable {
  /** files and folders to grant */
  paths: string[];
  /** links that are not followed, and why in words; path -> words */
  refused: Map<string, string>;
}

/** More is not looked through: a start must not take minutes. */
const MAX_ENTRIES = 1_000_000;
/** Of all grants together, since they stand in one command line. */
const MAX_GRANT_BYTES = process.platform === 'win32' ? 16_000 : 400_000;

/**
 * The workspace, the folders of the code, and each node_modules that Node would search from there, with the packages
 * that links in these lead to
 * (npm's workspaces, pnpm). Beside a link that leaves, what is granted is each file and folder by itself; its folder
 * can't be listed then.
 *
 * @param workspace absolute; @param codeFiles absolute paths of the user's own modules
 * @throws UserError where the workspace can't be granted without more than it
 */
export function readablePaths(workspace: string, codeFiles: readonly string[]): Readable {
  const home = realpathSync(workspace);
  if ([workspace, home].some((path) => path.includes('*')))
    throw new UserError(
      'tool',
      `${workspace}: its path holds a *, which Node's permission model reads as "anything"`,
      'Rename the folder.',
    );
  const roots = new Set([workspace, home]);
  const refused = new Map<string, string>();
  for (const folder of new Set(codeFiles.map((file) => dirname(file)))) {
    if (isBelow(folder, home) || isBelow(folder, workspace)) continue;
    const why = holds(folder, home)
      ? 'it holds the workspace'
      : holds(folder, homedir())
        ? 'it holds the home folder'
        : isHidden(folder, home)
          ? 'it is a hidden folder'
          : null;
    if (why === null) roots.add(folder);
    else refused.set(folder, `the folder ${folder}, which code is imported from, is not readable at run time: ${why}`);
  }
  const links = new Map<string, string>();
  for (const start of [...roots]) for (const modules of modulesAbove(start)) addModules(modules, home, roots, links);
  const seen = new Set<string>();
  const budget = { left: MAX_ENTRIES };
  for (const root of roots) {
    for (const [path, target] of linksBelow(root, seen, budget)) {
      links.set(path, target);
      if (basename(path) === 'node_modules') addModules(path, home, roots, links);
      // a Set goes on to what is added to it
      else if (isPackageLink(path) && isPackage(target, home)) roots.add(target);
    }
  }
  for (const [path, target] of links)
    if (![...roots].some((root) => isBelow(target, root)))
      refused.set(path, `the link ${path} leads out of the workspace, to ${target}`);
  refuseAliases(links, refused);
  if (budget.left <= 0)
    throw new UserError(
      'tool',
      `${workspace}: has more than ${MAX_ENTRIES} files, which can't be looked through for links that lead out of it`,
      'Open a smaller folder as the workspace.',
    );
  return { paths: grants(outermost([...roots]), [...refused.keys()]), refused };
}

const isBelow = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
const holds = (folder: string, path: string): boolean => isBelow(path, folder);
/** ~/.ssh, ~/.aws and their like, as seen from the workspace; pnpm's own folders are reached by links. */
export const isHidden = (folder: string, home: string): boolean =>
  relative(home, folder)
    .split(sep)
    .some((part) => /^\.[^.]/.test(part));
const outermost = (paths: string[]): string[] =>
  paths.filter((path) => !paths.some((other) => other !== path && isBelow(path, other)));

function modulesAbove(start: string): string[] {
  const found: string[] = [];
  for (let folder = start; ; folder = dirname(folder)) {
    const modules = join(folder, 'node_modules');
    if (existsSync(modules)) found.push(modules);
    if (dirname(folder) === folder) return found;
  }
}

/** A node_modules that is a link may lead to another node_modules, and nowhere else. */
function addModules(modules: string, home: string, roots: Set<string>, links: Map<string, string>): void {
  const target = realpathSync(modules);
  if (target !== modules && (basename(target) !== 'node_modules' || holds(target, home))) return;
  roots.add(modules).add(target);
  if (target !== modules) links.set(modules, target);
}

/**
 * A link that stays inside is another path to what lies behind it: where that holds what is refused, it is refused,
 * too.
 */
function refuseAliases(links: ReadonlyMap<string, string>, refused: Map<string, string>): void {
  for (let known = -1; known !== refused.size; ) {
    known = refused.size;
    for (const [path, target] of links) {
      const behind = refused.has(path) ? undefined : [...refused.keys()].find((one) => isBelow(one, target));
      if (behind !== undefined) refused.set(path, `the link ${path} is another way to ${behind}`);
    }
  }
}

function isPackageLink(path: string): boolean {
  const folder = dirname(path);
  return (
    basename(folder) === 'node_modules' ||
    (basename(folder).startsWith('@') && basename(dirname(folder)) === 'node_modules')
  );
}

const isPackage = (target: string, home: string): boolean =>
  !holds(target, home) &&
  !holds(target, homedir()) &&
  existsSync(join(target, 'package.json')) &&
  statSync(target).isDirectory();

/** Each link below a folder, with where it leads; a broken one by its words, since its end may be made later. */
function* linksBelow(root: string, seen: Set<string>, budget: { left: number }): Generator<[string, string]> {
  if (lstatSync(root).isSymbolicLink()) return; // its target is a root of its own
  const folders = [root];
  for (let folder = folders.pop(); folder !== undefined && budget.left > 0; folder = folders.pop()) {
    if (seen.has(folder)) continue;
    seen.add(folder);
    for (const entry of entriesOf(folder)) {
      budget.left--;
      const path = join(folder, entry.name);
      if (entry.isSymbolicLink()) yield [path, targetOf(path)];
      else if (entry.isDirectory()) folders.push(path);
    }
  }
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return []; // not ours to read, so not the host's either; or gone meanwhile
  }
}

function targetOf(link: string): string {
  try {
    return realpathSync(link);
  } catch {
    try {
      return resolve(realpathSync(dirname(link)), readlinkSync(link));
    } catch {
      return link; // gone meanwhile
    }
  }
}

/** The roots without what is refused; where that takes too many words, without the folder that holds the refused. */
function grants(roots: readonly string[], refused: readonly string[]): string[] {
  const paths = roots.flatMap((root) => without(root, refused));
  if (paths.reduce((sum, path) => sum + path.length + 20, 0) <= MAX_GRANT_BYTES) return paths;
  const folders = [...new Set(refused.map((path) => (roots.includes(dirname(path)) ? path : dirname(path))))];
  const [first] = folders;
  if (first === undefined)
    throw new UserError(
      'tool',
      `the code is imported from ${roots.length} folders, too many to name one by one`,
      'Bring it under fewer folders.',
    );
  if (folders.every((folder) => refused.includes(folder)))
    throw new UserError(
      'tool',
      `${dirname(first)}: holds links that lead out of the workspace beside too many files to name one by one`,
      `Remove these links: ${folders.slice(0, 3).join(', ')}.`,
    );
  return grants(roots, folders);
}

function without(path: string, refused: readonly string[]): string[] {
  const inside = refused.filter((one) => isBelow(one, path));
  if (inside.length === 0) return [path];
  if (inside.includes(path)) return [];
  return entriesOf(path)
    .filter(({ name }) => !name.includes('*'))
    .flatMap(({ name }) => without(join(path, name), inside));
}
