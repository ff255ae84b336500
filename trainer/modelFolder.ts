import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readModelConfig } from './model/config';
import { UserError } from './protocol/result';
import { nearest } from './nearest';

/** The folder of a model by its name ('nano', embedded) or path. @throws UserError where it can't be a model folder */
export function modelFolder(model: string, cwd: string): string {
  if (model === 'nano') {
    // dist/trainer/x.js has it in dist/nano, trainer/x.ts in trainer/nano.
    const folder = [join(__dirname, '..', 'nano'), join(__dirname, 'nano')].find((path) => existsSync(join(path, 'config.json')));
    if (folder === undefined) throw new Error(`modelFolder: the nano model is missing beside ${__dirname}`);
    return folder;
  }
  const folder = resolve(cwd, model);
  const near = nearest(model, ['nano']);
  const hint = near ? 'Did you mean nano?' : "Give 'nano', or a folder in Hugging Face layout: config.json, tokenizer.json, *.safetensors.";
  if (!existsSync(folder)) throw new UserError('config', `model must be nano or a folder, got ${model}: ${folder} is not there`, hint);
  if (!statSync(folder).isDirectory()) throw new UserError('config', `model must be nano or a folder, got the file ${folder}`, hint);
  for (const name of ['config.json', 'tokenizer.json']) {
    if (!existsSync(join(folder, name))) throw new UserError('config', `${folder}: ${name} is missing, so it is no model folder`, hint);
  }
  readModelConfig(folder); // what is wrong with it is said before there is a run
  if (!readdirSync(folder).some((name) => name.endsWith('.safetensors'))) throw new UserError('config', `${folder}: no *.safetensors file, so it is no model folder`, hint);
  return folder;
}
