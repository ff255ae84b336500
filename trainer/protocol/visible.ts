/**
 * Text of others (models, tools, traces, files) as it may be shown: what would steer a terminal or turn text round is
 * seen.
 */

/**
 * C0 and C1 controls but for tab and line end, and what Unicode has to turn the direction of text or to end a line. A
 * carriage return is left before a line feed only: alone it writes over what stands in the line.
 */
const UNSEEN = /[\0-\x08\v\f\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]|\r(?!\n)/g;

/** Whether a text shows all that it holds: code that does not may read other than it runs. */
export const isVisible = (text: string): boolean => text.search(UNSEEN) < 0;

/** `\x1b` and `\u202e` as these letters; all else stays. */
export const visible = (text: string): string => text.replace(UNSEEN, (character) => `\\${hex(character)}`);

/** JSON that says the same with nothing of that kind in it: JSON.stringify leaves DEL, C1 and Unicode's as they are. */
export const visibleJson = (json: string): string =>
  json.replace(UNSEEN, (character) => `\\u${code(character).padStart(4, '0')}`);

const code = (character: string): string => character.charCodeAt(0).toString(16);

const hex = (character: string): string =>
  character.charCodeAt(0) < 0x100 ? `x${code(character).padStart(2, '0')}` : `u${code(character).padStart(4, '0')}`;
