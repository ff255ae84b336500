/**
 * One stage: a run of an existing recipe in a folder of its own inside the pipeline's (stages/1-sft), with its events,
 * traces and checkpoints, so that it is killed and resumed as any run is.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { hashConfig, loadCheckpoint, type LoadedCheckpoint } from '../../model/weights/checkpoint';
import type { RunResult, TrainerEventBody } from '../../protocol/messages';
import type { SettledConfig } from '../../protocol/runConfig';
import { redactorFor } from '../../store/redaction/redactor';
import { requireManifest } from '../../store/runs/readRun';
import { createRun, openRun, type RunWriter } from '../../store/runs/runFolder';
import { loadIndex } from '../../store/runs/runIndex';
import type { Recipe, RecipeContext } from '../recipe';

export interface Stage {
  /** from 0 */
  index: number;
  /** steps of the stages before it */
  fromStep: number;
  config: SettledConfig;
  dir: string;
}

/** Where a pipeline's stages lie, and how many steps were before each. */
export function stagesIn(dir: string, configs: readonly SettledConfig[]): Stage[] {
  let fromStep = 0;
  return configs.map((config, index) => {
    const stage = { index, fromStep, config, dir: join(dir, 'stages', `${index + 1}-${config.method}`) };
    fromStep += config.steps;
    return stage;
  });
}

/** Its result, where it is over. */
export const resultOf = ({ dir }: Stage): RunResult | null =>
  existsSync(join(dir, 'run.json')) ? loadIndex(dir).result : null;

/** How many steps of a pipeline need not be done again. */
export function stepsDone(dir: string, configs: readonly SettledConfig[]): number {
  let done = 0;
  for (const stage of stagesIn(dir, configs)) {
    if (resultOf(stage) !== null) done = stage.fromStep + stage.config.steps;
    else return stage.fromStep + (existsSync(join(stage.dir, 'run.json')) ? (checkpointOf(stage)?.step ?? 0) : 0);
  }
  return done;
}

const checkpointOf = ({ dir }: Stage): LoadedCheckpoint | null =>
  loadCheckpoint(dir, { configHash: hashConfig(requireManifest(dir).config) }).checkpoint;

/**
 * Runs a stage, or goes on with it. What it says of itself comes out as the pipeline's.
 * @param from folder of the run that it starts from; undefined: the plain model
 * @returns null where it was stopped
 */
export async function* runStage(
  context: RecipeContext,
  stage: Stage,
  from: string | undefined,
  recipe: Recipe,
): AsyncGenerator<TrainerEventBody, RunResult | null> {
  const { run, resumeFrom } = openStage(context, stage, from);
  try {
    const { validation } = context.tasks;
    const config = run.manifest.config as SettledConfig;
    const events = recipe({ ...context, run, resumeFrom, config, tasks: { ...context.tasks, heldOut: validation } });
    try {
      for (;;) {
        const next = await events.next();
        if (next.done) {
          run.append(
            next.value === null ? { type: 'runStopped', step: 0 } : { type: 'runFinished', result: next.value },
          );
          return next.value;
        }
        run.append(next.value);
        yield* asPipeline(next.value, stage);
      }
    } finally {
      await events.return(null);
    }
  } finally {
    run.close();
  }
}

function openStage(
  { run: whole, tasks, tools, now, modelFolder }: RecipeContext,
  stage: Stage,
  from: string | undefined,
): { run: RunWriter; resumeFrom: LoadedCheckpoint | null } {
  const redactor = redactorFor(stage.config, () => modelFolder);
  if (existsSync(join(stage.dir, 'run.json'))) {
    const run = openRun(stage.dir, { now, redactor, takeOver: true }); // who holds the pipeline holds its stages
    const resumeFrom = checkpointOf(stage);
    run.append({ type: 'runResumed', fromStep: resumeFrom?.step ?? 0 });
    return { run, resumeFrom };
  }
  const config = { ...stage.config, ...(from === undefined ? {} : { startFrom: from }) };
  const { format: _, id: __, createdAt: ___, stages: ____, candidates: _____, ...manifest } = whole.manifest;
  const run = createRun({
    workspace: '',
    runDir: stage.dir,
    label: config.method,
    tools,
    tasks: { ...tasks, heldOut: tasks.validation },
    now,
    redactor,
    manifest: {
      ...manifest,
      config,
      taskCounts: { ...manifest.taskCounts, heldOut: tasks.validation.length },
      hashes: { ...manifest.hashes, config: hashConfig(config) },
    },
  });
  return { run, resumeFrom: null };
}

/** What of a stage's events the pipeline tells, with its steps counted through and its files where they lie. */
function* asPipeline(event: TrainerEventBody, { index, fromStep, config }: Stage): Generator<TrainerEventBody> {
  const name = `${index + 1}-${config.method}`;
  switch (event.type) {
    case 'stepFinished':
    case 'validated':
      yield { ...event, step: fromStep + event.step };
      break;
    case 'traceRecorded': {
      const { trace } = event;
      // its before and after are on validation tasks
      const phase = ['before', 'after'].includes(trace.phase) ? 'validation' : trace.phase;
      const [id, groupId] = [`${name}-${trace.id}`, `${name}-${trace.groupId}`];
      const file = `stages/${name}/${trace.file}`;
      yield { ...event, trace: { ...trace, phase, id, groupId, file, step: fromStep + trace.step } };
      break;
    }
    case 'noted':
      yield { ...event, message: `stage ${index + 1}, ${config.method}: ${event.message}` };
      break;
    case 'phaseStarted':
    case 'progressed':
    case 'rehearsed':
      yield event;
      break;
    default: // of the stage's folder alone
  }
}
