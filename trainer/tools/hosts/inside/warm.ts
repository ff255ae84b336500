/**
 * Before the first call: every file is loaded once in a throw-away rollout, so that packages are in memory and what
 * cannot be loaded is known.
 */
import { runAsCall } from './currentCall';
import type { LoadError, PrepareMessage } from './hostMessages';
import { placeOf, refusedBy } from './loadFailure';
import { forgetHalfLoadedPackages, type ModuleLibrary } from './moduleLoader';
import { AwaitingPackage } from './packages';
import { messageOf } from './resultText';
import { openRollout, type Rollout } from './rollout';
import { isTimedOut, timedOut, timedRun } from './timedRun';

const MESSAGE_CHARACTERS = 1000;

/** What fails here fails again, in words, at its first call. */
export async function warm(message: PrepareMessage, library: ModuleLibrary): Promise<LoadError[]> {
  const errors: LoadError[] = [];
  const rollout = openRollout(library, message);
  for (const entry of message.warmFiles) {
    try {
      const state = { id: 0, name: entry, failLate: () => false };
      await runAsCall(state, () => loadOnce(entry, rollout, library, message.warmTimeoutMs));
    } catch (error) {
      const isTimeout = isTimedOut(error);
      if (isTimeout) forgetHalfLoadedPackages();
      const place = placeOf(error, rollout.loader.current || entry, (file) => library.has(file));
      const text = (messageOf(error) + refusedBy(error)).slice(0, MESSAGE_CHARACTERS);
      errors.push({ entry, ...place, message: text, isTimeout });
    }
    rollout.loader.current = '';
  }
  rollout.close();
  return errors;
}

async function loadOnce(
  entry: string,
  { loader, realm }: Rollout,
  library: ModuleLibrary,
  limitMs: number,
): Promise<void> {
  for (;;) {
    try {
      if (loader.needsAsync(entry))
        await within(
          timedRun(() => loader.loadAsync(entry), limitMs),
          limitMs,
        );
      else timedRun(() => loader.load(entry), limitMs);
      return;
    } catch (error) {
      if (!(error instanceof AwaitingPackage)) throw error;
      await within(library.packages.importAsync(error.url, realm, true), limitMs);
    }
  }
}

function within(work: Promise<void>, ms: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(timedOut(ms)), ms);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
