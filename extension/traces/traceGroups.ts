/** Which traces of a run the tree shows, and in which groups. Pure, free of `vscode`. */
import type { TraceSummary } from '../../trainer/protocol/trace';
import {
  isFiltering,
  matchesTrace,
  noFacts,
  noFilter,
  wordsOf,
  type TraceFacts,
  type TraceFilter,
} from '../../trainer/protocol/traceFilter';

/** One moment of a run: a training step, or an evaluation. */
export interface Moment {
  phase: TraceSummary['phase'];
  step: number;
}

export interface TraceGroup {
  id: string;
  prompt: string;
  traces: TraceSummary[];
  solved: number;
  /** how many of the traces could be judged solved or not */
  judged: number;
  /** all rewards are equal: the group teaches nothing */
  isDead: boolean;
}

/** The moments that have traces, oldest first: before, then steps with their validations, then after. */
export function moments(traces: readonly TraceSummary[]): (Moment & { count: number })[] {
  const found = new Map<string, Moment & { count: number }>();
  for (const trace of traces) {
    if (trace.superseded) continue;
    const key = `${trace.phase} ${trace.step}`;
    const moment = found.get(key);
    if (moment) moment.count++;
    else found.set(key, { phase: trace.phase, step: trace.step, count: 1 });
  }
  return [...found.values()].sort((a, b) => rank(a) - rank(b));
}

/** before < step 1 < validation after step 1 < step 2 < … < after < tries */
function rank({ phase, step }: Moment): number {
  switch (phase) {
    case 'before':
      return -1;
    case 'train':
      return step;
    case 'validation':
      return step + 0.5;
    case 'after':
      return 1e9;
    case 'try':
      return 2e9;
  }
}

/** What is shown unless another moment was chosen: the last training step, else the last of anything. */
export function latestMoment(all: readonly Moment[]): Moment | null {
  return all.filter((moment) => moment.phase === 'train').at(-1) ?? all.at(-1) ?? null;
}

export function momentText({ phase, step }: Moment): string {
  switch (phase) {
    case 'before':
      return 'before training';
    case 'train':
      return `step ${step}`;
    case 'validation':
      return `validation at step ${step}`;
    case 'after':
      return 'after training';
    case 'try':
      return 'tried by hand';
  }
}

/**
 * The groups of one moment (null: of the whole run), in the order they were recorded; a group stays whole when one of
 * its traces matches.
 */
export function groupsAt(
  traces: readonly TraceSummary[],
  moment: Moment | null,
  filter: TraceFilter = noFilter,
  facts: TraceFacts = noFacts,
): TraceGroup[] {
  const byId = new Map<string, TraceSummary[]>();
  for (const trace of traces) {
    if (trace.superseded || (moment !== null && (trace.phase !== moment.phase || trace.step !== moment.step))) continue;
    const key = moment === null ? `${trace.phase} ${trace.step} ${trace.groupId}` : trace.groupId;
    const group = byId.get(key);
    if (group) group.push(trace);
    else byId.set(key, [trace]);
  }
  const matching = isFiltering(filter)
    ? [...byId].filter(([, members]) =>
        members.some(
          (trace) => filter.words.every((word) => wordsOf(trace).includes(word)) && matchesTrace(filter, trace, facts),
        ),
      )
    : [...byId];
  return matching.map(([id, members]) => describe(id, members));
}

function describe(id: string, traces: TraceSummary[]): TraceGroup {
  const judged = traces.filter((trace) => trace.solved !== null);
  const rewards = new Set(traces.map((trace) => trace.reward));
  return {
    id,
    prompt: traces[0]!.prompt,
    traces,
    solved: judged.filter((trace) => trace.solved).length,
    judged: judged.length,
    isDead: traces.length > 1 && rewards.size === 1,
  };
}

/** "1.00", or "not scored": absent is not zero */
export const rewardLabel = (reward: number | null): string => (reward === null ? 'not scored' : reward.toFixed(2));

/** "+0.35", "−1.87" with a real minus, so that the columns line up */
export function advantageLabel(advantage: number | null): string {
  if (advantage === null) return '';
  return `${advantage < 0 ? '−' : '+'}${Math.abs(advantage).toFixed(2)}`;
}
