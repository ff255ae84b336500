/** Calls out of a model's text in Coach's own forms, with 5 and 5.0 kept apart: to BFCL they are different values. */
import { objectEnd } from '../../rollout/jsonScan';
import { hermesParser, llamaParser, nanoParser, type ToolCallParser } from '../../rollout/parser';
import { readValue, type Call, type Dict, type Value } from './values';

/** What stands for a number while the parser works: JSON.parse would forget how it was written. */
const MARK = '\u0000number';
const STRING_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/g;

/** @returns the calls, and what of the text could not be read as one */
export function exactCalls(text: string, parser: ToolCallParser): { calls: Call[]; error?: string } {
  const { calls, error } = parser.parse(withMarks(text));
  const exact = calls.map((call): Call => ({ name: call.name, arguments: restored(call.arguments) as Dict }));
  return { calls: exact, ...(error === undefined ? {} : { error }) };
}

/** Puts marks for the numbers of all JSON objects; what is no JSON stays for the parser to complain of. */
function withMarks(text: string): string {
  let out = '';
  let at = 0;
  for (let brace = text.indexOf('{'); brace >= 0; brace = text.indexOf('{', at)) {
    const end = objectEnd(text, brace);
    const object = end < 0 ? null : marked(text.slice(brace, end));
    out += text.slice(at, brace) + (object ?? '{');
    at = object === null ? brace + 1 : end;
  }
  return out + text.slice(at);
}

function marked(json: string): string | null {
  try {
    JSON.parse(json);
  } catch {
    return null;
  }
  return json.replace(STRING_OR_NUMBER, (token) => (token.startsWith('"') ? token : JSON.stringify({ [MARK]: token })));
}

function restored(value: unknown): Value {
  if (Array.isArray(value)) return value.map(restored);
  if (typeof value !== 'object' || value === null) return value as string | boolean | null;
  if (MARK in value) return readValue((value as { [MARK]: string })[MARK]);
  return new Map(Object.entries(value).map(([key, member]) => [key, restored(member)]));
}

/** The form that a text is written in by its marks; null: none of ours. */
export function formOf(text: string): ToolCallParser | null {
  if (text.includes('<tool_call>')) return hermesParser;
  if (text.includes('<|call|>')) return nanoParser;
  return /<\|python_tag\|>|^\s*\{\s*"(?:name|parameters|arguments|type|function)"\s*:/.test(text) ? llamaParser : null;
}
