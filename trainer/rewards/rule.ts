import type { Example } from './examples';
import type { Episode } from './episode';
import type { JudgeOptions } from './judge/judge';

/**
 * A score in the range that its reward states, or null where the reward does not apply; never 0 for "not applicable".
 */
export type Score = number | null | Scored;

/** A score with what it is made of. */
export interface Scored {
  score: number | null;
  parts: Record<string, number | null>;
}

/** Pure: the same episode gives the same score. */
export type RewardRule = (episode: Episode) => Score;
/** Scores the episodes of one task against each other, in their order. */
export type GroupRule = (group: readonly Episode[]) => Score[];
export type Rule =
  | { per: 'trace'; score: RewardRule }
  | { per: 'group'; score: GroupRule }
  | { per: 'judge'; options: JudgeOptions };

/** What a user may write behind the name; a default and what is allowed. */
export type OptionSpec =
  | { kind: 'number'; default: number; minimum: number; maximum: number; description: string }
  | { kind: 'switch'; default: boolean; description: string }
  | { kind: 'choice'; default: string; choices: readonly string[]; description: string }
  /** for what needs names or a file; may not hold , : or * */
  | { kind: 'text'; default: string; description: string };
export type OptionValues = Record<string, number | string | boolean>;
type ValueOf<S extends OptionSpec> = S extends { kind: 'number' }
  ? number
  : S extends { kind: 'switch' }
    ? boolean
    : S extends { kind: 'choice'; choices: readonly (infer C)[] }
      ? C
      : string;
export type ValuesOf<O extends Record<string, OptionSpec>> = { -readonly [K in keyof O]: ValueOf<O[K]> };

export interface BuiltInReward {
  /** row of `systems.md` that it belongs to */
  row: number;
  description: string;
  /** paper or code that it is taken from */
  source: string;
  /** of the default options */
  range: readonly [least: number, most: number];
  options: Record<string, OptionSpec>;
  /** in words and numbers what it gives; its tests */
  examples: readonly Example[];
  /**
   * True: an advantage channel of its own, outside the sum of the rewards (see channels.ts).
   */
  isChannel?: boolean;
  per: Rule['per'];
  make(options: OptionValues): Rule;
}

type Definition<O extends Record<string, OptionSpec>> = Omit<BuiltInReward, 'options' | 'per' | 'make'> & {
  options: O;
};

/** A reward that looks at one trace at a time. */
export function traceReward<const O extends Record<string, OptionSpec>>(
  definition: Definition<O> & { rule(options: ValuesOf<O>): RewardRule },
): BuiltInReward {
  const { rule, ...rest } = definition;
  return {
    ...rest,
    per: 'trace',
    make: (options) => ({ per: 'trace', score: rule(checked(options, definition.options)) }),
  };
}

/** A reward that compares the traces of one task. */
export function groupReward<const O extends Record<string, OptionSpec>>(
  definition: Definition<O> & { rule(options: ValuesOf<O>): GroupRule },
): BuiltInReward {
  const { rule, ...rest } = definition;
  return {
    ...rest,
    per: 'group',
    make: (options) => ({ per: 'group', score: rule(checked(options, definition.options)) }),
  };
}

/** A reward that a judge gives: it needs a server, and is asked for by whoever runs the rollouts. */
export function judgeReward<const O extends Record<string, OptionSpec>>(
  definition: Omit<Definition<O>, 'examples'> & { judging(options: ValuesOf<O>): JudgeOptions },
): BuiltInReward {
  const { judging, ...rest } = definition;
  return {
    ...rest,
    examples: [],
    per: 'judge',
    make: (options) => ({ per: 'judge', options: judging(checked(options, definition.options)) }),
  };
}

/** @throws Error where a value is not of its option's kind; parseRewards makes no such values */
function checked<O extends Record<string, OptionSpec>>(values: OptionValues, specs: O): ValuesOf<O> {
  const full = { ...defaultsOf(specs), ...values };
  for (const [name, spec] of Object.entries(specs)) {
    const type = spec.kind === 'number' ? 'number' : spec.kind === 'switch' ? 'boolean' : 'string';
    if (typeof full[name] !== type) throw new Error(`option ${name} must be a ${type}, got ${String(full[name])}`);
  }
  return full as ValuesOf<O>;
}

export const defaultsOf = (specs: Record<string, OptionSpec>): OptionValues =>
  Object.fromEntries(Object.entries(specs).map(([key, option]) => [key, option.default]));

export const isScored = (score: Score): score is Scored => typeof score === 'object' && score !== null;
