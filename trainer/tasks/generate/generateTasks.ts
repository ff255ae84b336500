import type { Arguments } from '../../protocol/arguments';
import type { Task, ToolSchema, ToolWithoutTasks } from '../../protocol/task';
import { UserError } from '../../protocol/result';
import type { Call } from './harvest';
import { withNulls, withoutNulls } from './nullable';
import type { Strata } from '../../protocol/strata';
import type { MadeStrata } from './strata';
import { TaskMaker } from './taskMaker';

export interface GenerateOptions {
  /** How many tasks are wanted; fewer come where the tools leave room for fewer. */
  count: number;
  seed: number;
  /** Calls a tool as the run would (policy, limits); asked only for tools that don't change the world. */
  call: Call;
  /**
   * Who words the requests: the grammar of intents with a share of the schemas' own words (default), or the schemas'
   * words alone.
   */
  language?: 'grammar' | 'schema';
  /** Whose values calls hold: also those found in files and in the tools' results (default), or the schemas' alone. */
  values?: 'found' | 'schema';
  /** Share of the grammar's requests in words that only go with the tool; default 0.5. */
  looseWording?: number;
  /** How many of each stratum are wanted; default: about two thirds single calls, chains, and a fifth without a tool. */
  strata?: Strata;
  /** With `strata`: told in the end of what came about, and what was dropped. */
  onMade?: (made: MadeStrata) => void;
  /** Told of tools that are too slow to be explored. */
  note?: (message: string, tool: ToolSchema) => void;
  /** Told of each tool that no task could be made for. */
  onWithoutTasks?: (tool: ToolSchema, why: ToolWithoutTasks) => void;
  /**
   * What the tools' hosts may read: data files in it that the code names give values. Default: the folders of the code
   * alone.
   */
  workspace?: string;
  /** Once aborted, making tasks rejects with its reason. */
  signal?: AbortSignal;
}

/**
 * Tasks made from nothing but the schemas and what the read-only tools return: one call (about two thirds), two-step
 * chains where one
 * tool's result feeds another's parameter, and requests that need no tool. Gold calls by construction: each was run and
 * gave something (tools
 * that change the world are never called, only checked by their schema); gold answers are the scalar that the last call
 * returned, where it
 * returned one for real. Every text and number of the arguments stands verbatim in the prompt or in a result.
 *
 * Tags: the kind (oneCall, chain, noTool), `family:…`, the tools; `newPhrasing` where the family occurs in held-out
 * only (a quarter of the
 * families, drawn by the seed). Same tools, results and seed: same tasks.
 *
 * @throws UserError when no task with a call can be made
 */
export async function generateTasks(tools: readonly ToolSchema[], options: GenerateOptions): Promise<Task[]> {
  if (tools.length === 0)
    throw new UserError('task', 'there are no tools to make tasks for', 'Tag an exported function with @tool.');
  if (!Number.isInteger(options.count) || options.count < 1)
    throw new UserError('config', `the count of tasks must be a whole number from 1, got ${options.count}`);
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const withOwn = (name: string, args: Arguments): Arguments => withNulls(args, byName.get(name)!);
  const { call, note, onWithoutTasks } = options;
  const maker = new TaskMaker(tools.map(withoutNulls), {
    ...options,
    call: (name, args) => call(name, withOwn(name, args)),
    note: note && ((message, { name }) => note(message, byName.get(name)!)),
    onWithoutTasks: onWithoutTasks && (({ name }, why) => onWithoutTasks(byName.get(name)!, why)),
  });
  await maker.prepare();
  const tasks = await maker.make();
  for (const { calls = [] } of tasks) for (const one of calls) one.arguments = withOwn(one.name, one.arguments);
  return tasks;
}
