/** What tasks and tools ask of an episode: the longest request, call, result and answer. */
import type { GoldCall, Task, ToolSchema } from '../../protocol/task';
import { stableJson } from '../../protocol/arguments';
import { longestArguments } from './longestArguments';
import type { TextLengths } from './measureTexts';
import type { SeenResult } from './planBudget';

/** Of a result that nobody saw: of a tool that changes the world, say. */
export const UNSEEN_RESULT = 32;
/** What a demonstration tells of a result (rollout/verdicts/goldAnswer) is seldom longer. */
export const LEAST_ANSWER = 48;
/** How many of the longest texts are really tokenised. */
const LOOKED_AT = 12;

/** What the tasks and the tools ask of an episode, in tokens where nothing else is said. */
export interface Needs {
  /** the longest request */
  request: number;
  /** the longest turn: a call by the schemas, a gold call or answer */
  turn: number;
  /** the longest gold call */
  call: number;
  answer: number;
  /** the longest result seen, 0 where none was */
  result: number;
  /** gold calls of a task */
  calls: number;
  bytesPerToken: number;
  /** what a gold call returned, or as long as that tool's results get; null: it was never called */
  resultOf(call: GoldCall): number | null;
  /** the longest task, solved, at this opening and with results of so many tokens at most */
  taskAt(opening: number, result: number): number;
}

export function needsOf(
  lengths: TextLengths,
  tools: readonly ToolSchema[],
  tasks: readonly Task[],
  seen: readonly SeenResult[],
  context: number,
): Needs {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const known = new Map<string, string>();
  const longestOf = new Map<string, string>();
  for (const one of seen) {
    known.set(keyOf(one), one.content);
    if (one.content.length > (longestOf.get(one.name)?.length ?? -1)) longestOf.set(one.name, one.content);
  }
  const contentOf = (call: GoldCall): string | undefined => known.get(keyOf(call)) ?? longestOf.get(call.name);
  const resultOf = (call: GoldCall): number | null => {
    const content = contentOf(call);
    return content === undefined ? null : lengths.result(content, byName.get(call.name)!);
  };
  const gold = tasks.flatMap((task) => task.calls ?? []).filter(({ name }) => byName.has(name));
  const call = Math.max(
    0,
    ...longestFirst(gold, (one) => JSON.stringify(one.arguments).length).map((one) =>
      lengths.call(one, byName.get(one.name)!),
    ),
  );
  const bySchema = Math.max(
    0,
    ...tools.map((tool) => lengths.call({ name: tool.name, arguments: longestArguments(tool.parameters) }, tool)),
  );
  const answer = Math.max(
    LEAST_ANSWER,
    ...longestFirst(tasks, (task) => task.answer?.length ?? 0).map((task) => lengths.answer(task.answer ?? '')),
  );
  const results = longestFirst(
    seen.filter(({ name }) => byName.has(name)),
    ({ content }) => content.length,
  );
  const resultLengths = results.map((one) => lengths.result(one.content, byName.get(one.name)!));
  const charactersOf = (task: Task): number =>
    task.prompt.length +
    (task.answer?.length ?? 0) +
    (task.calls ?? []).reduce(
      (n, one) => n + JSON.stringify(one).length + (contentOf(one)?.length ?? 2 * UNSEEN_RESULT),
      0,
    );
  const longestTasks = longestFirst(tasks, charactersOf).map((task) => {
    const calls = (task.calls ?? []).filter(({ name }) => byName.has(name));
    return {
      fixed:
        lengths.text(task.prompt) +
        calls.reduce((n, one) => n + lengths.call(one, byName.get(one.name)!), 0) +
        (task.answer === undefined ? LEAST_ANSWER : lengths.answer(task.answer)),
      results: calls.map((one) => resultOf(one) ?? UNSEEN_RESULT),
    };
  });
  return {
    request: Math.max(
      0,
      ...longestFirst(tasks, ({ prompt }) => prompt.length).map(({ prompt }) => lengths.text(prompt)),
    ),
    turn: Math.max(call, answer, Math.min(bySchema, Math.floor(context / 8))),
    call,
    answer,
    result: Math.max(0, ...resultLengths),
    calls: Math.max(0, ...tasks.map((task) => task.calls?.length ?? 0)),
    bytesPerToken: bytesPerToken(
      results.map(({ content }) => Buffer.byteLength(content)),
      resultLengths,
    ),
    resultOf,
    taskAt: (opening, result) =>
      opening +
      Math.max(
        LEAST_ANSWER,
        ...longestTasks.map(({ fixed, results: all }) => fixed + all.reduce((n, one) => n + Math.min(one, result), 0)),
      ),
  };
}

const keyOf = ({ name, arguments: args }: GoldCall): string => `${name} ${stableJson(args)}`;

/** 1.5 where nothing was seen: numbers and ids, the dearest of what tools answer. */
function bytesPerToken(bytes: readonly number[], tokens: readonly number[]): number {
  const sum = (list: readonly number[]): number => list.reduce((a, b) => a + b, 0);
  return sum(tokens) === 0 ? 1.5 : Math.max(1, sum(bytes) / sum(tokens));
}

const longestFirst = <T>(items: readonly T[], lengthOf: (item: T) => number): T[] =>
  items
    .map((item) => ({ item, length: lengthOf(item) }))
    .sort((a, b) => b.length - a.length)
    .slice(0, LOOKED_AT)
    .map(({ item }) => item);
