/** The edit that mends a problem of discovery. Text in, edit out; free of `vscode`. */
import type { Diagnostic, Mend } from '../../trainer/protocol/task';
import { commentText, descriptionEdit, type TextEdit } from './writeExample';

/** An edit that may also take text away. */
export interface MendEdit extends TextEdit {
  /** characters from `at` that go */
  removes?: number;
}

/** The kinds that need words of the person. */
export const asksWords = ({ kind }: Mend): boolean => kind === 'describeTool' || kind === 'describeValue';

/**
 * @param words the description that the person typed, or the type that was chosen
 * @returns null where the text is no longer as it was
 */
export function mendEdit(
  text: string,
  { line, column = 1, endColumn = column }: Pick<Diagnostic, 'line' | 'column' | 'endColumn'>,
  { kind, of }: Mend,
  words = '',
): MendEdit | null {
  const lineAt = startOfLine(text, line);
  if (lineAt === null) return null;
  const at = lineAt + column - 1;
  switch (kind) {
    case 'export':
      return exportEdit(text, lineAt, of);
    case 'describeTool':
      return descriptionEdit(text, line, words);
    case 'describeValue':
      return text.startsWith(of, at) ? { at, insert: `/** ${commentText(words)} */ ` } : null;
    case 'typeParameter':
      return text.slice(at, lineAt + endColumn - 1) === of
        ? { at: lineAt + endColumn - 1, insert: `: ${words}` }
        : null;
    case 'joinComment': {
      const close = text.indexOf('*/', at);
      const gap = close < 0 ? null : /^[ \t]*(\r?\n)(?:[ \t]*\r?\n)+/.exec(text.slice(close + 2));
      return gap ? { at: close + 2, insert: gap[1]!, removes: gap[0].length } : null;
    }
  }
}

/** Before the declaration where it begins its line; else a line at the end. A CommonJS file has no word `export`. */
function exportEdit(text: string, lineAt: number, name: string): MendEdit {
  const newLine = text.includes('\r\n') ? '\r\n' : '\n';
  const atEnd = (insert: string): MendEdit => ({
    at: text.length,
    insert: `${text.endsWith('\n') ? '' : newLine}${insert}${newLine}`,
  });
  const isCommonJs = /^\s*(module\.)?exports\b/m.test(text) && !/^\s*(import|export)\b/m.test(text);
  if (isCommonJs) return atEnd(`module.exports.${name} = ${name};`);
  const begins = /^(async\s+function|function|const|let|var|abstract\s+class|class)\b/.test(text.slice(lineAt));
  return begins ? { at: lineAt, insert: 'export ' } : atEnd(`export { ${name} };`);
}

/** @param line from 1 */
function startOfLine(text: string, line: number): number | null {
  let at = 0;
  for (let i = 1; i < line; i++) {
    at = text.indexOf('\n', at) + 1;
    if (at === 0) return null;
  }
  return at;
}
