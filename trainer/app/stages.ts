/** The stages of a pipeline from its settings: what each trains by, and what is no pipeline. */
import { nearest } from '../base/nearest';
import { UserError } from '../protocol/result';
import { Method, RunConfig } from '../protocol/runConfig';
import { SECTIONS } from '../protocol/settings/sections';
import { AUTO, readStages, type StagePlan } from '../protocol/stages';

const EXAMPLE = 'For example --stages sft:48,grpo:64,dpo:32';

/** Settings that a stage may have for itself; all others are of the whole run, whose stages are measured alike. */
const OF_A_STAGE: ReadonlySet<string> = new Set([
  ...['reward', 'grpo', 'dpo', 'sft', 'optimizer'].flatMap((section) =>
    Object.keys(SECTIONS[section as keyof typeof SECTIONS]),
  ),
  ...['temperature', 'exploration', 'promptsPerStep', 'groupSize', 'renameTools', 'taskMix', 'evalEvery'],
  'checkpointEvery',
]);

/** Whether a stage may have it for itself. */
export const isOfStage = (name: string): boolean => OF_A_STAGE.has(name);

/** What a run may train by that chooses its stages itself, and the fewest steps that can be shared out among all. */
export const AUTO_METHODS = ['sft', 'grpo', 'dpo'] as const;
const LEAST_AUTO_STEPS = 4;

/** @throws UserError for what is no list of stages, or one in an order that has no meaning; auto: none yet */
export function stagesOf({ stages: text, pairs }: Pick<RunConfig, 'stages' | 'pairs'>): StagePlan[] {
  if (text === undefined || text === AUTO) return [];
  const stages = readStages(text);
  if (stages === null) throw notStages(text);
  if (stages[0]!.method === 'dpo' && pairs === undefined)
    throw new UserError(
      'config',
      `stages: dpo comes first in ${text}, and there are no pairs: a model that has learnt nothing ` +
        'gives it none that are worth telling apart',
      'Put sft or grpo before it, or give pairs: --pairs F.',
    );
  const twice = stages.findIndex(({ method }, i) => method === stages[i + 1]?.method);
  if (twice >= 0) {
    const [{ method, steps }, next] = [stages[twice]!, stages[twice + 1]!];
    throw new UserError(
      'config',
      `stages: ${method} comes twice in a row in ${text}, and its stages are set alike: they are one`,
      `Give it its steps together: ${method}:${steps + next.steps}.`,
    );
  }
  return stages;
}

function notStages(text: string): UserError {
  const wrong = text.split(',').find((part) => readStages(part) === null)!;
  const [method = '', steps] = wrong.trim().split(':');
  if (!Method.safeParse(method).success) {
    const near = nearest(method, Method.options);
    const hint = near === null ? EXAMPLE : `Did you mean ${near}?`;
    return new UserError('config', `stages: "${method}" is no method; methods: ${Method.options.join(', ')}`, hint);
  }
  return new UserError(
    'config',
    steps === undefined
      ? `stages: ${method} needs its steps: ${method}:STEPS`
      : `stages: the steps of ${method} must be a whole number of at least 1, got ${steps}`,
    EXAMPLE,
  );
}

/** `sft.learningRate` -> what it sets; null: it is no setting of a stage */
export function stageSetting(given: string): { method: Method; name: string } | null {
  const [, method, name] = /^(\w+)\.(\w+)$/.exec(given) ?? [];
  const known = Method.safeParse(method);
  return known.success && name !== undefined && Object.hasOwn(RunConfig.shape, name)
    ? { method: known.data, name }
    : null;
}

/** @throws UserError where a stage has a setting that is the whole run's, or there is no such stage */
export function checkStageSettings(
  stages: readonly StagePlan[],
  settings: NonNullable<RunConfig['stageSettings']>,
): void {
  for (const [method, own] of Object.entries(settings)) {
    const [name] = Object.keys(own);
    if (name !== undefined && !stages.some((stage) => stage.method === method))
      throw new UserError(
        'config',
        `${method}.${name} is a setting of a stage, and no stage trains by ${method}`,
        stages.length === 0 ? `It goes with --stages; without, set ${name} alone.` : 'Leave it out, or add the stage.',
      );
    const whole = Object.keys(own).find((each) => !isOfStage(each));
    if (whole !== undefined)
      throw new UserError(
        'config',
        `${method}.${whole}: ${whole} is a setting of the whole run, whose stages are measured alike`,
        `Set ${whole} alone.`,
      );
  }
}

/**
 * What a stage of each method would be set to, with the steps of the whole run, where the rehearsal is to choose; it
 * was
 * rehearsed then.
 * @throws UserError where it can't choose
 */
export function candidateConfigs(config: RunConfig): RunConfig[] {
  const { stages, steps, rehearsal } = config;
  if (stages !== AUTO) return [];
  if (rehearsal === false)
    throw new UserError(
      'config',
      'stages auto are chosen by the rehearsal, and rehearsal is false',
      `Leave rehearsal out, or name the stages. ${EXAMPLE}`,
    );
  if (steps < LEAST_AUTO_STEPS)
    throw new UserError(
      'config',
      `stages auto shares steps out among up to ${AUTO_METHODS.length} methods: it must be at least ` +
        `${LEAST_AUTO_STEPS}, got ${steps}`,
      'Give more --steps, or name the stages.',
    );
  return stageConfigs(
    config,
    AUTO_METHODS.map((method) => ({ method, steps })),
  )
    .filter(({ method, pairs }) => method !== 'dpo' || pairs !== undefined)
    .map((candidate) => ({ ...candidate, rehearsal: false }));
}

/** What each stage trains by, but for where it starts. Values that were not set are left to its method. */
export function stageConfigs(config: RunConfig, stages = stagesOf(config)): RunConfig[] {
  return stages.map(({ method, steps }, i) => {
    const { stages: _, stageSettings = {}, startFrom: __, pairs, sftDialogues, ...common } = config;
    return {
      ...common,
      ...(method === 'dpo' && pairs !== undefined ? { pairs } : {}),
      ...(method === 'sft' && sftDialogues !== undefined ? { sftDialogues } : {}),
      ...stageSettings[method],
      method,
      steps,
      // what it finds out is about a model that has learnt nothing
      ...(i > 0 ? { rehearsal: false } : {}),
      ...(method !== 'sft' && config.sftTeacher !== undefined ? { sftTeacher: undefined } : {}),
    } as RunConfig;
  });
}
