/** The run that learns from lessons: the settings of the run that they come from, from what it learnt. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { UserError } from '../protocol/result';
import type { RunConfig } from '../protocol/runConfig';
import { DEFAULTS } from '../protocol/settings/defaults';
import type { LessonPlan } from '../protocol/flywheel';
import { requireManifest } from '../store/runs/readRun';
import { takeLessons } from '../tasks/flywheel/flywheel';
import { writeLessons, type LessonFiles } from '../tasks/flywheel/lessonFiles';
import { parseSettings, withoutMethodDefaults } from './settings';

/** Settings of a run that say how it trains or what on; those of the next one are its own. */
const OF_THAT_RUN = [
  'method',
  'steps',
  'stages',
  'stageSettings',
  'recipe',
  'pairs',
  'sftDialogues',
  'tasks',
  'startFrom',
  'splitsOf',
  'learningRate',
];

/** Fewer steps than these teach nothing, more forget. */
const STEPS = { grpo: { least: 8, most: 64 }, given: { least: 4, most: 64 } };
/**
 * Pairs and demonstrations are gone through so often: as ToolRLA's SFT (arXiv:2603.01620) and Tool-Star's DPO
 * (arXiv:2505.16410) do. At sixteen times the gate refused what was learnt of them.
 */
const PASSES = 3;

/**
 * Demonstrations are learnt from by SFT, then new tasks by GRPO, then pairs by DPO: the order of a pipeline.
 * @param run the folder and settings that the lessons come from; null: a log, and what is trained on is in `more`
 * @param steps of each stage; absent: by how many lessons of its kind there are, within bounds: a step of GRPO for each
 * new task, and as many of the others as go through all PASSES times
 */
export function lessonSettings(
  files: LessonFiles,
  { taken, replay }: Pick<LessonPlan, 'taken' | 'replay'>,
  run: { dir: string; config: RunConfig } | null,
  { steps, ...more }: { steps?: number } & Record<string, unknown>,
): Record<string, unknown> {
  const within = (wanted: number, { least, most }: { least: number; most: number }): number =>
    steps ?? Math.min(most, Math.max(least, wanted));
  const batchSize = typeof more['batchSize'] === 'number' ? more['batchSize'] : run?.config.batchSize;
  const passes = (n: number): number =>
    within(Math.ceil((PASSES * n) / (batchSize ?? DEFAULTS.batchSize)), STEPS.given);
  const stages = [
    ...(files.dialogues === undefined
      ? []
      : [{ method: 'sft', steps: passes(taken.demonstration + taken.recovery + replay) }]),
    ...(files.tasks === undefined ? [] : [{ method: 'grpo', steps: within(taken.task, STEPS.grpo) }]),
    ...(files.pairs === undefined ? [] : [{ method: 'dpo', steps: passes(taken.pair) }]),
  ];
  if (stages.length === 0)
    throw new UserError('task', 'nothing is taken, so there is nothing to train on', 'See why traces were dropped.');
  const kept = run === null ? {} : withoutMethodDefaults(run.config);
  return {
    ...Object.fromEntries(Object.entries(kept).filter(([name]) => !OF_THAT_RUN.includes(name))),
    ...(stages.length === 1
      ? stages[0]
      : { stages: stages.map((stage) => `${stage.method}:${stage.steps}`).join(',') }),
    ...(files.tasks === undefined ? {} : { tasks: files.tasks }),
    ...(files.pairs === undefined ? {} : { pairs: files.pairs }),
    // they are few: a warm start's many updates would have them learnt by heart
    ...(files.dialogues === undefined ? {} : { sftDialogues: files.dialogues, warmUpdates: 1 }),
    ...(run === null ? {} : { splitsOf: run.dir, ...startOf(run.dir) }),
    ...more,
  };
}

/** A run that was stopped before its first checkpoint has learnt nothing to start from. */
const startOf = (dir: string): { startFrom?: string } =>
  ['adapter', 'checkpoints'].some((name) => existsSync(join(dir, name))) ? { startFrom: dir } : {};

/** What the editor starts: the lessons of a run, written into its folder, and the run on them. */
export async function lessonRun(workspace: string, dir: string): Promise<{ config: RunConfig }> {
  const { config, imported } = requireManifest(dir, { readOnly: true });
  if (imported)
    throw new UserError(
      'config',
      `${dir}: was imported from ${imported.from}, which says no tool file to train on`,
      `coach flywheel ${dir} --tools FILE --train`,
    );
  const { plan, ...lessons } = await takeLessons(workspace, dir);
  const files = writeLessons(lessons, join(dir, 'lessons'));
  return { config: parseSettings(lessonSettings(files, plan, { dir, config }, {})) };
}
