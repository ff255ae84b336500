/** Base model and adapter as one plain model folder in Hugging Face layout: what transformers, vLLM, llama.cpp's converter and Ollama load. */
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { projectionName, projectionShape, readModelConfig, type ModelConfig, type Projection } from '../model/config';
import { loraScaling } from '../model/loraShape';
import { UserError } from '../protocol/result';
import { storing, writeFileAtomic } from '../runs/storage';
import { adapterPairs, type AdapterPair } from './adapterPairs';
import type { AdapterExport } from './exportAdapter';
import { copyBesideWeights, weightFiles } from './modelFiles';
import type { Header } from './safetensors';
import { decodeFloats, encodeFloats, readTensorBytes, writeSafetensorsFile, type FloatDtype, type PlannedTensor } from './safetensorsFile';

export interface MergedExport extends Pick<AdapterExport, 'out' | 'tensors' | 'rank' | 'alpha' | 'targets' | 'rslora' | 'baseModel' | 'facts'> {
  /** of all float weights; default: as each lies in the base */
  dtype?: 'F16' | 'F32';
}

/** @returns how many weights the adapter was added to, and the weights' types as written */
export function exportMerged({ out: target, tensors, rank, alpha, targets, rslora = false, baseModel, facts = [], dtype }: MergedExport): { merged: number; dtypes: string[] } {
  const out = resolve(target);
  const config = readModelConfig(baseModel);
  const pairs = adapterPairs(tensors, { rank, targets });
  const files = weightFiles(baseModel);
  checkFits(pairs, config, files.map(({ header }) => header), baseModel);
  storing(out, () => mkdirSync(out, { recursive: true }));
  storing(out, () => copyBesideWeights(baseModel, out));
  const scaling = loraScaling({ rank, alpha, rslora });
  const dtypes = new Set<string>();
  for (const { name: file, header } of files) {
    const planned = header.tensors.map((tensor): PlannedTensor => {
      const pair = pairs.get(tensor.name.replace(/\.weight$/, ''));
      const as = isFloat(tensor.dtype) ? (dtype ?? tensor.dtype) : tensor.dtype;
      dtypes.add(as);
      const raw = () => readTensorBytes(join(baseModel, file), tensor);
      if (pair === undefined && as === tensor.dtype) return { ...tensor, bytes: raw };
      const from = tensor.dtype;
      if (!isFloat(as) || !isFloat(from)) throw new UserError('config', `${join(baseModel, file)}: tensor ${tensor.name} is ${tensor.dtype}, an adapter can be added to F32, F16 and BF16 only`, 'Convert the base model to float16 first.');
      return { name: tensor.name, shape: tensor.shape, dtype: as, bytes: () => {
        const values = decodeFloats(raw(), from);
        return encodeFloats(pair ? addDelta(values, tensor.shape, pair, scaling) : values, as, tensor.name);
      } };
    });
    writeSafetensorsFile(join(out, file), planned, { format: 'pt', ...header.metadata });
  }
  if (files.length > 1) copyIndex(baseModel, out, dtype);
  if (dtype !== undefined) setDtype(out, dtype);
  writeFileAtomic(join(out, 'README.md'), readme(facts, [...dtypes]));
  return { merged: pairs.size, dtypes: [...dtypes] };
}

/** W + scaling B A, rounded once: W [out, in], A [rank, in], B [out, rank]. LoRA, arXiv:2106.09685, section 4.1. Changes and returns `weight`. */
export function addDelta(weight: Float32Array, shape: readonly number[], { a, b }: AdapterPair, scaling: number): Float32Array {
  const [outputs = 0, inputs = 0] = shape;
  const rank = a.shape[0]!;
  const row = new Float64Array(inputs);
  for (let o = 0; o < outputs; o++) {
    row.fill(0);
    for (let r = 0; r < rank; r++) {
      const factor = b.data[o * rank + r]!;
      if (factor === 0) continue;
      const from = r * inputs;
      for (let i = 0; i < inputs; i++) row[i]! += factor * a.data[from + i]!;
    }
    for (let i = 0; i < inputs; i++) weight[o * inputs + i]! += scaling * row[i]!;
  }
  return weight;
}

const isFloat = (dtype: string): dtype is FloatDtype => dtype === 'F32' || dtype === 'F16' || dtype === 'BF16';

/** Every projection that the adapter changes is there, in the shape that the config says. */
function checkFits(pairs: ReadonlyMap<string, AdapterPair>, config: ModelConfig, headers: readonly Header[], baseModel: string): void {
  const shapes = new Map(headers.flatMap(({ tensors }) => tensors.map(({ name, shape }) => [name, shape] as const)));
  for (const [name, { a, b, target, layer }] of pairs) {
    const known = layer < config.layers && projectionName(layer, target) === name;
    const [out, inputs] = projectionShape(config, target as Projection);
    const shape = shapes.get(`${name}.weight`);
    if (!known || shape === undefined) throw new UserError('config', `${baseModel}: has no weight ${name}.weight, the adapter changes it`, 'The adapter belongs to another base model; give the one it was trained on.');
    if (shape.join() !== [out, inputs].join() || a.shape[1] !== inputs || b.shape[0] !== out) {
      throw new UserError('config', `${baseModel}: ${name}.weight is [${shape.join(', ')}], the adapter was made for [${b.shape[0]}, ${a.shape[1]}]`, 'The adapter belongs to another base model; give the one it was trained on.');
    }
  }
}

/** The index of a model in several files names the file of each tensor, which stays; its total size does not where the type changes. */
function copyIndex(from: string, to: string, dtype: string | undefined): void {
  const name = 'model.safetensors.index.json';
  if (!existsSync(join(from, name))) throw new UserError('storage', `${join(from, name)}: is missing, though the weights are in several files`, 'Fetch the base model again.');
  const index = JSON.parse(readFileSync(join(from, name), 'utf8')) as { metadata?: { total_size?: number } };
  if (dtype !== undefined && index.metadata) delete index.metadata.total_size;
  writeFileAtomic(join(to, name), `${JSON.stringify(index, null, 2)}\n`);
}

/** transformers 5 reads `dtype`, older versions `torch_dtype`: whichever is there is set, else both. */
function setDtype(folder: string, dtype: 'F16' | 'F32'): void {
  const path = join(folder, 'config.json');
  const config = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;
  const there = ['dtype', 'torch_dtype'].filter((key) => key in config);
  for (const key of there.length > 0 ? there : ['dtype', 'torch_dtype']) config[key] = dtype === 'F16' ? 'float16' : 'float32';
  writeFileAtomic(path, `${JSON.stringify(config, null, 2)}\n`);
}

const readme = (facts: readonly string[], dtypes: readonly string[]): string => `# A model trained with Coach, adapter merged in

${facts.map((fact) => `- ${fact}\n`).join('')}- Weights: ${dtypes.join(', ')}

\`\`\`python
from transformers import AutoModelForCausalLM, AutoTokenizer

tokenizer = AutoTokenizer.from_pretrained(".")
model = AutoModelForCausalLM.from_pretrained(".")
\`\`\`

\`tokenizer.apply_chat_template(messages, tools=tools, add_generation_prompt=True)\` writes the prompt as in training.
For llama.cpp: \`python convert_hf_to_gguf.py . --outfile model.gguf\`. For vLLM: \`vllm serve .\`
`;
