/** Calls that say nothing of the model: their process had died or hung. Pure. */
import type { Note } from '../protocol/note';
import type { Trace } from '../protocol/trace';

/** From this share of the calls on a measurement is told to be spoilt. */
const TOLD_FROM = 0.02;

/** @returns a warning; null: fewer than 2 % of the calls were lost */
export function lostCalls(traces: readonly Pick<Trace, 'turns'>[]): Note | null {
  const results = traces.flatMap(({ turns }) =>
    turns.flatMap(({ calls }) => calls.flatMap(({ result }) => result ?? [])),
  );
  const lost = results.filter(({ kind }) => kind === 'hostDied').length;
  if (lost === 0 || lost < TOLD_FROM * results.length) return null;
  return {
    level: 'warning',
    code: 'callsLost',
    message:
      `${lost} of ${results.length} tool calls of this measurement got no answer: the process that ran them had died or ` +
      'hung. They count as failures, though the model is not to blame. A tool that ends its process does that, and a ' +
      'machine with too much to do: measure again when it is idle',
  };
}
