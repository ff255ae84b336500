/** How long a run will still take, from its own events: one clock for the panel and the status bar. */
import type { RunState } from '../../trainer/protocol/runState';

function gapsOf(curve: RunState['curve']): number[] {
  return curve.slice(1).map(({ t }, i) => t - curve[i]!.t);
}

/** Median of the last gaps between steps, so that a validation or a sleep of the machine does not show as speed. */
export function stepMs(curve: RunState['curve'], last = 20): number | null {
  const gaps = gapsOf(curve.slice(-last - 1)).sort((a, b) => a - b);
  return gaps[gaps.length >> 1] ?? null;
}

/** A gap of more steps than this is a pause (a resume, a night's sleep), not a validation. */
const LONGEST_GAP = 5;

/** Mean time from step to step, with the validations between them. */
function paceMs(curve: RunState['curve'], perStep: number): number {
  const gaps = gapsOf(curve).map((gap) => Math.min(gap, LONGEST_GAP * perStep));
  return gaps.length === 0 ? perStep : Math.max(perStep, gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length);
}

/** Nobody waits for parts of a second. */
const wholeSeconds = (ms: number): number => 1000 * Math.max(1, Math.round(ms / 1000));

/**
 * Steps left at the pace so far, and the evaluation at the end, which takes about what the one at the start took (start
 * of the run until the first step began). Null where that can't be known yet.
 */
export function leftMs(run: RunState, now: number): number | null {
  if (run.status !== 'running' || !run.manifest || run.lastEventAt === null) return null;
  const perStep = stepMs(run.curve);
  const first = run.curve[0];
  if (perStep === null || !first || run.startedAt === null) return null;
  const evaluation = Math.max(0, first.t - run.startedAt - perStep);
  if (run.phase === 'after') {
    const share = run.progress && run.progress.total > 0 ? run.progress.done / run.progress.total : 0;
    return wholeSeconds(evaluation * (1 - share));
  }
  if (run.phase !== 'training') return null;
  const last = run.curve[run.curve.length - 1]!;
  const stepsLeft = Math.max(0, run.manifest.config.steps - run.step);
  return wholeSeconds(Math.max(0, stepsLeft * paceMs(run.curve, perStep) - Math.max(0, now - last.t)) + evaluation);
}
