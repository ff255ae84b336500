import { readModelConfig, weightShapes, type ModelConfig } from '../network/config';
import { ChatTemplate, type PromptTool } from '../tokenizer/chatTemplate';
import { Tokenizer } from '../tokenizer/tokenizer';
import { withToolTokens, type Speech } from '../tokenizer/toolTokens';
import { Gguf, isGguf } from './gguf';
import { ggufConfig, weightName } from './ggufModel';
import { weightFiles } from './modelFiles';
import { ggufTemplate, ggufTokenizer } from './ggufTokenizer';

/**
 * The chat template of a model, a folder or a GGUF file; nothing else of it is read. @throws UserError where it has
 * none
 */
export const modelTemplate = (model: string): ChatTemplate =>
  isGguf(model) ? fromGguf(model, ggufTemplate) : ChatTemplate.load(model);

/** The tokenizer of a model, a folder or a GGUF file. */
export const modelTokenizer = (model: string): Tokenizer =>
  isGguf(model) ? fromGguf(model, ggufTokenizer) : Tokenizer.load(model);

/**
 * The sizes of a model, a folder or a GGUF file, without its weights. @throws UserError where it is none that we have
 */
export const modelConfig = (model: string): ModelConfig =>
  isGguf(model) ? fromGguf(model, ggufConfig) : readModelConfig(model);

/** How a model, a folder or a GGUF file, is spoken to. @param tokensFor tools that have a token each */
export function modelSpeech(model: string, tokensFor: readonly PromptTool[] = []): Speech {
  const speech = { tokenizer: modelTokenizer(model), template: modelTemplate(model) };
  return tokensFor.length > 0 ? withToolTokens(speech, tokensFor, modelConfig(model).vocabSize) : speech;
}

/** What all of its weights take as float32, bytes. */
export const weightBytes = (config: ModelConfig): number =>
  [...weightShapes(config).values()].reduce((sum, shape) => sum + 4 * shape.reduce((a, b) => a * b, 1), 0);

/** Name and shape of each weight in its files, by Hugging Face name. */
export function weightShapesOf(model: string): Map<string, number[]> {
  if (isGguf(model))
    return fromGguf(
      model,
      (file) => new Map([...file.tensors.values()].map(({ name, shape }) => [weightName(name), shape])),
    );
  return new Map(
    weightFiles(model).flatMap(({ header }) => header.tensors.map(({ name, shape }) => [name, shape] as const)),
  );
}

function fromGguf<T>(path: string, read: (file: Gguf) => T): T {
  const file = Gguf.open(path);
  try {
    return read(file);
  } finally {
    file.close();
  }
}
