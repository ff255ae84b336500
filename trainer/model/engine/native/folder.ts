/**
 * Where `coach engines --install` puts libtensorflow: a folder of the user's, which outlives updates of the extension.
 */
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { NativeName } from './load';

/** COACH_DATA, else where the platform keeps users' data. */
export function dataFolder(env: NodeJS.ProcessEnv = process.env): string {
  if (env['COACH_DATA']) return env['COACH_DATA'];
  if (process.platform === 'win32')
    return join(env['LOCALAPPDATA'] ?? join(homedir(), 'AppData', 'Local'), 'agent-coach');
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'agent-coach');
  return join(env['XDG_DATA_HOME'] ?? join(homedir(), '.local', 'share'), 'agent-coach');
}

/** Written last: a folder without it is an install that was broken off. */
export const STAMP = 'complete.json';
export const isInstalled = (folder: string): boolean => existsSync(join(folder, STAMP));
export const engineFolder = (name: NativeName, env?: NodeJS.ProcessEnv): string =>
  join(dataFolder(env), 'engines', name);

/** The package of a complete install; null where there is none. */
export function installedAt(name: NativeName): string | null {
  const folder = engineFolder(name);
  return isInstalled(folder) ? join(folder, 'package') : null;
}
