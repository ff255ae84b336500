/**
 * Data in texts that tools return, as MCP servers do: JSON, "key: value" lines, lines with an id, paths, and the
 * entries of a listed folder.
 */
import { isRecord, type Arguments } from '../../protocol/arguments';
import { parseJson } from '../../base/json';
import { pythonLiteral } from './pythonLiteral';

/** A path in a result; its kind is in its key, as in a member of an object. */
type PathMember = { filePath: string } | { directoryPath: string };
export const isPathKey = (key: string): boolean => /^(filePath|directoryPath|filePattern)$/.test(key);

const MOST_LINES = 200;
const MOST_CHARS = 300;

/**
 * What stands in the text of a result that is one text, and the paths that a list of a folder's entries gives; [] of
 * all other results.
 */
export function textData(result: unknown, args: Arguments): unknown[] {
  const data = read(result, args);
  return [...data, ...patternsOf(data)];
}

function read(result: unknown, args: Arguments): unknown[] {
  const folder = folderOf(args);
  const text = wholeText(result);
  if (text === null) return folder === null ? [] : namedEntries(result, folder);
  const json = jsonIn(text) ?? pythonLiteral(text);
  if (json !== undefined) return [json, ...(folder === null ? [] : namedEntries(json, folder))];
  const lines = linesOf(text);
  const listed = folder === null ? [] : entriesIn(lines, folder);
  return [...recordsIn(lines), ...tableIn(lines), ...lines.flatMap(itemIn), ...pathsIn(lines), ...listed];
}

const linesOf = (text: string): string[] => text.split('\n', MOST_LINES).map((line) => line.slice(0, MOST_CHARS));

/** By which such files are found: *.md */
function patternsOf(data: readonly unknown[]): { filePattern: string }[] {
  const endings = data.flatMap((one) => (isRecord(one) && /\.\w+$/.exec(String(one.filePath ?? ''))) || []);
  return [...new Set(endings)].map((ending) => ({ filePattern: `*${ending}` }));
}

/** `'…'` or `{ content: '…' }`, as MCP servers answer; null: the result is data. */
export function wholeText(result: unknown): string | null {
  const [[key, only] = ['', result], ...more] = isRecord(result) ? Object.entries(result) : [];
  return typeof only === 'string' && more.length === 0 && /^(|content|text|result|output)$/.test(key) ? only : null;
}

/** All of a text, or what follows its first lines ("Found 3 tasks:"), with or without a fence. */
function jsonIn(text: string): unknown {
  const from = text.search(/[[{]/);
  const end = Math.max(text.lastIndexOf(']'), text.lastIndexOf('}')) + 1;
  const isOnLine = /(?:^|\n)[ \t]*$/.test(text.slice(Math.max(0, from - 80), from));
  if (from < 0 || end <= from || !isOnLine || /[^\s`]/.test(text.slice(end))) return undefined;
  try {
    return parseJson(text.slice(from, end));
  } catch {
    return undefined;
  }
}

const MEMBER = /^\s*(?:[-*•]\s+)?\*{0,2}(\p{L}[\p{L} _-]{0,28}?)\*{0,2}:\*{0,2}\s+(\S.*?)\s*$/u;

/** Blocks of two or more "Key: value" lines; where a key comes again, another thing begins. */
function recordsIn(lines: readonly string[]): Record<string, unknown>[] {
  const out: Record<string, unknown>[] = [];
  let open: Record<string, unknown> = {};
  const close = (): void => {
    if (Object.keys(open).length > 1) out.push(open);
    open = {};
  };
  for (const line of lines) {
    const [, name, text] = MEMBER.exec(line) ?? [];
    if (name === undefined || text === undefined) {
      close();
      continue;
    }
    const key = memberName(name);
    if (key in open) close();
    open[key] = scalarOf(text);
  }
  close();
  return out;
}

/** Due date -> dueDate, ID -> id, isFile as it is */
function memberName(words: string): string {
  const [first = '', ...rest] = words.split(/[\s_-]+/);
  const isShouted = first === first.toUpperCase();
  const head = isShouted ? first.toLowerCase() : first[0]!.toLowerCase() + first.slice(1);
  return head + rest.map((word) => word[0]!.toUpperCase() + word.slice(1).toLowerCase()).join('');
}

/** A table of Markdown: the line of dashes stands below the names of its columns. */
function tableIn(lines: readonly string[]): Record<string, unknown>[] {
  const at = lines.findIndex((line) => /^\s*\|?(\s*:?-{2,}:?\s*\|)+\s*(:?-{2,}:?\s*)?$/.test(line));
  if (at < 1) return [];
  const names = cellsOf(lines[at - 1]!).map((name) => (/^\p{L}[\p{L} _-]*$/u.test(name) ? memberName(name) : ''));
  const end = lines.findIndex((line, i) => i > at && !line.includes('|'));
  return lines.slice(at + 1, end < 0 ? undefined : end).map((line) => {
    const cells = cellsOf(line).map((cell, i) => [names[i] ?? '', scalarOf(cell.replace(/^\*\*|\*\*$/g, ''))] as const);
    return Object.fromEntries(cells.filter(([name, cell]) => name !== '' && cell !== ''));
  });
}

const cellsOf = (line: string): string[] =>
  line
    .trim()
    .replace(/^\||\|$/g, '')
    .split('|')
    .map((cell) => cell.trim());

const scalarOf = (text: string): string | number => (/^-?\d{1,15}(\.\d+)?$/.test(text) ? Number(text) : text);

const MARKS = /^[\s\-*•✓✔☐☑✅❌]*(?:\d+[.)]\s+)?(?:\[[ xX]?\]\s*)?/u;

/** "- Buy milk (ID: 3)", "T-12: Buy milk", "[t4] Buy milk" */
function itemIn(line: string): Record<string, unknown>[] {
  const item = line.replace(MARKS, '');
  const named = /^(.+?)\s*[([]\s*id\s*[:=#]?\s*([\w-]{1,40})\s*[)\]]/i.exec(item);
  const headed = /^\[?(#?\d{1,9}|[A-Za-z]{1,8}-?\d[\w-]{0,20})(?:\]|:|\.|\s[-–—])\s+(\p{L}.*)$/u.exec(item);
  const [id, text] = named ? [named[2]!, named[1]!] : [headed?.[1], headed?.[2]];
  if (id === undefined || text === undefined) return [];
  const title = text
    .split(/\s(?:[-–—(|[]|\(.*)|[:,]\s/)[0]!
    .replace(/^\W*\*\*|\*\*\W*$/g, '')
    .trim();
  return title.length < 2 || title.length > 60 ? [] : [{ id: scalarOf(id.replace(/^#/, '')), title }];
}

const PATH = /(?:^|[\s"'`(=])((?:~|\.{1,2})?\/[\w.@+~-][^\s"'`),;:|<>]*|[A-Z]:\\[^\s"'`),;:|<>]+)/g;

/** Paths of files and folders; those of web addresses are none, and what a line says to have failed. */
const pathsIn = (lines: readonly string[]): PathMember[] =>
  pathsOf(lines.filter((line) => !/\b(error|ENOENT|no such|not found|failed|denied|invalid)\b/i.test(line)));

function pathsOf(lines: readonly string[]): PathMember[] {
  const found = lines.flatMap((line) => [...line.matchAll(PATH)].map(([, path]) => path!.replace(/[.!?]$/, '')));
  return [...new Set(found)]
    .filter((path) => !/^\/(dev|proc|sys)\//.test(path))
    .map((path) => member(path, hasEnding(path)));
}

/** What a failure names that was not given: "path 'x' is outside the allowed repository '/srv/repo'". */
export function pathsNamed(failure: string, args: Arguments): PathMember[] {
  const given = Object.values(args).map(String);
  const isGiven = (path: string): boolean => given.some((one) => one !== '' && path.includes(one.replace(/^\.\//, '')));
  return pathsOf(linesOf(failure)).filter(
    (path) => !isGiven(pathOf(path)) && !/\.(js|ts|py|mjs|cjs)$/.test(pathOf(path)),
  );
}

const hasEnding = (path: string): boolean => /[^./\\]\.[A-Za-z][A-Za-z0-9]{0,7}$/.test(path);
const member = (path: string, isFile: boolean): PathMember => (isFile ? { filePath: path } : { directoryPath: path });

/** The folder that the call was about: its only argument that is written as a path. */
function folderOf(args: Arguments): string | null {
  const paths = Object.values(args).filter(
    (value): value is string =>
      typeof value === 'string' && /^\.{1,2}$|^[^\s]*[/\\][^\s]*$/.test(value) && !/:\/\//.test(value),
  );
  return paths.length === 1 && !hasEnding(paths[0]!) ? paths[0]! : null;
}

const ENTRY =
  /^\s*(?:[-*•]\s+)?(?:(\[(?:dir|directory|folder|d)\]|📁|🗂️?|dir\s|d\s)|(\[(?:file|f)\]|📄|file\s|f\s))?\s*([\w@.+~-][^\s/\\:]*(?: [^\s/\\:]+)*)(\/?)(?:\s{2,}.*|\s+\(.*)?\s*$/iu;

/** `[DIR] notes`, `📄 todo.md`, `lib/`, `a.txt    11 B`: entries of the folder that was listed. */
function entriesIn(lines: readonly string[], folder: string): PathMember[] {
  return lines.flatMap((line) => {
    const [, asFolder, asFile, name, slash] = ENTRY.exec(line) ?? [];
    if (name === undefined || !(asFolder || asFile || slash || hasEnding(name))) return [];
    return [
      member(joined(folder, name), !asFolder && !slash && (hasEnding(name) || /file|f\b|📄/iu.test(asFile ?? ''))),
    ];
  });
}

/** Lists of names, or of objects with a name, anywhere in what a folder gave; a tree's children stand below them. */
function namedEntries(value: unknown, folder: string, depth = 0): PathMember[] {
  if (typeof value !== 'object' || value === null || depth > MOST_FOLDERS) return [];
  if (!Array.isArray(value)) return Object.values(value).flatMap((member) => namedEntries(member, folder, depth + 1));
  const areFiles = value.some((item) => typeof item === 'string' && hasEnding(item));
  return value.flatMap((item) => {
    const entry = namedEntry(item, folder, areFiles);
    const within = typeof item === 'object' ? namedEntries(item, entry ? pathOf(entry) : folder, depth + 1) : [];
    return entry ? [entry, ...within] : within;
  });
}
const MOST_FOLDERS = 6;

const pathOf = (entry: PathMember): string => ('filePath' in entry ? entry.filePath : entry.directoryPath);

/** `'a.txt'` or `{ name: 'a.txt', type: 'file' }` in a list that a folder gave; beside files `'notes'` is a folder. */
function namedEntry(item: unknown, folder: string, areFiles: boolean): PathMember | null {
  const name = isRecord(item) ? (item.name ?? item.filename ?? item.fileName) : item;
  if (typeof name !== 'string' || !/^[\w@.+~-][^/\\:\n]{0,80}\/?$/.test(name)) return null;
  const kind = isRecord(item) ? String(item.type ?? item.kind ?? (item.isDirectory === true ? 'directory' : '')) : '';
  const isBare = areFiles && !isRecord(item) && !hasEnding(name);
  const isFolder = isBare || name.endsWith('/') || /^(dir|directory|folder)$/i.test(kind);
  if (!isFolder && !hasEnding(name) && !/^file$/i.test(kind)) return null;
  return member(joined(folder, name.replace(/\/$/, '')), !isFolder);
}

function joined(folder: string, name: string): string {
  if (folder === '.' || folder === './') return name;
  const separator = folder.includes('\\') ? '\\' : '/';
  return folder.endsWith(separator) ? folder + name : folder + separator + name;
}
