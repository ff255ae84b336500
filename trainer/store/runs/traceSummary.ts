import type { Trace, TraceSummary } from '../../protocol/trace';

/** Where a trace's line lies, relative to the run folder. */
export interface TracePlace {
  file: string;
  offset: number;
  length: number;
}

/** One file per phase and step, so that a resumed step's traces lie beside those they supersede. */
export const traceFile = (trace: Pick<Trace, 'phase' | 'step'>): string =>
  `traces/${trace.phase}-${String(trace.step).padStart(5, '0')}.jsonl`;

export function summarizeTrace(trace: Trace, place: TracePlace): TraceSummary {
  const errors = [
    ...new Set(
      trace.turns.flatMap((turn) =>
        turn.calls.flatMap(({ result }) => (result && result.kind !== 'ok' ? [result.kind] : [])),
      ),
    ),
  ];
  return {
    id: trace.id,
    taskId: trace.taskId,
    groupId: trace.groupId,
    phase: trace.phase,
    step: trace.step,
    ...(trace.phase === 'try' ? { checkpoint: trace.checkpoint } : {}),
    prompt: trace.messages.find((m) => m.role === 'user')?.content ?? '',
    path: tracePath(trace),
    reward: trace.reward,
    advantage: trace.advantage,
    solved: trace.solved,
    ...(trace.verdicts ? { verdicts: trace.verdicts } : {}),
    truncated: trace.truncated,
    ...place,
    ...(trace.forkOf ? { forkOf: trace.forkOf } : {}),
    ...(errors.length > 0 ? { errors } : {}),
  };
}

/**
 * The way the episode went, e.g. "search → read → answer"; ✗ marks a call that did not end well, ? a reply that could
 * not be parsed.
 */
function tracePath(trace: Pick<Trace, 'turns' | 'terminated' | 'truncated'>): string {
  const steps = trace.turns.flatMap((turn) => {
    if (turn.parseError !== undefined) return ['?'];
    return turn.calls.map((call) => (call.result === null || call.result.kind === 'ok' ? call.name : `${call.name}✗`));
  });
  const end = trace.terminated
    ? 'answer'
    : { no: '…', turnLimit: '(turn limit)', tokenLimit: '(token limit)', cancelled: '(cancelled)' }[trace.truncated];
  return [...steps, end].join(' → ');
}
