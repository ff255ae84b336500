/** Where loading failed: remembered with the error that was thrown, read from its stack, told to the trainer. */
import { isNativeError } from 'node:util/types';
import type { LoadError } from './hostMessages';

interface Blame {
  file: string;
  specifier?: string;
}

const blames = new WeakMap<object, Blame>();

/** The innermost file or import counts, so the first to say so. */
export function blame(error: unknown, where: Blame): void {
  if (typeof error === 'object' && error !== null && !blames.has(error)) blames.set(error, where);
}

/**
 * @param current the file that was being evaluated, for what was interrupted or thrown as a bare value
 * @param isOwn whether a path is one of the prepared files
 */
export function placeOf(
  error: unknown,
  current: string,
  isOwn: (file: string) => boolean,
): Pick<LoadError, 'file' | 'line' | 'column' | 'specifier'> {
  const known = typeof error === 'object' && error !== null ? blames.get(error) : undefined;
  const frame = frameOf(error, isOwn);
  // The stack of an error that was made elsewhere and thrown here leads away from the file that failed.
  return { file: current, ...known, ...(frame && (!known || frame.file === known.file) ? frame : {}) };
}

/** What Node's permission model refused: " (FileSystemRead of /other/place)"; '' for any other error. */
export function refusedBy(error: unknown): string {
  try {
    const { code, permission, resource } = error as { code?: unknown; permission?: unknown; resource?: unknown };
    return code === 'ERR_ACCESS_DENIED' && resource ? ` (${String(permission)} of ${String(resource)})` : '';
  } catch {
    return ''; // user code may make its errors unreadable
  }
}

/** `    at f (/a/tools.mjs:3:7)`, `    at /a/tools.mjs:3:7`, and the head of a syntax error, `/a/tools.mjs:3`. */
const FRAME = /^(?:\s+at (?:.*\()?(?:file:\/\/)?)?((?:\/|[A-Za-z]:[\\/])[^()]*?):(\d+)(?::(\d+))?\)?$/;

function frameOf(
  error: unknown,
  isOwn: (file: string) => boolean,
): { file: string; line: number; column?: number } | undefined {
  if (!isNativeError(error)) return undefined;
  let stack: string;
  try {
    stack = String(error.stack);
  } catch {
    return undefined; // user code may make its errors unreadable
  }
  for (const line of stack.split('\n')) {
    const [, file, row, column] = FRAME.exec(line) ?? [];
    if (file !== undefined && isOwn(file))
      return { file, line: Number(row), ...(column === undefined ? {} : { column: Number(column) }) };
  }
  return undefined;
}
