/**
 * Puts an `@example`, `@tool` or words into the JSDoc of a function, a method, a constant; where there is no JSDoc yet,
 * a new one. Text in, edit out.
 */

export interface TextEdit {
  /** offset in the text; nothing is replaced */
  at: number;
  insert: string;
}

/** `tool('a', 2)` as one would write it: positional arguments in order, or one object. */
export function exampleCall(
  name: string,
  args: Readonly<Record<string, unknown>>,
  positional: 'object' | readonly { name: string; isRest?: boolean | undefined }[],
): string {
  if (positional === 'object') return `${name}(${literal(args)})`;
  const last = positional.reduce((most, one, i) => (args[one.name] === undefined ? most : i + 1), 0);
  const parts = positional.slice(0, last).flatMap((one) => {
    const value = args[one.name];
    return one.isRest && Array.isArray(value)
      ? value.map(literal)
      : [value === undefined ? 'undefined' : literal(value)];
  });
  return `${name}(${parts.join(', ')})`;
}

/** @param line of the tool's name, from 1, in the text; @returns null where that line is not there */
export const exampleEdit = (text: string, line: number, call: string): TextEdit | null =>
  tagEdit(text, line, `@example ${call}`);

/** A tag as the last of its JSDoc; a new one where there is none. */
export function tagEdit(text: string, line: number, tag: string): TextEdit | null {
  const place = placeOf(text, line);
  if (place === null) return null;
  const { head, indent, end, doc } = place;
  if (doc === null) return { at: head, insert: `${indent}/** ${tag} */${end}` };
  const close = doc.start + doc.text.length - 2;
  const said = doc.text.slice(0, -2);
  if (!said.includes('\n'))
    return {
      at: close,
      insert: `${`${said.endsWith(' ') ? '' : ' '}\n`.replace('\n', end)}${indent} * ${tag}${end}${indent} `,
    };
  const lastLine = said.slice(said.lastIndexOf('\n') + 1);
  // `…text */` on the last line, or the end alone on it
  if (lastLine.trim() === '') return { at: close - lastLine.length, insert: `${indent} * ${tag}${end}` };
  return { at: close, insert: `${end}${indent} * ${tag}${end}${indent} ` };
}

/** The JSDoc above the declaration of that line; '' where there is none. */
export const docAbove = (text: string, line: number): string => placeOf(text, line)?.doc?.text ?? '';

interface Place {
  /** where the declaration begins */
  head: number;
  indent: string;
  /** of lines */
  end: string;
  /** the JSDoc above it, with its signs */
  doc: { start: number; text: string } | null;
}

/** @param line from 1; null where the text has no such line */
function placeOf(text: string, line: number): Place | null {
  const starts = lineStarts(text);
  if (starts[line - 1] === undefined) return null;
  const head = headStart(text, starts, line - 1);
  const before = text.slice(0, head).trimEnd();
  const start = before.lastIndexOf('/*');
  const isDoc = before.endsWith('*/') && before.startsWith('/**', start);
  return {
    head,
    indent: /^[ \t]*/.exec(text.slice(head))![0],
    end: text.includes('\r\n') ? '\r\n' : '\n',
    doc: isDoc ? { start, text: before.slice(start) } : null,
  };
}

/** Where the declaration of that line begins: before its decorators, and at its own line for a name on a later one. */
function headStart(text: string, starts: readonly number[], line: number): number {
  let at = line;
  while (at > 0 && /^\s*@\w/.test(lineText(text, starts, at - 1))) at--;
  return starts[at]!;
}

/** What a tool does, as the first line of its JSDoc; a new one where there is none. */
export function descriptionEdit(text: string, line: number, words: string): TextEdit | null {
  const place = placeOf(text, line);
  if (place === null) return null;
  const { head, indent, end, doc } = place;
  const said = commentText(words);
  if (doc === null) return { at: head, insert: `${indent}/** ${said} */${end}` };
  const at = doc.start + 3;
  return /^[ \t]*\r?\n/.test(text.slice(at))
    ? { at, insert: `${end}${indent} * ${said}` }
    : { at, insert: ` ${said}${end}${indent} *` };
}

/** On one line, with nothing in it that ends the comment or begins a tag. */
export const commentText = (words: string): string =>
  words.replace(/\s+/g, ' ').trim().replaceAll('*/', '* /').replace(/^@/, '');

const lineText = (text: string, starts: readonly number[], line: number): string =>
  text.slice(starts[line], starts[line + 1] ?? text.length);

function lineStarts(text: string): number[] {
  const out = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) out.push(at + 1);
  return out;
}

/** As in code, and with nothing in it that would end a comment. */
function literal(value: unknown): string {
  const text =
    typeof value === 'string'
      ? `'${value.replace(/[\\']/g, '\\$&').replace(/\n/g, '\\n')}'`
      : Array.isArray(value)
        ? `[${value.map(literal).join(', ')}]`
        : typeof value === 'object' && value !== null
          ? `{ ${Object.entries(value)
              .map(
                ([key, member]) => `${/^[A-Za-z_$][\w$]*$/.test(key) ? key : JSON.stringify(key)}: ${literal(member)}`,
              )
              .join(', ')} }`
          : String(value);
  return text.replaceAll('*/', '*\\/');
}

/**
 * What somebody typed for a parameter, as its schema has it: a number, true or false, JSON, else the text. null: it is
 * none of these
 */
export function typedValue(text: string, type: unknown): { value: unknown } | null {
  const trimmed = text.trim();
  if (type === 'string') return trimmed === '' ? null : { value: trimmed };
  if (type === 'number' || type === 'integer')
    return trimmed !== '' &&
      Number.isFinite(Number(trimmed)) &&
      (type === 'number' || Number.isInteger(Number(trimmed)))
      ? { value: Number(trimmed) }
      : null;
  if (type === 'boolean') return /^(true|false)$/.test(trimmed) ? { value: trimmed === 'true' } : null;
  try {
    return { value: JSON.parse(trimmed) as unknown };
  } catch {
    return null;
  }
}
