/**
 * Traces as training data for others: OpenAI's fine-tuning JSONL (arguments are a JSON string) and TRL's (arguments are
 * an object, since its chat
 * templates make JSON of them; the tools are one JSON string, since Arrow would unify their schemas).
 */
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { ToolSchema } from '../../protocol/task';
import type { Message } from '../../protocol/trace';
import { storing, writeFileAtomic } from '../../base/storage';

export interface DataExport {
  out: string;
  to: 'openai' | 'trl';
  /** whole episodes to imitate */
  episodes: readonly Message[][];
  pairs: readonly MessagePair[];
  tools: readonly ToolSchema[];
  /** names of those that a dialogue's request was shown; absent, or undefined of one: all */
  shown?: ((messages: readonly Message[]) => readonly string[] | undefined) | undefined;
}

/** A PreferencePair whose messages were parsed. */
export interface MessagePair {
  prompt: Message[];
  chosen: Message[];
  rejected: Message[];
}

/** Files that an export writes. */
export const dataFiles = {
  openai: ['sft.jsonl', 'preferences.jsonl'],
  trl: ['sft.jsonl', 'preferences.jsonl', 'load.py'],
} as const;

/** Same episode, one row; a file without a row is not written. @returns rows per file */
export function exportData({ out, to, episodes, pairs, tools, shown }: DataExport): {
  sft: number;
  preferences: number;
} {
  const folder = resolve(out);
  const format = to === 'openai' ? openai : trl;
  const functions = tools.map(functionTool);
  const shownTo = (messages: readonly Message[]): FunctionTool[] => {
    const names = shown?.(messages);
    return names ? functions.filter((tool) => names.includes(tool.function.name)) : functions;
  };
  const sft = distinct(episodes.map((messages) => JSON.stringify(format.episode(messages, shownTo(messages)))));
  const preferences = distinct(pairs.map((pair) => JSON.stringify(format.pair(pair, shownTo(pair.prompt)))));
  storing(folder, () => mkdirSync(folder, { recursive: true }));
  if (sft.length > 0) writeFileAtomic(join(folder, 'sft.jsonl'), `${sft.join('\n')}\n`);
  if (preferences.length > 0) writeFileAtomic(join(folder, 'preferences.jsonl'), `${preferences.join('\n')}\n`);
  if (to === 'trl') writeFileAtomic(join(folder, 'load.py'), loader);
  return { sft: sft.length, preferences: preferences.length };
}

export interface FunctionTool {
  type: 'function';
  function: { name: string; description: string; parameters: unknown };
}

export const functionTool = ({ name, description, parameters }: ToolSchema): FunctionTool => ({
  type: 'function',
  function: { name, description, parameters },
});

const openai = {
  episode: (messages: Message[], tools: FunctionTool[]) => {
    const out = openaiMessages(messages);
    return { messages: out, ...openaiTools(tools, out) };
  },
  // The service's own schema takes the assistant's next message on either side; a longer continuation is cut behind it.
  pair: ({ prompt, chosen, rejected }: MessagePair, tools: FunctionTool[]) => {
    const [preferred, other] = [openaiMessages(chosen.slice(0, 1)), openaiMessages(rejected.slice(0, 1))];
    const input = openaiMessages(prompt);
    return {
      input: { messages: input, ...openaiTools(tools, [...input, ...preferred, ...other]) },
      preferred_output: preferred,
      non_preferred_output: other,
    };
  },
};

type OpenaiMessage = { role: string; content?: string; tool_calls?: unknown[]; tool_call_id?: string };

function openaiMessages(messages: Message[]): OpenaiMessage[] {
  return messages.map(({ role, content, tool_calls: calls, tool_call_id: id }) => {
    if (role === 'tool') return { role, ...(id === undefined ? {} : { tool_call_id: id }), content };
    if (!calls?.length) return { role, content };
    const strings = calls.map((call) => ({
      id: call.id,
      type: 'function',
      function: { name: call.function.name, arguments: JSON.stringify(call.function.arguments) },
    }));
    return { role, ...(content === '' ? {} : { content }), tool_calls: strings };
  });
}

function openaiTools(tools: FunctionTool[], messages: OpenaiMessage[]): object {
  return tools.length === 0
    ? {}
    : { tools, parallel_tool_calls: messages.some((m) => (m.tool_calls?.length ?? 0) > 1) };
}

const trl = {
  episode: (messages: Message[], tools: FunctionTool[]) => {
    const firstOfPolicy = messages.findIndex((m) => m.role === 'assistant');
    return {
      prompt: trlMessages(messages.slice(0, firstOfPolicy)),
      completion: trlMessages(messages.slice(firstOfPolicy)),
      ...trlTools(tools),
    };
  },
  pair: ({ prompt, chosen, rejected }: MessagePair, tools: FunctionTool[]) => ({
    prompt: trlMessages(prompt),
    chosen: trlMessages(chosen),
    rejected: trlMessages(rejected),
    ...trlTools(tools),
  }),
};

function trlMessages(messages: Message[]): object[] {
  return messages.map(({ role, content, tool_calls: calls, name }) => ({
    role,
    content,
    ...(role === 'tool' && name !== undefined ? { name } : {}),
    ...(calls?.length ? { tool_calls: calls.map((call) => ({ type: 'function', function: call.function })) } : {}),
  }));
}

/** No tools: no key, since templates render an empty list otherwise than none. */
const trlTools = (tools: FunctionTool[]): object => (tools.length === 0 ? {} : { tools: JSON.stringify(tools) });

const distinct = (rows: string[]): string[] => [...new Set(rows)];

/**
 * Arrow gives every tool call the argument names of all others, filled with null; the Json feature of datasets 4.7
 * keeps them as they are.
 */
const loader = `"""Loads sft.jsonl or preferences.jsonl for TRL's SFTTrainer and DPOTrainer: load("sft.jsonl"). Needs datasets >= 4.7."""
import json

from datasets import Dataset


def load(path):
    with open(path, encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    return Dataset.from_list(rows, on_mixed_types="use_json")
`;
