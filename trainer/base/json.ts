/** JSON of others. */

/** Deeper than any value that means something; deeper still, and what walks through it would overflow its stack. */
const MAX_DEPTH = 500;

/**
 * What a text of JSON holds.
 * @throws SyntaxError where it is none, is nested deeper than MAX_DEPTH, or holds a number that is none of a double's
 * (1e999 would become Infinity, which no JSON can say again)
 */
export function parseJson(text: string): unknown {
  const { depth, mayOverflow } = looked(text);
  if (depth > MAX_DEPTH) throw new SyntaxError(`nested deeper than ${MAX_DEPTH} levels`);
  const value: unknown = JSON.parse(text);
  const place = mayOverflow ? placeOfInfinity(value) : null;
  if (place !== null) throw new SyntaxError(`${place || 'it'} is a number that is too large`);
  return value;
}

/** JSON as editors write it, with blanks for its comments and for commas behind a last item; in one pass. */
export function withoutComments(text: string): string {
  const parts: string[] = [];
  /** where among the parts a comma stands that nothing has followed; -1: none */
  let comma = -1;
  for (let i = 0, end = 0; i < text.length; i = end) {
    end = endOfPart(text, i);
    const part = text.slice(i, end);
    const isComment = part.length > 1 && part.startsWith('/');
    parts.push(isComment ? ' ' : part);
    if (part === ',') comma = parts.length - 1;
    else if (!isComment && part.trim() !== '') {
      if (comma >= 0 && /[\]}]/.test(part[0]!)) parts[comma] = ' ';
      comma = -1;
    }
  }
  return parts.join('');
}

/** Of the string, the comment or else the one character that begins there. */
function endOfPart(text: string, start: number): number {
  if (text[start] === '"') return endOfString(text, start) + 1;
  const close = { '//': '\n', '/*': '*/' }[text.slice(start, start + 2)];
  if (close === undefined) return start + 1;
  const end = text.indexOf(close, start + 2);
  return end < 0 ? text.length : close === '\n' ? end : end + 2;
}

/** How deep it is nested, MAX_DEPTH + 1 at most, and whether it has an exponent or 300 digits in a row. */
function looked(text: string): { depth: number; mayOverflow: boolean } {
  let depth = 0;
  let most = 0;
  let digits = 0;
  let mayOverflow = false;
  for (let i = 0; i < text.length && most <= MAX_DEPTH; i++) {
    const c = text.charCodeAt(i);
    if (c === QUOTE) i = endOfString(text, i);
    else if (c === 91 || c === 123) most = Math.max(most, ++depth);
    else if (c === 93 || c === 125) depth--;
    else if (digits > 0 && (c | 32) === 101 && text.charCodeAt(i + 1) !== MINUS) mayOverflow = true;
    digits = c >= 48 && c <= 57 ? digits + 1 : 0;
    if (digits === 300) mayOverflow = true;
  }
  return { depth: most, mayOverflow };
}

const QUOTE = 34;
const BACKSLASH = 92;
const MINUS = 45;

function endOfString(text: string, start: number): number {
  let i = start + 1;
  for (; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c === BACKSLASH) i++;
    else if (c === QUOTE) break;
  }
  return i;
}

/** 'calls.0.arguments.n'; null: all its numbers are finite. */
function placeOfInfinity(value: unknown, place = ''): string | null {
  if (typeof value === 'number') return Number.isFinite(value) ? null : place;
  if (typeof value !== 'object' || value === null) return null;
  for (const [key, each] of Object.entries(value)) {
    const found = placeOfInfinity(each, place === '' ? key : `${place}.${key}`);
    if (found !== null) return found;
  }
  return null;
}
