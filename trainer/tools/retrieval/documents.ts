import { createHash } from 'node:crypto';
import type { ToolSchema } from '../../protocol/task';
import { splitWords } from '../../base/words';

/** What a tool is found by. */
export interface ToolDocument {
  name: string;
  /** SHA-256 of all that stands in it: another hash, another document */
  hash: string;
  parts: { name: string; description: string; parameters: string; questions: string; topics: string };
}
export type Part = keyof ToolDocument['parts'];

/** What a writer adds to a tool's own words; it must not have seen the requests that are measured. */
export interface Enrichment {
  /** requests that the tool would answer */
  questions?: readonly string[];
  /** further words for what it does */
  topics?: readonly string[];
}

export type FindableTool = Pick<ToolSchema, 'name' | 'description' | 'parameters'>;

const MAX_DEPTH = 8;

/** Name, description, argument schema, synthetic questions and key topics (Toolshed, arXiv:2410.14594). */
export function toolDocument(tool: FindableTool, { questions = [], topics = [] }: Enrichment = {}): ToolDocument {
  const parts = {
    name: splitWords(tool.name).join(' '),
    description: tool.description,
    parameters: parameterTexts(tool.parameters).join('\n'),
    questions: questions.join('\n'),
    topics: topics.join(' '),
  };
  const hash = createHash('sha256')
    .update(JSON.stringify([tool.name, parts]))
    .digest('hex');
  return { name: tool.name, hash, parts };
}

/** Names, descriptions and choices; of a schema that refers to itself so many levels. */
function parameterTexts(schema: unknown, depth = 0): string[] {
  if (typeof schema !== 'object' || schema === null || depth > MAX_DEPTH) return [];
  const { properties, items, enum: choices, description } = schema as Record<string, unknown>;
  return [
    ...(typeof description === 'string' ? [description] : []),
    ...(Array.isArray(choices) ? choices.filter((choice) => typeof choice === 'string') : []),
    ...Object.entries((properties ?? {}) as Record<string, unknown>).flatMap(([name, member]) => [
      splitWords(name).join(' '),
      ...parameterTexts(member, depth + 1),
    ]),
    ...parameterTexts(items, depth + 1),
  ];
}
