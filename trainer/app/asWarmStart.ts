/**
 * SFT as a run's warm start does it (recipes/grpo.ts): on nano and made tasks many updates a step, at the warm start's
 * rate. A stage of SFT takes the warm start's place in a pipeline, and one update a step would teach far less.
 */
import type { RunConfig } from '../protocol/runConfig';
import { DEFAULTS, type Tasks, type UpdateSize } from '../protocol/settings/defaults';
import { readDialogues } from '../store/dialogues';

/** A dialogue that is given is seen some so many times: few of them would be learnt by heart. */
const TIMES_SEEN = 8;

/**
 * What nobody set of a stage of SFT, or of a run of SFT on dialogues; all other settings are as they were.
 * @param config its learningRate is undefined where nobody set one
 * @throws UserError where its dialogues can't be read
 */
export function asWarmStart(config: RunConfig, isGenerated: boolean, update?: UpdateSize | null): RunConfig {
  if (config.method !== 'sft') return config;
  const warmUpdates = config.warmUpdates ?? updatesOf(config, { isGenerated, update });
  const { learningRate, warmLearningRate = DEFAULTS.warmLearningRate({ ...config, update }), finetuning } = config;
  // all weights are trained at a rate of their own
  const isAtOwnRate = learningRate !== undefined || warmUpdates === 1 || finetuning === 'full';
  return { ...config, warmUpdates, ...(isAtOwnRate ? {} : { learningRate: warmLearningRate }) };
}

/** One where a teacher is asked in each: its probabilities, and the student's own samples, cost more than an update. */
function updatesOf(config: RunConfig, tasks: Tasks): number {
  if (config.sftTeacher !== undefined) return 1;
  const most = DEFAULTS.warmUpdates({ ...config, method: 'grpo', numIterations: 1, ...tasks });
  if (config.sftDialogues === undefined || most === 1) return most;
  const examples = config.steps * (config.batchSize ?? DEFAULTS.batchSize);
  const enough = Math.floor((TIMES_SEEN * readDialogues(config.sftDialogues).length) / examples);
  return Math.min(most, Math.max(1, enough));
}
