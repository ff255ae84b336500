/** MetaTool's questions (arXiv:2310.03128) from a copy of ToolE: which of a list of tools does a request need? */
import { evenly } from '../../../base/evenly';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { parseJson } from '../../../base/json';
import { suggest } from '../../../base/nearest';
import { Random } from '../../../base/random';
import { readTextFile } from '../../../base/storage';
import { UserError } from '../../../protocol/result';
import { makeMulti, MultiLine, QueryLine } from './multi';

/**
 * similar: the tool and its nearest; scenario: the tools of one walk of life; reliable: ten tools without the right
 * one, so that none is right; multi: two tools are right.
 */
const SUBTASKS = ['similar', 'scenario', 'reliable', 'multi'] as const;
export type Subtask = (typeof SUBTASKS)[number];

export interface Choice {
  id: string;
  subtask: Subtask;
  query: string;
  /** names of the tools that are right; none: no tool is */
  answer: readonly string[];
  /** the right tool that was kept from the list */
  hidden: string | null;
  candidates: readonly string[];
}

/** What was read of one subtask. */
export interface ChoiceFile {
  subtask: Subtask;
  choices: Choice[];
  total: number;
  /** how the lines were made, where the folder holds none */
  made: string | null;
}

export const TOOLE_BENCHMARKS: readonly string[] = SUBTASKS.map((subtask) => `toole-${subtask}`);
export const isToolE = (benchmark: string): boolean => benchmark.startsWith('toole-');

/** @throws UserError for a name that is none, with the nearest */
export function subtaskOf(benchmark: string): Subtask {
  const found = SUBTASKS.find((subtask) => benchmark === `toole-${subtask}`);
  if (found) return found;
  throw new UserError(
    'config',
    `--benchmark must be one of ${TOOLE_BENCHMARKS.join(', ')}, got ${benchmark}`,
    suggest(benchmark, TOOLE_BENCHMARKS),
  );
}

const WAY_OUT =
  'Give the folder of ToolE as JSON lines by --data FOLDER: tools.jsonl ({name, description}), candidates.jsonl ' +
  '({subtask, key, candidates}), similar.jsonl, scenario.jsonl, reliable.jsonl ({id, query, answer}), multi.jsonl ' +
  '({id, query, answer: [two names], candidates}).';
const MULTI_SEED = 0;
const MULTI_MADE = 500;

const Tool = z.object({ name: z.string().min(1), description: z.string() });
const Candidates = z.object({ subtask: z.string(), key: z.string(), candidates: z.array(z.string()).min(1) });
const One = z.object({ id: z.string(), query: z.string().min(1), answer: z.string() });
const Scenario = One.extend({ scenario: z.string() });
const Reliable = One.extend({ answer: z.null(), tool: z.string() });

/** All tools by name. @throws UserError */
export const readToolETools = (folder: string): Map<string, string> =>
  new Map(readLines(folder, 'tools.jsonl', Tool).map(({ value: { name, description } }) => [name, description]));

/**
 * Questions of a subtask, evenly spread over its lines, each with its list in an order of its own by the seed.
 * @param count null: all @throws UserError where a file is missing, or a line is broken or names an unknown tool
 */
export function readChoices(folder: string, subtask: Subtask, count: number | null, seed: number): ChoiceFile {
  const tools = readToolETools(folder);
  const { choices, made } = allOf(folder, subtask, [...tools.keys()]);
  const some = evenly(choices, count ?? choices.length);
  const random = Random.fromSeed(seed);
  return {
    subtask,
    total: choices.length,
    made,
    choices: some.map(({ where, ...choice }) => {
      const unknown = [...choice.candidates, ...choice.answer].find((name) => !tools.has(name));
      if (unknown !== undefined) throw broken(where, `there is no tool "${unknown}" in tools.jsonl`);
      const missing = choice.answer.find((name) => !choice.candidates.includes(name));
      if (missing !== undefined) throw broken(where, `its answer "${missing}" is none of its candidates`);
      // the nearest stands first in `similar`, and that is the right one
      return { ...choice, candidates: random.fork(choice.id).shuffle(choice.candidates) };
    }),
  };
}

type Placed = Choice & { where: string };

function allOf(folder: string, subtask: Subtask, tools: readonly string[]): { choices: Placed[]; made: string | null } {
  if (subtask === 'multi') return allMulti(folder, tools);
  const lists = new Map(
    readLines(folder, 'candidates.jsonl', Candidates).map(({ value }) => [
      `${value.subtask} ${value.key}`,
      value.candidates,
    ]),
  );
  const listOf = (key: string, where: string): string[] => {
    const list = lists.get(`${subtask} ${key}`);
    if (!list) throw broken(where, `candidates.jsonl has no list of ${subtask} for "${key}"`);
    return list;
  };
  const placed = (line: { id: string; query: string }, where: string, key: string, answer: string | null): Placed => {
    const { id, query } = line;
    const hidden = answer === null ? key : null;
    return {
      id,
      query,
      subtask,
      answer: answer === null ? [] : [answer],
      hidden,
      candidates: listOf(key, where),
      where,
    };
  };
  const read = <T>(schema: z.ZodType<T>) => readLines(folder, `${subtask}.jsonl`, schema);
  const choices =
    subtask === 'reliable'
      ? read(Reliable).map(({ value, where }) => placed(value, where, value.tool, null))
      : subtask === 'scenario'
        ? read(Scenario).map(({ value, where }) => placed(value, where, value.scenario, value.answer))
        : read(One).map(({ value, where }) => placed(value, where, value.answer, value.answer));
  return { choices, made: null };
}

function allMulti(folder: string, tools: readonly string[]): { choices: Placed[]; made: string | null } {
  const file = 'multi.jsonl';
  const placed = (value: MultiLine, where: string): Placed => ({ ...value, subtask: 'multi', hidden: null, where });
  if (existsSync(join(folder, file))) {
    const lines = readLines(folder, file, MultiLine);
    return { choices: lines.map(({ value, where }) => placed(value, where)), made: null };
  }
  const queries = readLines(folder, 'queries.jsonl', QueryLine).map(({ value }) => value);
  const lines = makeMulti(queries, tools, { count: MULTI_MADE, seed: MULTI_SEED });
  return {
    choices: lines.map((line) => placed(line, join(folder, 'queries.jsonl'))),
    made: `${folder} holds no ${file}: its lines were made of pairs of one-tool queries (queries.jsonl), seed ${MULTI_SEED}`,
  };
}

const broken = (where: string, what: string): UserError =>
  new UserError('storage', `${where}: ${what}`, 'The file is broken, or belongs to another copy of ToolE.');

function readLines<T>(folder: string, name: string, schema: z.ZodType<T>): { value: T; where: string }[] {
  const file = join(folder, name);
  if (!existsSync(file)) throw new UserError('storage', `${file}: is missing`, WAY_OUT);
  return readTextFile(file)
    .split('\n')
    .flatMap((line, i) => {
      if (line.trim() === '') return [];
      const where = `${file}:${i + 1}`;
      let json: unknown;
      try {
        json = parseJson(line);
      } catch (error) {
        throw broken(where, `is not JSON: ${(error as Error).message}`);
      }
      const parsed = schema.safeParse(json);
      if (parsed.success) return [{ value: parsed.data, where }];
      const { path, message } = parsed.error.issues[0]!;
      throw broken(where, `${path.join('.') || 'the line'}: ${message}`);
    });
}
