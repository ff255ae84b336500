/**
 * End of the JSON object that begins at `start`, by braces alone and with an eye on strings: what a model writes may be
 * broken inside and is then told
 * by JSON.parse. @returns the place behind its last brace, or -1 where it is not closed
 */
export function objectEnd(text: string, start: number): number {
  let depth = 0;
  let isInString = false;
  for (let i = start; i < text.length; i++) {
    const c = text[i];
    if (isInString) {
      if (c === '\\') i++;
      else if (c === '"') isInString = false;
    } else if (c === '"') isInString = true;
    else if (c === '{' || c === '[') depth++;
    else if (c === '}' || c === ']') {
      depth--;
      if (depth === 0) return i + 1;
    }
  }
  return -1;
}
