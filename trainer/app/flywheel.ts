/** The run that learns from lessons: the settings of the run that they come from, from what it learnt. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { UserError } from '../protocol/result';
import type { RunConfig } from '../protocol/runConfig';
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

/** Each lesson is seen some eight times in batches of eight; fewer steps than these teach nothing, more forget. */
const [LEAST_STEPS, MOST_STEPS] = [8, 64];

/**
 * Demonstrations are learnt from by SFT, then new tasks by GRPO, then pairs by DPO: the order of a pipeline.
 * @param run the folder and settings that the lessons come from; null: a log, and what is trained on is in `more`
 * @param steps of each stage; absent: as many as there are lessons of its kind, within bounds
 */
export function lessonSettings(
  files: LessonFiles,
  taken: LessonPlan['taken'],
  run: { dir: string; config: RunConfig } | null,
  { steps, ...more }: { steps?: number } & Record<string, unknown>,
): Record<string, unknown> {
  const stepsFor = (n: number): number => steps ?? Math.min(MOST_STEPS, Math.max(LEAST_STEPS, n));
  const stages = [
    ...(files.dialogues === undefined ? [] : [{ method: 'sft', steps: stepsFor(taken.recovery) }]),
    ...(files.tasks === undefined ? [] : [{ method: 'grpo', steps: stepsFor(taken.task) }]),
    ...(files.pairs === undefined ? [] : [{ method: 'dpo', steps: stepsFor(taken.pair) }]),
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
    ...(files.dialogues === undefined ? {} : { sftDialogues: files.dialogues }),
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
  return { config: parseSettings(lessonSettings(files, plan.taken, { dir, config }, {})) };
}
