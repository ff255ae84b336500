import { constants, setPriority } from 'node:os';
import { setFlagsFromString } from 'node:v8';

/**
 * Of a process that trains: the editor stays quick, and has memory. The tool hosts, as children, inherit the priority.
 */
export function yieldToOthers(): void {
  try {
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // Not allowed here: then at normal priority.
  }
  collectSooner();
}

/**
 * Garbage may grow to 0.6 of what is in use. Left alone V8 lets it grow to 2.5 times that, since what a step makes is
 * freed without a full collection but for
 * what lives as long as the step: `npm start` took 1,230 to 1,400 MiB, so 1,120 to 1,204, in the same time.
 */
export const collectSooner = (): void => setFlagsFromString('--heap-growing-percent=60');
