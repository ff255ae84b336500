/**
 * What two runs were made of that is not the same: settings, engine, what they trained on. What happened is the
 * curves'.
 */
import type { RunManifest } from '../../trainer/protocol/messages';

export interface SettingDifference {
  name: string;
  /** as text; null = the run has no such setting */
  here: string | null;
  there: string | null;
}

export function settingsDiff(here: RunManifest, there: RunManifest): SettingDifference[] {
  const a = flat(here);
  const b = flat(there);
  const names = Array.from(new Set([...Object.keys(a), ...Object.keys(b)]));
  return names.flatMap((name): SettingDifference[] =>
    a[name] === b[name] ? [] : [{ name, here: a[name] ?? null, there: b[name] ?? null }],
  );
}

/** In the order of importance; the seed counts, for it alone can make a difference. */
function flat(manifest: RunManifest): Record<string, string> {
  const { config, engine, versions, hashes, toolNames, taskCounts, taskSource, node } = manifest;
  const out: Record<string, string> = {};
  const put = (name: string, value: unknown): void => {
    if (value !== undefined) out[name] = typeof value === 'string' ? value : JSON.stringify(value);
  };
  for (const [name, value] of Object.entries(config)) put(name, value);
  put('tools', toolNames.join(', '));
  put('tasks from', taskSource);
  for (const [split, count] of Object.entries(taskCounts)) put(`${split} tasks`, count);
  put('engine', engine.name);
  put('node', node);
  for (const [name, version] of Object.entries(versions)) put(name, version);
  for (const [name, hash] of Object.entries(hashes)) put(`${name} (hash)`, hash);
  return out;
}
