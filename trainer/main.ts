/**
 * The trainer process: `node dist/trainer/main.js --config FILE`, started detached, one per run; it ends with the run.
 * FILE holds the settings as JSON; --resume DIR goes on with a run instead. The first line on stdout is JSON: {"type":"started",…} once the run
 * exists and its socket listens, or {"type":"failed","error"}; nothing follows it, so the starter may close its end and go.
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { yieldToOthers } from './priority';
import { UserError } from './protocol/result';
import type { RunConfig } from './protocol/runConfig';
import { realRooms } from './rooms';
import { parseSettings } from './settings';
import { startRun, toTrainerError, type StartOptions } from './startRun';

async function main(): Promise<number> {
  const { values } = parseArgs({ options: { config: { type: 'string' }, resume: { type: 'string' }, workspace: { type: 'string' }, 'run-dir': { type: 'string' } } });
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
    await startRun({
      ...(values.resume === undefined ? { config: readConfig(values.config) } : { resume: values.resume }),
      ...(values.workspace === undefined ? {} : { workspace: values.workspace }),
      ...(values['run-dir'] === undefined ? {} : { runDir: values['run-dir'] }),
      cwd: process.cwd(),
      signal: stop.signal,
      onStop: () => stop.abort(),
      now: Date.now,
      rooms: realRooms,
      onStart: (started) => {
        run = started;
        const { id, dir, socket } = started;
        say({ type: 'started', run: id, dir, socket, pid: process.pid });
      },
    });
    return 0;
  } catch (error) {
    if (run === null) say({ type: 'failed', error: toTrainerError(error) });
    console.error(error instanceof UserError ? error.message : error);
    return error instanceof UserError ? 2 : 1;
  }
}

function readConfig(path: string | undefined): RunConfig {
  if (path === undefined) throw new UserError('config', 'main: --config FILE or --resume DIR must be given');
  let json: unknown;
  try {
    json = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new UserError('config', `${path}: can't be read as JSON: ${(error as Error).message}`);
  }
  if (typeof json !== 'object' || json === null || Array.isArray(json)) throw new UserError('config', `${path}: must hold an object of settings`);
  return parseSettings(json as Record<string, unknown>);
}

function say(message: object): void {
  process.stdout.write(`${JSON.stringify(message)}\n`);
}

if (require.main === module) {
  // The starter may be gone: a broken pipe must not end the run.
  process.stdout.on('error', () => undefined);
  process.stderr.on('error', () => undefined);
  yieldToOthers();
  void main().then((code) => process.exit(code));
}
