/**
 * Where a mock answer comes from: a recorded real result of equal arguments, else `@example`, else a seeded sample of
 * the return type that hangs together:
 * what was sent comes back under the same names, ids keep the form of real ones, and a thing that the rollout has made
 * is found again.
 */
import type { ToolSchema } from '../../protocol/task';
import type { ToolResult } from '../../protocol/trace';
import { exampleAnswers } from './exampleAnswers';
import { likelyValue, type Known } from './likely';
import { flat, nounsOf, type MadeThings } from './madeThings';
import { sampleFromSchema } from './sampleFromSchema';
import { Random } from '../../base/random';

type Members = Record<string, unknown>;

export interface MockAnswer {
  content: string;
  source: NonNullable<ToolResult['mockSource']>;
}

export interface MockAnswers {
  /** Keeps a real result for later calls with the same arguments. */
  record(tool: string, args: unknown, content: string): void;
  /**
   * The same seed, tool and arguments give the same answer, in whatever order calls come; save for what `made` says
   * that this rollout has made.
   */
  answer(tool: ToolSchema, args: Record<string, unknown>, made?: MadeThings): MockAnswer;
}

/** Beyond it the oldest record goes. */
const MAX_RECORDS = 10_000;

/** @param realIds ids that really occur, by the words of their name (`realIdsOf`) */
export function mockAnswers(seed: number, realIds: Known['realIds'] = () => []): MockAnswers {
  const records = new Map<string, string>();
  const examples = new Map<string, ReturnType<typeof exampleAnswers>>();

  function fresh(tool: ToolSchema, args: Members, sent: Members = flat(args)): MockAnswer {
    const key = callKey(tool.name, args);
    const recorded = records.get(key);
    if (recorded !== undefined) return { content: recorded, source: 'recorded' };
    let known = examples.get(tool.name);
    if (!known) examples.set(tool.name, (known = exampleAnswers(tool)));
    const example = known.find((item) => item.args !== undefined && callKey(tool.name, item.args) === key) ?? known[0];
    if (example) return { content: JSON.stringify(example.result), source: 'example' };
    return { content: JSON.stringify(sampled(tool, sent, key)), source: 'schema' };
  }

  function sampled(tool: ToolSchema, sent: Members, key: string): unknown {
    const about = { sent, nouns: nounsOf(tool), realIds };
    const random = Random.fromSeed(seed).fork(key);
    const schema = tool.returns ?? {};
    const likely = (name: string, node: Record<string, unknown>, draws: Random): unknown =>
      likelyValue(name, node, about, draws);
    // A bare result of a tool that makes something is the id of what it made.
    const bare =
      tool.changesWorld &&
      isRecord(schema) &&
      (schema.type === 'string' || schema.type === 'integer' || schema.type === 'number')
        ? likely('id', schema, random)
        : undefined;
    return bare ?? sampleFromSchema(schema, random, likely) ?? null;
  }

  /**
   * Things that the rollout has made go before what would else be read: one thing as it was made, a list with them at
   * its front.
   */
  function withMade(tool: ToolSchema, args: Members, made: MadeThings): MockAnswer | null {
    const found = made.found(tool, args);
    const schema = tool.returns;
    if (found.length === 0 || !schema) return null;
    const key = callKey(tool.name, args);
    if (schema.type === 'object')
      return { content: JSON.stringify(sampled(tool, { ...flat(args), ...found[0]!.members }, key)), source: 'schema' };
    if (schema.type !== 'array' || !isRecord(schema.items)) return null;
    const item = { ...tool, returns: { ...schema.items, ...(schema.$defs !== undefined && { $defs: schema.$defs }) } };
    const front = found.map(({ members }, i) => sampled(item, { ...flat(args), ...members }, `${key} ${i}`));
    const rest = JSON.parse(fresh(tool, args).content) as unknown;
    return {
      content: JSON.stringify([...front, ...(Array.isArray(rest) && Object.keys(args).length === 0 ? rest : [])]),
      source: 'schema',
    };
  }

  return {
    record(tool, args, content) {
      const key = callKey(tool, args);
      records.delete(key);
      records.set(key, content);
      if (records.size > MAX_RECORDS) for (const oldest of records.keys()) return void records.delete(oldest);
    },
    answer(tool, args, made) {
      if (!tool.changesWorld) return (made && withMade(tool, args, made)) ?? fresh(tool, args);
      const answer = fresh(tool, args);
      made?.note(tool, args, JSON.parse(answer.content));
      return answer;
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
