import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Gguf, isGguf } from './gguf';
import { ggufConfig, ggufSizes } from './ggufModel';
import { ggufTemplate, ggufTokenizerJson } from './ggufTokenizer';
import { shardsOf } from './shards';
import { readModelConfig, type ModelConfig } from '../network/config';
import { UserError } from '../../protocol/result';
import { nearest } from '../../base/nearest';

/**
 * Where a model lies, by its name ('nano', embedded) or path: a folder in Hugging Face layout, or a GGUF file (a folder
 * that holds just one stands for it).
 * What is wrong with it is said here, before there is a run; weights are not read.
 * @throws UserError where it can't be a model
 */
export function modelFolder(model: string, cwd: string): string {
  if (model === 'nano') {
    // dist/trainer/x.js has it in dist/nano, trainer/x.ts in trainer/model/nano.
    const folder = [join(__dirname, '..', 'nano'), join(__dirname, 'nano')].find((path) =>
      existsSync(join(path, 'config.json')),
    );
    if (folder === undefined) throw new Error(`modelFolder: the nano model is missing beside ${__dirname}`);
    return folder;
  }
  const path = resolve(cwd, model);
  const near = nearest(model, ['nano']);
  const hint = near
    ? 'Did you mean nano?'
    : "Give 'nano', a folder in Hugging Face layout (config.json, tokenizer.json, *.safetensors), or a .gguf file.";
  if (!existsSync(path))
    throw new UserError(
      'config',
      `model must be nano, a folder or a GGUF file, got ${model}: ${path} is not there`,
      hint,
    );
  if (isGguf(path)) return checkGguf(path);
  if (!statSync(path).isDirectory())
    throw new UserError(
      'config',
      `model must be nano, a folder or a GGUF file, got the file ${path}, which does not begin as GGUF does`,
      hint,
    );
  const alone = ggufIn(path, hint);
  if (alone !== null) return checkGguf(alone);
  for (const name of ['config.json', 'tokenizer.json']) {
    if (!existsSync(join(path, name)))
      throw new UserError('config', `${path}: ${name} is missing, so it is no model folder`, hint);
  }
  readModelConfig(path);
  shardsOf(path);
  return path;
}

/** Whether a path is a model's, by what lies there; whether that is whole, modelFolder says. */
export function looksLikeModel(path: string): boolean {
  if (!existsSync(path)) return false;
  return statSync(path).isDirectory()
    ? existsSync(join(path, 'config.json')) || readdirSync(path).some((name) => name.endsWith('.gguf'))
    : isGguf(path);
}

/** The one GGUF of a folder that is no Hugging Face folder. */
function ggufIn(folder: string, hint: string): string | null {
  if (existsSync(join(folder, 'config.json'))) return null;
  const files = readdirSync(folder)
    .filter((name) => name.endsWith('.gguf'))
    .sort();
  if (files.length > 1)
    throw new UserError(
      'config',
      `${folder}: holds ${files.length} GGUF files (${files.slice(0, 3).join(', ')}${files.length > 3 ? ', …' : ''})`,
      'Give the path of one of them.',
    );
  if (files.length === 1 && !isGguf(join(folder, files[0]!)))
    throw new UserError(
      'config',
      `${join(folder, files[0]!)}: is no GGUF file: it must begin with the letters GGUF`,
      hint,
    );
  return files.length === 1 ? join(folder, files[0]!) : null;
}

function checkGguf(path: string): string {
  const file = Gguf.open(path);
  try {
    ggufConfig(file);
    ggufTemplate(file);
    return path;
  } finally {
    file.close();
  }
}

/**
 * The same, and its tokenizer, of a GGUF whose first bytes lie at a path.
 * @returns its sizes
 * @throws UserError where it can't be a model; NotHereYet where more bytes are needed to tell
 */
export function checkGgufStart(path: string, partOf: { name: string; size: number }): ModelConfig {
  const file = Gguf.open(path, partOf);
  try {
    const config = ggufSizes(file);
    ggufTemplate(file);
    ggufTokenizerJson(file);
    return config;
  } finally {
    file.close();
  }
}
