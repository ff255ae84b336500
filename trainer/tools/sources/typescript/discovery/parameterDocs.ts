/**
 * What a function's JSDoc says of its parameters: `@param options.city - text`, and the constraint tags that follow
 * it.
 */
import { type JsDoc, type JsDocTag, plainText } from './jsDoc';
import { CONSTRAINT_TAGS } from '../../../schema/constraints';

export interface ParameterDoc {
  /** As written: `city`, `options.city`, `items[].name`. */
  path: string;
  description: string;
  /** Constraint tags between this `@param` and the next one. */
  tags: JsDocTag[];
}

/**
 * In source order. Tags that speak of the whole function (`@example`, `@deprecated`, …) end the reach of a `@param`.
 */
export function parameterDocs(docs: JsDoc | undefined): ParameterDoc[] {
  const found: ParameterDoc[] = [];
  let current: ParameterDoc | null = null;
  for (const tag of docs?.tags ?? []) {
    if (tag.name === 'param' || tag.name === 'arg' || tag.name === 'argument') {
      current = parseParam(tag.text);
      if (current) found.push(current);
    } else if (current && CONSTRAINT_TAGS.has(tag.name)) {
      current.tags.push(tag);
    } else {
      current = null;
    }
  }
  return found;
}

function parseParam(text: string): ParameterDoc | null {
  let rest = skipType(text);
  const bracketed = /^\[\s*([\w$.[\]]+?)\s*(?:=[^\n]*?)?\](?=\s|$)/.exec(rest);
  const plain = bracketed ?? /^([\w$]+(?:(?:\[\])?\.[\w$]+|\[\])*)/.exec(rest);
  if (!plain) return null;
  rest = rest.slice(plain[0].length);
  const description = plainText(rest.replace(/^\s*(?:[-\u2013\u2014:]+(?=\s|$))?\s*/, ''));
  return { path: plain[1]!, description, tags: [] };
}

/** The text behind JavaScript's `{type}`, which may hold braces itself. */
export function skipType(text: string): string {
  if (!text.startsWith('{')) return text;
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    if (text[i] === '{') depth++;
    else if (text[i] === '}' && --depth === 0) return text.slice(i + 1).trimStart();
  }
  return text;
}
