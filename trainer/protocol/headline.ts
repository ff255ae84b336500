/** What a run is told by, and in which words: the held-out tasks that are nearest to what people ask. Pure. */
import type { Headline, RunResult, Success } from './messages';
import { tasksFileName } from './taskFileName';
import type { TaskSource } from './task';

/** The name of the evaluation on the tasks that marked pairs are about. */
export const MARKED_TASKS = 'marked tasks';

/** From the nearest to people on; those of one row are told together. */
const NEAREST: readonly (readonly TaskSource[])[] = [['person', 'use'], ['model'], ['grammar'], ['schema']];

/** Of the sources that there are, those that the headline is about. */
export function nearestToPeople(present: readonly TaskSource[]): TaskSource[] {
  return NEAREST.map((row) => row.filter((source) => present.includes(source))).find((row) => row.length > 0) ?? [];
}

/**
 * What stands at the top of a result. `sources` is empty in a run of before tasks said who wrote them: then it is all
 * held-out tasks.
 */
export interface Told {
  sources: TaskSource[];
  before: Pick<Success, 'n' | 'success' | 'ci95'>;
  after: Pick<Success, 'n' | 'success' | 'ci95'>;
  gain: Headline['gain'];
  verdict: string;
  /** held-out tasks of other writers stand below */
  isPart: boolean;
}

export function headlineOf({ headline, before, after, gain, verdict }: RunResult): Told {
  return headline
    ? { ...headline, isPart: headline.after.n < after.n }
    : { sources: [], before, after, gain, verdict, isPart: false };
}

export const SOURCE_WORDS: Readonly<Record<TaskSource, string>> = {
  person: 'written by people',
  use: 'taken from use',
  model: 'written by a language model',
  grammar: 'made by grammar',
  schema: 'from the schemas',
};

/** "written by people or taken from use" */
export const sourcesText = (sources: readonly TaskSource[]): string =>
  sources.map((source) => SOURCE_WORDS[source]).join(' or ');

/** Coach wrote them all by itself: their language is its own. */
export const isOwnStyle = (sources: readonly TaskSource[]): boolean =>
  sources.length > 0 && sources.every((source) => source === 'grammar' || source === 'schema');

/** What a result was measured on, with what that is worth; null where that is what people ask, or not known. */
export function caveat(sources: readonly TaskSource[], toolFile: string): string | null {
  if (isOwnStyle(sources))
    return (
      'measured on requests that Coach made up; what people ask may differ: write some in ' +
      `${tasksFileName(toolFile)}`
    );
  return sources.length > 0 && sources.every((source) => source === 'model')
    ? 'measured on requests that a language model wrote; what people ask may differ: write some in ' +
        `${tasksFileName(toolFile)}`
    : null;
}
