import * as tf from '@tensorflow/tfjs';
import { tensorsOf, type Accuracy } from '../engine/packedWeights';
import { causalLM, type CausalLM } from '../network/causalLM';
import { packedBits, weightShapes, weightsTogether } from '../network/config';
import { UserError } from '../../protocol/result';
import { withAddedTokens } from '../network/addedTokens';
import type { PromptTool } from '../tokenizer/chatTemplate';
import { withToolTokens, type Speech } from '../tokenizer/toolTokens';
import { openModelSource } from './modelSource';
import { disposeLoaded, loadWeights, type Loaded } from './weights';

export interface BaseModel extends Speech {
  /** the folder, or the GGUF file */
  folder: string;
  model: CausalLM;
  /** how its weights are held, where that is not in float32: for a person */
  packing?: string;
  /** frees the weights */
  dispose(): void;
}

export interface LoadOptions {
  quantize?: 'none' | 'q4' | undefined;
  decoding?: Accuracy;
  tokensFor?: readonly PromptTool[] | undefined;
}

/**
 * A model of frozen weights, from a Hugging Face folder (config.json, tokenizer.json, chat template, *.safetensors) or
 * a GGUF file.
 * @param positions how many places the rotary tables cover
 * @param quantize held in float32, or (q4) projections in 4 bits, embedding and head in 8, with no float copy; then
 * decoding
 * rounds activations to 8 bits, too, as
 * llama.cpp does, unless `decoding` says float32
 * @param tokensFor tools that have a token each (toolTokens.ts)
 * @throws UserError: a file is missing or broken, a tensor is missing or has another shape than the config says, the
 * tokenizer does not fit
 */
export function loadBaseModel(
  path: string,
  positions: number,
  { quantize = 'none', decoding = 'int8', tokensFor = [] }: LoadOptions = {},
): BaseModel {
  const source = openModelSource(path);
  try {
    const { config, tokenizer, template } = source;
    if (tokenizer.vocabSize > config.vocabSize)
      throw new UserError(
        'config',
        `${path}: the tokenizer has ${tokenizer.vocabSize} tokens, the model ${config.vocabSize}`,
        'take the tokenizer that belongs to the model',
      );
    if (positions > config.maxPositions)
      throw new UserError(
        'config',
        `${path}: the model was made for ${config.maxPositions} tokens, maxTokens is ${positions}`,
        `set maxTokens to ${config.maxPositions} or less`,
      );
    const isPacked = quantize === 'q4';
    const loaded = loadWeights(
      weightShapes(config),
      source.tensors(),
      path,
      isPacked ? packedBits : undefined,
      weightsTogether(config),
    );
    const plain = causalLM(config, loaded.weights, positions);
    const model: CausalLM = isPacked
      ? { ...plain, packed: { weights: loaded.packed, joined: loaded.joined, decoding } }
      : plain;
    const speech: Speech =
      tokensFor.length > 0
        ? withToolTokens({ tokenizer, template }, tokensFor, config.vocabSize)
        : { tokenizer, template };
    const whole = speech.toolTokens
      ? withAddedTokens(
          model,
          tokensFor.map(({ name }) => tokenizer.encode(name)),
        )
      : model;
    const dispose = (): void => {
      disposeLoaded(loaded);
      tf.dispose([plain.rotary.cos, plain.rotary.sin, ...(whole.added?.values() ?? [])]);
    };
    return {
      folder: path,
      model: whole,
      ...speech,
      ...(isPacked
        ? { packing: packingOf(loaded) + (decoding === 'int8' && tf.getBackend() === 'onnx' ? ROUNDED_SAMPLING : '') }
        : {}),
      dispose,
    };
  } finally {
    source.close();
  }
}

/**
 * What samples is then not quite what is trained: a token's importance ratio is taken to the logprob that it was
 * sampled with, and clipped.
 */
const ROUNDED_SAMPLING =
  '; sampling rounds activations to 8 bits, too: what is trained is corrected by the ratio to ' +
  'the logprob at sampling, clipped (curves: sampling/sampling_logp_difference)';

/** Sizes in MB, 10^6 bytes. */
function packingOf({ weights, packed, unchanged }: Loaded): string {
  const tensors = [...weights.values(), ...[...packed.values()].flatMap(tensorsOf)];
  const bytes = tensors.reduce((sum, t) => sum + 4 * t.size, 0);
  const floats = [...packed.values()].reduce(
    (sum, p) => sum + 4 * p.shape[0] * p.shape[1],
    [...weights.values()].reduce((sum, t) => sum + 4 * t.size, 0),
  );
  const count = (bits: 4 | 8): number => [...packed.values()].filter((p) => p.bits === bits).length;
  return (
    `the base model is held in ${count(4)} matrices of 4 bits and ${count(8)} of 8, ${unchanged} ` +
    `of them as the file has them and ${packed.size - unchanged} rounded: ` +
    `${Math.round(bytes / 1e6)} MB instead of ${Math.round(floats / 1e6)}`
  );
}
