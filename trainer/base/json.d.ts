/** JSON of others. */
/** Deeper than any value that means something; deeper still, and what walks through it would overflow its stack. */
export declare const MAX_JSON_DEPTH = 500;
/**
 * What a text of JSON holds.
 * @throws SyntaxError where it is none, or is nested deeper than MAX_JSON_DEPTH
 */
export declare function parseJson(text: string): unknown;
