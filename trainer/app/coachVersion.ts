import { join } from 'node:path';
import { readTextFile } from '../base/storage';

/** Of this package; 'unknown' where it is nowhere near. */
export function coachVersion(): string {
  for (const path of [join(__dirname, '..', '..', 'package.json'), join(__dirname, '..', 'package.json')]) {
    try {
      const { name, version } = JSON.parse(readTextFile(path)) as { name?: string; version?: string };
      if (name === 'agent-coach' && version) return version;
    } catch {
      // Not this one: run from source and from dist/ it lies at different heights.
    }
  }
  return 'unknown';
}
