/** Data files as values: JSON, JSON lines, and tables with a head line. */
import type { GraphFile } from './moduleGraph';
import { parseJson } from '../../base/json';

/** undefined: it can't be read as what its name says. */
export function readData({ path, text }: GraphFile): unknown {
  try {
    if (/\.json$/i.test(path)) return parseJson(text) as unknown;
    if (/\.(jsonl|ndjson)$/i.test(path))
      return text
        .split('\n')
        .filter((line) => line.trim() !== '')
        .slice(0, MOST_ROWS)
        .map((line) => parseJson(line) as unknown);
  } catch {
    return undefined;
  }
  return readTable(text, /\.tsv$/i.test(path) ? '\t' : ',');
}

const MOST_ROWS = 400;

function readTable(text: string, separator: string): Record<string, unknown>[] | undefined {
  const [head, ...rows] = text
    .trim()
    .split(/\r?\n/)
    .slice(0, MOST_ROWS + 1)
    .map((line) => cells(line.trim(), separator));
  if (
    !head ||
    head.length < 2 ||
    rows.length === 0 ||
    !head.every((name) => /^[\p{L}_][\p{L}\p{N}_ -]*$/u.test(name)) ||
    rows.some((row) => row.length !== head.length)
  )
    return undefined;
  return rows.map((row) => Object.fromEntries(row.map((cell, i) => [head[i], cell])));
}

/** Cells of a line; quotes keep a separator inside. */
function cells(line: string, separator: string): string[] {
  const out: string[] = [];
  let cell = '';
  let isQuoted = false;
  for (let i = 0; i < line.length; i++) {
    const char = line[i]!;
    if (char === '"' && isQuoted && line[i + 1] === '"') cell += line[++i];
    else if (char === '"') isQuoted = !isQuoted;
    else if (char === separator && !isQuoted) {
      out.push(cell.trim());
      cell = '';
    } else cell += char;
  }
  return [...out, cell.trim()];
}
