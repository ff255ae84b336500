/** What a model folder in Hugging Face layout holds: files of weights, and all that lies beside them. */
import { copyFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readSafetensorsHeader, type Header } from './safetensors';
import { shardsOf } from './shards';

const besideWeights =
  /^(config|generation_config|tokenizer|tokenizer_config|special_tokens_map)\.json$|^chat_template\.jinja$/;

/**
 * The files of a folder's weights, by name, with their headers. @throws UserError: none, or one that the index names
 * is missing
 */
export const weightFiles = (folder: string): { name: string; header: Header }[] =>
  shardsOf(folder).map(({ file }) => ({
    name: file.slice(folder.length).replace(/^[\\/]/, ''),
    header: readSafetensorsHeader(file),
  }));

/** Config, tokenizer and template: all that a model folder holds but its weights. */
export function copyBesideWeights(from: string, to: string): void {
  for (const name of readdirSync(from)) if (besideWeights.test(name)) copyFileSync(join(from, name), join(to, name));
}
