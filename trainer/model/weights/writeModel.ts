/**
 * A base model with some of its weights changed, as a model of its own: a folder in Hugging Face layout where the base
 * is one, one GGUF file where the base is that.
 */
import { existsSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { UserError } from '../../protocol/result';
import { readModelJson } from '../modelJson';
import { storing, writeFileAtomic } from '../../base/storage';
import { isGguf } from './gguf';
import { writeGgufModel } from './ggufModelWriter';
import { copyBesideWeights, weightFiles } from './modelFiles';
import {
  decodeFloats,
  encodeFloats,
  readTensorBytes,
  writeSafetensorsFile,
  type FloatDtype,
  type PlannedTensor,
} from './safetensorsFile';

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
  { out: target, baseModel, dtype, facts = [] }: ModelExport,
  title: string,
  change: Change,
): WrittenModel {
  const out = resolve(target);
  storing(out, () => mkdirSync(out, { recursive: true }));
  const path = isGguf(baseModel) ? join(out, GGUF_FILE) : out;
  const dtypes =
    path === out ? writeFolder(baseModel, out, dtype, change) : writeGgufModel(baseModel, path, dtype, change);
  writeFileAtomic(
    join(out, 'README.md'),
    readme(title, [...facts, `Weights: ${dtypes.join(', ')}`], path === out ? folderUse : ggufUse),
  );
  return { dtypes, path };
}

function writeFolder(baseModel: string, out: string, dtype: ModelExport['dtype'], change: Change): string[] {
  storing(out, () => copyBesideWeights(baseModel, out));
  const files = weightFiles(baseModel);
  const dtypes = new Set<string>();
  for (const { name: file, header } of files) {
    const planned = header.tensors.map((tensor): PlannedTensor => {
      const changed = change(tensor.name);
      const as = isFloat(tensor.dtype) ? (dtype ?? tensor.dtype) : tensor.dtype;
      dtypes.add(as);
      const raw = () => readTensorBytes(join(baseModel, file), tensor);
      if (changed === null && as === tensor.dtype) return { ...tensor, bytes: raw };
      const from = tensor.dtype;
      if (!isFloat(as) || !isFloat(from))
        throw new UserError(
          'config',
          `${join(baseModel, file)}: tensor ${tensor.name} is ${tensor.dtype}, only F32, F16 and BF16 can be changed`,
          'Convert the base model to float16 first.',
        );
      return {
        name: tensor.name,
        shape: tensor.shape,
        dtype: as,
        bytes: () => {
          const values = decodeFloats(raw(), from);
          return encodeFloats(changed ? changed(values) : values, as, tensor.name);
        },
      };
    });
    writeSafetensorsFile(join(out, file), planned, { format: 'pt', ...header.metadata });
  }
  if (files.length > 1) copyIndex(baseModel, out, dtype);
  if (dtype !== undefined) setDtype(out, dtype);
  return [...dtypes];
}

const isFloat = (dtype: string): dtype is FloatDtype => dtype === 'F32' || dtype === 'F16' || dtype === 'BF16';

/**
 * The index of a model in several files names the file of each tensor, which stays; its total size does not where the
 * type changes.
 */
function copyIndex(from: string, to: string, dtype: string | undefined): void {
  const name = 'model.safetensors.index.json';
  if (!existsSync(join(from, name)))
    throw new UserError(
      'storage',
      `${join(from, name)}: is missing, though the weights are in several files`,
      'Fetch the base model again.',
    );
  const index = readModelJson(join(from, name)) as { metadata?: { total_size?: number } };
  if (dtype !== undefined && index.metadata) delete index.metadata.total_size;
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
