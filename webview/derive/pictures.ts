/**
 * Pictures as grids of numbers: what is drawn, what its table says and which traces stand behind a cell are one and the
 * same value. Pure; the drawing is components/picture.ts.
 */
import { TASK_SOURCES } from '../../trainer/protocol/task';
import type { TraceSummary } from '../../trainer/protocol/trace';
import type { TaskFacts } from '../shared/taskFacts';
import { compareTags } from './tags';

export interface Cell {
  /** what the cell shows; null: there is nothing to show */
  value: number | null;
  /** of how many, where the value is a share */
  of?: number;
  /** the traces behind it, in order of arrival */
  traceIds: string[];
}
export interface Picture {
  rows: string[];
  columns: string[];
  /** [row][column] */
  cells: Cell[][];
  /** counts are shaded by their share of the largest of `scale`; shares (0 to 1) are drawn as bars */
  kind: 'count' | 'share';
  /** what a full shade is: the sum of the row, or of the column */
  scale?: 'row' | 'column';
}

export type Facts = ReadonlyMap<string, TaskFacts>;

const OUTCOMES = ['solved', 'wrongTool', 'wrongValue', 'notSolved', 'refused', 'error', 'cutOff'] as const;
export type Outcome = (typeof OUTCOMES)[number] | 'unscored';

/** Names of the tools that a trace called, in order; paths read like "search → read✗ → answer". */
export function calledTools(path: string): string[] {
  const steps = path.split('→').map((step) => step.trim());
  return steps.slice(0, -1).flatMap((step) => (step === '?' || step === '' ? [] : [step.replace(/✗$/, '')]));
}

/**
 * How a trace ended, in one word. A trace that did not solve its task is told by the first that applies: it was cut
 * off, a call was refused, a call failed, it called other tools than the task wanted, or the same ones with other
 * values. Where the task is not known the last two are "not solved".
 */
export function outcomeOf(trace: TraceSummary, wanted: readonly string[] | null | undefined): Outcome {
  if (trace.solved === true) return 'solved';
  if (trace.truncated !== 'no') return 'cutOff';
  if (trace.errors?.includes('refused')) return 'refused';
  if (trace.errors?.length || /✗|(^|→ )\? →/.test(trace.path)) return 'error';
  if (trace.solved === null) return 'unscored';
  if (!wanted) return 'notSolved';
  return sameTools(calledTools(trace.path), wanted) ? 'wrongValue' : 'wrongTool';
}

function sameTools(called: readonly string[], wanted: readonly string[]): boolean {
  return called.slice().sort().join('\n') === wanted.slice().sort().join('\n');
}

/** The row or column of traces that called nothing, or of tasks that want no call; a tool can't be named so. */
export const NO_TOOL = '';

/** Rows: each tool that was called, once a trace; columns: how these traces ended. Empty columns are left out. */
export function toolOutcomes(traces: readonly TraceSummary[], facts: Facts): Picture & { columns: Outcome[] } {
  const all: Outcome[] = [...OUTCOMES, 'unscored'];
  const counts = new Grid();
  for (const trace of traces) {
    const outcome = outcomeOf(trace, facts.get(trace.taskId)?.wanted);
    const called = new Set(calledTools(trace.path));
    for (const tool of called.size > 0 ? called : [NO_TOOL]) counts.add(tool, outcome, trace.id);
  }
  const columns = all.filter((outcome) => counts.hasColumn(outcome));
  return { ...counts.picture(counts.rowNames(), columns, 'row'), columns };
}

/**
 * Rows: the tool that the task wanted, columns: the tool that was called. A trace that called what was wanted stands at
 * each of these tools against itself. Any other stands once: its first wanted tool that it did not call (where it
 * called all, the last one) against the first one called that was not wanted. Tasks that name no calls are left out.
 */
export function wantedAgainstCalled(traces: readonly TraceSummary[], facts: Facts): Picture {
  const counts = new Grid();
  for (const trace of traces) {
    const wanted = facts.get(trace.taskId)?.wanted;
    if (!wanted) continue;
    const called = calledTools(trace.path);
    const missing = wanted.filter((tool) => !called.includes(tool));
    const extra = called.filter((tool) => !wanted.includes(tool));
    if (missing.length === 0 && extra.length === 0)
      for (const tool of wanted.length > 0 ? new Set(wanted) : [NO_TOOL]) counts.add(tool, tool, trace.id);
    else counts.add(missing[0] ?? wanted.at(-1) ?? NO_TOOL, extra[0] ?? NO_TOOL, trace.id);
  }
  const names = Array.from(new Set([...counts.rowNames(), ...counts.columnNames()])).sort(byName);
  return counts.picture(names, names, 'row');
}

/** At most so many columns: several steps share one then. */
const HISTOGRAM_COLUMNS = 16;
const HISTOGRAM_ROWS = 10;

/** Rows: rewards from high to low, columns: steps from left to right. Traces that nothing scored are left out. */
export function rewardHistogram(traces: readonly TraceSummary[]): Picture {
  const scored = traces.filter((trace): trace is TraceSummary & { reward: number } => trace.reward !== null);
  if (scored.length === 0) return { rows: [], columns: [], cells: [], kind: 'count' };
  const steps = Array.from(new Set(scored.map(({ step }) => step))).sort((a, b) => a - b);
  const width = Math.ceil(steps.length / HISTOGRAM_COLUMNS);
  const columnOf = new Map(steps.map((step, i) => [step, Math.floor(i / width)]));
  const columns = Array.from({ length: Math.ceil(steps.length / width) }, (_, i) => {
    const part = steps.slice(i * width, (i + 1) * width);
    return part.length === 1 ? String(part[0]) : `${part[0]}–${part.at(-1)}`;
  });
  const rewards = scored.map(({ reward }) => reward);
  const low = Math.min(0, floorOf(rewards));
  const high = Math.max(1, topOf(rewards));
  const size = (high - low) / HISTOGRAM_ROWS;
  const rowOf = (reward: number): number =>
    HISTOGRAM_ROWS - 1 - Math.min(HISTOGRAM_ROWS - 1, Math.floor((reward - low) / size + 1e-9));
  const rows = Array.from({ length: HISTOGRAM_ROWS }, (_, i) => {
    const from = low + (HISTOGRAM_ROWS - 1 - i) * size;
    return `${from.toFixed(2)}–${(from + size).toFixed(2)}`;
  });
  const counts = new Grid();
  for (const { reward, step, id } of scored) counts.add(rows[rowOf(reward)]!, columns[columnOf.get(step)!]!, id);
  return counts.picture(rows, columns, 'column');
}

/** Rows: who wrote the request, then each tag of the tasks; columns: the sets of traces given. Cells: share solved. */
export function successByKind(
  sets: readonly { name: string; traces: readonly TraceSummary[] }[],
  facts: Facts,
): Picture & { sources: number } {
  const perSet = sets.map(({ traces }) => {
    const rows = new Map<string, TraceSummary[]>();
    for (const trace of traces) {
      const task = facts.get(trace.taskId);
      if (!task || trace.solved === null) continue;
      for (const key of [`source ${task.source}`, ...task.tags.map((tag) => `tag ${tag}`)]) {
        const list = rows.get(key);
        if (list) list.push(trace);
        else rows.set(key, [trace]);
      }
    }
    return rows;
  });
  const has = (key: string): boolean => perSet.some((rows) => rows.has(key));
  const sources = TASK_SOURCES.filter((source) => has(`source ${source}`));
  const tags = Array.from(
    new Set(perSet.flatMap((rows) => Array.from(rows.keys()).filter((k) => k.startsWith('tag ')))),
  );
  const keys = [
    ...sources.map((source) => `source ${source}`),
    ...tags.sort((a, b) => compareTags(a.slice(4), b.slice(4))),
  ];
  return {
    rows: keys.map((key) => key.slice(key.indexOf(' ') + 1)),
    sources: sources.length,
    columns: sets.map(({ name }) => name),
    cells: keys.map((key) => perSet.map((rows) => solvedShare(rows.get(key) ?? []))),
    kind: 'share',
  };
}

function solvedShare(traces: readonly TraceSummary[]): Cell {
  const solved = traces.filter((trace) => trace.solved).length;
  return {
    value: traces.length === 0 ? null : solved / traces.length,
    of: traces.length,
    traceIds: traces.map(({ id }) => id),
  };
}

/** How strongly a cell is shaded: its share of the row or of the column, 0 to 1. */
export function shade({ cells, kind, scale }: Picture, row: number, column: number): number {
  const value = cells[row]![column]!.value ?? 0;
  if (kind === 'share') return value;
  const all = scale === 'column' ? cells.map((line) => line[column]!) : cells[row]!;
  const sum = all.reduce((total, cell) => total + (cell.value ?? 0), 0);
  return sum === 0 ? 0 : value / sum;
}

/** Traces by two names. */
class Grid {
  private readonly rows = new Map<string, Map<string, string[]>>();

  add(row: string, column: string, traceId: string): void {
    let line = this.rows.get(row);
    if (!line) this.rows.set(row, (line = new Map()));
    const ids = line.get(column);
    if (ids) ids.push(traceId);
    else line.set(column, [traceId]);
  }

  rowNames(): string[] {
    return Array.from(this.rows.keys()).sort(byName);
  }

  columnNames(): string[] {
    return Array.from(new Set(Array.from(this.rows.values()).flatMap((line) => Array.from(line.keys())))).sort(byName);
  }

  hasColumn(column: string): boolean {
    return Array.from(this.rows.values()).some((line) => line.has(column));
  }

  picture(rows: string[], columns: string[], scale: 'row' | 'column'): Picture {
    const cell = (row: string, column: string): Cell => {
      const traceIds = this.rows.get(row)?.get(column) ?? [];
      return { value: traceIds.length, traceIds };
    };
    return { rows, columns, cells: rows.map((r) => columns.map((c) => cell(r, c))), kind: 'count', scale };
  }
}

/** Names by their letters; what has none comes last. */
const byName = (a: string, b: string): number =>
  a === b ? 0 : a === NO_TOOL ? 1 : b === NO_TOOL ? -1 : a < b ? -1 : 1;
const floorOf = (values: readonly number[]): number => values.reduce((least, v) => Math.min(least, v), Infinity);
const topOf = (values: readonly number[]): number => values.reduce((most, v) => Math.max(most, v), -Infinity);
