import * as tf from '@tensorflow/tfjs';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { causalLM, type CausalLM } from '../model/causalLM';
import { readModelConfig, weightShapes } from '../model/config';
import { UserError } from '../protocol/result';
import { ChatTemplate } from '../tokenizer/chatTemplate';
import { Tokenizer } from '../tokenizer/tokenizer';
import { readSafetensors } from './safetensors';

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
  const files = existsSync(folder) ? readdirSync(folder).filter((f) => f.endsWith('.safetensors')).sort() : [];
  if (files.length === 0) throw new UserError('config', `${folder}: no *.safetensors file`, 'choose a Hugging Face model folder (config.json, tokenizer.json, *.safetensors)');
  const wanted = weightShapes(config);
  const weights = new Map<string, tf.Tensor>();
  for (const file of files) {
    for (const [name, stored] of readSafetensors(join(folder, file))) {
      const shape = wanted.get(name);
      if (!shape) continue;
      if (shape.join() !== stored.shape.join()) throw new UserError('config', `${join(folder, file)}: tensor ${name} is [${stored.shape.join(', ')}], config.json asks for [${shape.join(', ')}]`, 'config.json and the weights are of different models');
      weights.set(name, tf.keep(tf.tensor(stored.data, shape)));
    }
  }
  const missing = [...wanted.keys()].find((name) => !weights.has(name));
  if (missing) {
    tf.dispose([...weights.values()]);
    throw new UserError('config', `${folder}: tensor ${missing} is in no *.safetensors file`, 'config.json and the weights are of different models, or a file is missing');
  }
  const model = causalLM(config, weights, positions);
  return { folder, model, tokenizer, template, dispose: () => tf.dispose([...weights.values(), model.rotary.cos, model.rotary.sin]) };
}
