/** A trainer is stopped in order where it can be, and never waited for without end. */
import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive } from '../runs/runFiles';
import type { Log } from '../window/log';

/** A step is ended first, which takes a large model long. */
const PATIENCE_MS = 60_000;

export interface Stopping {
  /** Asks it over its socket. It rejects where there is none, or where a busy trainer does not answer in time. */
  ask(): Promise<void>;
  /** Will it still read what it was asked? */
  isConnected(): boolean;
  hasStopped(): boolean;
  /** null: not known */
  pid: number | null;
  patienceMs?: number;
  log: Pick<Log, 'warn'>;
}

/** Asked over its socket, else by a signal; killed where it has not stopped in time. Nothing recorded is lost. */
export async function stopTrainer({ ask, isConnected, hasStopped, pid, patienceMs, log }: Stopping): Promise<void> {
  const isAsked = await ask().then(
    () => true,
    (error: Error) => {
      log.warn(`trainer: process ${pid}: ${error.message}`);
      return isConnected() || signalled(pid);
    },
  );
  const deadline = Date.now() + (isAsked ? (patienceMs ?? PATIENCE_MS) : 0);
  while (!hasStopped() && Date.now() < deadline) await sleep(100);
  if (!hasStopped() && pid !== null && isAlive(pid)) endProcess(pid, log);
}

/** A trainer takes SIGTERM as a request to stop; Windows knows no such thing, and would end it. */
function signalled(pid: number | null): boolean {
  if (pid === null || process.platform === 'win32') return false;
  try {
    process.kill(pid, 'SIGTERM');
    return true;
  } catch {
    return false; // it is gone already
  }
}

/** Its last checkpoint is what a resume goes on from. */
export function endProcess(pid: number, log: Pick<Log, 'warn'>): void {
  try {
    process.kill(pid, 'SIGKILL');
    log.warn(`trainer: process ${pid} did not stop and was killed`);
  } catch {
    // It is gone already.
  }
}
