/**
 * What an export of a policy whose tools are tokens has beside its weights: the tokenizer that knows them, and the
 * tools.
 */
import { copyFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { readTextFile, storing, writeFileAtomic } from '../../base/storage';
import { UserError } from '../../protocol/result';
import type { PromptTool } from '../tokenizer/chatTemplate';
import { modelConfig, modelSpeech } from './describeModel';

/** Ids whose rows PEFT takes from the adapter (LoraConfig.trainable_token_indices). */
export type TokenIndices = number[] | Record<'embed_tokens' | 'lm_head', number[]>;

const TOOLS_FILE = 'tool_tokens.json';
/** What is written into an export's folder. */
export const TOOL_TOKEN_FILES = ['tokenizer.json', 'tokenizer_config.json', TOOLS_FILE];

/** For a README: how a policy is asked whose tools are tokens. */
export const TOOL_TOKENS_USE = `## Tools are tokens

The prompt holds no tools: \`apply_chat_template\` without \`tools\`. A call begins with its tool's token. Behind the token
write its \`document\` of tool_tokens.json, then let the model go on: it writes the call, with its arguments, as the chat
template does. \`coach evaluate\` and Try It decode so; servers such as vLLM, llama.cpp and Ollama don't by themselves.
`;

const Tools = z.array(
  z.object({ name: z.string(), description: z.string(), parameters: z.record(z.string(), z.unknown()) }),
);

/** Writes the tokenizer's files and tool_tokens.json: token, id, tool and what stands behind the token. */
export function writeToolTokens(out: string, baseModel: string, tools: readonly PromptTool[]): TokenIndices {
  const { tiedEmbeddings } = modelConfig(baseModel);
  const { tokenizer, toolTokens } = modelSpeech(baseModel, tools);
  writeFileAtomic(join(out, 'tokenizer.json'), JSON.stringify(tokenizer.json));
  const settings = join(baseModel, 'tokenizer_config.json');
  if (existsSync(settings)) storing(out, () => copyFileSync(settings, join(out, 'tokenizer_config.json')));
  const told = toolTokens!.all.map(({ tool: { name, description, parameters }, id, text: token, document }) => ({
    ...{ name, token, id, document, description, parameters },
  }));
  writeFileAtomic(join(out, TOOLS_FILE), `${JSON.stringify(told, null, 1)}\n`);
  const ids = toolTokens!.all.map(({ id }) => id);
  return tiedEmbeddings ? ids : { embed_tokens: ids, lm_head: ids };
}

/** The tools that an export has tokens for. @throws UserError where the file can't be read */
export function readToolTokens(folder: string): PromptTool[] {
  const path = join(folder, TOOLS_FILE);
  try {
    return Tools.parse(JSON.parse(readTextFile(path)));
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw new UserError(
      'storage',
      `${path}: does not say which tools the tokens of this adapter are: ${(error as Error).message.replace(/\s+/g, ' ')}`,
      'Export the adapter again.',
    );
  }
}
