/** How far a run is, from its own events; null where that can't be known yet. */
import type { RunState } from '../../trainer/protocol/runState';

/** What the progress bar shows. During training: steps; else the phase's own count. */
export function progress(run: RunState): { done: number; total: number; isSteps: boolean } | null {
  if (run.status !== 'running' || run.phase === null) return null;
  if (run.phase === 'training' && run.manifest)
    return { done: run.step, total: run.manifest.config.steps, isSteps: true };
  return run.progress ? { ...run.progress, isSteps: false } : null;
}
