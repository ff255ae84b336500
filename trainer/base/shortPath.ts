import { relative } from 'node:path';

/** Relative to where one stands, for what lies below it; else as it is. */
export function shortPath(path: string, cwd: string): string {
  const short = relative(cwd, path);
  return short === '' || short.startsWith('..') ? path : short;
}
