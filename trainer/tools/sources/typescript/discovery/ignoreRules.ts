/** What discovery leaves out of a folder: `.gitignore` rules, packages, generated files and build output. */
import { existsSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import ignore, { type Ignore } from 'ignore';
import { readTextFile } from '../../../../base/storage';

/** The rules that hold in a folder: those of its own ignore file, and of the folders above it. */
export interface IgnoreRules {
  /** The last folder that added rules. */
  folder: string;
  /** Patterns and paths are relative to this folder. */
  root: string;
  /** All rules together; the last one that matches decides, so those of nearer folders come later. */
  matcher: Ignore;
}

/** As git does unless it is told otherwise. */
const ignoreCase = process.platform === 'win32' || process.platform === 'darwin';

/** Rules that hold in a folder: its own `.gitignore`, and all up to the root of its git repository. */
export function rulesAround(folder: string): IgnoreRules | null {
  const chain: string[] = [];
  for (let at = folder; ; at = dirname(at)) {
    chain.unshift(at);
    if (existsSync(join(at, '.git'))) break;
    if (dirname(at) === at) return rulesIn(folder, null); // no repository: nothing above speaks for this folder
  }
  const rules = chain.reduce<IgnoreRules | null>((above, at) => rulesIn(at, above), null);
  return rules && openTo(folder, rules);
}

/** `above` itself where the folder has no ignore file. */
export function rulesIn(folder: string, above: IgnoreRules | null): IgnoreRules | null {
  const texts = [join('.git', 'info', 'exclude'), '.gitignore'] // the second goes before the first
    .map((name) => join(folder, name))
    .filter((path) => existsSync(path))
    .map((path) => readTextFile(path).replace(/^\uFEFF/, ''));
  if (texts.length === 0) return above;
  const root = above?.root ?? folder;
  const below = slashed(relative(root, folder));
  const patterns = texts.flatMap((text) => text.split(/\r?\n/)).map((line) => fromRoot(line, below));
  const matcher = ignore({ ignoreCase });
  if (above) matcher.add(above.matcher);
  return { folder, root, matcher: matcher.add(patterns.join('\n')) };
}

/** Whether a rule leaves a path out, or a folder that it lies in. */
export function isIgnored(path: string, isFolder: boolean, rules: IgnoreRules | null): boolean {
  if (!rules) return false;
  const inRoot = slashed(path.slice(rules.root.length).replace(/^[\\/]/, ''));
  return rules.matcher.ignores(isFolder ? `${inRoot}/` : inRoot);
}

/** A folder that somebody asks for is read although rules above it leave it out. */
function openTo(folder: string, rules: IgnoreRules): IgnoreRules {
  if (folder === rules.root || !isIgnored(folder, true, rules)) return rules;
  const parts = slashed(relative(rules.root, folder)).split('/');
  const opened = parts.map((_, i) => `!/${escaped(parts.slice(0, i + 1).join('/'))}/`);
  return { ...rules, matcher: ignore({ ignoreCase }).add(rules.matcher).add(opened) };
}

/** What a line of an ignore file below the root would be in the root's: there it names the folder that it holds in. */
function fromRoot(line: string, below: string): string {
  const [, not = '', pattern = ''] = /^(!?)(.*?)\/? *$/.exec(line) ?? [];
  if (below === '' || line.startsWith('#') || pattern === '') return line;
  const anywhere = pattern.includes('/') ? '' : '**/';
  return `${not}/${escaped(below)}/${anywhere}${line.slice(not.length).replace(/^\//, '')}`;
}

/** A path as a pattern that means this path alone. */
function escaped(path: string): string {
  return path.replace(/[\\*?[\] ]/g, '\\$&');
}

function slashed(path: string): string {
  return sep === '/' ? path : path.replaceAll(sep, '/');
}

/** Folders that never hold a user's own source. */
export function isSkippedFolder(name: string): boolean {
  return (
    name.startsWith('.') ||
    ['node_modules', 'bower_components', 'jspm_packages', 'dist', '__generated__', 'generated'].includes(name)
  );
}

export function isGeneratedName(name: string): boolean {
  return /\.(generated|gen|min|bundle)\.[mc]?[jt]sx?$/.test(name);
}

/** Says so in the comment at its top, or is compiled JavaScript with a source map. */
export function isGeneratedText(text: string, path: string): boolean {
  const head = /^(?:#!.*\n)?(?:\s*(?:\/\/[^\n]*|\/\*[\s\S]*?\*\/))*/.exec(text.slice(0, 2000))?.[0] ?? '';
  if (/@generated\b|\bdo not (edit|modify)\b|\bauto(matically)?[- ]?generated\b|^\/\/ Code generated\b/im.test(head))
    return true;
  return /\.[mc]?jsx?$/.test(path) && /^\/\/# sourceMappingURL=/m.test(text.slice(-2000));
}
