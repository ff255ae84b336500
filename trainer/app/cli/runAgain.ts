/**
 * `coach train` in a process that was told how to keep its memory (trainer/protocol/allocator.ts): the program starts
 * itself once more.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { trainingEnvironment, type Trained } from '../../protocol/allocator';
import { SECRETS_FROM, splitSecrets } from '../../protocol/secretNames';
import { findRun } from '../../store/runs/listRuns';
import { requireManifest } from '../../store/runs/readRun';
import { parseArguments, valueOf } from './command';
import { settingsOf, train } from './train';

const NANO: Trained = { model: 'nano' };

/** What `coach train` is asked to train; nano where nothing is trained. */
function trainedBy([command, ...rest]: string[]): Trained | null {
  if (command !== train.name) return NANO;
  try {
    const args = parseArguments(train, rest);
    const resumed = valueOf(args, 'resume');
    return resumed === undefined ? { ...NANO, ...settingsOf(args) } : trainedIn(resumed);
  } catch {
    return NANO; // the command itself says what is wrong
  }
}

/** Null where there is no such run: the command will say so. */
function trainedIn(run: string): Trained | null {
  try {
    return requireManifest(findRun(run, process.cwd()), { readOnly: true }).config;
  } catch {
    return null;
  }
}

/** The environment that this command should have been started with; null: it was. */
export function betterEnvironment(
  args: string[],
  environment: NodeJS.ProcessEnv,
  platform: string,
): NodeJS.ProcessEnv | null {
  const better = trainingEnvironment(trainedBy(args), environment, platform);
  return Object.keys(better).some((name) => environment[name] === undefined) ? better : null;
}

/**
 * This program again: it has the terminal and the signals, gets what is secret through a pipe, and ends when this
 * process is killed. @returns its exit code
 */
export function runAgain(environment: NodeJS.ProcessEnv): Promise<number> {
  const { open, secrets } = splitSecrets(environment);
  // a group of its own: the terminal's Ctrl+C reaches it once, through here
  const child = spawn(process.execPath, [...process.execArgv, ...process.argv.slice(1)], {
    env: { ...open, [SECRETS_FROM]: 'ipc' },
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    detached: true,
  });
  child.send(secrets, () => undefined); // one that is gone already is told by its end
  const stopping = stopInTime(child);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stopping.stop(signal));
  return new Promise((done, failed) =>
    child.once('error', failed).once('close', (code) => {
      stopping.close();
      done(code ?? (stopping.isAsked ? 130 : 137));
    }),
  );
}

/**
 * A step of a real model computes for a minute and hears nothing; who asks it to stop is to wait no longer than this.
 */
const HEARD_MS = 1_700;

/**
 * Hands a stop on. A program that does not say that it heard it is in the middle of a computation, and is ended there,
 * with its tool hosts: a step that is slow leaves a checkpoint (recipes/loop.ts), so what is lost is the one under way.
 */
function stopInTime(child: ChildProcess): {
  readonly isAsked: boolean;
  stop(signal: NodeJS.Signals): void;
  close(): void;
} {
  let isAsked = false;
  let timer: NodeJS.Timeout | undefined;
  child.on('message', (message) => message === HEARD && clearTimeout(timer));
  const end = (): void => {
    try {
      process.kill(-child.pid!, 'SIGKILL'); // it leads a group of its own
    } catch {
      child.kill('SIGKILL'); // no such groups here
    }
  };
  return {
    get isAsked() {
      return isAsked;
    },
    stop(signal) {
      isAsked = true;
      child.kill(signal);
      if (timer !== undefined) return end(); // once more
      timer = setTimeout(() => {
        process.stderr.write(
          '\nStopped in the middle of a computation: what was trained since the last checkpoint is ' +
            'lost, nothing else. Go on with: coach train --resume RUN (coach runs lists it, if it had begun).\n',
        );
        end();
      }, HEARD_MS);
    },
    close: () => clearTimeout(timer),
  };
}

/** What a program that was started so says to its starter once it has heard of a stop. */
const HEARD = 'stopping';
export const sayHeard = (): void => void process.send?.(HEARD);

/** In the process that was started so: whoever kills the first one means this one. */
export function endWithStarter(): void {
  if (process.channel === undefined) return;
  process.channel.unref();
  process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'));
}
