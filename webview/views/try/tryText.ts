import type { Version } from '../../../trainer/protocol/play';
import type { Trace } from '../../../trainer/protocol/trace';
import { t, type StringKey } from '../../shared/strings';

/** Answers by who gave them, in the order of asking. */
export function columnsOf(traces: readonly Trace[]): [string, Trace[]][] {
  const columns = new Map<string, Trace[]>();
  for (const trace of traces) columns.set(trace.checkpoint, [...(columns.get(trace.checkpoint) ?? []), trace]);
  return [...columns];
}

/** As it stands on the trace: "base", "start", "step 60". */
export function checkpointText(checkpoint: string): string {
  const step = /^step (\d+)$/.exec(checkpoint)?.[1];
  const key: StringKey | null =
    checkpoint === 'base' ? 'version.base' : checkpoint === 'start' ? 'version.start' : null;
  return step !== undefined ? t('version.trained', { step }) : key ? t(key) : checkpoint;
}

export function versionText(version: Version, step: number): string {
  if (typeof version === 'number') return t('version.step', { step });
  return version === 'adapter' ? t('version.adapter', { step }) : t(`version.${version}`);
}
