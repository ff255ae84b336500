/** Traces side by side: their steps in rows, and where each first leaves the one on the left. */
import type { Trace } from '../../trainer/protocol/trace';
import { prose } from './traceSteps';

export type Step =
  | {
      kind: 'call';
      name: string;
      arguments: Record<string, unknown>;
      result: Trace['turns'][number]['calls'][number]['result'];
    }
  | { kind: 'answer'; text: string }
  | { kind: 'parseError'; text: string; message: string };

export interface Column {
  traceId: string;
  steps: Step[];
  /**
   * index (in `steps`) of the first step that differs from the baseline's; null = none does, or this is the baseline
   */
  differsAt: number | null;
  /** the steps placed in the rows that all columns share; null = this trace has no step here */
  rows: (Step | null)[];
  /** the row of the first difference */
  differsRow: number | null;
}

export function steps(trace: Trace): Step[] {
  return trace.turns.flatMap((turn, i): Step[] => {
    const out: Step[] = turn.calls.map((call) => ({
      kind: 'call',
      name: call.name,
      arguments: call.arguments,
      result: call.result,
    }));
    if (turn.parseError !== undefined) out.push({ kind: 'parseError', text: turn.text, message: turn.parseError });
    else if (turn.calls.length === 0) out.push({ kind: 'answer', text: prose(trace, i) });
    return out;
  });
}

/**
 * Every trace is aligned to the baseline; equal steps share a row, however many others lie between, and what only some
 * have gets rows of its
 * own. The common beginning always lies in the first rows, so the first difference is the first decision that went
 * another way.
 */
export function align(traces: readonly Trace[], baseline = 0): Column[] {
  const all = traces.map(steps);
  const base = all[baseline];
  if (!base) return [];
  const prints = all.map((list) => list.map(fingerprint));
  const matched = all.map((list, i) => match(base, prints[baseline]!, list, prints[i]!));
  // Rows: ahead of each step of the baseline as many as the trace with most steps of its own there needs, then the step
  // itself.
  const extra = Array.from({ length: base.length + 1 }, (_, k) =>
    Math.max(0, ...matched.map((m) => m.between[k]!.length)),
  );
  return traces.map((trace, i): Column => {
    const { at, between } = matched[i]!;
    const rows: (Step | null)[] = [];
    const baseRows: (number | null)[] = [];
    for (let k = 0; k <= base.length; k++) {
      for (let e = 0; e < extra[k]!; e++) {
        rows.push(all[i]![between[k]![e] ?? -1] ?? null);
        baseRows.push(null);
      }
      if (k === base.length) break;
      rows.push(at[k] === null ? null : all[i]![at[k]!]!);
      baseRows.push(k);
    }
    if (i === baseline) return { traceId: trace.id, steps: all[i]!, differsAt: null, rows, differsRow: null };
    const same = commonPrefix(prints[baseline]!, prints[i]!);
    const differs = same < base.length || same < all[i]!.length;
    const row = differs
      ? rows.findIndex((step, r) =>
          step === null
            ? baseRows[r] !== null
            : baseRows[r] === null || fingerprint(step) !== prints[baseline]![baseRows[r]!],
        )
      : -1;
    return {
      traceId: trace.id,
      steps: all[i]!,
      differsAt: differs ? same : null,
      rows,
      differsRow: row < 0 ? null : row,
    };
  });
}

/**
 * at[k] = the step that stands beside step k of the baseline; between[k] = those ahead of it that stand beside none.
 */
interface Match {
  at: (number | null)[];
  between: number[][];
}

const EQUAL = 3;
const SAME_TOOL = 1;
/** Better side by side than in two rows, but never at the cost of a real match. */
const OTHER = 0.1;

/** Needleman and Wunsch, J. Mol. Biol. 48 (1970), behind the common beginning; a gap costs nothing. */
function match(
  base: readonly Step[],
  basePrints: readonly string[],
  list: readonly Step[],
  prints: readonly string[],
): Match {
  const from = commonPrefix(basePrints, prints);
  const n = base.length - from;
  const m = list.length - from;
  const score = new Float64Array((n + 1) * (m + 1));
  const pair = (i: number, j: number): number => {
    if (basePrints[from + i] === prints[from + j]) return EQUAL;
    const a = base[from + i]!;
    const b = list[from + j]!;
    return a.kind === b.kind && (a.kind !== 'call' || (b.kind === 'call' && a.name === b.name)) ? SAME_TOOL : OTHER;
  };
  for (let i = n - 1; i >= 0; i--) {
    for (let j = m - 1; j >= 0; j--) {
      score[i * (m + 1) + j] = Math.max(
        score[(i + 1) * (m + 1) + j + 1]! + pair(i, j),
        score[(i + 1) * (m + 1) + j]!,
        score[i * (m + 1) + j + 1]!,
      );
    }
  }
  const at: (number | null)[] = Array.from({ length: base.length }, (_, k) => (k < from ? k : null));
  const between: number[][] = Array.from({ length: base.length + 1 }, () => []);
  let i = 0;
  let j = 0;
  while (i < n && j < m) {
    const here = score[i * (m + 1) + j]!;
    if (here === score[(i + 1) * (m + 1) + j + 1]! + pair(i, j)) at[from + i++] = from + j++;
    else if (here === score[(i + 1) * (m + 1) + j]!) i++;
    else between[from + i]!.push(from + j++);
  }
  while (j < m) between[from + i]!.push(from + j++);
  return { at, between };
}

function commonPrefix(a: readonly string[], b: readonly string[]): number {
  let same = 0;
  while (same < a.length && same < b.length && a[same] === b[same]) same++;
  return same;
}

/** What the policy did, not what came back; the order of argument names does not count. */
function fingerprint(step: Step): string {
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
