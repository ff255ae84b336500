/** The trainer process but for its entry: arguments, signals, the first line on stdout, the exit code. */

import { parseArgs } from 'node:util';
import { UserError } from '../protocol/result';
import { visible } from '../protocol/visible';
import type { RunConfig } from '../protocol/runConfig';
import { takeJudgeKey } from '../rewards/judge/settings';
import type { Dependencies } from './dependencies';
import { receiveSecrets } from './secrets';
import { parseSettings } from './settings';
import { toTrainerError } from './recordAll';
import { startRun, type StartOptions } from './startRun';
import { readTextFile } from '../base/storage';
import { parseJson } from '../base/json';

/** @returns the exit code */
export async function runTrainer(args: string[], dependencies: Dependencies): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      config: { type: 'string' },
      resume: { type: 'string' },
      workspace: { type: 'string' },
      'run-dir': { type: 'string' },
    },
  });
  await receiveSecrets();
  const environment = takeJudgeKey(process.env);
  // The starter may be gone: a broken pipe must not end the run.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  const stop = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stop.abort());
  process.on('SIGHUP', () => undefined); // the window's terminal is not ours
  let run: Parameters<NonNullable<StartOptions['onStart']>>[0] | null = null;
  const die = (error: unknown) => {
    console.error(error);
    run?.fail(error);
    process.exit(1);
  };
  process.on('uncaughtException', die);
  process.on('unhandledRejection', die);
  try {
    const ended = await startRun({
      ...(values.resume === undefined ? { config: readConfig(values.config) } : { resume: values.resume }),
      ...(values.workspace === undefined ? {} : { workspace: values.workspace }),
      ...(values['run-dir'] === undefined ? {} : { runDir: values['run-dir'] }),
      cwd: process.cwd(),
      signal: stop.signal,
      onStop: () => stop.abort(),
      now: Date.now,
      dependencies,
      environment,
      onPrepare: (message) => say({ type: 'preparing', message }),
      onStart: (started) => {
        run = started;
        const { id, dir, socket, diagnostics } = started;
        say({ type: 'started', run: id, dir, socket, pid: process.pid, diagnostics });
      },
    });
    if (ended === null)
      say({ type: 'failed', error: new UserError('config', 'it was stopped before the run began').toTrainerError() });
    return 0;
  } catch (error) {
    if (run === null) say({ type: 'failed', error: toTrainerError(error) });
    console.error(error instanceof UserError ? visible(error.message) : error);
    return error instanceof UserError ? 2 : 1;
  }
}

function readConfig(path: string | undefined): RunConfig {
  if (path === undefined) throw new UserError('config', 'main: --config FILE or --resume DIR must be given');
  let json: unknown;
  try {
    json = parseJson(readTextFile(path));
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw new UserError('config', `${path}: can't be read as JSON: ${(error as Error).message}`);
  }
  if (typeof json !== 'object' || json === null || Array.isArray(json))
    throw new UserError('config', `${path}: must hold an object of settings`);
  return parseSettings(json as Record<string, unknown>);
}

function say(message: object): void {
  process.stdout.write(`${JSON.stringify(message)}\n`);
}
