/**
 * Which call is running, for two readers: the handlers of uncaught errors in this process (by AsyncLocalStorage),
 * and the trainer after this process has died or hung (by a small file that is rewritten when the running call
 * changes).
 */
import { AsyncLocalStorage, createHook } from 'node:async_hooks';
import { openSync, writeSync } from 'node:fs';

/** What a call carries while it runs and after; the ways to end it are idempotent. */
export interface CallState {
  readonly id: number;
  readonly name: string;
  /** Set when the tool asked the process to exit, even if it caught the error that we threw. */
  exitCode?: number;
  /** Ends the call with an error that arose outside its promise; false when it had been answered already. */
  failLate(error: unknown): boolean;
}

const storage = new AsyncLocalStorage<CallState>();
const WIDTH = 16;
/** In the host's scratch folder. */
export const STATUS_FILE = 'running';

let statusFile: number | undefined;
let shown = 0;

/** @param path file in the host's scratch folder; it holds the id of the running call, 16 digits wide */
export function openStatusFile(path: string): void {
  statusFile = openSync(path, 'w', 0o600);
  createHook({
    before() {
      const state = storage.getStore();
      if (state) show(state.id);
    },
  }).enable();
}

/** Runs `body` so that everything it starts belongs to `state`. */
export function runAsCall<T>(state: CallState, body: () => T): T {
  show(state.id);
  return storage.run(state, body);
}

/** The call on whose behalf the present code runs, if any. */
export function currentCall(): CallState | undefined {
  return storage.getStore();
}

function show(id: number): void {
  if (id === shown || statusFile === undefined) return;
  shown = id;
  writeSync(statusFile, String(id).padStart(WIDTH), 0);
}
