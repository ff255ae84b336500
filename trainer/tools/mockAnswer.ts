/** Where a mock answer comes from: a recorded real result of equal arguments, else `@example`, else a seeded sample of the return type. */
import type { ToolSchema } from '../protocol/task';
import type { ToolResult } from '../protocol/trace';
import { exampleAnswers } from './exampleAnswers';
import { sampleFromSchema } from './sampleFromSchema';
import { Random } from '../random';

export interface MockAnswer {
  content: string;
  source: NonNullable<ToolResult['mockSource']>;
}

export interface MockAnswers {
  /** Keeps a real result for later calls with the same arguments. */
  record(tool: string, args: unknown, content: string): void;
  /** The same seed, tool and arguments give the same answer, in whatever order calls come. */
  answer(tool: ToolSchema, args: Record<string, unknown>): MockAnswer;
}

/** Beyond it the oldest record goes. */
const MAX_RECORDS = 10_000;

export function mockAnswers(seed: number): MockAnswers {
  const records = new Map<string, string>();
  const examples = new Map<string, ReturnType<typeof exampleAnswers>>();

  return {
    record(tool, args, content) {
      const key = callKey(tool, args);
      records.delete(key);
      records.set(key, content);
      if (records.size > MAX_RECORDS) for (const oldest of records.keys()) return void records.delete(oldest);
    },
    answer(tool, args) {
      const key = callKey(tool.name, args);
      const recorded = records.get(key);
      if (recorded !== undefined) return { content: recorded, source: 'recorded' };
      let known = examples.get(tool.name);
      if (!known) examples.set(tool.name, (known = exampleAnswers(tool)));
      const example = known.find((item) => item.args !== undefined && callKey(tool.name, item.args) === key) ?? known[0];
      if (example) return { content: JSON.stringify(example.result), source: 'example' };
      const random = Random.fromSeed(seed).fork(key);
      return { content: JSON.stringify(sampleFromSchema(tool.returns ?? {}, random) ?? null), source: 'schema' };
    },
  };
}

/** Equal for arguments that are equal as JSON, whatever the order of keys. */
export function callKey(tool: string, args: unknown): string {
  return `${tool}\n${JSON.stringify(args, (_key, value: unknown) => (isRecord(value) ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value))}`;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
