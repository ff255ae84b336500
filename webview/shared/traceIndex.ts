/**
 * The traces of a run by id, by group and by slice (a training step, a validation, before, after). Grows with the run:
 * `sync` looks only
 * at the traces that are new, so an event costs the same at step 10 and at step 10,000.
 */
import type { TraceSummary } from '../../trainer/protocol/trace';

export interface Group {
  key: string;
  groupId: string;
  taskId: string;
  prompt: string;
  phase: TraceSummary['phase'];
  step: number;
  /** in order of arrival */
  traces: TraceSummary[];
}

const sliceKey = (phase: TraceSummary['phase'], step: number): string => `${phase}/${step}`;

export class TraceIndex {
  readonly byId = new Map<string, TraceSummary>();
  readonly groups = new Map<string, Group>();
  readonly slices = new Map<string, Group[]>();
  private readonly byTask = new Map<string, TraceSummary[]>();
  private readonly groupByTrace = new Map<string, Group>();
  private seen = 0;

  /** `traces` only ever grows at its end, save after a resume or another run: then call reset first. */
  sync(traces: readonly TraceSummary[]): void {
    for (let i = this.seen; i < traces.length; i++) this.add(traces[i]!);
    this.seen = traces.length;
  }

  reset(): void {
    this.byId.clear();
    this.groups.clear();
    this.slices.clear();
    this.groupByTrace.clear();
    this.byTask.clear();
    this.seen = 0;
  }

  slice(phase: TraceSummary['phase'], step: number): Group[] {
    return this.slices.get(sliceKey(phase, step)) ?? [];
  }

  /** All traces of a task, as they came, without those of repeated steps. */
  ofTask(taskId: string): TraceSummary[] {
    return this.byTask.get(taskId) ?? [];
  }

  groupOf(traceId: string): Group | undefined {
    return this.groupByTrace.get(traceId);
  }

  /** By our key, or by the trainer's group id; of several with one id the newest. */
  group(id: string): Group | undefined {
    const exact = this.groups.get(id);
    if (exact) return exact;
    let found: Group | undefined;
    for (const group of this.groups.values()) if (group.groupId === id) found = group;
    return found;
  }

  /** The newest training step that has traces; null before the first. */
  latestStep(): number | null {
    let latest: number | null = null;
    for (const groups of this.slices.values()) {
      const { phase, step } = groups[0]!;
      if (phase === 'train' && (latest === null || step > latest)) latest = step;
    }
    return latest;
  }

  /** Slices of one phase, by step. */
  steps(phase: TraceSummary['phase']): number[] {
    const steps: number[] = [];
    for (const groups of this.slices.values()) if (groups[0]!.phase === phase) steps.push(groups[0]!.step);
    return steps.sort((a, b) => a - b);
  }

  /** Every group of a phase, newest step first. */
  all(phase: TraceSummary['phase']): Group[] {
    return this.steps(phase)
      .reverse()
      .flatMap((step) => this.slice(phase, step));
  }

  private add(trace: TraceSummary): void {
    if (trace.superseded) {
      if (!this.byId.has(trace.id)) this.byId.set(trace.id, trace);
      return;
    }
    this.byId.set(trace.id, trace);
    const slice = sliceKey(trace.phase, trace.step);
    const key = `${slice}/${trace.groupId}`;
    let group = this.groups.get(key);
    if (!group) {
      group = {
        key,
        groupId: trace.groupId,
        taskId: trace.taskId,
        prompt: trace.prompt,
        phase: trace.phase,
        step: trace.step,
        traces: [],
      };
      this.groups.set(key, group);
      const list = this.slices.get(slice);
      if (list) list.push(group);
      else this.slices.set(slice, [group]);
    }
    group.traces.push(trace);
    this.groupByTrace.set(trace.id, group);
    const ofTask = this.byTask.get(trace.taskId);
    if (ofTask) ofTask.push(trace);
    else this.byTask.set(trace.taskId, [trace]);
  }
}

type Phase = TraceSummary['phase'];
const PHASES: Phase[] = ['train', 'validation', 'before', 'after', 'try'];

export interface Place {
  phase: Phase;
  /** those that have traces, and the one shown */
  phases: Phase[];
  /** of the phase, ascending */
  steps: number[];
  step: number;
  groups: Group[];
}

/** What the page Traces shows at a route, unfiltered; null: there are no traces at all. */
export function placeOf(index: TraceIndex, route: { phase?: Phase; step?: number; all?: boolean }): Place | null {
  const filled = PHASES.filter((phase) => index.steps(phase).length > 0);
  if (filled.length === 0) return null;
  const phase =
    route.phase ?? (route.step !== undefined || filled.includes('train') ? 'train' : filled[filled.length - 1]!);
  const steps = index.steps(phase);
  const step = route.step ?? steps[steps.length - 1] ?? 0;
  return {
    phase,
    phases: PHASES.filter((p) => filled.includes(p) || p === phase),
    steps,
    step,
    groups: route.all ? index.all(phase) : index.slice(phase, step),
  };
}

/** Best reward first; what nothing scored comes last; equal ones as they arrived. */
export function ranked(traces: readonly TraceSummary[]): TraceSummary[] {
  return traces
    .map((trace, order) => ({ trace, order }))
    .sort((a, b) => (b.trace.reward ?? -Infinity) - (a.trace.reward ?? -Infinity) || a.order - b.order)
    .map(({ trace }) => trace);
}

/** 1 = best; equal rewards share a rank; null where nothing scored it. */
export function rankOf(trace: TraceSummary, traces: readonly TraceSummary[]): number | null {
  if (trace.reward === null) return null;
  return 1 + traces.filter((other) => other.reward !== null && other.reward > trace.reward!).length;
}

/** All rewards equal: the advantages are 0 and the group teaches nothing. */
export function isDead(group: Group): boolean {
  const rewards = group.traces.map((t) => t.reward).filter((r): r is number => r !== null);
  return group.phase === 'train' && rewards.length > 1 && rewards.every((r) => r === rewards[0]);
}

export const solvedCount = (traces: readonly TraceSummary[]): number => traces.filter((t) => t.solved === true).length;

const TIMES: TraceSummary['phase'][] = ['before', 'train', 'validation', 'after', 'try'];
/** More columns than this say less. */
const TIMES_SHOWN = 8;

/**
 * The task of a trace at each time it was tried (a checkpoint each), this trace for its own time, else the best one;
 * [] when there is only one time.
 */
export function otherTimes(index: TraceIndex, trace: Pick<TraceSummary, 'id' | 'taskId'>): string[] {
  const times = new Map<string, TraceSummary>();
  for (const one of index.ofTask(trace.taskId)) {
    const key = sliceKey(one.phase, one.step);
    const known = times.get(key);
    if (
      one.id === trace.id ||
      !known ||
      (known.id !== trace.id && (one.reward ?? -Infinity) > (known.reward ?? -Infinity))
    )
      times.set(key, one);
  }
  if (times.size < 2) return [];
  const ordered = Array.from(times.values()).sort(
    (a, b) =>
      Number(a.phase === 'after') - Number(b.phase === 'after') ||
      Number(b.phase === 'before') - Number(a.phase === 'before') ||
      a.step - b.step ||
      TIMES.indexOf(a.phase) - TIMES.indexOf(b.phase),
  );
  const own = ordered.findIndex((one) => one.id === trace.id);
  if (ordered.length <= TIMES_SHOWN) return ordered.map((one) => one.id);
  // First, last, this one, and the newest of the rest.
  const kept = new Set([0, ordered.length - 1, Math.max(0, own)]);
  for (let i = ordered.length - 2; i > 0 && kept.size < TIMES_SHOWN; i--) kept.add(i);
  return ordered.filter((_, i) => kept.has(i)).map((one) => one.id);
}
