/** What is trained, beside its weights. Free of tensors: those who only write files use it, too. */
import type { RunConfig } from '../../protocol/runConfig';
import type { Projection } from './config';

export interface LoraShape {
  rank: number;
  alpha: number;
  targets: readonly Projection[];
  /** rank-stabilised; default false */
  rslora?: boolean;
}

/** As a run's settings have it. */
export const loraOf = ({
  loraRank,
  loraAlpha,
  loraTargets,
  loraRslora,
}: RunConfig): LoraShape & { targets: RunConfig['loraTargets'] } => ({
  rank: loraRank,
  alpha: loraAlpha,
  targets: loraTargets,
  ...(loraRslora ? { rslora: true } : {}),
});

/** An adapter of this shape, or all of the model's own weights. */
export type TrainedShape = ReturnType<typeof loraOf> | 'whole';
export const trainedShape = (config: RunConfig): TrainedShape =>
  config.finetuning === 'full' ? 'whole' : loraOf(config);

/** alpha / r, or alpha / sqrt(r) for rank-stabilised LoRA (arXiv:2312.03732). */
export const loraScaling = ({
  rank,
  alpha,
  rslora = false,
}: {
  rank: number;
  alpha: number;
  rslora?: boolean;
}): number => alpha / (rslora ? Math.sqrt(rank) : rank);
