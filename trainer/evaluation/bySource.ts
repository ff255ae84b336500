/** Success and gain by who wrote the tasks, and the part that a run is told by. */
import { nearestToPeople } from '../protocol/headline';
import { wilson } from '../protocol/interval';
import type { Headline, RunResult, Success } from '../protocol/messages';
import { sourceOf, TASK_SOURCES, type Task, type TaskSource, type ToolSchema } from '../protocol/task';
import { mcnemar, pairedGain, verdictOf } from './statistics';

/** A set of tasks, solved or not, in one order. */
interface Outcomes {
  before: boolean[];
  after: boolean[];
  contents: string[];
}

/** @param solved task by task; fewer where it was cancelled */
export function successBySource(tasks: readonly Task[], solved: readonly boolean[]): NonNullable<Success['bySource']> {
  const measured = tasks.slice(0, solved.length);
  return Object.fromEntries(
    TASK_SOURCES.flatMap((source) => {
      const own = solved.filter((_, i) => sourceOf(measured[i]!) === source);
      return own.length === 0 ? [] : [[source, proportion(own)]];
    }),
  );
}

/** The gain over all tasks, and over those of each writer; paired, clustered by content. */
export function gainBySource(tasks: readonly Task[], outcomes: Outcomes): RunResult['gain'] {
  const bySource = Object.fromEntries(
    TASK_SOURCES.flatMap((source) => {
      const own = ofSources(tasks, outcomes, [source]);
      return own.after.length === 0 ? [] : [[source, { ...gainOf(own), n: own.after.length }]];
    }),
  );
  return { ...gainOf(outcomes), bySource };
}

/** Over the tasks that are nearest to what people ask. */
export function headlineOfTasks(tasks: readonly Task[], outcomes: Outcomes): Headline {
  const sources = nearestToPeople(tasks.map(sourceOf));
  const own = ofSources(tasks, outcomes, sources);
  const gain = gainOf(own);
  return { sources, before: proportion(own.before), after: proportion(own.after), gain, verdict: verdictOf(gain) };
}

/** Tools that none of these tasks calls: what was measured says nothing about them. */
export function toolsWithoutTasks(tools: readonly ToolSchema[], tasks: readonly Task[]): string[] {
  const called = new Set(tasks.flatMap((task) => task.calls ?? []).map(({ name }) => name));
  return tools.map(({ name }) => name).filter((name) => !called.has(name));
}

function ofSources(
  tasks: readonly Task[],
  { before, after, contents }: Outcomes,
  sources: readonly TaskSource[],
): Outcomes {
  const isOwn = (_: unknown, i: number): boolean => sources.includes(sourceOf(tasks[i]!));
  return { before: before.filter(isOwn), after: after.filter(isOwn), contents: contents.filter(isOwn) };
}

const gainOf = ({ before, after, contents }: Outcomes): Headline['gain'] => ({
  ...pairedGain(before, after, contents),
  changed: mcnemar(before, after),
});

function proportion(solved: readonly boolean[]): Headline['before'] {
  const right = solved.filter(Boolean).length;
  return { n: solved.length, success: right / solved.length, ci95: wilson(right, solved.length)! };
}
