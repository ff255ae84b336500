/** What discovery leaves out of a folder: `.gitignore` rules, packages, generated files and build output. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

interface Rule {
  pattern: RegExp;
  isNegated: boolean;
  isFolderOnly: boolean;
}

/** The rules of one folder's ignore file, and those of the folders above it. */
export interface IgnoreRules {
  folder: string;
  rules: readonly Rule[];
  above: IgnoreRules | null;
}

/** Rules that hold in a folder: its own `.gitignore`, and all up to the root of its git repository. */
export function rulesAround(folder: string): IgnoreRules | null {
  const chain: string[] = [];
  for (let at = folder; ; at = dirname(at)) {
    chain.unshift(at);
    if (existsSync(join(at, '.git'))) break;
    if (dirname(at) === at) return rulesIn(folder, null); // no repository: nothing above speaks for this folder
  }
  return chain.reduce<IgnoreRules | null>((above, at) => rulesIn(at, above), null);
}

/** `above` itself where the folder has no ignore file. */
export function rulesIn(folder: string, above: IgnoreRules | null): IgnoreRules | null {
  const files = ['.gitignore', join('.git', 'info', 'exclude')]
    .map((name) => join(folder, name))
    .filter((path) => existsSync(path));
  const rules = files.flatMap((path) => parseRules(readFileSync(path, 'utf8')));
  return rules.length > 0 ? { folder, rules, above } : above;
}

/** The last rule that matches decides; a nearer file goes before one above it. */
export function isIgnored(path: string, isFolder: boolean, rules: IgnoreRules | null): boolean {
  for (let level = rules; level; level = level.above) {
    const relative = path.slice(level.folder.length + 1).replace(/\\/g, '/');
    for (let i = level.rules.length - 1; i >= 0; i--) {
      const rule = level.rules[i]!;
      if ((isFolder || !rule.isFolderOnly) && rule.pattern.test(relative)) return !rule.isNegated;
    }
  }
  return false;
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

function parseRules(text: string): Rule[] {
  return text.split(/\r?\n/).flatMap((raw) => {
    let line = raw.replace(/(?<!\\)\s+$/, '');
    if (line === '' || line.startsWith('#')) return [];
    const isNegated = line.startsWith('!');
    if (isNegated) line = line.slice(1);
    line = line.replace(/^\\([#!])/, '$1');
    const isFolderOnly = line.endsWith('/');
    if (isFolderOnly) line = line.slice(0, -1);
    const isAnchored = line.includes('/');
    const source = globSource(line.replace(/^\//, ''));
    return [{ pattern: new RegExp(`^${isAnchored ? '' : '(?:.*/)?'}${source}$`), isNegated, isFolderOnly }];
  });
}

function globSource(glob: string): string {
  let source = '';
  for (let i = 0; i < glob.length; i++) {
    const rest = glob.slice(i);
    if (rest.startsWith('**/')) {
      source += '(?:.*/)?';
      i += 2;
    } else if (rest.startsWith('/**') && rest.length === 3) {
      source += '/.*';
      i += 2;
    } else if (glob[i] === '*') {
      source += '[^/]*';
      while (glob[i + 1] === '*') i++;
    } else if (glob[i] === '?') source += '[^/]';
    else if (glob[i] === '[' && rest.indexOf(']') > 1) {
      const end = i + rest.indexOf(']');
      source += `[${glob
        .slice(i + 1, end)
        .replace(/^!/, '^')
        .replace(/\\/g, '\\\\')}]`;
      i = end;
    } else {
      if (glob[i] === '\\' && i + 1 < glob.length) i++;
      source += glob[i]!.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
    }
  }
  return source;
}
