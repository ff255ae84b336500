/** What a person chose about how a run trains, and the settings that it means. Free of `vscode`. */
import type { Method, RunConfigInput } from '../../trainer/protocol/runConfig';
import { RECIPES, type RecipeName } from '../../trainer/protocol/settings/recipes';
import { AUTO, readStages } from '../../trainer/protocol/stages';

/** Who shows the right calls before training, and what comes behind. */
export interface TeacherChoice {
  /** a server's address, or the path of a GGUF file */
  at: string;
  /** as the server calls it; null: a file */
  model: string | null;
  /** sft learns from what the teacher showed; grpo comes behind it; auto: the rehearsal chooses what does */
  next: 'sft' | 'grpo' | 'auto';
}

export interface How {
  method: Method;
  steps: number;
  /** a pipeline: METHOD:STEPS,… or auto; null: one method */
  stages: string | null;
  recipe: RecipeName | null;
  teacher: TeacherChoice | null;
}

/** One method, by itself. */
export const PLAIN = { stages: null, recipe: null, teacher: null } satisfies Partial<How>;

/** Of all stages together. */
export const stepsOf = ({ stages, teacher, steps }: How): number =>
  teacher?.next === 'grpo'
    ? 2 * steps
    : (readStages(stages ?? '')?.reduce((sum, stage) => sum + stage.steps, 0) ?? steps);

/** The pipeline that it comes to; undefined: it is none. */
function pipelineOf({ stages, teacher, steps }: How): string | undefined {
  if (teacher?.next === 'grpo') return `sft:${steps},grpo:${steps}`;
  return teacher?.next === 'auto' ? AUTO : (stages ?? undefined);
}

/** What the list of runs calls it, so that like is found by it (protocol/runMethod.ts). */
export function runMethodOf(how: How): string {
  const pipeline = pipelineOf(how);
  if (pipeline === AUTO) return 'pipeline (auto)';
  if (pipeline !== undefined) return (readStages(pipeline) ?? []).map(({ method }) => method).join(' → ');
  return how.teacher ? 'sft' : ((how.recipe && RECIPES[how.recipe].settings.method) ?? how.method);
}

/**
 * @param config of the settings
 * @param dialogues file of what the teacher showed
 * @returns the same with what was chosen. A recipe sets its own method and rewards; what else stands in the settings
 * goes before it, as on the command line.
 */
export function chosenConfig(config: RunConfigInput, how: How, dialogues?: string): RunConfigInput {
  const { method, rewards, ...others } = config;
  const stages = pipelineOf(how);
  const recipe = how.recipe === null ? null : RECIPES[how.recipe].settings;
  return {
    ...others,
    ...(recipe && stages === undefined ? {} : { method: how.teacher ? 'sft' : method }),
    ...(recipe?.rewards === undefined && rewards !== undefined ? { rewards } : {}),
    ...(how.recipe === null ? {} : { recipe: how.recipe }),
    ...(stages === undefined ? {} : { stages }),
    ...(dialogues === undefined ? {} : { sftDialogues: dialogues }),
  };
}

/** Settings that say how is trained, which asking a teacher has no use for. */
const OF_TRAINING: ReadonlySet<string> = new Set([
  ...['toolFile', 'method', 'steps', 'stages', 'stageSettings', 'recipe', 'rewards', 'model', 'sftDialogues', 'pairs'],
]);

/**
 * Arguments of `coach distill` for the run that is to follow: with its settings, so that the teacher is asked the tasks
 * that are trained on, under the same limits.
 */
export function distilArguments(config: RunConfigInput, { at, model }: Pick<TeacherChoice, 'at' | 'model'>): string[] {
  const set = Object.entries(config).flatMap(([name, value]) =>
    OF_TRAINING.has(name) || value === undefined || (typeof value === 'object' && !Array.isArray(value))
      ? []
      : ['--set', `${name}=${Array.isArray(value) ? value.join(',') : String(value)}`],
  );
  return [
    'distill',
    config.toolFile,
    '--teacher',
    at,
    ...(model === null ? [] : ['--teacher-model', model]),
    ...(config.model === undefined ? [] : ['--model', config.model]),
    ...set,
    '--json',
  ];
}
