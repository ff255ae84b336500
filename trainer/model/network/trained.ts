import type { Random } from '../../base/random';
import { createAdapter } from './adapter';
import { createAddedRows, together } from './addedTokens';
import type { CausalLM } from './causalLM';
import type { TrainedShape } from './loraShape';
import type { Trainable } from './trainable';
import { createWholeModel } from './wholeModel';

/** What is trained of a model, as it starts: the model computes with it what it did without. */
export function createTrainable(model: CausalLM, shape: TrainedShape, random: Random): Trainable {
  const trained = shape === 'whole' ? createWholeModel(model) : createAdapter(model.config, shape, random);
  return model.added ? together(trained, createAddedRows(model.added)) : trained;
}
