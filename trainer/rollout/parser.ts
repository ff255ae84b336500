import type { GoldCall } from '../protocol/task';
import type { CallForm } from '../model/tokenizer/chatFormat';
import type { ToolTokens } from '../model/tokenizer/toolTokens';
import { objectEnd } from './jsonScan';

export interface ParsedTurn {
  /** what was said beside the calls */
  content: string;
  calls: GoldCall[];
  /** set where something looked like a call and could not be read: data on the trace, never an exception */
  error?: string;
}

export interface ToolCallParser {
  /** @param text the turn with its special tokens, end token included or not; never throws */
  parse(text: string): ParsedTurn;
  /** Where its calls stand, whether or not they can be read, as characters of the text. */
  spans(text: string): [start: number, end: number][];
}

const isObject = (v: unknown): v is Record<string, unknown> => typeof v === 'object' && v !== null && !Array.isArray(v);
/** A special token at the end of a turn, whichever of the model's ended it. */
const withoutEnd = (text: string): string => text.replace(/(?:<\|[\w ]{1,40}\|>|<\/s>)\s*$/, '');

/** Ours: `<|call|>name{json}`, any number of them, then `<|end|>`. */
export const nanoParser: ToolCallParser = {
  parse(text) {
    const [content = '', ...parts] = text.replace(/<\|end\|>\s*$/, '').split('<|call|>');
    const calls: GoldCall[] = [];
    for (const part of parts) {
      const brace = part.indexOf('{');
      const name = part.slice(0, brace < 0 ? undefined : brace).trim();
      try {
        const args: unknown = brace < 0 ? undefined : JSON.parse(part.slice(brace));
        if (!name || !isObject(args)) throw new Error('a call is name{"key": value, …}');
        calls.push({ name, arguments: args });
      } catch (error) {
        return { content, calls, error: `call ${calls.length + 1} is broken: ${(error as Error).message}` };
      }
    }
    return { content, calls };
  },
  spans(text) {
    const start = text.indexOf('<|call|>');
    return start < 0 ? [] : [[start, text.replace(/<\|end\|>\s*$/, '').length]];
  },
};

/** Calls read so far; the first that is broken is told by its place among all that were tried. */
class Calls {
  readonly calls: GoldCall[] = [];
  error: string | undefined;
  private tried = 0;

  /** @param keys names under which the arguments may stand; @returns whether it was a call */
  read(json: string, keys: readonly string[]): boolean {
    this.tried++;
    try {
      const call: unknown = JSON.parse(json);
      const args = isObject(call) ? keys.map((key) => call[key]).find((v) => v !== undefined) : undefined;
      if (!isObject(call) || typeof call['name'] !== 'string' || !isObject(args))
        throw new Error(`a call is {"name": …, "${keys[0]}": {…}}`);
      this.calls.push({ name: call['name'], arguments: args });
      return true;
    } catch (cause) {
      this.error ??= `call ${this.tried} is broken: ${(cause as Error).message}`;
      return false;
    }
  }

  turn(content: string): ParsedTurn {
    return { content: content.trim(), calls: this.calls, ...(this.error ? { error: this.error } : {}) };
  }
}

const OPEN = '<tool_call>';
const CLOSE = '</tool_call>';

/**
 * Hermes, Qwen, and Coach's own prompt: `<tool_call>{"name": …, "arguments": {…}}</tool_call>`, any number of them.
 * What was thought (`<think>`) stays in
 * the content, and a call inside of it is none. The closing mark may be missing at the end of a turn; between two calls
 * it may not.
 */
export const hermesParser: ToolCallParser = {
  parse(text) {
    const clean = withoutEnd(text);
    const found = new Calls();
    const thought = thoughtEnd(clean);
    let content = clean.slice(0, thought);
    let at = thought;
    for (const { start, end, body } of hermesCalls(clean, thought)) {
      content += clean.slice(at, start);
      found.read(body, ['arguments']);
      at = end;
    }
    return found.turn(content + clean.slice(at));
  },
  spans(text) {
    const clean = withoutEnd(text);
    return hermesCalls(clean, thoughtEnd(clean)).map(({ start, end }) => [start, end]);
  },
};

/** Calls with their marks, and what stands between these. */
function hermesCalls(clean: string, from: number): { start: number; end: number; body: string }[] {
  const calls: { start: number; end: number; body: string }[] = [];
  for (let open = clean.indexOf(OPEN, from); open >= 0; open = clean.indexOf(OPEN, calls.at(-1)!.end)) {
    const body = open + OPEN.length;
    const brace = body + /^\s*/.exec(clean.slice(body))![0].length;
    // a closing mark inside one of the call's strings does not close it
    const object = clean[brace] === '{' ? objectEnd(clean, brace) : -1;
    const close = clean.indexOf(CLOSE, object < 0 ? body : object);
    const bodyEnd = close < 0 ? clean.length : close;
    calls.push({
      start: open,
      end: close < 0 ? clean.length : close + CLOSE.length,
      body: clean.slice(body, bodyEnd),
    });
  }
  return calls;
}

/** Where thinking ends: 0 where there is none, the whole length where it was not ended. */
function thoughtEnd(text: string): number {
  const end = text.lastIndexOf('</think>');
  if (end >= 0) return end + '</think>'.length;
  return /^\s*<think>/.test(text) ? text.length : 0;
}

/** What was said once thinking was over. */
export const withoutThought = (text: string): string => text.slice(thoughtEnd(text));

const PYTHON_TAG = '<|python_tag|>';
/** What a Llama call begins with: its keys come in any order, "type" is Llama 3.1's. */
const CALL_START = /\{\s*"(?:name|parameters|arguments|type|function)"\s*:/g;

/**
 * Llama 3.x: `{"name": …, "parameters": {…}}` as the whole turn, or behind `<|python_tag|>`, several of them with `;`
 * or white space between. Llama also
 * writes `"arguments"` at times, as vLLM's parser accepts. Behind the tag anything else (Python,
 * `brave_search.call(…)`) is a call that can't be read.
 */
export const llamaParser: ToolCallParser = {
  parse(text) {
    const clean = withoutEnd(text);
    const found = new Calls();
    const tag = clean.indexOf(PYTHON_TAG);
    const body = clean.replaceAll(PYTHON_TAG, ' '.repeat(PYTHON_TAG.length)); // places stay
    let content = '';
    let at = 0;
    for (const [start, end] of llamaCalls(body)) {
      content += between(body.slice(at, start), found);
      const isRead = found.read(body.slice(start, end), ['parameters', 'arguments']);
      if (!isRead) content += body.slice(start, end);
      at = end;
    }
    content += between(body.slice(at), found);
    if (tag >= 0 && found.calls.length === 0)
      found.error ??= 'call 1 is broken: behind <|python_tag|> a call is {"name": …, "parameters": {…}}';
    return found.turn(content);
  },
  spans: (text) => llamaCalls(withoutEnd(text).replaceAll(PYTHON_TAG, ' '.repeat(PYTHON_TAG.length))),
};

/** Objects that begin as a call does. */
function llamaCalls(body: string): [start: number, end: number][] {
  const calls: [number, number][] = [];
  CALL_START.lastIndex = 0;
  for (let match = CALL_START.exec(body); match; match = CALL_START.exec(body)) {
    const end = objectEnd(body, match.index);
    calls.push([match.index, end < 0 ? body.length : end]);
    CALL_START.lastIndex = end < 0 ? body.length : end;
  }
  return calls;
}

/** Semicolons that only divide calls are not said. */
const between = (text: string, found: Calls): string => (found.calls.length > 0 && /^[\s;]*$/.test(text) ? '' : text);

export const parserOf = (form: CallForm): ToolCallParser =>
  ({ nano: nanoParser, hermes: hermesParser, llama: llamaParser })[form];

/**
 * Where tools have tokens: these and the documents behind them are nothing that was said, and belong to their calls.
 */
export const withoutTokens = (inner: ToolCallParser, tokens: ToolTokens): ToolCallParser => ({
  parse: (text) =>
    inner.parse(tokens.places(text).reduceRight((rest, [start, end]) => rest.slice(0, start) + rest.slice(end), text)),
  spans(text) {
    const places = tokens.places(text);
    const blank = places.reduce(
      (rest, [start, end]) => rest.slice(0, start) + ' '.repeat(end - start) + rest.slice(end),
      text,
    );
    return inner.spans(blank).map(([start, end]) => [places.find((place) => place[1] === start)?.[0] ?? start, end]);
  },
});
