/**
 * What the system tells about another process: memory, processor time, whether it wants to run. Linux only; elsewhere
 * nothing is known.
 */
import { readFileSync } from 'node:fs';

export interface Vitals {
  residentMb: number;
  /** Processor time since its start, all threads. */
  cpuMs: number;
  /** Running or waiting for a processor, as opposed to asleep. */
  isRunnable: boolean;
}

const PAGE_BYTES = 4096;
/** Linux reports processor time in hundredths of a second, whatever its own clock. */
const MS_PER_TICK = 10;

/** Null where the system does not tell, or when the process has just ended. */
export function readVitals(pid: number | undefined): Vitals | null {
  if (process.platform !== 'linux' || pid === undefined) return null;
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // After the name, which may hold anything and ends at the last parenthesis; numbering of proc(5): field 3 is the
    // first.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const field = (number: number) => fields[number - 3] ?? '';
    return {
      isRunnable: field(3) === 'R',
      cpuMs: (Number(field(14)) + Number(field(15))) * MS_PER_TICK,
      residentMb: (Number(field(24)) * PAGE_BYTES) / 1e6,
    };
  } catch {
    return null; // it ended between two ticks: its exit event says so
  }
}
