import { readModelConfig, type ModelConfig } from '../network/config';
import { ChatTemplate } from '../tokenizer/chatTemplate';
import { Tokenizer } from '../tokenizer/tokenizer';
import { Gguf, isGguf } from './gguf';
import { ggufConfig, ggufTensors } from './ggufModel';
import { ggufTemplate, ggufTokenizer } from './ggufTokenizer';
import { folderTensors } from './shards';
import type { NamedTensor } from './weights';

/** All of a model but its weights; those are read from it one by one. */
export interface ModelSource {
  config: ModelConfig;
  tokenizer: Tokenizer;
  template: ChatTemplate;
  tensors(): Iterable<NamedTensor>;
  close(): void;
}

/** @param path a Hugging Face folder, or a GGUF file @throws UserError: a file is missing or broken */
export const openModelSource = (path: string): ModelSource => (isGguf(path) ? openGguf(path) : openFolder(path));

function openFolder(folder: string): ModelSource {
  return {
    config: readModelConfig(folder),
    tokenizer: Tokenizer.load(folder),
    template: ChatTemplate.load(folder),
    tensors: () => folderTensors(folder),
    close: () => undefined,
  };
}

function openGguf(path: string): ModelSource {
  const file = Gguf.open(path);
  try {
    const config = ggufConfig(file);
    return {
      config,
      tokenizer: ggufTokenizer(file),
      template: ggufTemplate(file),
      tensors: () => ggufTensors(file, config),
      close: () => file.close(),
    };
  } catch (error) {
    file.close();
    throw error;
  }
}
