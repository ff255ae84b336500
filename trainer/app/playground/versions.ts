/** What of a run can be tried: its base model, where it started, its checkpoints, its adapter. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { savedSteps } from '../../model/weights/checkpoint';
import { WHOLE_MODEL } from '../../model/weights/exportWhole';
import type { Version } from '../../protocol/play';
import { requireManifest } from '../../store/runs/readRun';
import { readTextFile } from '../../base/storage';

/** Oldest first: base, start (of a run that went on from another), checkpoints, adapter. */
export function versionsOf(dir: string): { version: Version; step: number }[] {
  const { config } = requireManifest(dir, { readOnly: true });
  const root = join(dir, 'checkpoints');
  const steps = savedSteps(root).map((step) => ({ version: step as Version, step }));
  return [
    { version: 'base', step: 0 },
    ...(config.startFrom === undefined ? [] : [{ version: 'start' as const, step: 0 }]),
    ...steps,
    ...([join('adapter', 'adapter_config.json'), WHOLE_MODEL].some((name) => existsSync(join(dir, name)))
      ? [{ version: 'adapter' as const, step: versionStep(dir, 'adapter') }]
      : []),
  ];
}

/** Of the adapter: the step that validation liked best; without its mark the last one. */
export function versionStep(dir: string, version: Version): number {
  if (typeof version === 'number') return version;
  if (version !== 'adapter') return 0;
  const root = join(dir, 'checkpoints');
  try {
    const { step } = JSON.parse(readTextFile(join(root, 'best.json'))) as { step?: unknown };
    if (typeof step === 'number') return step;
  } catch {
    // Not marked.
  }
  return savedSteps(root).at(-1) ?? 0;
}
