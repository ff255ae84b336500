/** JSON of others. */

/** Deeper than any value that means something; deeper still, and what walks through it would overflow its stack. */
export const MAX_JSON_DEPTH = 500;

/**
 * What a text of JSON holds.
 * @throws SyntaxError where it is none, or is nested deeper than MAX_JSON_DEPTH
 */
export function parseJson(text: string): unknown {
  let depth = 0;
  let isInString = false;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (isInString) {
      if (c === 92) i++;
      else if (c === 34) isInString = false;
    } else if (c === 34) isInString = true;
    else if (c === 91 || c === 123) {
      if (++depth > MAX_JSON_DEPTH) throw new SyntaxError(`nested deeper than ${MAX_JSON_DEPTH} levels`);
    } else if (c === 93 || c === 125) depth--;
  }
  return JSON.parse(text);
}
