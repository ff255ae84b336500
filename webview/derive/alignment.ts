/** Traces side by side: their steps in rows, and where each first leaves the one on the left. */
import type { Trace } from '../../trainer/protocol/trace';
import { prose } from './traceSteps';

export type Step =
  | { kind: 'call'; name: string; arguments: Record<string, unknown>; result: Trace['turns'][number]['calls'][number]['result'] }
  | { kind: 'answer'; text: string }
  | { kind: 'parseError'; text: string; message: string };

export interface Column {
  traceId: string;
  steps: Step[];
  /** index of the first step that differs from the first column's; null = none does, or this is the first column */
  differsAt: number | null;
}

export function steps(trace: Trace): Step[] {
  return trace.turns.flatMap((turn, i): Step[] => {
    const out: Step[] = turn.calls.map((call) => ({ kind: 'call', name: call.name, arguments: call.arguments, result: call.result }));
    if (turn.parseError !== undefined) out.push({ kind: 'parseError', text: turn.text, message: turn.parseError });
    else if (turn.calls.length === 0) out.push({ kind: 'answer', text: prose(trace, i) });
    return out;
  });
}

export function align(traces: readonly Trace[]): Column[] {
  const columns = traces.map((trace): Column => ({ traceId: trace.id, steps: steps(trace), differsAt: null }));
  const first = columns[0];
  if (!first) return columns;
  for (const column of columns.slice(1)) {
    const rows = Math.max(first.steps.length, column.steps.length);
    for (let row = 0; row < rows; row++) {
      if (fingerprint(first.steps[row]) !== fingerprint(column.steps[row])) {
        column.differsAt = row;
        break;
      }
    }
  }
  return columns;
}

/** What the policy did, not what came back; the order of argument names does not count. */
function fingerprint(step: Step | undefined): string {
  if (!step) return '';
  if (step.kind === 'call') return `call ${step.name} ${stable(step.arguments)}`;
  return `${step.kind} ${step.text.trim()}`;
}

function stable(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(stable).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
    return `{${entries.map(([k, v]) => `${JSON.stringify(k)}:${stable(v)}`).join(',')}}`;
  }
  return JSON.stringify(value) ?? 'undefined';
}
