/**
 * A run's settings from the outside (command line, JSON file, editor): unknown names and bad values are one UserError
 * each, with the way out.
 */
import { UserError } from '../protocol/result';
import { Method, RunConfig, type LimitedConfig, type Limits, type SettledConfig } from '../protocol/runConfig';
import { DEFAULTS, type Chosen, type UpdateSize } from '../protocol/settings/defaults';
import { AUTO } from '../protocol/stages';
import { RecipeName, RECIPES } from '../protocol/settings/recipes';
import { flatName, isSection } from '../protocol/settings/sections';
import {
  candidateConfigs,
  checkStageSettings,
  isOfStage,
  stageConfigs,
  stageSetting,
  stagesOf,
  AUTO_METHODS,
} from './stages';
import { isTruncated } from '../model/decoding/truncate';
import { checkToolTokenSettings, checkFindTools, checkCompliance } from './settingChecks';
import { badSetting, suggestSetting } from './settingText';

/** What only SFT learns from. */
const OF_SFT = ['sftDialogues', 'sftTeacher'] as const;

/**
 * @param values by flat names or by section, `{ optimizer: { learningRate } }` or `{ 'optimizer.learningRate' }`
 * @throws UserError for the first thing that is wrong
 */
export function parseSettings(values: Record<string, unknown>): RunConfig {
  const flat = withStages(withRecipe(flatSettings(values)));
  for (const name of Object.keys(flat)) {
    if (!Object.hasOwn(RunConfig.shape, name))
      throw new UserError('config', `unknown setting "${name}"`, suggestSetting(name));
  }
  const parsed = RunConfig.safeParse({ ...defaultsFor(flat), ...flat });
  if (parsed.success) {
    for (const stage of [...stageConfigs(parsed.data), ...candidateConfigs(parsed.data)]) parseStage(stage);
    return parsed.data;
  }
  throw badSetting(parsed.error, flat);
}

/** @throws UserError for a value that a stage can't have */
function parseStage(stage: RunConfig): void {
  const parsed = RunConfig.safeParse(stage);
  if (!parsed.success) throw badSetting(parsed.error, stage);
}

/** A known recipe's settings, but for those that are set. What is no recipe, parsing says. */
function withRecipe(flat: Record<string, unknown>): Record<string, unknown> {
  const known = RecipeName.safeParse(flat['recipe']);
  if (!known.success) return flat;
  const { method, ...settings } = RECIPES[known.data].settings;
  return { ...settings, ...(flat['stages'] === undefined ? { method } : {}), ...flat };
}

/**
 * Of a pipeline: its steps in all, and for the stages of each method what the method leaves its settings at where
 * nobody set them.
 * @throws UserError where the stages are none, or have what they can't have
 */
function withStages(flat: Record<string, unknown>): Record<string, unknown> {
  const { stages: text, stageSettings = {}, ...others } = flat;
  const given = stageSettings as NonNullable<RunConfig['stageSettings']>;
  const pairs = typeof others['pairs'] === 'string' ? others['pairs'] : undefined;
  const isAuto = text === AUTO;
  const stages = isAuto
    ? AUTO_METHODS.map((method) => ({ method, steps: 1 }))
    : typeof text === 'string'
      ? stagesOf({ stages: text, pairs })
      : [];
  checkStageSettings(stages, given);
  if (stages.length === 0) return flat;
  const ofSft = OF_SFT.find((name) => others[name] !== undefined);
  if (ofSft !== undefined && !stages.some(({ method }) => method === 'sft'))
    throw new UserError(
      'config',
      `${ofSft} goes with sft, and ${String(text)} has no such stage`,
      'Add one, or leave it out.',
    );
  const settings = Object.fromEntries(
    [...new Set(stages.map(({ method }) => method))].map((method) => {
      const left = Object.entries(defaultsFor({ ...others, method, isStage: true })).filter(
        ([name]) => isOfStage(name) && !(name in others),
      );
      return [method, { ...Object.fromEntries(left), ...given[method] }];
    }),
  );
  const all = isAuto
    ? { method: DEFAULTS.method } // its rehearsal scores what it samples
    : { method: stages[0]!.method, steps: stages.reduce((sum, stage) => sum + stage.steps, 0) };
  return { ...others, ...all, stages: text, stageSettings: settings };
}

/** @throws UserError where a setting is given by two of its names */
function flatSettings(values: Record<string, unknown>): Record<string, unknown> {
  const flat: Record<string, unknown> = {};
  const ofStages: Record<string, Record<string, unknown>> = {};
  const givenAs: Record<string, string> = {};
  const put = (given: string, value: unknown): void => {
    const ofStage = flatName(given) === given ? stageSetting(given) : null;
    if (ofStage) {
      (ofStages[ofStage.method] ??= {})[ofStage.name] = value;
      return;
    }
    const name = flatName(given);
    const before = givenAs[name];
    if (before !== undefined)
      throw new UserError('config', `${name} must be set once, got ${before} and ${given}`, 'Leave one of them out.');
    givenAs[name] = given;
    flat[name] = value;
  };
  for (const [name, value] of Object.entries(values)) {
    if (isSection(name) && typeof value === 'object' && value !== null && !Array.isArray(value))
      for (const [inner, each] of Object.entries(value)) put(`${name}.${inner}`, each);
    else put(name, value);
  }
  if (Object.keys(ofStages).length > 0) put('stageSettings', ofStages);
  return flat;
}

/** What depends on model and method. Where these are wrong, parsing says so, whatever stands here. */
function defaultsFor({ model, method, finetuning, ...of }: Record<string, unknown>): Partial<RunConfig> {
  const chosen: Chosen = {
    model: typeof model === 'string' ? model : DEFAULTS.model,
    method: Method.safeParse(method).data ?? DEFAULTS.method,
    finetuning: finetuning === 'full' ? finetuning : DEFAULTS.finetuning,
  };
  // what SFT does in the place of a warm start depends on the tasks (asWarmStart.ts)
  const isWarm = chosen.method === 'sft' && (of['isStage'] === true || of['sftDialogues'] !== undefined);
  const learningRate = isWarm ? undefined : DEFAULTS.learningRate(chosen);
  return {
    promptsPerStep: DEFAULTS.promptsPerStep(chosen),
    groupSize: DEFAULTS.groupSize(chosen),
    numIterations: DEFAULTS.numIterations(chosen),
    evalTasks: DEFAULTS.evalTasks(chosen),
    heldOutTasks: DEFAULTS.heldOutTasks(chosen),
    tokensPerMicroBatch: DEFAULTS.tokensPerMicroBatch(chosen),
    ...(learningRate === undefined || of['stages'] !== undefined ? {} : { learningRate }),
  };
}

/** Without the values that its method left it at, so that another method can have its own. */
export function withoutMethodDefaults(config: RunConfig): Record<string, unknown> {
  const left = defaultsFor(config) as Record<string, unknown>;
  return Object.fromEntries(Object.entries(config).filter(([name, value]) => !(name in left && left[name] === value)));
}

/** What an episode and a result may take at least; more is planned where the tools need it (budget/planBudget.ts). */
export const leastLimits = (config: Pick<RunConfig, 'model'>): Limits => ({
  maxTokens: DEFAULTS.maxTokens(config),
  maxTurnTokens: DEFAULTS.maxTurnTokens(config),
  toolOutputBytes: DEFAULTS.toolOutputBytes,
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

/**
 * What is left to the tasks where nobody set it. Exploration goes by kind: on a person's own tasks it took 1 to 2
 * points where it gave generated ones up to 20 (README).
 * @param update one on demonstrations, where the tasks are known
 * @throws UserError where settings exclude each other
 */
export function settle(given: RunConfig, isGenerated: boolean, update?: UpdateSize | null): SettledConfig {
  const config = withLimits(given);
  const tasks = { isGenerated, update };
  if (config.finetuning === 'full') {
    const odd =
      config.quantize === 'q4'
        ? 'quantize q4'
        : (config.loraDropout ?? DEFAULTS.loraDropout) > 0
          ? 'loraDropout'
          : null;
    if (odd)
      throw new UserError(
        'config',
        `finetuning full, which trains all weights in float32, does not go with ${odd}`,
        `Leave out one of the two.`,
      );
  }
  if (config.toolTokens) checkToolTokenSettings(config);
  const ofSft = OF_SFT.find((name) => config[name] !== undefined);
  if (ofSft !== undefined && config.method !== 'sft' && config.stages === undefined)
    throw new UserError(
      'config',
      ofSft === 'sftDialogues'
        ? `sftDialogues does not go with ${config.method}: dialogues are learnt from by sft`
        : `sftTeacher does not go with ${config.method}: a teacher's probabilities are learnt from by sft`,
      'Train by --method sft.',
    );
  if (config.sftOwnSamples && config.method === 'sft' && config.sftTeacher === undefined)
    throw new UserError(
      'config',
      `sftOwnSamples ${config.sftOwnSamples} needs sftTeacher: nobody else says what would have been right there`,
      'Name a model with the same tokens, or leave it out.',
    );
  if (config.method === 'dpo' && config.dpoMining === 'compliance' && config.stages === undefined)
    checkCompliance(config);
  if (config.method === 'dpo' && (config.renameTools ?? DEFAULTS.renameTools) > 0)
    throw new UserError(
      'config',
      `renameTools ${config.renameTools} does not go with dpo, whose pairs are read under the tools' own names`,
      'Leave it out, or train by grpo or sft.',
    );
  if (config.pairs !== undefined && (config.shownTools ?? 0) > 0)
    throw new UserError(
      'config',
      `shownTools ${config.shownTools} does not go with pairs, which are read with all tools`,
      'Leave shownTools out, or leave out pairs, and they are mined from scored groups.',
    );
  if (config.findTools) checkFindTools(config);
  // where few ids are left, nobody could tell by their number which temperature they were sampled at
  if (isTruncated(config) && (config.exploration ?? 0) > 0)
    throw new UserError(
      'config',
      `exploration ${config.exploration} does not go with topK, topP and minP`,
      'Leave exploration out, or set it to 0.',
    );
  return {
    ...config,
    warmUpdates: config.warmUpdates ?? DEFAULTS.warmUpdates({ ...config, ...tasks }),
    warmLearningRate: config.warmLearningRate ?? DEFAULTS.warmLearningRate({ ...config, update }),
    sftAnswerTokens: config.sftAnswerTokens ?? DEFAULTS.sftAnswerTokens({ ...config, ...tasks }),
    taskMix: config.taskMix ?? DEFAULTS.taskMix(tasks),
    learningRate: config.learningRate ?? DEFAULTS.learningRate(config, tasks)!,
    exploration: config.exploration ?? (isTruncated(config) ? 0 : DEFAULTS.exploration(tasks)),
  };
}
