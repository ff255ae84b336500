import { isRecord } from '../../protocol/arguments';
import type { PastCall } from './provenance';

const MOST_CHARACTERS = 120;

/**
 * A state in words, by rule, since no model need be there to write it (SIT-Graph has the agent call a summary tool):
 * what was asked, with the arguments' values taken out, and what was called and found so far.
 */
export function stateSummary(request: string, calls: readonly PastCall[]): string {
  const done = calls.map(({ name, arguments: args, result }) => {
    const names = Object.keys(args).sort();
    return `${name}(${names.join(', ')}) gave ${shapeOf(result)}`;
  });
  return [`asked "${withoutValues(request, calls)}"`, ...done].join('; ');
}

/** "status of Abernathy's order" -> "status of <customer>'s order" */
function withoutValues(request: string, calls: readonly PastCall[]): string {
  let text = request.replace(/\s+/g, ' ').trim();
  for (const { arguments: args } of calls)
    for (const [name, value] of Object.entries(args))
      if ((typeof value === 'string' && value !== '') || typeof value === 'number')
        text = replacedWords(text, String(value), `<${name}>`);
  return text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}…` : text;
}

const LETTER = /[\p{L}\p{N}]/u;

/** Whole words, in any case. */
function replacedWords(text: string, words: string, by: string): string {
  const [all, wanted] = [text.toLowerCase(), words.toLowerCase()];
  if (all.length !== text.length) return text; // letters whose lower case is longer: places would not agree
  let out = '';
  let from = 0;
  for (let at = all.indexOf(wanted); at >= 0; at = all.indexOf(wanted, at + wanted.length)) {
    if (LETTER.test(all[at - 1] ?? '') || LETTER.test(all[at + wanted.length] ?? '')) continue;
    out += text.slice(from, at) + by;
    from = at + wanted.length;
  }
  return out + text.slice(from);
}

/** "a list of {article, order}", and how much of it there is where that may decide: nothing, one, several */
function shapeOf(value: unknown): string {
  if (value === undefined) return 'an error';
  if (value === null) return 'nothing';
  if (Array.isArray(value)) {
    if (value.length === 0) return 'an empty list';
    return `${value.length === 1 ? 'a list of one' : 'a list of several'} ${shapeOf(value[0])}`;
  }
  return isRecord(value) ? `{${Object.keys(value).sort().join(', ')}}` : `a ${typeof value}`;
}
