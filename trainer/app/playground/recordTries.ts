/**
 * Keeps tries in their run: traces and events as of training, so that they are listed, compared and marked like any
 * other.
 */
import { UserError } from '../../protocol/result';
import type { Trace, TraceSummary } from '../../protocol/trace';
import { lockHolder } from '../../store/runs/lock';
import { openRun } from '../../store/runs/runFolder';

/** @throws UserError while a trainer writes the run */
export function requireFree(dir: string): void {
  if (lockHolder(dir) !== null)
    throw new UserError(
      'storage',
      `${dir}: its trainer is at work, and only one may write`,
      'Stop the run, or wait for its end, and try again.',
    );
}

/** @throws UserError while a trainer writes the run */
export function recordTries(dir: string, traces: readonly Trace[], now: () => number): TraceSummary[] {
  requireFree(dir);
  const run = openRun(dir, { now });
  try {
    return traces.map((trace) => {
      const summary = run.recordTrace(trace);
      run.append({ type: 'traceRecorded', trace: summary });
      return summary;
    });
  } finally {
    run.sync();
    run.close();
  }
}
