import type { Random } from '../../base/random';
import { createAdapter } from './adapter';
import type { CausalLM } from './causalLM';
import type { TrainedShape } from './loraShape';
import type { Trainable } from './trainable';
import { createWholeModel } from './wholeModel';

/** What is trained of a model, as it starts: the model computes with it what it did without. */
export const createTrainable = (model: CausalLM, shape: TrainedShape, random: Random): Trainable =>
  shape === 'whole' ? createWholeModel(model) : createAdapter(model.config, shape, random);
