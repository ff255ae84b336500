/** The tasks of a run or a command: those of a file, of use, written and generated ones. */
import { resolve } from 'node:path';
import { shortPath } from '../../base/shortPath';
import type { TellNote } from '../../protocol/note';
import type { RunConfig } from '../../protocol/runConfig';
import { DEFAULTS } from '../../protocol/settings/defaults';
import type { Task, ToolSchema } from '../../protocol/task';
import { readTaskSplits } from '../../store/runs/readRun';
import { inOtherLanguage } from '../../base/language';
import { refuseRequests, withoutKeptRequests } from '../../tasks/ownRequests';
import { lineOfTask, readTasks, taskChecker, tasksFileBeside } from '../../tasks/readTasks';
import { useTasks } from '../../tasks/useTasks';
import type { Discovered } from '../../tools/sources/typescript/discover';
import type { SeenResult } from '../budget/planBudget';
import type { Dependencies } from '../dependencies';
import { inventTasks } from './invent';
import { placeOf } from './tools';

export interface MadeTasks {
  tasks: Task[];
  /** a file, or 'generated' */
  source: string;
  /** what was called while they were made */
  seen: SeenResult[];
  /** tools that failed whatever they were asked: they were mocked, and have to be in what follows (`withMockTools`) */
  mocked?: readonly string[];
}

export interface MakingTasks {
  config: RunConfig;
  found: Discovered;
  workspace: string;
  cwd: string;
  note: TellNote;
  dependencies: Pick<Dependencies, 'openHosts' | 'openEngine'>;
  /** made anew, whatever file there is */
  isFresh?: boolean;
  /** nothing is trained on them: the tasks of a named file are taken as they are, kept requests as well */
  isToMeasure?: boolean;
  /** names the writer, where the settings don't */
  environment?: Readonly<Record<string, string | undefined>>;
  signal?: AbortSignal;
  onProgress?: (message: string) => void;
}

/**
 * The tasks of the file that was named or lies beside the tool file; where there is none (or with `isFresh`), or it has
 * fewer than `fillTasks`, up to `taskCount` of what was asked at work
 * and marked good, what a language model wrote where one is set, and generated ones. Generating calls the read-only
 * tools in hosts of its own; where the policy is to ask, they are
 * mocked, since nobody can be asked before the run exists. Requests that are kept to measure on are left out.
 */
export async function makeTasks(making: MakingTasks): Promise<MadeTasks> {
  if (making.isToMeasure && making.config.tasks !== undefined)
    return gatherTasks({ ...making, config: { ...making.config, splitsOf: undefined } }); // those of the file alone
  const { config, workspace, cwd, note } = making;
  refuseRequests(config.tasks);
  const made = await gatherTasks(making);
  const { tasks, leftOut } = withoutKeptRequests(made.tasks, workspace, resolve(cwd, config.toolFile));
  if (leftOut > 0)
    note(
      'info',
      'requestsKept',
      `${leftOut} of the tasks ${leftOut === 1 ? 'is a request that is' : 'are requests that are'} kept to measure on: left out`,
    );
  return { ...made, tasks };
}

async function gatherTasks(making: MakingTasks): Promise<MadeTasks> {
  const { config, found, workspace, cwd, isFresh = false, isToMeasure = false } = making;
  noteOtherLanguage(
    making,
    'tools',
    found.tools,
    ({ description }) => description,
    (tool) => placeOf(tool, cwd),
  );
  if (config.splitsOf !== undefined) return tasksOfRun(config.splitsOf, config, found.tools, cwd);
  const file =
    config.tasks !== undefined ? resolve(cwd, config.tasks) : isFresh ? null : tasksFileBeside(config.toolFile);
  const own = file === null ? [] : readTasks(file, found.tools);
  const place = (task: Task): string => `${shortPath(file!, cwd)}:${lineOfTask(file!, task) ?? 1}`;
  noteOtherLanguage(making, 'requests', own, ({ prompt }) => prompt, place);
  const isWhole = isToMeasure || own.length >= (config.fillTasks ?? DEFAULTS.fillTasks);
  if (file !== null && isWhole) return { tasks: own, source: file, seen: [] };
  const prompts = new Set(own.map(({ prompt }) => prompt));
  const used = useTasks(workspace, config.toolFile, found.tools).filter(({ prompt }) => !prompts.has(prompt));
  if (used.length > 0)
    making.note(
      'info',
      'tasksOfUse',
      `${used.length} requests of tries and imported traces that were marked good are among the tasks`,
    );
  const people = [...own, ...used];
  const { made, seen, mocked } = await inventTasks(making, people);
  return {
    tasks: withOwnIds(people, made),
    source: file === null ? 'generated' : `${file} + ${made.length + used.length} more`,
    seen,
    ...(mocked.length > 0 ? { mocked } : {}),
  };
}

/** The tasks of a run, and behind them those of a file that is named. */
function tasksOfRun(dir: string, { tasks }: RunConfig, tools: readonly ToolSchema[], cwd: string): MadeTasks {
  const known = Object.values(readTaskSplits(dir)).flat();
  const check = taskChecker(tools);
  for (const task of known) check(task, `splitsOf: ${dir}, task ${task.id}`);
  if (tasks === undefined) return { tasks: known, source: dir, seen: [] };
  const file = resolve(cwd, tasks);
  const more = readTasks(file, tools);
  return { tasks: withOwnIds(known, more), source: `${dir} + ${more.length} of ${file}`, seen: [] };
}

/** The embedded model was trained on English alone; of other models nobody knows here what they speak. */
function noteOtherLanguage<T>(
  { config, note }: MakingTasks,
  kind: 'tools' | 'requests',
  items: readonly T[],
  textOf: (item: T) => string,
  placeOf: (item: T) => string,
): void {
  const other = config.model === 'nano' ? inOtherLanguage(items, textOf) : null;
  if (other === null) return;
  const what = `${other.n} of ${items.length} ${kind} ${kind === 'tools' ? 'are described' : 'are'}`;
  note(
    'warning',
    'otherLanguage',
    `${placeOf(other.first)}: ${what} in another language than English (this one, it seems: ` +
      `${other.language}). The embedded model was trained on English alone, so they are out of its ` +
      'reach. Take a model that speaks the language (--model), or write them in English',
  );
}

/** A person's ids stay; one that is there already gets a sign behind it. */
function withOwnIds(people: readonly Task[], made: readonly Task[]): Task[] {
  const taken = new Set(people.map(({ id }) => id));
  const unique = (id: string): string => (taken.has(id) ? unique(`${id}+`) : id);
  return [...people, ...made.map((task) => ({ ...task, id: unique(task.id) }))];
}
