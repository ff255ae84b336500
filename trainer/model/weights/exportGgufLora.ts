/** A LoRA adapter as llama.cpp reads it (`--lora adapter.gguf`), to be used with a GGUF of the same base model. */
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Projection } from '../network/config';
import { loraScaling } from '../network/loraShape';
import { storing, writeFileAtomic } from '../../base/storage';
import { adapterPairs } from './adapterPairs';
import { modelConfig } from './describeModel';
import type { AdapterExport } from './exportAdapter';
import { writeGguf } from './ggufWriter';
import { interleaveRows } from './rotaryRows';
import type { Tensor } from './safetensors';

/** llama.cpp's names of the projections inside `blk.N.`; gguf-py's constants.py. */
const ggufNames: Record<Projection, string> = {
  q_proj: 'attn_q',
  k_proj: 'attn_k',
  v_proj: 'attn_v',
  o_proj: 'attn_output',
  gate_proj: 'ffn_gate',
  up_proj: 'ffn_up',
  down_proj: 'ffn_down',
};

export interface GgufLoraExport
  extends Pick<AdapterExport, 'out' | 'tensors' | 'rank' | 'alpha' | 'targets' | 'rslora' | 'baseModel' | 'facts'> {
  dtype?: 'F16' | 'F32';
  name: string;
}

/** Writes adapter.gguf and a README. @returns how many weights it changes */
export function exportGgufLora({
  out: target,
  tensors,
  rank,
  alpha,
  targets,
  rslora = false,
  baseModel,
  facts = [],
  dtype = 'F32',
  name,
}: GgufLoraExport): { weights: number } {
  const out = resolve(target);
  const config = modelConfig(baseModel);
  const pairs = adapterPairs(tensors, { rank, targets });
  const named = new Map<string, Tensor>();
  for (const { layer, target: projection, a, b } of pairs.values()) {
    const weight = `blk.${layer}.${ggufNames[projection]}.weight`;
    named.set(`${weight}.lora_a`, a); // [rank, in]
    // [out, rank]: what it makes is rotated
    named.set(`${weight}.lora_b`, { shape: b.shape, data: interleaveRows(b.data.slice(), projection, config) });
  }
  const bytes = writeGguf(
    [
      ['general.architecture', { type: 'string', value: config.family }],
      ['general.type', { type: 'string', value: 'adapter' }],
      ['general.name', { type: 'string', value: name }],
      ['general.file_type', { type: 'uint32', value: dtype === 'F16' ? 1 : 0 }],
      ['adapter.type', { type: 'string', value: 'lora' }],
      // llama.cpp scales by alpha / rank
      ['adapter.lora.alpha', { type: 'float32', value: rank * loraScaling({ rank, alpha, rslora }) }],
    ],
    named,
    dtype,
  );
  storing(out, () => mkdirSync(out, { recursive: true }));
  writeFileAtomic(join(out, 'adapter.gguf'), bytes);
  writeFileAtomic(join(out, 'README.md'), readme(facts, baseModel));
  return { weights: pairs.size };
}

const readme = (
  facts: readonly string[],
  baseModel: string,
): string => `# LoRA adapter for llama.cpp, trained with Coach

${facts.map((fact) => `- ${fact}\n`).join('')}- Base model: \`${baseModel}\`

\`\`\`sh
python convert_hf_to_gguf.py ${JSON.stringify(baseModel)} --outfile base.gguf   # or any GGUF of the same model
llama-cli -m base.gguf --lora adapter.gguf
llama-server -m base.gguf --lora adapter.gguf
\`\`\`
`;
