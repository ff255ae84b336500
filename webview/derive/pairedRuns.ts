/** Two runs on the tasks that both were measured on. */
import { pairedChange } from '../../trainer/protocol/interval';
import type { Outcome } from '../messages';
import { gainChange, type Change } from './noise';

/**
 * How much more of the tasks that both have, by id and words, this run solves: a paired difference with Newcombe's
 * interval. null: they share no task.
 */
export function pairedRuns(here: readonly Outcome[], there: readonly Outcome[]): { change: Change; n: number } | null {
  const key = ({ taskId, prompt }: Outcome): string => `${taskId}\n${prompt}`;
  const other = new Map(there.map((outcome) => [key(outcome), outcome.solved]));
  const both = here.flatMap((outcome) => {
    const solved = other.get(key(outcome));
    return solved === undefined ? [] : [{ here: outcome.solved, there: solved }];
  });
  if (both.length === 0) return null;
  const told = pairedChange(
    both.map((pair) => pair.there),
    both.map((pair) => pair.here),
  );
  return { change: gainChange(told, both.length), n: both.length };
}
