/**
 * Several methods in one run, each from the weights that the one before it passed on, with a gate between (ToolRLA's
 * SFT -> GRPO -> DPO, arXiv:2603.01620). Held-out tasks are read before the first and after the last stage only.
 */
import { laterRates } from '../../protocol/laterRates';
import type { RunResult, Success, TrainerEventBody } from '../../protocol/messages';
import { UserError } from '../../protocol/result';
import type { SettledConfig } from '../../protocol/runConfig';
import { DEFAULTS } from '../../protocol/settings/defaults';
import type { StageResult } from '../../protocol/stages';
import { foldRun } from '../../store/runs/readRun';
import { contentKey } from '../../tasks/taskset';
import type { Recipe, RecipeContext } from '../recipe';
import { rehearse } from '../rehearsal/rehearse';
import { measureAfter, measureBefore, type Before } from '../steps/measure';
import { openSession, save } from '../steps/session';
import { loadStart } from '../steps/startAdapter';
import { autoStages } from './autoStages';
import { gateOf } from './gate';
import { resultOf, runStage, stagesIn, stepsDone } from './stageRun';

export { stepsDone };

export interface PlannedStages {
  /** empty: the rehearsal chooses them */
  stages: SettledConfig[];
  /** of those that it chooses from, what each method is set to */
  candidates: SettledConfig[];
}

/** @param recipeOf a stage's method */
export const pipeline = (
  { stages, candidates }: PlannedStages,
  recipeOf: (method: SettledConfig['method']) => Promise<Recipe>,
): Recipe =>
  async function* (context) {
    const startedAt = context.now();
    const { run, config, signal } = context;
    checkGate(context);
    const configs = stages.length > 0 ? stages : yield* chooseStages(context, candidates);
    if (configs === null) return null;
    const before = yield* readBefore(context, configs);
    if (before === null) return null;
    const known = foldRun(run.dir).stages;
    const results: StageResult[] = [];
    let from = config.startFrom;
    for (const stage of stagesIn(run.dir, configs)) {
      const { method, steps } = stage.config;
      const { index, fromStep } = stage;
      if (known[index] === undefined) yield { type: 'stageStarted', index, method, steps, fromStep };
      const measured = resultOf(stage) ?? (yield* runStage(context, stage, from, await recipeOf(method)));
      if (measured === null || signal.aborted) return null;
      const result = stageResult(stage.config, measured);
      results.push(result);
      if (!known[index]?.result) yield { type: 'stageFinished', index, result };
      if (result.passed) from = stage.dir;
    }
    const last = { ...configs.at(-1)!, startFrom: from };
    const after = yield* readAfter(context, last, before, startedAt, results);
    return after && { ...after, stages: results };
  };

/** @throws UserError where no stage could ever pass */
function checkGate({ tasks: { validation }, tools }: RecipeContext): void {
  if (new Set(validation.map((task) => contentKey(task, tools))).size > 1) return;
  throw new UserError(
    'task',
    `the gate between stages can never pass: its ${validation.length} validation tasks are all ` +
      'about one content, which says nothing of others',
    'Add tasks with other gold calls, or let tasks be generated.',
  );
}

/** By a rehearsal of the model as it starts. Null: stopped */
async function* chooseStages(
  context: RecipeContext,
  candidates: readonly SettledConfig[],
): AsyncGenerator<TrainerEventBody, SettledConfig[] | null> {
  const {
    tasks,
    config: { pairs, ...config },
  } = context; // its tries are scored, whatever pairs there are
  const s = openSession({ ...context, config: { ...config, warmSteps: 0 } }); // sft is a stage of its own
  try {
    loadStart(s)?.dispose();
    const report = yield* rehearse(s);
    if (report === null) return null;
    const { stages, reasons } = autoStages(report, {
      steps: config.steps,
      tasks: tasks.train,
      pairs: pairs !== undefined,
      dialogues: config.sftDialogues !== undefined,
    });
    const configs = laterRates(
      stages.map(({ method, steps }) => ({ ...candidates.find((one) => one.method === method)!, steps })),
      isOwnRate,
    );
    yield { type: 'stagesChosen', stages: configs, reasons };
    return configs;
  } finally {
    s.dispose();
  }
}

/** Is it another than what the method has where nobody set one? */
const isOwnRate = (stage: SettledConfig): boolean =>
  [true, false].every((isGenerated) => DEFAULTS.learningRate(stage, { isGenerated }) !== stage.learningRate);

/** The model as the first stage finds it, on held-out tasks. Null: stopped */
async function* readBefore(
  context: RecipeContext,
  configs: readonly SettledConfig[],
): AsyncGenerator<TrainerEventBody, Before | null> {
  const s = openSession({ ...context, config: { ...configs[0]!, startFrom: context.config.startFrom } });
  try {
    loadStart(s)?.dispose();
    return yield* measureBefore(s, stepsDone(context.run.dir, configs) > 0);
  } finally {
    s.dispose();
  }
}

/** What the last gate passed on, on held-out tasks; it becomes the run's own checkpoint and export. */
async function* readAfter(
  context: RecipeContext,
  config: SettledConfig,
  before: Before,
  startedAt: number,
  results: readonly StageResult[],
): AsyncGenerator<TrainerEventBody, RunResult | null> {
  const s = openSession({ ...context, config });
  const steps = results.reduce((sum, stage) => sum + stage.steps, 0);
  try {
    loadStart(s)?.dispose();
    s.step = steps;
    s.policy.version = `step ${steps}`;
    yield { type: 'checkpointSaved', step: steps, path: await save(s, true) };
    const passed = results.flatMap(({ method, passed }, i) => (passed ? [`${i + 1}, ${method}`] : []));
    const chosen =
      passed.length === 0
        ? 'no stage was passed on: what is exported is what the first one began with'
        : `what is exported is what stage ${passed.at(-1)} passed on`;
    const words = results.map((stage) => `${stage.method} ${stage.steps}`).join(', ');
    const result = yield* measureAfter(s, before, startedAt, {
      fact:
        `Trained by Agent Coach: ${words} steps, seed ${config.seed}; stages that were passed on: ` +
        `${passed.join('; ') || 'none'}.`,
      chosen,
    });
    return result && { ...result, steps };
  } finally {
    s.dispose();
  }
}

function stageResult({ method, steps }: SettledConfig, measured: RunResult): StageResult {
  const { before, after, gain } = measured;
  return {
    method,
    steps,
    before: proportion(before),
    after: proportion(after),
    gain: { mean: gain.mean, ci95: gain.ci95 },
    ...gateOf(measured),
  };
}

function proportion({ n, success, ci95 }: Success): StageResult['before'] {
  if (success === null || ci95 === null) throw new Error('pipeline: a stage was measured on no task');
  return { n, success, ci95 };
}
