/**
 * `coach`: arguments -> a command -> an exit code. 0 done, 1 our fault, 2 the user's input or machine, 130 stopped by
 * Ctrl-C.
 */
import { compliance } from './compliance';
import { composites } from './composites';
import { distill } from './distill';
import { engines } from './engines';
import { find } from './find';
import { flywheel } from './flywheel';
import { graph } from './graph';
import { models } from './models';
import { evaluate } from './evaluate';
import { exportCommand } from './export';
import { importCommand } from './import';
import { helpText, parseArguments, type Command } from './command';
import { Output, table, type Streams } from './output';
import { judge } from './judge';
import { maketool } from './maketool';
import { mcp } from './mcp';
import { preferences } from './preferences';
import { runs } from './runs';
import { score } from './score';
import { tasks } from './tasks';
import { tools } from './tools';
import { trace } from './trace';
import { train } from './train';
import { suggest } from '../../base/nearest';
import { systemError } from '../../base/storage';
import { UserError } from '../../protocol/result';
import type { Dependencies } from '../dependencies';
import { withInputs, type Ask } from './inputOption';

const commands: Command[] = [
  tools,
  tasks,
  train,
  distill,
  flywheel,
  evaluate,
  runs,
  trace,
  score,
  judge,
  exportCommand,
  importCommand,
  preferences,
  compliance,
  composites,
  maketool,
  graph,
  models,
  engines,
  find,
  mcp,
];

export interface CliOptions {
  cwd: string;
  streams: Streams;
  dependencies: Dependencies;
  environment?: Readonly<Record<string, string | undefined>>;
  signal: AbortSignal;
  /** absent: nobody sits at the terminal */
  ask?: Ask | undefined;
  stop(): void;
  now(): number;
}

/** @returns the exit code; never throws */
export async function runCli(args: string[], options: CliOptions): Promise<number> {
  const { streams, signal, environment = {}, ask, ...rest } = options;
  const out = new Output(streams, args.includes('--json'));
  try {
    const [name, ...others] = args;
    if (name === '--help' || name === '-h' || name === 'help') {
      const topic = commands.find((c) => c.name === others[0]);
      streams.stdout.write(topic ? helpText(topic) : overview());
      return 0;
    }
    if (name === undefined || name === '--json')
      throw new UserError(
        'config',
        'coach needs a command',
        `Commands: ${commands.map((c) => c.name).join(', ')}. See coach --help.`,
      );
    const command = commands.find((c) => c.name === name);
    if (command === undefined)
      throw new UserError(
        'config',
        `unknown command "${name}"`,
        suggest(
          name,
          commands.map((c) => c.name),
        ),
      );
    const parsed = parseArguments(
      command,
      others.map((word) => (word === '-h' ? '--help' : word)),
    );
    if ('help' in parsed.values) {
      streams.stdout.write(helpText(command));
      return 0;
    }
    const dependencies = withInputs(rest.dependencies, parsed, ask);
    return await command.run(parsed, { ...rest, dependencies, environment, out, signal });
  } catch (thrown) {
    const error = systemError(thrown) ?? thrown;
    if (error instanceof UserError) {
      out.warn(`coach: ${error.message}${error.hint ? `\n${error.hint}` : ''}`);
      return 2;
    }
    if (signal.aborted) return 130;
    out.warn(
      'coach: a fault of ours, please report it: ' +
        `${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
    );
    return 1;
  }
}

function overview(): string {
  const rows = commands.map((c) => [
    `  coach ${c.name}${c.positionals.usage ? ` ${c.positionals.usage}` : ''}`,
    c.summary,
  ]);
  return [
    'coach trains a small tool-using model on your own TypeScript tools.',
    '',
    table(rows),
    '',
    'coach COMMAND --help tells its options, with examples. Each takes --json.',
    '',
  ].join('\n');
}
