/** All settings of a run. They stand in settings/, by section; every default stands in settings/defaults.ts. */
import { z } from 'zod';
import { SECTIONS } from './settings/sections';

export {
  DeviceChoice,
  DPO_LOSS_TYPES,
  EngineChoice,
  JudgeMode,
  Method,
  ToolNetwork,
  ToolPolicy,
} from './settings/choices';

/**
 * Names the editor's own language models in the place of a judge's server; where they are lent stands in the
 * environment, as it is another place in each window.
 */
export const EDITOR_MODELS = 'vscode.lm';
export const EDITOR_MODELS_URL = 'COACH_EDITOR_MODELS_URL';
/**
 * In a trainer's environment: where its key may go, beside the origin of COACH_JUDGE_URL: to the server that was named
 * where the key was given, as the
 * editor shows and remembers it. An origin, or an address.
 */
export const KEY_ORIGIN = 'COACH_JUDGE_KEY_ORIGIN';

/** Every setting once, by its flat name, with its unit. Written into run.json. */
export const RunConfig = z.object({
  ...SECTIONS.run,
  ...SECTIONS.tasks,
  ...SECTIONS.writer,
  ...SECTIONS.tools,
  ...SECTIONS.reward,
  ...SECTIONS.judge,
  ...SECTIONS.sampling,
  ...SECTIONS.limits,
  ...SECTIONS.guards,
  ...SECTIONS.grpo,
  ...SECTIONS.dpo,
  ...SECTIONS.sft,
  ...SECTIONS.optimizer,
  ...SECTIONS.adapter,
  ...SECTIONS.evaluation,
  ...SECTIONS.engine,
  ...SECTIONS.storage,
});
export type RunConfig = z.infer<typeof RunConfig>;
/**
 * What limits an episode, in tokens, and a tool's result, in bytes; planned from the tools and tasks where nobody set
 * it (budget/planBudget.ts).
 */
export type Limits = Required<Pick<RunConfig, 'maxTokens' | 'maxTurnTokens' | 'toolOutputBytes'>>;
/** With its limits decided. */
export type LimitedConfig = RunConfig & Limits;
/** With what is left to the tasks decided, once they are known. */
export type SettledConfig = LimitedConfig & {
  taskMix: NonNullable<RunConfig['taskMix']>;
  learningRate: number;
  exploration: number;
};
export type RunConfigInput = z.input<typeof RunConfig>;
