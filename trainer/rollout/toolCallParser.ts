import type { GoldCall } from '../protocol/task';

export interface ParsedTurn {
  /** what was said beside the calls */
  content: string;
  calls: GoldCall[];
  /** set where something looked like a call and could not be read: data on the trace, never an exception */
  error?: string;
}

export interface ToolCallParser {
  /** @param text the turn with its special tokens, end token included or not */
  parse(text: string): ParsedTurn;
}

const isObject = (v: unknown): v is Record<string, unknown> => typeof v === 'object' && v !== null && !Array.isArray(v);

/** Ours: `<|call|>name{json}`, any number of them, then `<|end|>`. */
export const nanoParser: ToolCallParser = {
  parse(text) {
    const [content, ...parts] = text.replace(/<\|end\|>\s*$/, '').split('<|call|>');
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
};

/** Hermes and Qwen: `<tool_call>{"name": …, "arguments": {…}}</tool_call>`, any number of them. */
export const hermesParser: ToolCallParser = {
  parse(text) {
    const calls: GoldCall[] = [];
    const clean = text.replace(/<\|im_end\|>\s*$/, '');
    let error: string | undefined;
    const content = clean.replace(/<tool_call>([\s\S]*?)(<\/tool_call>|$)/g, (_, body: string) => {
      try {
        const call: unknown = JSON.parse(body);
        if (!isObject(call) || typeof call.name !== 'string' || !isObject(call.arguments)) throw new Error('a call is {"name": …, "arguments": {…}}');
        calls.push({ name: call.name, arguments: call.arguments });
      } catch (cause) {
        error ??= `call ${calls.length + 1} is broken: ${(cause as Error).message}`;
      }
      return '';
    });
    return { content: content.trim(), calls, ...(error ? { error } : {}) };
  },
};
