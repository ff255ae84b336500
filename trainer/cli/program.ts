/** Signals, streams and the exit code around runCli. */
import { yieldToOthers } from '../priority';
import type { Rooms } from '../rooms';
import { runCli } from './runCli';

/** `coach` as a process: never returns, exits with the command's code. */
export async function runProgram(args: string[], rooms: Rooms): Promise<void> {
  const stop = new AbortController();
  let interrupts = 0;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (++interrupts > 1) process.exit(130);
      process.stderr.write('\nStopping; what was learnt is saved. Once more to stop at once.\n');
      stop.abort();
    });
  }
  // `coach tasks … | head`: who stops reading has what they wanted.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));
  if (args[0] === 'train') yieldToOthers();
  const code = await runCli(args, { cwd: process.cwd(), streams: process, rooms, signal: stop.signal, stop: () => stop.abort(), now: Date.now });
  // A pipe is written asynchronously: leave when it has everything.
  process.stdout.write('', () => process.exit(code));
}
