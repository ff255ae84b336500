/** The run that learns from lessons: the settings of the run that they come from, from what it learnt. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { UserError } from '../protocol/result';
import type { RunConfig } from '../protocol/runConfig';
import { DEFAULTS } from '../protocol/settings/defaults';
import type { LessonFiles } from '../tasks/flywheel/lessonFiles';
import { withoutMethodDefaults } from './settings';

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

/**
 * Demonstrations are learnt from by SFT, then new tasks by GRPO, then pairs by DPO: the order of a pipeline.
 * @param run the folder and settings that the lessons come from; null: a log, and what is trained on is in `more`
 * @param steps of each stage
 */
export function lessonSettings(
  files: LessonFiles,
  run: { dir: string; config: RunConfig } | null,
  { steps = DEFAULTS.steps, ...more }: { steps?: number } & Record<string, unknown>,
): Record<string, unknown> {
  const methods = [
    ...(files.dialogues === undefined ? [] : ['sft']),
    ...(files.tasks === undefined ? [] : ['grpo']),
    ...(files.pairs === undefined ? [] : ['dpo']),
  ];
  if (methods.length === 0)
    throw new UserError('task', 'nothing is taken, so there is nothing to train on', 'See why traces were dropped.');
  const kept = run === null ? {} : withoutMethodDefaults(run.config);
  return {
    ...Object.fromEntries(Object.entries(kept).filter(([name]) => !OF_THAT_RUN.includes(name))),
    ...(methods.length === 1
      ? { method: methods[0], steps }
      : { stages: methods.map((method) => `${method}:${steps}`).join(',') }),
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
