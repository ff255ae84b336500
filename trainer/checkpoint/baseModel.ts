import * as tf from '@tensorflow/tfjs';
import { causalLM, type CausalLM } from '../model/causalLM';
import { readModelConfig, weightShapes } from '../model/config';
import { UserError } from '../protocol/result';
import { ChatTemplate } from '../tokenizer/chatTemplate';
import { Tokenizer } from '../tokenizer/tokenizer';
import { folderTensors } from './shards';
import { loadWeights } from './weights';

export interface BaseModel {
  folder: string;
  model: CausalLM;
  tokenizer: Tokenizer;
  template: ChatTemplate;
  /** frees the weights */
  dispose(): void;
}

/**
 * A Hugging Face folder (config.json, tokenizer.json, chat template, *.safetensors) as a model of frozen weights.
 * @param positions how many places the rotary tables cover
 * @throws UserError: a file is missing or broken, a tensor is missing or has another shape than config.json says
 */
export function loadBaseModel(folder: string, positions: number): BaseModel {
  const config = readModelConfig(folder);
  const tokenizer = Tokenizer.load(folder);
  const template = ChatTemplate.load(folder);
  if (tokenizer.vocabSize > config.vocabSize) throw new UserError('config', `${folder}: the tokenizer has ${tokenizer.vocabSize} tokens, the model ${config.vocabSize}`, 'take the tokenizer.json that belongs to the model');
  if (positions > config.maxPositions) throw new UserError('config', `${folder}: the model was made for ${config.maxPositions} tokens, maxTokens is ${positions}`, `set maxTokens to ${config.maxPositions} or less`);
  const weights = loadWeights(weightShapes(config), folderTensors(folder), folder);
  const model = causalLM(config, weights, positions);
  return { folder, model, tokenizer, template, dispose: () => tf.dispose([...weights.values(), model.rotary.cos, model.rotary.sin]) };
}
