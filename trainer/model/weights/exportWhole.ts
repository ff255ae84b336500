/** A model all of whose weights were trained. */
import { weightShapes } from '../network/config';
import { UserError } from '../../protocol/result';
import { modelConfig } from './describeModel';
import type { Tensor } from './safetensors';
import { writeModel, type ModelExport, type WrittenModel } from './writeModel';

/** Where a run leaves it, in its folder. */
export const WHOLE_MODEL = 'model';

/**
 * Float32 unless another type is asked for: small changes would be lost in a base's 16 bits. @param tensors by Hugging
 * Face name; others than the model's are left alone
 */
export function exportWhole({
  tensors,
  dtype = 'F32',
  ...model
}: ModelExport & { tensors: ReadonlyMap<string, Tensor> }): WrittenModel {
  for (const [name, shape] of weightShapes(modelConfig(model.baseModel))) {
    const trained = tensors.get(name);
    if (trained?.shape.join() !== shape.join())
      throw new UserError(
        'config',
        `${model.baseModel}: ${name} is [${shape.join(', ')}], what was trained ` +
          `${trained ? `[${trained.shape.join(', ')}]` : 'has none'}`,
        'The run was made with another base model; give that one.',
      );
  }
  return writeModel({ ...model, dtype }, 'A model trained with Coach, all of its weights', (name) => {
    const trained =
      tensors.get(name) ?? (name === 'lm_head.weight' ? tensors.get('model.embed_tokens.weight') : undefined); // some files hold a tied head, too
    return trained ? () => trained.data : null;
  });
}
