import { closeSync, existsSync } from 'node:fs';
import { openToWrite, readTextFile, writeAll } from '../../base/storage';

/**
 * Replies by the hash of everything that was asked. What is here costs nothing a second time, and a resumed run hears
 * the same.
 */
export interface JudgeCache {
  get(key: string): string | undefined;
  set(key: string, reply: string): void;
}

export function memoryCache(): JudgeCache {
  const replies = new Map<string, string>();
  return { get: (key) => replies.get(key), set: (key, reply) => void replies.set(key, reply) };
}

/** One JSON line per reply, append only; a torn last line is skipped. */
export function fileCache(path: string): JudgeCache {
  const replies = new Map<string, string>();
  for (const line of existsSync(path) ? readTextFile(path).split('\n') : []) {
    try {
      const { key, reply } = JSON.parse(line) as { key: unknown; reply: unknown };
      if (typeof key === 'string' && typeof reply === 'string') replies.set(key, reply);
    } catch {
      // Torn by a kill: it is asked again.
    }
  }
  return {
    get: (key) => replies.get(key),
    set(key, reply) {
      replies.set(key, reply);
      const fd = openToWrite(path, 'a');
      try {
        writeAll(fd, Buffer.from(`\n${JSON.stringify({ key, reply })}`));
      } finally {
        closeSync(fd);
      }
    },
  };
}
