/**
 * Reads what the parent sends, one input at a time, in steps that are told before they begin, so that the parent knows
 * which one hangs.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UserError } from '../../trainer/protocol/result';
import { BROKEN, TARGETS } from './targets';

export interface Given {
  target: string;
  input: string | Uint8Array;
}
/** A step begins; or the input is done: what was wrong with it (null: nothing), and the most memory until now. */
export type Told = { step: string } | { failure: string | null; maxMb: number };

const tell = (told: Told): void => void process.send!(told);

process.on('message', ({ target, input }: Given) => void read(target, input));

async function read(target: string, input: string | Uint8Array): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'coach-fuzz-'));
  let failure: string | null = null;
  try {
    await { ...TARGETS, ...BROKEN }[target]!.read(input, folder, async (name, action) => {
      tell({ step: name });
      try {
        failure ??= wrongMessage(await action(), name);
      } catch (error) {
        failure ??=
          error instanceof UserError
            ? wrongWords(error.message, name)
            : `${name}: ${(error as Error).stack ?? String(error)}`;
      }
    });
  } catch (error) {
    failure ??= `outside of a step: ${(error as Error).stack ?? String(error)}`;
  }
  rmSync(folder, { recursive: true, force: true });
  tell({ failure, maxMb: process.resourceUsage().maxRSS / 1024 });
}

/** One refusal, one message: a line that a terminal shows, of a length that one reads. */
function wrongWords(message: string, step: string): string | null {
  if (message.trim() === '') return `${step}: an empty message`;
  if (/\n(?! {2})/.test(message))
    return `${step}: a message of several lines: ${JSON.stringify(message.slice(0, 300))}`;
  if (message.length > 4_000) return `${step}: a message of ${message.length} characters: ${message.slice(0, 200)}`;
  if (/Maximum call stack|undefined \(reading|\w\.\w+ is not a function|is not iterable/.test(message))
    return `${step}: a message in words of the program: ${message.slice(0, 300)}`;
  return null;
}

/** Problems that are given back beside what could be read, at any name. */
function wrongMessage(value: unknown, step: string): string | null {
  const list = (value as { problems?: unknown } | null | undefined)?.problems ?? (Array.isArray(value) ? value : []);
  for (const each of Array.isArray(list) ? list.slice(0, 50) : []) {
    const one = each as { problem?: unknown; why?: unknown; message?: unknown } | string | null;
    const words = typeof one === 'string' ? one : (one?.problem ?? one?.why ?? one?.message);
    const wrong = typeof words === 'string' ? wrongWords(words, step) : null;
    if (wrong !== null) return wrong;
  }
  return null;
}
