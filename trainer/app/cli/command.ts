/** What a command of `coach` is, and how its arguments are read. */
import { parseArgs } from 'node:util';
import { nearest, suggest } from '../../base/nearest';
import { UserError } from '../../protocol/result';
import type { Dependencies } from '../dependencies';
import { settingNames } from '../settingText';
import type { Output } from './output';

export interface Option {
  /** what stands for its value in the help; absent: a switch */
  value?: string;
  help: string;
  isRepeated?: boolean;
}

export interface Command {
  name: string;
  /** e.g. 'FILE|DIR' */
  positionals: { usage: string; min: number; max: number };
  summary: string;
  options: Record<string, Option>;
  examples: string[];
  /** @returns the exit code */
  run(args: Arguments, context: CommandContext): Promise<number>;
}

export interface Arguments {
  positionals: string[];
  /** values of options that were given; the last one counts unless they may be repeated */
  values: Record<string, string[]>;
}

export interface CommandContext {
  cwd: string;
  out: Output;
  dependencies: Dependencies;
  /** COACH_JUDGE_URL, _MODEL and _KEY; COACH_BFCL_DATA; those of Ollama and the hub (program.ts) */
  environment: Readonly<Record<string, string | undefined>>;
  signal: AbortSignal;
  /** aborts the signal, as Ctrl-C does */
  stop(): void;
  now(): number;
}

const common: Record<string, Option> = {
  json: { help: 'exact JSON on stdout, progress on stderr' },
  help: { help: 'this text' },
};

/** @throws UserError for an unknown option (nearest suggested), a missing value, too few or too many arguments */
export function parseArguments(command: Command, args: string[]): Arguments {
  const options = { ...command.options, ...common };
  const { tokens } = parseArgs({
    args,
    strict: false,
    tokens: true,
    allowPositionals: true,
    options: Object.fromEntries(
      Object.entries(options).map(([name, { value }]) => [name, { type: value === undefined ? 'boolean' : 'string' }]),
    ),
  });
  const out: Arguments = { positionals: [], values: {} };
  for (const token of tokens) {
    if (token.kind === 'positional') out.positionals.push(token.value);
    if (token.kind !== 'option') continue;
    const { name, rawName, value } = token;
    const option = Object.hasOwn(options, name) ? options[name] : undefined;
    if (option === undefined || !rawName.startsWith('--')) throw unknownOption(command, rawName, options);
    if (option.value === undefined && value !== undefined)
      throw new UserError(
        'config',
        `${rawName} is a switch and takes no value, got ${value}`,
        `See coach ${command.name} --help.`,
      );
    // A value that looks like an option is one: `--method --steps 3` lacks the method.
    if (option.value !== undefined && (value === undefined || (!token.inlineValue && value.startsWith('--')))) {
      throw new UserError(
        'config',
        `${rawName} needs a value: ${rawName} ${option.value}`,
        `See coach ${command.name} --help.`,
      );
    }
    if (option.isRepeated) (out.values[name] ??= []).push(value ?? '');
    else out.values[name] = [value ?? ''];
  }
  const { min, max, usage } = command.positionals;
  if (!('help' in out.values)) {
    if (out.positionals.length < min)
      throw new UserError('config', `coach ${command.name} needs ${usage}`, `For example: ${command.examples[0]}`);
    if (out.positionals.length > max)
      throw new UserError(
        'config',
        `coach ${command.name} takes ${max === 0 ? 'no arguments' : usage}, got also ${out.positionals[max]}`,
        `See coach ${command.name} --help.`,
      );
  }
  return out;
}

export const valueOf = (args: Arguments, name: string): string | undefined => args.values[name]?.[0];

/** An option that is a number; undefined where it was not given. @throws UserError where it is none, or too small */
export function numberOf(
  args: Arguments,
  name: string,
  { least = -Infinity, isInteger = false }: { least?: number; isInteger?: boolean } = {},
): number | undefined {
  const text = valueOf(args, name);
  if (text === undefined) return undefined;
  const value = text.trim() === '' ? Number.NaN : Number(text);
  if (Number.isFinite(value) && value >= least && (!isInteger || Number.isInteger(value))) return value;
  throw new UserError(
    'config',
    `--${name} must be ${isInteger ? 'a whole number' : 'a number'}${least === -Infinity ? '' : ` of at least ${least}`}, got ${text}`,
  );
}

function unknownOption(command: Command, raw: string, options: Record<string, Option>): UserError {
  const word = raw.replace(/^-+/, '');
  const names = Object.keys(options);
  const near = nearest(word, names);
  const setting = nearest(
    word.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase()),
    settingNames,
  );
  const hint =
    near !== null
      ? `Did you mean --${near}?`
      : setting !== null && 'set' in options
        ? `Did you mean --set ${setting}=VALUE?`
        : suggest(
            word,
            names.map((n) => `--${n}`),
          );
  return new UserError('config', `coach ${command.name}: unknown option ${raw}`, hint);
}

export function helpText(command: Command): string {
  const rows = Object.entries({ ...command.options, ...common }).map(
    ([name, { value, help }]) => [`--${name}${value === undefined ? '' : ` ${value}`}`, help] as const,
  );
  const width = Math.max(...rows.map(([left]) => left.length));
  return [
    `coach ${command.name}${command.positionals.usage ? ` ${command.positionals.usage}` : ''} [options]`,
    `  ${command.summary}`,
    '',
    'Options',
    ...rows.map(([left, help]) => `  ${left.padEnd(width)}  ${help}`),
    '',
    command.examples.length > 1 ? 'Examples' : 'Example',
    ...command.examples.map((example) => `  ${example}`),
    '',
  ].join('\n');
}
