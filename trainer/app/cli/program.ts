/** Signals, streams and the exit code around runCli. */
import { yieldToOthers } from '../priority';
import { takeJudgeKey } from '../../rewards/judge/settings';
import type { Dependencies } from '../dependencies';
import { receiveSecrets } from '../secrets';
import { terminalAsk } from './ask';
import { betterEnvironment, endWithStarter, runAgain, sayHeard } from './runAgain';
import { runCli } from './runCli';

/** Commands that stop in order; the others have nothing to lose and end at once. */
const inOrder = new Set(['train', 'evaluate', 'judge', 'models', 'tasks', 'distill', 'flywheel', 'mcp', 'maketool']);

/**
 * Of the environment, beside the judge's: BFCL's data, the keys of --policy, --teacher and --maker, and where other
 * programs
 * keep models and how the hub is asked (foundModels.ts, hub.ts).
 */
const READ = [
  'COACH_BFCL_DATA',
  'COACH_POLICY_KEY',
  'COACH_TEACHER_KEY',
  'COACH_MAKER_KEY',
  'OLLAMA_MODELS',
  'HF_TOKEN',
  'HF_ENDPOINT',
  'HF_HUB_OFFLINE',
  'HF_HUB_CACHE',
  'HF_HOME',
  'XDG_CACHE_HOME',
];

/** `coach` as a process: never returns, exits with the command's code. */
export async function runProgram(args: string[], dependencies: Dependencies): Promise<void> {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major < 20 || (major === 20 && minor < 19)) {
    process.stderr.write(
      `coach needs Node 20.19 or newer, this is ${process.versions.node}\nInstall a newer one from https://nodejs.org.\n`,
    );
    process.exit(2);
  }
  await receiveSecrets();
  endWithStarter();
  const better = betterEnvironment(args, process.env, process.platform);
  if (better) process.exit(await runAgain(better));
  const environment = {
    ...takeJudgeKey(process.env),
    ...Object.fromEntries(READ.map((name) => [name, process.env[name]])),
  };
  // no process that is started from here on inherits them
  for (const name of ['HF_TOKEN', 'COACH_POLICY_KEY', 'COACH_TEACHER_KEY', 'COACH_MAKER_KEY']) delete process.env[name];
  const stop = new AbortController();
  let interrupts = 0;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (++interrupts > 1 || !inOrder.has(args[0] ?? '')) process.exit(130);
      sayHeard();
      process.stderr.write('\nStopping. Once more to stop at once.\n');
      stop.abort();
    });
  }
  // `coach tasks … | head`: who stops reading has what they wanted. A run is stopped, with its checkpoint.
  process.stdout.on('error', () => stop.abort());
  process.stderr.on('error', () => undefined);
  if (['train', 'distill', 'flywheel'].includes(args[0] ?? '')) yieldToOthers();
  const code = await runCli(args, {
    cwd: process.cwd(),
    streams: process,
    dependencies,
    environment,
    signal: stop.signal,
    ask: terminalAsk(process.stdin, process.stderr, stop.signal),
    stop: () => stop.abort(),
    now: Date.now,
  });
  // A pipe is written asynchronously: leave when it has everything, or is closed.
  if (!process.stdout.writable) process.exit(code);
  process.stdout.write('', () => process.exit(code));
}
