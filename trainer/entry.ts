/** What main.js and cli.js run, in one bundle that both load: each would else hold the whole trainer. */
import { runProgram } from './app/cli/program';
import { realDependencies } from './app/dependencies';
import { yieldToOthers } from './app/priority';
import { runTrainer } from './app/runTrainer';

/** main.js; ends the process with the run */
export async function trainer(args: readonly string[]): Promise<void> {
  yieldToOthers();
  const [mode, dir] = args;
  if (mode === '--play' && dir !== undefined) {
    const { servePlayer } = await import('./app/playground/playServer');
    servePlayer(dir, realDependencies);
  } else process.exit(await runTrainer([...args], realDependencies));
}

/** cli.js */
export const cli = (args: readonly string[]): Promise<void> => runProgram([...args], realDependencies);
