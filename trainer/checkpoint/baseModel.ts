import * as tf from '@tensorflow/tfjs';
import { causalLM, type CausalLM } from '../model/causalLM';
import { readModelConfig, weightShapes, type ModelConfig } from '../model/config';
import { UserError } from '../protocol/result';
import { ChatTemplate } from '../tokenizer/chatTemplate';
import { Tokenizer } from '../tokenizer/tokenizer';
import { Gguf, isGguf } from './gguf';
import { ggufConfig, ggufTensors } from './ggufModel';
import { ggufTemplate, ggufTokenizer } from './ggufTokenizer';
import { folderTensors } from './shards';
import { loadWeights, type NamedTensor } from './weights';

export interface BaseModel {
  /** the folder, or the GGUF file */
  folder: string;
  model: CausalLM;
  tokenizer: Tokenizer;
  template: ChatTemplate;
  /** frees the weights */
  dispose(): void;
}

/** All of a model but its weights; those are read from it one by one. */
interface Source {
  config: ModelConfig;
  tokenizer: Tokenizer;
  template: ChatTemplate;
  tensors(): Iterable<NamedTensor>;
  close(): void;
}

/**
 * A model of frozen float32 weights, from a Hugging Face folder (config.json, tokenizer.json, chat template, *.safetensors) or a GGUF file.
 * @param positions how many places the rotary tables cover
 * @throws UserError: a file is missing or broken, a tensor is missing or has another shape than the config says, the tokenizer does not fit
 */
export function loadBaseModel(path: string, positions: number): BaseModel {
  const source = isGguf(path) ? openGguf(path) : openFolder(path);
  try {
    const { config, tokenizer, template } = source;
    if (tokenizer.vocabSize > config.vocabSize) throw new UserError('config', `${path}: the tokenizer has ${tokenizer.vocabSize} tokens, the model ${config.vocabSize}`, 'take the tokenizer that belongs to the model');
    if (positions > config.maxPositions) throw new UserError('config', `${path}: the model was made for ${config.maxPositions} tokens, maxTokens is ${positions}`, `set maxTokens to ${config.maxPositions} or less`);
    const weights = loadWeights(weightShapes(config), source.tensors(), path);
    const model = causalLM(config, weights, positions);
    return { folder: path, model, tokenizer, template, dispose: () => tf.dispose([...weights.values(), model.rotary.cos, model.rotary.sin]) };
  } finally {
    source.close();
  }
}

function openFolder(folder: string): Source {
  return { config: readModelConfig(folder), tokenizer: Tokenizer.load(folder), template: ChatTemplate.load(folder), tensors: () => folderTensors(folder), close: () => undefined };
}

function openGguf(path: string): Source {
  const file = Gguf.open(path);
  try {
    const config = ggufConfig(file);
    return { config, tokenizer: ggufTokenizer(file), template: ggufTemplate(file), tensors: () => ggufTensors(file, config), close: () => file.close() };
  } catch (error) {
    file.close();
    throw error;
  }
}
