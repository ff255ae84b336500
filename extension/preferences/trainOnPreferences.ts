/**
 * From preferences to a DPO run: the selected run's settings and adapter, on exactly what was marked; its tasks are
 * solved again before and after.
 */
import path from 'node:path';
import type { TrainingForecast } from '../../trainer/protocol/messages';
import type { RunConfig, RunConfigInput } from '../../trainer/protocol/runConfig';
import { DEFAULTS } from '../../trainer/protocol/settings/defaults';

/** Each pair is seen about this often; fewer steps than this teach nothing, more forget. */
const EPOCHS = 8;
const [LEAST_STEPS, MOST_STEPS] = [10, 120];

/**
 * With fewer changed tasks than these, even if all change for the better, McNemar's exact test does not come below
 * 0.05: 2 · 0.5^5 = 0.063, 2 · 0.5^6 = 0.031.
 */
export const LEAST_CHANGED = 6;
/** A third of the tasks that are marked may change by training; 20 pairs are the fewest of which a third is enough. */
export const FEW_PAIRS = 20;

/** Whether a person is told something before: that it is little, or that some of it is left out. */
export const needsAsking = ({ taken, dropped }: TrainingForecast): boolean => taken < FEW_PAIRS || dropped.length > 0;

/**
 * @param base settings of the run to start from
 * @param from its folder, where it has something to start from (an adapter or a checkpoint); null: from the model as it
 * was
 * @returns the same seed and task settings, so the same tasks; one validation at the end, so what was learnt last is
 * what is kept
 */
export function preferenceConfig(
  base: RunConfig,
  { workspace, from, pairs }: { workspace: string; from: string | null; pairs: number },
): RunConfigInput {
  const steps = Math.min(
    MOST_STEPS,
    Math.max(LEAST_STEPS, Math.ceil((pairs * EPOCHS) / (base.batchSize ?? DEFAULTS.batchSize))),
  );
  const { startFrom: _before, learningRate, ...kept } = base;
  return {
    ...kept,
    method: 'dpo',
    pairs: path.join(workspace, '.coach', 'preferences.jsonl'),
    steps,
    evalEvery: steps,
    checkpointEvery: steps,
    ...(base.method === 'dpo' ? { learningRate } : {}),
    ...(from === null ? {} : { startFrom: from }),
  };
}
