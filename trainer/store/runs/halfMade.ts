/** A run's folder whose trainer was killed while it made it: run.json comes last, so nothing was recorded. */
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { lockHolder, wasLocked } from './lock';

/** What is there before run.json, and what a kill leaves of writing it. */
const MADE_FIRST = /^(lock(\.[\w-]+)?|(tools|tasks|run)\.json\.\d+\.tmp|tools\.json|tasks\.json|traces|checkpoints)$/;
/** Left over whatever comes next. */
const LEFT = /^lock\.|\.tmp$/;

/** A lock of ours tells it from a folder that a person filled with files of these names. */
export function isHalfMade(dir: string): boolean {
  if (!statSync(dir, { throwIfNoEntry: false })?.isDirectory() || existsSync(join(dir, 'run.json'))) return false;
  const names = readdirSync(dir);
  const isOurs = wasLocked(dir) || (names.length > 0 && names.every((name) => /^lock\.[\d-]+$/.test(name)));
  return isOurs && names.every((name) => MADE_FIRST.test(name)) && lockHolder(dir) === null;
}

/** Makes room for a new run in such a folder; what it writes anew stays. */
export function clearHalfMade(dir: string): void {
  for (const name of readdirSync(dir)) if (LEFT.test(name)) rmSync(join(dir, name));
}
