/**
 * The traces of a run by id, by group and by slice (a training step, a validation, before, after). Grows with the run: `sync` looks only
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

export const sliceKey = (phase: TraceSummary['phase'], step: number): string => `${phase}/${step}`;

export class TraceIndex {
  readonly byId = new Map<string, TraceSummary>();
  readonly groups = new Map<string, Group>();
  readonly slices = new Map<string, Group[]>();
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
    this.seen = 0;
  }

  slice(phase: TraceSummary['phase'], step: number): Group[] {
    return this.slices.get(sliceKey(phase, step)) ?? [];
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
      group = { key, groupId: trace.groupId, taskId: trace.taskId, prompt: trace.prompt, phase: trace.phase, step: trace.step, traces: [] };
      this.groups.set(key, group);
      const list = this.slices.get(slice);
      if (list) list.push(group);
      else this.slices.set(slice, [group]);
    }
    group.traces.push(trace);
    this.groupByTrace.set(trace.id, group);
  }
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
