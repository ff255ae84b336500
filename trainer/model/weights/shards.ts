import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { UserError } from '../../protocol/result';
import { eachSafetensor } from './safetensors';
import type { NamedTensor } from './weights';
import { readTextFile } from '../../base/storage';

const hint = 'choose a Hugging Face model folder (config.json, tokenizer.json, *.safetensors)';
const Index = z.looseObject({ weight_map: z.record(z.string(), z.string()) });

/** A file of weights, and which of its tensors are the model's; null: all. */
interface Shard {
  file: string;
  names: ReadonlySet<string> | null;
}

/**
 * The files of a folder's weights, as transformers chooses them: model.safetensors, else the shards that
 * model.safetensors.index.json names;
 * a folder with neither gives all its *.safetensors.
 * @throws UserError: no such file, a broken index, or a shard that is not there
 */
export function shardsOf(folder: string): Shard[] {
  const whole = join(folder, 'model.safetensors');
  if (existsSync(whole)) return [{ file: whole, names: null }];
  const index = join(folder, 'model.safetensors.index.json');
  if (existsSync(index)) return shardsByIndex(folder, index);
  const files = existsSync(folder)
    ? readdirSync(folder)
        .filter((f) => f.endsWith('.safetensors'))
        .sort()
    : [];
  if (files.length === 0) throw new UserError('config', `${folder}: no *.safetensors file`, hint);
  return files.map((name) => ({ file: join(folder, name), names: null }));
}

function shardsByIndex(folder: string, index: string): Shard[] {
  let map: Record<string, string>;
  try {
    map = Index.parse(JSON.parse(readTextFile(index))).weight_map;
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw new UserError(
      'config',
      `${index}: is no index of tensors: ${(error as Error).message.replace(/\s+/g, ' ')}`,
      'fetch the file again',
    );
  }
  const byFile = new Map<string, Set<string>>();
  for (const [name, file] of Object.entries(map)) byFile.set(file, (byFile.get(file) ?? new Set()).add(name));
  return [...byFile]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, names]) => {
      const file = join(folder, name);
      const first = [...names][0]!;
      if (/[\\/]/.test(name))
        throw new UserError(
          'config',
          `${index}: tensor ${first} must lie in a file of this folder, got ${name}`,
          'fetch the file again',
        );
      if (!existsSync(file))
        throw new UserError(
          'config',
          `${folder}: ${name} is missing, which holds ${names.size} tensors (${first}, …)`,
          'fetch the missing file; model.safetensors.index.json lists them all',
        );
      return { file, names };
    });
}

/**
 * A folder's tensors, shard by shard, each tensor read from disk when it is asked for.
 * @throws UserError: a file is broken, or lacks a tensor that the index says it has
 */
export function* folderTensors(folder: string): Generator<NamedTensor, void, void> {
  for (const { file, names } of shardsOf(folder)) {
    const seen = new Set<string>();
    for (const { name, shape, read } of eachSafetensor(file)) {
      seen.add(name);
      if (names === null || names.has(name)) yield { name, shape, where: file, read };
    }
    const absent = names === null ? undefined : [...names].find((name) => !seen.has(name));
    if (absent !== undefined)
      throw new UserError(
        'config',
        `${file}: tensor ${absent} is not in it, though model.safetensors.index.json says so`,
        'the index and the file are of different models; fetch both again',
      );
  }
}
