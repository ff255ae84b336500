/** A model of this disk as a judge: how it is named, and what is looked at before there is a run. */
import { existsSync } from 'node:fs';
import { totalmem } from 'node:os';
import { isAbsolute, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ModelConfig } from '../../model/network/config';
import { modelConfig, modelTemplate, weightBytes } from '../../model/weights/describeModel';
import { modelFolder } from '../../model/weights/modelFolder';
import { UserError } from '../../protocol/result';

/** Why a judge of this disk can't be asked to check claims. */
export const NO_TOOLS = 'a judge from this disk calls no tools: leave tools=true out, or name a server';

/**
 * Where the judge's address names a model of this disk, by an absolute path or a file: URL; null: it names something
 * else. @throws UserError for a file: URL that is no path
 */
export function localModelPath(address: string): string | null {
  if (/^file:/i.test(address)) {
    try {
      return resolve(fileURLToPath(address));
    } catch (error) {
      throw new UserError(
        'judge',
        `the judge's model must be a path or a file: URL of this machine, got '${address}': ` +
          `${(error as Error).message}`,
        'For example file:///home/me/models/judge.gguf, or the path alone.',
      );
    }
  }
  return isAbsolute(address) ? resolve(address) : null;
}

const GB = 1e9;
const gb = (bytes: number): string => `${(bytes / GB).toFixed(1)} GB`;

/**
 * All that can be wrong with it but its weights, which are read when it is opened.
 * @param freeBytes what the machine has left
 * @returns the folder, or the GGUF file, and its sizes
 * @throws UserError in one sentence: where, rule, value, way out
 */
export function checkLocalModel(path: string, freeBytes = freeMemory()): { folder: string; config: ModelConfig } {
  if (!existsSync(path))
    throw new UserError(
      'judge',
      `the judge's model must be a folder or a GGUF file, got ${path}, where nothing is`,
      'Give the absolute path of a model folder (config.json, tokenizer.json, *.safetensors) or a .gguf file.',
    );
  return aboutJudge(() => {
    const folder = modelFolder(path, path);
    const config = modelConfig(folder);
    void modelTemplate(folder).format;
    const bytes = weightBytes(config);
    if (bytes > freeBytes)
      throw new UserError(
        'judge',
        `${folder}: its weights take ${gb(bytes)} as float32, and ${gb(freeBytes)} of memory are free`,
        'Take a smaller model, or serve this one quantised (llama.cpp, Ollama) and give its address.',
      );
    return { folder, config };
  });
}

/**
 * Linux says what can be had (containers' limits counted); elsewhere "free" leaves out what the system would give
 * back, so the whole is the bound.
 */
const freeMemory = (): number => (process.platform === 'linux' ? process.availableMemory() : totalmem());

/**
 * What the loader says of the model, said of the judge's; memory that can't be had is the user's matter, not a fault.
 */
export function aboutJudge<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof UserError)
      throw error.border === 'judge'
        ? error
        : new UserError('judge', `the judge's model: ${error.message}`, error.hint);
    if (error instanceof RangeError && /allocation|array length/i.test(error.message))
      throw new UserError(
        'judge',
        `the judge's model does not fit into memory: ${error.message}`,
        'Take a smaller model, or serve this one quantised (llama.cpp, Ollama) and give its address.',
      );
    throw error;
  }
}
