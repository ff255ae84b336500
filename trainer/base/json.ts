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
