/** The stages of a pipeline as its run begins, or goes on: named, chosen by the rehearsal, or still to be chosen. */
import { existsSync } from 'node:fs';
import type { RunConfig, SettledConfig } from '../protocol/runConfig';
import { laterRates } from '../protocol/laterRates';
import type { RunManifest } from '../protocol/messages';
import type { UpdateSize } from '../protocol/settings/defaults';
import { AUTO } from '../protocol/stages';
import type { PlannedStages } from '../recipes/pipeline/pipeline';
import { preferencesFile } from '../store/preferences/store';
import { readTrainingPairs } from '../store/preferences/trainingPairs';
import { foldRun } from '../store/runs/readRun';
import { asWarmStart } from './asWarmStart';
import { settle } from './settings';
import { candidateConfigs, stageConfigs } from './stages';

/** @param config with the run's limits. @returns null: the run is no pipeline */
export function plannedStages(
  config: RunConfig,
  isGenerated: boolean,
  update?: UpdateSize | null,
): PlannedStages | null {
  if (config.stages === undefined) return null;
  const warm = (configs: RunConfig[]): RunConfig[] => configs.map((one) => asWarmStart(one, isGenerated, update));
  const named = stageConfigs(config);
  const { stages, candidates } = settled(
    { stages: warm(named), candidates: warm(candidateConfigs(config)) },
    isGenerated,
  );
  return { stages: laterRates(stages, (_, i) => named[i]!.learningRate !== undefined), candidates };
}

/** Those of a run that goes on; what its rehearsal chose stands in its events. */
export function recordedStages(dir: string, { stages, candidates, taskSource }: RunManifest): PlannedStages | null {
  if (!stages && !candidates) return null;
  const chosen = stages ?? foldRun(dir).manifest?.stages ?? [];
  return settled({ stages: chosen, candidates: candidates ?? [] }, taskSource === 'generated');
}

const settled = (
  { stages, candidates }: Record<keyof PlannedStages, readonly RunConfig[]>,
  isGenerated: boolean,
): PlannedStages => {
  const each = (configs: readonly RunConfig[]): SettledConfig[] => configs.map((one) => settle(one, isGenerated));
  return { stages: each(stages), candidates: each(candidates) };
};

/** What run.json says of them. */
export const stagesInManifest = (planned: PlannedStages | null): Pick<RunManifest, 'stages' | 'candidates'> =>
  planned === null ? {} : planned.stages.length > 0 ? { stages: planned.stages } : { candidates: planned.candidates };

/**
 * Where stages are to be chosen and no pairs were given: with those that people marked on these tools, if there are.
 */
export function withMarks(config: RunConfig, workspace: string): RunConfig {
  if (config.stages !== AUTO || config.pairs !== undefined) return config;
  const file = preferencesFile(workspace);
  const has = existsSync(file) && readTrainingPairs(file, config.toolFile).pairs.length > 0;
  return has ? { ...config, pairs: file } : config;
}
