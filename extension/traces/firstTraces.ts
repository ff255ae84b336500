/**
 * A long run opens at once: with the snapshot go the newest traces, of each phase as many as fill a screen; all of
 * them follow in pieces. Free of `vscode`.
 */
import type { TraceSummary } from '../../trainer/protocol/trace';

/** Of each phase: 40 closed groups of 8. */
const FIRST = 320;
const PIECE = 2_000;

/** null: so few that all of them go at once. Order is kept. */
export function firstTraces(traces: readonly TraceSummary[]): TraceSummary[] | null {
  const taken: TraceSummary[] = [];
  const counts = new Map<TraceSummary['phase'], number>();
  for (let i = traces.length - 1; i >= 0; i--) {
    const trace = traces[i]!;
    const count = counts.get(trace.phase) ?? 0;
    if (count < FIRST) taken.push(trace);
    counts.set(trace.phase, count + 1);
  }
  return taken.length === traces.length ? null : taken.reverse();
}

export function* pieces(traces: readonly TraceSummary[]): Generator<{ traces: TraceSummary[]; isLast: boolean }> {
  for (let from = 0; from < traces.length; from += PIECE)
    yield { traces: traces.slice(from, from + PIECE), isLast: from + PIECE >= traces.length };
}
