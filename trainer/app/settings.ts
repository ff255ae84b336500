/**
 * A run's settings from the outside (command line, JSON file, editor): unknown names and bad values are one UserError
 * each, with the way out.
 */
import { z } from 'zod';
import { UserError } from '../protocol/result';
import { RunConfig, type LimitedConfig, type Limits, type SettledConfig } from '../protocol/runConfig';
import { isTruncated } from '../model/decoding/truncate';
import { nearest, suggest } from '../base/nearest';

export const settingNames = Object.keys(RunConfig.shape);

/** @throws UserError for the first thing that is wrong */
export function parseSettings(values: Record<string, unknown>): RunConfig {
  for (const name of Object.keys(values)) {
    if (!Object.hasOwn(RunConfig.shape, name))
      throw new UserError('config', `unknown setting "${name}"`, suggestSetting(name));
  }
  const parsed = RunConfig.safeParse({ ...defaultsOf(values), ...values });
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0]!;
  const name = String(issue.path[0] ?? '');
  throw new UserError(
    'config',
    `${issue.path.join('.')} ${rule(issue)}, got ${shown(values[name])}`,
    hint(name, issue, values[name]),
  );
}

/**
 * What is right for the embedded model of 2 M weights would tear a real one apart: its adapter learns at rates that
 * LoRA is trained at elsewhere. Its
 * template writes tools as JSON Schema, hundreds of tokens, and a step of it takes seconds a prompt.
 */
function defaultsOf(values: Record<string, unknown>): Partial<RunConfig> {
  const { model = 'nano', method = 'grpo', finetuning } = values;
  if (finetuning === 'full')
    return {
      ...defaultsOf({ model, method }),
      learningRate: (model === 'nano' ? WHOLE_NANO : WHOLE)[method === 'sft' || method === 'dpo' ? method : 'grpo'],
    };
  if (model === 'nano')
    return method === 'grpo' ? {} : { learningRate: method === 'sft' ? 2e-3 : 3e-4, promptsPerStep: 8, groupSize: 8 };
  return {
    numIterations: 1,
    promptsPerStep: 2,
    groupSize: 8,
    tokensPerMicroBatch: 2048,
    learningRate: method === 'sft' ? 2e-4 : method === 'dpo' ? 5e-5 : 1e-4,
  };
}

/** What an episode and a result may take at least; more is planned where the tools need it (budget/planBudget.ts). */
export const leastLimits = ({ model }: Pick<RunConfig, 'model'>): Limits => ({
  ...(model === 'nano' ? { maxTokens: 512, maxTurnTokens: 96 } : { maxTokens: 1024, maxTurnTokens: 128 }),
  toolOutputBytes: 16_384,
});

/** Settings with the limits that were set, else those that are given. */
export function withLimits(config: RunConfig, planned: Limits = leastLimits(config)): LimitedConfig {
  const {
    maxTokens = planned.maxTokens,
    maxTurnTokens = planned.maxTurnTokens,
    toolOutputBytes = planned.toolOutputBytes,
  } = config;
  return { ...config, maxTokens, maxTurnTokens, toolOutputBytes };
}

/** Learning rates of all weights: TRL's own, and on nano a tenth of the adapter's (measured for GRPO, README). */
const WHOLE = { grpo: 1e-6, dpo: 1e-6, sft: 2e-5 };
const WHOLE_NANO = { grpo: 3e-4, dpo: 3e-5, sft: 2e-4 };

/**
 * What is left to the tasks where nobody set it. A person's own are as many of each kind as will be asked for, and
 * those of one kind differ more: at the rate
 * that generated ones need, the gain on them lay between 14 and 28 points over runs of the same settings, at this one
 * between 21 and 25, and exploration,
 * which goes by kind, took 1 to 2 points where it gave generated ones up to 20 (README).
 * @throws UserError where settings exclude each other
 */
export function settle(given: RunConfig, isGenerated: boolean): SettledConfig {
  const config = withLimits(given);
  const { taskMix, learningRate, exploration } = isGenerated
    ? ({ taskMix: 'learnable', learningRate: 3e-3, exploration: 2 } as const)
    : ({ taskMix: 'asGiven', learningRate: 2e-3, exploration: 0 } as const);
  if (config.finetuning === 'full') {
    const odd = config.quantize === 'q4' ? 'quantize q4' : (config.loraDropout ?? 0) > 0 ? 'loraDropout' : null;
    if (odd)
      throw new UserError(
        'config',
        `finetuning full, which trains all weights in float32, does not go with ${odd}`,
        `Leave out one of the two.`,
      );
  }
  if (config.method === 'dpo' && (config.renameTools ?? 0) > 0)
    throw new UserError(
      'config',
      `renameTools ${config.renameTools} does not go with dpo, whose pairs are read under the tools' own names`,
      'Leave it out, or train by grpo or sft.',
    );
  // where few ids are left, nobody could tell by their number which temperature they were sampled at
  if (isTruncated(config) && (config.exploration ?? 0) > 0)
    throw new UserError(
      'config',
      `exploration ${config.exploration} does not go with topK, topP and minP`,
      'Leave exploration out, or set it to 0.',
    );
  return {
    ...config,
    taskMix: config.taskMix ?? taskMix,
    learningRate: config.learningRate ?? learningRate,
    exploration: config.exploration ?? (isTruncated(config) ? 0 : exploration),
  };
}

/**
 * Settings given one by one; the last of a name wins.
 * @param prefix what their names must begin with
 * @throws UserError where one is no NAME=VALUE or names no setting
 */
export function settingsFromPairs(
  pairs: readonly string[],
  { prefix = '', example = 'learningRate=1e-3' } = {},
): Record<string, unknown> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const [, name, text] = /^([^=]+)=(.*)$/s.exec(pair) ?? [];
      if (name === undefined || text === undefined || !name.startsWith(prefix))
        throw new UserError(
          'config',
          `--set must be ${prefix}NAME=VALUE, got ${pair}`,
          `For example: --set ${example}`,
        );
      return [name, settingFromText(name, text)];
    }),
  );
}

/**
 * The text of a command-line option as the setting's type; what is no number stays text, so that the parser can say
 * so.
 */
export function settingFromText(name: string, text: string): unknown {
  if (!Object.hasOwn(RunConfig.shape, name))
    throw new UserError('config', `unknown setting "${name}"`, suggestSetting(name));
  switch (typeOf(RunConfig.shape[name as keyof typeof RunConfig.shape])) {
    case 'number':
      return text.trim() === '' || Number.isNaN(Number(text)) ? text : Number(text);
    case 'boolean':
      return text === 'true' ? true : text === 'false' ? false : text;
    case 'array':
      return text.split(',').map((part) => part.trim());
    default:
      return text;
  }
}

function typeOf(schema: z.ZodType): string {
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodOptional) return typeOf(schema.unwrap() as z.ZodType);
  return schema.def.type;
}

/** The rule in words, e.g. "must be at least 1". */
function rule(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'too_small':
      return issue.inclusive === false ? `must be greater than ${issue.minimum}` : `must be at least ${issue.minimum}`;
    case 'too_big':
      return issue.inclusive === false ? `must be less than ${issue.maximum}` : `must be at most ${issue.maximum}`;
    case 'invalid_value':
      return `must be ${issue.values.length === 1 ? '' : 'one of '}${issue.values.join(', ')}`;
    case 'invalid_type':
      return issue.expected === 'int'
        ? 'must be a whole number'
        : issue.expected === 'boolean'
          ? 'must be true or false'
          : `must be a ${issue.expected}`;
    default:
      return `is not right: ${issue.message}`;
  }
}

function hint(name: string, issue: z.core.$ZodIssue, value: unknown): string {
  if (issue.code === 'invalid_value' && typeof value === 'string') {
    const near = nearest(value, issue.values.map(String));
    if (near !== null) return `Did you mean ${near}?`;
  }
  const schema = RunConfig.shape[name as keyof typeof RunConfig.shape];
  const standard = schema instanceof z.ZodDefault ? `The default is ${shown(schema.parse(undefined))}.` : '';
  return (
    [schema?.description ? `${name}: ${schema.description}.` : '', standard].filter(Boolean).join(' ') ||
    'See coach train --help.'
  );
}

function suggestSetting(name: string): string {
  const near = nearest(name, settingNames);
  return near === null ? `Settings: ${settingNames.join(', ')}.` : suggest(name, settingNames);
}

function shown(value: unknown): string {
  return typeof value === 'number' ? String(value) : (JSON.stringify(value) ?? 'nothing');
}
