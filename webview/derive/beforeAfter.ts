/** Task by task: what the coaching fixed, what it broke, and which tools were used, before and after. */
import type { TraceSummary } from '../../trainer/protocol/trace';
import type { TraceIndex } from '../shared/traceIndex';

export type Fate = 'fixed' | 'broken' | 'stillSolved' | 'stillFailing';
export interface TaskPair {
  taskId: string;
  prompt: string;
  before: TraceSummary;
  after: TraceSummary;
}

/**
 * Tasks that were tried both before and after; one trace each (the evaluation decodes greedily), else the first of
 * each.
 */
export function taskPairs(index: TraceIndex): Record<Fate, TaskPair[]> {
  const pairs: Record<Fate, TaskPair[]> = { fixed: [], broken: [], stillSolved: [], stillFailing: [] };
  const before = byTask(index, 'before');
  for (const [taskId, after] of byTask(index, 'after')) {
    const first = before.get(taskId);
    if (!first || first.solved === null || after.solved === null) continue;
    const fate: Fate = first.solved
      ? after.solved
        ? 'stillSolved'
        : 'broken'
      : after.solved
        ? 'fixed'
        : 'stillFailing';
    pairs[fate].push({ taskId, prompt: after.prompt, before: first, after });
  }
  return pairs;
}

function byTask(index: TraceIndex, phase: TraceSummary['phase']): Map<string, TraceSummary> {
  const tasks = new Map<string, TraceSummary>();
  for (const trace of tracesOf(index, phase)) if (!tasks.has(trace.taskId)) tasks.set(trace.taskId, trace);
  return tasks;
}

function tracesOf(index: TraceIndex, phase: TraceSummary['phase']): TraceSummary[] {
  return index.steps(phase).flatMap((step) => index.slice(phase, step).flatMap((group) => group.traces));
}

export interface ToolUse {
  tool: string;
  /** share of traces that call it, and of those the share that solved their task; null = no such trace */
  before: { traces: number; used: number; solved: number } | null;
  latest: { traces: number; used: number; solved: number } | null;
}

/**
 * Paths read like "search → read✗ → answer"; ✗ marks a call that did not end well. `latest` = after, else the newest
 * training step.
 */
export function toolUse(index: TraceIndex, toolNames: readonly string[]): ToolUse[] {
  const before = tracesOf(index, 'before');
  const after = tracesOf(index, 'after');
  const step = index.latestStep();
  const latest =
    after.length > 0 ? after : step === null ? [] : index.slice('train', step).flatMap((group) => group.traces);
  return toolNames.map((tool) => ({ tool, before: use(before, tool), latest: use(latest, tool) }));
}

function use(traces: readonly TraceSummary[], tool: string): ToolUse['before'] {
  if (traces.length === 0) return null;
  const using = traces.filter((trace) => pathTools(trace.path).includes(tool));
  return { traces: traces.length, used: using.length, solved: using.filter((trace) => trace.solved === true).length };
}

const pathTools = (path: string): string[] => path.split('→').map((part) => /^[^\s(✗]*/.exec(part.trim())![0]);
