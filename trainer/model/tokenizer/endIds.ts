import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { UserError } from '../../protocol/result';
import type { Tokenizer } from './tokenizer';
import { readModelJson } from '../modelJson';

const Ids = z.object({ eos_token_id: z.union([z.number().int(), z.array(z.number().int())]).nullish() });
const Token = z.object({ eos_token: z.union([z.string(), z.object({ content: z.string() })]).nullish() });

/**
 * The ids that end a turn: all that the model's files name. generation_config.json and config.json have lists (Llama
 * 3.2: end of text, of message, of
 * turn), tokenizer_config.json has the token of its chat form; a base model's config may name end of text alone, so the
 * template's own closing token
 * is taken as well.
 * @param folder where the files lie; those that are not there say nothing @param configIds eos_token_id of config.json,
 * or of a GGUF's metadata
 * @param closing what the template closes an assistant's turn with
 * @returns ids, and notes on what the files did not name
 * @throws UserError where a file is not JSON, or no token ends a turn
 */
export function endIds(
  folder: string,
  tokenizer: Tokenizer,
  configIds: readonly number[],
  closing: string,
): { ids: ReadonlySet<number>; notes: string[] } {
  const generation = read(join(folder, 'generation_config.json'), Ids)?.eos_token_id;
  const eos = read(join(folder, 'tokenizer_config.json'), Token)?.eos_token;
  const eosText = typeof eos === 'string' ? eos : eos?.content;
  const ids = new Set([...configIds, ...(generation === null || generation === undefined ? [] : [generation].flat())]);
  if (eosText) ids.add(tokenizer.idOf(eosText));
  const encoded = tokenizer.encode(closing);
  const [end] = encoded;
  const notes: string[] = [];
  if (end !== undefined && encoded.length === 1 && !ids.has(end)) {
    notes.push(
      `the chat template closes a turn with ${closing}, which the model's files do not name as an ` +
        'end token: it is taken as one, too',
    );
    ids.add(end);
  }
  if (encoded.length !== 1)
    throw new UserError(
      'config',
      `${folder}: the chat template closes a turn with ${closing}, which is no token of the tokenizer`,
      'take the template and the tokenizer.json that belong together',
    );
  return { ids, notes };
}

function read<T>(file: string, schema: z.ZodType<T>): T | null {
  if (!existsSync(file)) return null;
  const parsed = schema.safeParse(readModelJson(file));
  if (!parsed.success)
    throw new UserError(
      'config',
      `${file}: ${parsed.error.issues[0]!.path.join('.')}: ${parsed.error.issues[0]!.message}`,
      'fetch the file again',
    );
  return parsed.data;
}
