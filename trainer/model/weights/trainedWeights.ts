import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { loadCheckpoint } from './checkpoint';
import { peftTensors, readAdapter } from './exportAdapter';
import type { PromptTool } from '../tokenizer/chatTemplate';
import { trainedShape, type TrainedShape } from '../network/loraShape';
import { UserError } from '../../protocol/result';
import type { RunConfig } from '../../protocol/runConfig';
import type { Tensor } from './safetensors';

/** What a run has learnt: an adapter's weights under PEFT's names, or all of a model's under its own. */
export interface TrainedWeights {
  tensors: ReadonlyMap<string, Tensor>;
  shape: TrainedShape;
  /** tools that have a token each, whose rows are among the tensors */
  toolTokens?: readonly PromptTool[] | undefined;
}

export const adapterWeights = ({
  baseModel: _,
  tensors,
  toolTokens,
  ...shape
}: ReturnType<typeof readAdapter>): TrainedWeights => ({ tensors, shape, toolTokens });

/**
 * What a run has trained so far: the exported adapter, else that of its best checkpoint, else of its last. Of a model
 * that was trained whole there is no copy but the checkpoints and the model itself.
 */
export function trainedWeightsOf(dir: string, config: RunConfig): { weights: TrainedWeights; from: string } {
  if (existsSync(join(dir, 'adapter', 'adapter_config.json'))) {
    return { weights: adapterWeights(readAdapter(join(dir, 'adapter'))), from: 'its adapter folder' };
  }
  const checkpoint = loadCheckpoint(dir, { which: 'best' }).checkpoint ?? loadCheckpoint(dir).checkpoint;
  if (checkpoint === null)
    throw new UserError(
      'storage',
      `${dir}: the run has no adapter and no checkpoint yet`,
      `Let it go on: coach train --resume ${dir}`,
    );
  const shape = trainedShape(config);
  const { tensors } = checkpoint;
  const { toolTokens } = checkpoint.state as { toolTokens?: PromptTool[] };
  return {
    weights: {
      shape,
      toolTokens,
      tensors:
        shape === 'whole'
          ? new Map([...tensors].filter(([name]) => !/\.exp_avg(_sq)?$/.test(name)))
          : peftTensors(tensors),
    },
    from: `the checkpoint of step ${checkpoint.step}`,
  };
}
