/** How far a run is, and how long it will still take, from its own events; null where that can't be known yet. */
import type { RunState } from '../../trainer/protocol/runState';

/** Median of the last gaps between steps, so that a validation or a sleep of the machine does not show as speed. */
export function stepMs(curve: RunState['curve'], last = 20): number | null {
  const gaps: number[] = [];
  for (let i = Math.max(1, curve.length - last); i < curve.length; i++) gaps.push(curve[i]!.t - curve[i - 1]!.t);
  if (gaps.length === 0) return null;
  gaps.sort((a, b) => a - b);
  return gaps[gaps.length >> 1]!;
}

/**
 * Steps left at the current speed, plus the validations among them, plus the evaluation at the end, which takes about
 * what the one at
 * the start took (start of the run until the first step began).
 */
export function leftMs(run: RunState, now: number): number | null {
  if (run.status !== 'running' || !run.manifest || run.lastEventAt === null) return null;
  const perStep = stepMs(run.curve);
  const first = run.curve[0];
  if (perStep === null || !first || run.startedAt === null) return null;
  const evaluation = Math.max(0, first.t - run.startedAt - perStep);
  if (run.phase === 'after') {
    const share = run.progress && run.progress.total > 0 ? run.progress.done / run.progress.total : 0;
    return evaluation * (1 - share);
  }
  if (run.phase !== 'training') return null;
  const last = run.curve[run.curve.length - 1]!;
  const stepsLeft = Math.max(0, run.manifest.config.steps - run.step);
  const mean = run.curve.length > 1 ? (last.t - first.t) / (run.curve.length - 1) : perStep;
  // The mean holds the validations; after a night's sleep it would be absurd, so it may be at most three times the
  // median.
  const each = Math.min(Math.max(mean, perStep), 3 * perStep);
  return Math.max(0, stepsLeft * each - Math.max(0, now - last.t)) + evaluation;
}

/** What the progress bar shows. During training: steps; else the phase's own count. */
export function progress(run: RunState): { done: number; total: number; isSteps: boolean } | null {
  if (run.status !== 'running' || run.phase === null) return null;
  if (run.phase === 'training' && run.manifest)
    return { done: run.step, total: run.manifest.config.steps, isSteps: true };
  return run.progress ? { ...run.progress, isSteps: false } : null;
}
