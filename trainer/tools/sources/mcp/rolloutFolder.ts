/**
 * A folder that a server has to itself in each session, for servers that keep their world in files: `${rolloutFolder}`
 * in
 * their configuration. What they say of it is said by one name, so that no run differs by where it lay.
 */
import { cpSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** What stands for it until there is one, and in all that the policy reads and writes. */
export const ROLLOUT_FOLDER = resolve('/coach-rollout');

export interface RolloutFolder {
  /** The value with the folder's path where its name stands. */
  into<T>(value: T): T;
  /** The value with the folder's name where its path stands. */
  outOf<T>(value: T): T;
  /** With all that is in it. */
  remove(): void;
}

/** @param from a folder that it begins as a copy of; default: empty */
export function openRolloutFolder(from?: string): RolloutFolder {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'coach-rollout-')));
  if (from !== undefined) cpSync(from, path, { recursive: true });
  return {
    into: (value) => replaced(value, ROLLOUT_FOLDER, path),
    outOf: (value) => replaced(value, path, ROLLOUT_FOLDER),
    remove: () => rmSync(path, { recursive: true, force: true, maxRetries: 3 }),
  };
}

/** In each text of a JSON value. */
function replaced<T>(value: T, from: string, to: string): T {
  const inText = (text: string): string => JSON.stringify(text).slice(1, -1);
  return JSON.parse(JSON.stringify(value).replaceAll(inText(from), inText(to))) as T;
}
