/** A run that goes on from what another one learnt: its adapter is the start, and the reference that DPO and GRPO's KL keep near. */
import { createAdapter } from '../model/adapter';
import type { CausalLM } from '../model/causalLM';
import { loraOf } from '../model/loraShape';
import { UserError } from '../protocol/result';
import { requireManifest } from '../runs/readRun';
import { adapterOf } from '../trainedAdapter';
import type { Session } from './session';

/** @returns the model as it starts, frozen; null where the run starts from the plain model */
export function loadStart(s: Session): { model: CausalLM; dispose(): void } | null {
  const { config, resumeFrom } = s.context;
  if (config.startFrom === undefined) return null;
  const { config: before } = requireManifest(config.startFrom, { readOnly: true });
  const { weights, from } = adapterOf(config.startFrom, before);
  const targets = (list: readonly string[]) => [...list].sort().join(',');
  const [theirs, ours] = [[before.model, weights.rank, weights.alpha, targets(weights.targets), weights.rslora ?? false], [config.model, config.loraRank, config.loraAlpha, targets(config.loraTargets), config.loraRslora ?? false]];
  if (theirs.join(' ') !== ours.join(' ')) {
    throw new UserError('config', `startFrom: ${config.startFrom} (${from}) was trained with model, rank, alpha, targets, rslora ${theirs.join(' ')}; this run has ${ours.join(' ')}`, 'Give this run the same model and adapter settings.');
  }
  const start = createAdapter(s.base.model.config, loraOf(config), s.random.fork('start adapter'));
  start.load(weights.tensors);
  if (!resumeFrom) s.adapter.load(weights.tensors);
  return { model: { ...s.base.model, adapter: { pairs: start.pairs, scaling: start.scaling } }, dispose: () => start.dispose() };
}
