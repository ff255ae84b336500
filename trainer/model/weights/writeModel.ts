/**
 * A base model with some of its weights changed, as a model of its own: a folder in Hugging Face layout where the base
 * is one, one GGUF file where the base is that.
 */
import { existsSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { UserError } from '../../protocol/result';
import type { PromptTool } from '../tokenizer/chatTemplate';
import { readModelJson } from '../modelJson';
import { storing, writeFileAtomic } from '../../base/storage';
import { isGguf } from './gguf';
import { writeGgufModel } from './ggufModelWriter';
import { copyBesideWeights, weightFiles } from './modelFiles';
import type { Tensor } from './safetensors';
import {
  decodeFloats,
  encodeFloats,
  readTensorBytes,
  writeSafetensorsFile,
  type FloatDtype,
  type PlannedTensor,
} from './safetensorsFile';
import { TOOL_TOKENS_USE, writeToolTokens } from './toolTokenFiles';

const EMBEDDING = 'model.embed_tokens.weight';

/**
 * By Hugging Face name: from a weight's values, which it may use up, to those that it is to have; null: it stays as it
 * is.
 */
export type Change = (name: string) => ((values: Float32Array) => Float32Array) | null;

export interface ModelExport {
  /** written into; created when absent */
  out: string;
  /** folder or GGUF file */
  baseModel: string;
  /** of all float weights; default: as each lies in the base (of a GGUF, those that change as F16) */
  dtype?: 'F16' | 'F32' | undefined;
  /** lines for the README: run, result, … */
  facts?: string[];
  /** tools that have a token each, and the rows of these by the weight that they come behind (network/addedRows.ts) */
  added?: { tools: readonly PromptTool[]; rows: ReadonlyMap<string, Tensor> } | undefined;
}

export interface WrittenModel {
  /** the weights' types as written */
  dtypes: string[];
  /** what a program loads: the folder, or the file in it */
  path: string;
}

/** The file of a model whose base is a GGUF. */
export const GGUF_FILE = 'model.gguf';

/** @param title of the README */
export function writeModel(
  { out: target, baseModel, dtype, facts = [], added }: ModelExport,
  title: string,
  change: Change,
): WrittenModel {
  const out = resolve(target);
  if (added && isGguf(baseModel))
    throw new UserError(
      'config',
      `${baseModel}: a GGUF file is written with the vocabulary that it has, and this run has a token for each tool`,
      'Take --to peft, which holds their rows beside the model.',
    );
  storing(out, () => mkdirSync(out, { recursive: true }));
  const path = isGguf(baseModel) ? join(out, GGUF_FILE) : out;
  const dtypes =
    path === out ? writeFolder(baseModel, out, dtype, change, added) : writeGgufModel(baseModel, path, dtype, change);
  const use = path === out ? folderUse : ggufUse;
  writeFileAtomic(
    join(out, 'README.md'),
    readme(title, [...facts, `Weights: ${dtypes.join(', ')}`], added ? `${use}\n${TOOL_TOKENS_USE}` : use),
  );
  return { dtypes, path };
}

function writeFolder(
  baseModel: string,
  out: string,
  dtype: ModelExport['dtype'],
  change: Change,
  added: ModelExport['added'],
): string[] {
  storing(out, () => copyBesideWeights(baseModel, out));
  const files = weightFiles(baseModel);
  const dtypes = new Set<string>();
  for (const { name: file, header } of files) {
    const planned = header.tensors.map((tensor): PlannedTensor => {
      const changed = change(tensor.name);
      const rows = added && rowsBehind(tensor.name, added.rows);
      const as = isFloat(tensor.dtype) ? (dtype ?? tensor.dtype) : tensor.dtype;
      dtypes.add(as);
      const raw = () => readTensorBytes(join(baseModel, file), tensor);
      if (changed === null && rows === undefined && as === tensor.dtype) return { ...tensor, bytes: raw };
      const from = tensor.dtype;
      if (!isFloat(as) || !isFloat(from))
        throw new UserError(
          'config',
          `${join(baseModel, file)}: tensor ${tensor.name} is ${tensor.dtype}, only F32, F16 and BF16 can be changed`,
          'Convert the base model to float16 first.',
        );
      return {
        name: tensor.name,
        shape: rows ? [tensor.shape[0]! + rows.shape[0]!, ...tensor.shape.slice(1)] : tensor.shape,
        dtype: as,
        bytes: () => {
          const values = decodeFloats(raw(), from);
          const bytes = encodeFloats(changed ? changed(values) : values, as, tensor.name);
          return rows ? Buffer.concat([bytes, encodeFloats(rows.data, as, tensor.name)]) : bytes;
        },
      };
    });
    writeSafetensorsFile(join(out, file), planned, { format: 'pt', ...header.metadata });
  }
  if (files.length > 1) copyIndex(baseModel, out, dtype !== undefined || added !== undefined);
  if (dtype !== undefined) setDtype(out, dtype);
  if (added) addTokens(out, baseModel, added);
  return [...dtypes];
}

/** Some files hold a tied head, too. */
const rowsBehind = (name: string, rows: ReadonlyMap<string, Tensor>): Tensor | undefined =>
  rows.get(name) ?? (name === 'lm_head.weight' ? rows.get(EMBEDDING) : undefined);

/** The tokenizer that knows them, and a config that counts them. */
function addTokens(out: string, baseModel: string, { tools }: NonNullable<ModelExport['added']>): void {
  writeToolTokens(out, baseModel, tools);
  const path = join(out, 'config.json');
  const config = readModelJson(path) as { vocab_size: number };
  config.vocab_size += tools.length;
  writeFileAtomic(path, `${JSON.stringify(config, null, 2)}\n`);
}

const isFloat = (dtype: string): dtype is FloatDtype => dtype === 'F32' || dtype === 'F16' || dtype === 'BF16';

/**
 * The index of a model in several files names the file of each tensor, which stays; its total size does not where the
 * type or the vocabulary changes.
 */
function copyIndex(from: string, to: string, hasOtherSize: boolean): void {
  const name = 'model.safetensors.index.json';
  if (!existsSync(join(from, name)))
    throw new UserError(
      'storage',
      `${join(from, name)}: is missing, though the weights are in several files`,
      'Fetch the base model again.',
    );
  const index = readModelJson(join(from, name)) as { metadata?: { total_size?: number } };
  if (hasOtherSize && index.metadata) delete index.metadata.total_size;
  writeFileAtomic(join(to, name), `${JSON.stringify(index, null, 2)}\n`);
}

/** transformers 5 reads `dtype`, older versions `torch_dtype`: whichever is there is set, else both. */
function setDtype(folder: string, dtype: 'F16' | 'F32'): void {
  const path = join(folder, 'config.json');
  const config = readModelJson(path);
  const there = ['dtype', 'torch_dtype'].filter((key) => key in config);
  for (const key of there.length > 0 ? there : ['dtype', 'torch_dtype'])
    config[key] = dtype === 'F16' ? 'float16' : 'float32';
  writeFileAtomic(path, `${JSON.stringify(config, null, 2)}\n`);
}

const readme = (title: string, facts: readonly string[], use: string): string =>
  `# ${title}\n\n${facts.map((fact) => `- ${fact}\n`).join('')}\n${use}`;

const folderUse = `\`\`\`python
from transformers import AutoModelForCausalLM, AutoTokenizer

tokenizer = AutoTokenizer.from_pretrained(".")
model = AutoModelForCausalLM.from_pretrained(".")
\`\`\`

\`tokenizer.apply_chat_template(messages, tools=tools, add_generation_prompt=True)\` writes the prompt as in training.
For llama.cpp: \`python convert_hf_to_gguf.py . --outfile model.gguf\`. For vLLM: \`vllm serve .\`
`;

const ggufUse = `\`\`\`sh
llama-server -m ${GGUF_FILE}
\`\`\`

Tokenizer and chat template are in the file, as in that of the base model.
`;
