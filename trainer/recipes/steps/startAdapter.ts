/**
 * A run that goes on from what another one learnt: that is the start, and the reference that DPO and GRPO's KL keep
 * near.
 */
import type { CausalLM } from '../../model/network/causalLM';
import { trainedWeightsOf } from '../../model/weights/trainedWeights';
import { trainedShape, type TrainedShape } from '../../model/network/loraShape';
import { createTrainable } from '../../model/network/trained';
import { UserError } from '../../protocol/result';
import { requireManifest } from '../../store/runs/readRun';
import { tokenTools, type Session } from './session';

/** @returns the model as it starts, frozen; null where the run starts from the plain model */
export function loadStart(s: Session): { model: CausalLM; dispose(): void } | null {
  const { config, resumeFrom } = s.context;
  if (config.startFrom === undefined) return null;
  const { config: before } = requireManifest(config.startFrom, { readOnly: true });
  const { weights, from } = trainedWeightsOf(config.startFrom, before);
  const shape = trainedShape(config);
  const [theirs, ours] = [
    [before.model, words(weights.shape), tokenWords(weights.toolTokens)],
    [config.model, words(shape), tokenWords(tokenTools(s.base))],
  ].map((parts) => parts.filter(Boolean)) as [string[], string[]];
  if (theirs.join() !== ours.join()) {
    throw new UserError(
      'config',
      `startFrom: ${config.startFrom} (${from}) was trained with model ${theirs.join(', ')}; this ` +
        `run has ${ours.join(', ')}`,
      'Give this run the same model, adapter settings and tools.',
    );
  }
  const start = createTrainable(s.base.model, shape, s.random.fork('start adapter'));
  start.load(weights.tensors);
  if (!resumeFrom) s.trained.load(weights.tensors);
  return { model: start.on(s.reference), dispose: () => start.dispose() };
}

/** Which tools have tokens; empty: none. */
const tokenWords = (tools: readonly { name: string }[] | undefined): string =>
  tools ? `tokens of ${tools.map(({ name }) => name).join(' ')}` : '';

/** What must be the same in both, and is compared by it. */
function words(shape: TrainedShape): string {
  return shape === 'whole'
    ? 'all weights'
    : `rank ${shape.rank}, alpha ${shape.alpha}, targets ${[...shape.targets].sort().join(' ')}, ` +
        `rslora ${shape.rslora ?? false}`;
}
