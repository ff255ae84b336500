import type { TraceSummary } from '../../trainer/protocol/trace';
import type { Outcome } from '../messages';

/** How a run's held-out tasks ended after training, each once; [] where they were not measured. */
export function outcomesAfter(traces: readonly TraceSummary[]): Outcome[] {
  const seen = new Set<string>();
  return traces.flatMap(({ phase, superseded, taskId, prompt, solved }) => {
    if (phase !== 'after' || superseded || solved === null || seen.has(taskId)) return [];
    seen.add(taskId);
    return [{ taskId, prompt, solved }];
  });
}
