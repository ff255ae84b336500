/** An answer as text that a person edits: JSON of its words and calls. Pure, free of `vscode`. */
import type { Message } from '../../trainer/protocol/trace';

/** What is edited: no ids, since a person has none to give. */
export function answerText({ content, tool_calls: calls }: Message): string {
  return `${JSON.stringify({ content, tool_calls: (calls ?? []).map(({ function: { name, arguments: args } }) => ({ name, arguments: args })) }, null, 2)}\n`;
}

export interface ParsedAnswer {
  message: Message;
  calls: { name: string; arguments: unknown }[];
}

/** @returns the message, or what is wrong, in words */
export function parseAnswer(text: string): ParsedAnswer | string {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    return `no JSON: ${(error as Error).message}`;
  }
  if (!isRecord(json)) return 'must be {"content": "…", "tool_calls": […]}';
  const { content = '', tool_calls: calls = [], ...rest } = json;
  const [extra] = Object.keys(rest);
  if (extra !== undefined) return `"${extra}" is not known here; there are content and tool_calls`;
  if (typeof content !== 'string') return 'content must be a text';
  if (!Array.isArray(calls)) return 'tool_calls must be a list';
  for (const [i, call] of calls.entries()) {
    if (!isRecord(call) || typeof call['name'] !== 'string')
      return `call ${i + 1}: must be {"name": "…", "arguments": {…}}`;
    if (!isRecord(call['arguments'])) return `call ${i + 1}: arguments must be an object`;
  }
  if (content.trim() === '' && calls.length === 0) return 'says nothing: give it words or a call';
  const made = calls as { name: string; arguments: Record<string, unknown> }[];
  return {
    calls: made,
    message: {
      role: 'assistant',
      content,
      ...(made.length > 0
        ? {
            tool_calls: made.map(({ name, arguments: args }, i) => ({
              id: `rewritten-${i}`,
              type: 'function' as const,
              function: { name, arguments: args },
            })),
          }
        : {}),
    },
  };
}

export const isSameAnswer = (a: Message, b: Message): boolean => answerText(a) === answerText(b);

/**
 * Where the call with that index stands, for a squiggle: from its name to its end; the whole text where it is not
 * found.
 */
export function callRange(text: string, call: number): [start: number, end: number] {
  const names = [...text.matchAll(/"name"\s*:\s*"(?:[^"\\]|\\.)*"/g)];
  const found = names[call];
  if (found?.index === undefined) return [0, text.trimEnd().length];
  const next = names[call + 1]?.index ?? text.trimEnd().length;
  const argumentsAt = text.indexOf('"arguments"', found.index);
  return [
    found.index,
    argumentsAt > 0 && argumentsAt < next
      ? Math.max(found.index + found[0].length, text.slice(0, next).trimEnd().length - (names[call + 1] ? 1 : 0))
      : found.index + found[0].length,
  ];
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
