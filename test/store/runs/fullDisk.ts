/**
 * A disk that takes nothing more while `body` runs, as every writer of this process meets it. (A link to /dev/full is
 * refused before it is written.)
 */
import fs from 'node:fs';

export function onFullDisk<T>(body: () => T): T {
  const { writeSync } = fs;
  fs.writeSync = () => {
    throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
  };
  try {
    return body();
  } finally {
    fs.writeSync = writeSync;
  }
}
