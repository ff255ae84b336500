/** `coach train` in a process that keeps its memory (trainer/protocol/allocator.ts): the program starts itself once more. */
import { spawn } from 'node:child_process';
import { trainingEnvironment } from '../protocol/allocator';

/** What `coach train` is asked to train; of a run that is resumed it is not looked up. Null: another command. */
function trainedModel([command, ...args]: readonly string[]): string | null {
  if (command !== 'train') return null;
  const valueOf = (name: string): string | undefined => args.find((arg) => arg.startsWith(`${name}=`))?.slice(name.length + 1) ?? (args.includes(name) ? args[args.indexOf(name) + 1] : undefined);
  return valueOf('--resume') !== undefined ? 'resumed' : (valueOf('--model') ?? 'nano');
}

/** The environment that this command should have been started with; null: it was. */
export function betterEnvironment(args: readonly string[], environment: NodeJS.ProcessEnv, platform: string): NodeJS.ProcessEnv | null {
  const better = trainingEnvironment(trainedModel(args) ?? 'nano', environment, platform);
  return Object.keys(better).some((name) => environment[name] === undefined) ? better : null;
}

/** This program again: it has the terminal and the signals, and ends when this process is killed. @returns its exit code */
export function runAgain(environment: NodeJS.ProcessEnv): Promise<number> {
  // a group of its own: the terminal's Ctrl+C reaches it once, through here
  const child = spawn(process.execPath, [...process.execArgv, ...process.argv.slice(1)], { env: environment, stdio: ['inherit', 'inherit', 'inherit', 'ipc'], detached: true });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal));
  return new Promise((done, failed) => child.once('error', failed).once('close', (code) => done(code ?? 137)));
}

/** In the process that was started so: whoever kills the first one means this one. */
export function endWithStarter(): void {
  if (process.channel === undefined) return;
  process.channel.unref();
  process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'));
}
