/**
 * Runs a function under `vm`'s time limit, so that an endless loop in user code is interrupted.
 * The script runs in this context and calls the function through one hidden global: V8's termination stops whatever
 * context the loop is in. Cost: one watchdog thread per run (measured: 0.05 to 0.17 ms).
 */
import { Script } from 'node:vm';

const script = new Script('globalThis[Symbol.for("coach.timedRun")]()');
let body: (() => void) | undefined;
Object.defineProperty(globalThis, Symbol.for('coach.timedRun'), { value: () => body?.() });

const interruptions = new WeakSet<object>();

/** An error that `isTimedOut` knows. */
export function timedOut(limitMs: number): Error {
  const error = new Error(`not finished after ${limitMs} ms`);
  interruptions.add(error);
  return error;
}

/** By identity: what user code throws may have any class, code or proxy traps. */
export function isTimedOut(error: unknown): boolean {
  return typeof error === 'object' && error !== null && interruptions.has(error);
}

/**
 * @param timeoutMs limit of the synchronous part
 * @throws an error that `isTimedOut` knows when the limit passed; whatever `run` throws otherwise
 */
export function timedRun<T>(run: () => T, timeoutMs: number): T {
  let outcome: { value: T } | { error: unknown } | undefined;
  body = () => {
    try {
      outcome = { value: run() };
    } catch (error) {
      outcome = { error };
    }
  };
  try {
    script.runInThisContext({ timeout: Math.max(1, Math.ceil(timeoutMs)) });
  } catch (error) {
    // `body` catches what user code throws, so only the interruption and a stack overflow arrive here.
    if ((error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw timedOut(timeoutMs);
    throw error;
  } finally {
    body = undefined;
  }
  const done = outcome as { value: T } | { error: unknown } | undefined;
  if (!done) throw new Error('timedRun: the body did not run');
  if ('error' in done) throw done.error;
  return done.value;
}
