/** Runs inputs in a child that may hang, crash or fill its memory: each of these is a failure with its seed. */
import { fork, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import fc from 'fast-check';
import type { Given, Told } from './child';
import { BROKEN, TARGETS } from './targets';

const MAX_MS = 5_000;
const MAX_MB = 1_000;
/** Shrinking runs an input that hangs again and again: so long at most. */
const SHRINK_MS = 60_000;

export interface Failure {
  target: string;
  seed: number;
  /** fast-check's way to the shrunk input */
  path: string;
  why: string;
  input: string | Uint8Array;
}

export class Fuzzer {
  private child: ChildProcess | null = null;
  /** inputs that were read */
  count = 0;

  /** @returns null where `runs` inputs of the target, or as many as the time allows, were read without a failure */
  async fuzz(
    target: string,
    o: { seed: number; runs: number; limitMs?: number; path?: string; shrinks?: boolean },
  ): Promise<Failure | null> {
    let why = '';
    let failedAt = Infinity;
    const until = Date.now() + (o.limitMs ?? Infinity);
    const property = fc.asyncProperty({ ...TARGETS, ...BROKEN }[target]!.input, async (input) => {
      // What was found last is the smallest. (fast-check's own limit would leave an input behind in the child.)
      if (Date.now() - failedAt > SHRINK_MS || (failedAt === Infinity && Date.now() > until)) return;
      const failure = await this.read({ target, input });
      if (failure === null) return;
      failedAt = Math.min(failedAt, Date.now());
      why = failure;
      throw new Error(failure);
    });
    const result = await fc.check(property, {
      seed: o.seed,
      numRuns: o.runs,
      endOnFailure: o.shrinks === false,
      ...(o.path === undefined ? {} : { path: o.path }),
    });
    if (!result.failed || result.counterexample === null) return null;
    return { target, seed: result.seed, path: result.counterexamplePath ?? '', why, input: result.counterexample[0] };
  }

  close(): void {
    this.child?.kill('SIGKILL');
    this.child = null;
  }

  /** @returns what was wrong, or null */
  private read(given: Given): Promise<string | null> {
    const child = (this.child ??= fork(join(__dirname, 'child.ts'), {
      execArgv: ['--import', 'tsx', '--max-old-space-size=900'],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    }));
    this.count++;
    return new Promise((resolve) => {
      let step = 'start';
      let said = '';
      let timer: NodeJS.Timeout;
      const done = (failure: string | null): void => {
        clearTimeout(timer);
        child.removeAllListeners();
        child.stderr!.removeAllListeners('data');
        if (failure !== null) this.close(); // the next input meets a clean process
        resolve(failure);
      };
      const wait = (ms: number): void => {
        clearTimeout(timer);
        timer = setTimeout(() => done(`${step}: hangs for more than ${ms / 1000} s`), ms);
      };
      wait(20_000); // the process starts
      child.stderr!.on('data', (data) => (said = (said + String(data)).slice(-2_000)));
      child.on('exit', (code, signal) => done(`${step}: the process ended (${signal ?? code}): ${said}`));
      child.on('message', (told: Told) => {
        if ('step' in told) {
          step = told.step;
          wait(MAX_MS);
        } else if (told.failure === null && told.maxMb > MAX_MB)
          done(`${step}: took ${told.maxMb.toFixed(0)} MB of memory`);
        else done(told.failure);
      });
      child.send(given);
    });
  }
}
