/** What an error is about, and its message without what only we understand. Free of `vscode`. */
import type { Border } from '../../trainer/protocol/result';

/** Which button helps; null: none but the log. */
export type Help = 'node' | 'setting' | 'tasks' | null;

const NOT_STARTED = /\bspawn(?:Sync)? (.+?) (ENOENT|EACCES|ENOEXEC)\b/;
const WHY: Record<string, string> = {
  ENOENT: 'there is no such program',
  EACCES: 'it may not be run',
  ENOEXEC: 'it is no program of this machine',
};

export function plainError(error: unknown): { message: string; help: Help } {
  const { message, border } = (error instanceof Error ? error : new Error(String(error))) as Error & {
    border?: Border;
  };
  const failed = NOT_STARTED.exec(message);
  if (failed) return { message: `${failed[1]}: ${WHY[failed[2]!]}`, help: 'node' };
  const help = border === 'task' ? 'tasks' : border === 'config' || border === 'judge' ? 'setting' : null;
  return { message, help };
}
