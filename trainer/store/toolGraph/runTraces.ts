import { readTrace, requireManifest, traceSummaries } from '../runs/readRun';
import type { GraphSource } from './graphOf';

/**
 * A run's training traces, of an imported one all. Tries are a person's own requests, which may be measured on: they
 * are left out as well.
 */
export function runTraces(dir: string): GraphSource {
  const isImported = requireManifest(dir, { readOnly: true }).imported !== undefined;
  const all = traceSummaries(dir).filter(({ superseded }) => !superseded);
  const taken = all.filter(({ phase }) => isImported || phase === 'train');
  return {
    from: dir,
    measured: all.length - taken.length,
    *traces() {
      for (const summary of taken) yield readTrace(dir, summary);
    },
  };
}
