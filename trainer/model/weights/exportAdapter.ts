/**
 * A LoRA adapter as PEFT reads it (adapter_config.json, adapter_model.safetensors), the chat template it was trained
 * with, and a README that says how to load it.
 */
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { z } from 'zod';
import { UserError } from '../../protocol/result';
import type { RunConfig } from '../../protocol/runConfig';
import { readTextFile, storing, writeFileAtomic } from '../../base/storage';
import type { PromptTool } from '../tokenizer/chatTemplate';
import { modelTemplate } from './describeModel';
import { isGguf } from './gguf';
import { readSafetensors, writeSafetensors, type Tensor } from './safetensors';
import {
  readToolTokens,
  TOOL_TOKEN_FILES,
  TOOL_TOKENS_USE,
  writeToolTokens,
  type TokenIndices,
} from './toolTokenFiles';

export interface AdapterExport {
  /** written into; created when absent */
  out: string;
  /** All tensors; those named like an adapter's are taken, so the tensors of a checkpoint will do. */
  tensors: ReadonlyMap<string, Tensor>;
  rank: number;
  alpha: number;
  targets: RunConfig['loraTargets'];
  /** rank-stabilised; default false */
  rslora?: boolean;
  /** tools that have a token each, whose rows are among the tensors (tokenizer/toolTokens.ts) */
  toolTokens?: readonly PromptTool[] | undefined;
  /** folder of the base model in Hugging Face layout */
  baseModel: string;
  /** copy the base model's files into out/base, so that the export stands alone (nano: 6 MB) */
  includeBase?: boolean;
  /** lines for the README: run, result, … */
  facts?: string[];
}

/** @returns the folder */
export function exportAdapter(adapter: AdapterExport): string {
  const out = resolve(adapter.out);
  const tensors = peftTensors(adapter.tensors, adapter);
  const template = modelTemplate(adapter.baseModel).source;
  const templateHash = createHash('sha256').update(template).digest('hex');
  storing(out, () => mkdirSync(out, { recursive: true }));
  const tokens = adapter.toolTokens ? writeToolTokens(out, adapter.baseModel, adapter.toolTokens) : undefined;
  const base = adapter.includeBase ? copyBase(adapter.baseModel, join(out, 'base')) : resolve(adapter.baseModel);
  writeFileAtomic(join(out, 'adapter_model.safetensors'), writeSafetensors(tensors, { metadata: { format: 'pt' } }));
  writeFileAtomic(
    join(out, 'adapter_config.json'),
    `${JSON.stringify(peftConfig({ ...adapter, base, tokens }), null, 2)}\n`,
  );
  writeFileAtomic(join(out, 'chat_template.jinja'), template);
  writeFileAtomic(join(out, 'chat_template.sha256'), `${templateHash}  chat_template.jinja\n`);
  writeFileAtomic(join(out, 'README.md'), readme({ ...adapter, base, templateHash }));
  return out;
}

/** An adapter folder as exportAdapter wrote it. */
export function readAdapter(
  folder: string,
): Pick<AdapterExport, 'tensors' | 'rank' | 'alpha' | 'targets' | 'rslora' | 'toolTokens' | 'baseModel'> {
  const path = join(folder, 'adapter_config.json');
  let config: z.infer<typeof PeftConfig>;
  try {
    config = PeftConfig.parse(JSON.parse(readTextFile(path)));
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw new UserError(
      'storage',
      `${path}: is no adapter's config: ${(error as Error).message.replace(/\s+/g, ' ')}`,
      'Give the folder of an adapter that Coach exported.',
    );
  }
  const tensors = peftTensors(readSafetensors(join(folder, 'adapter_model.safetensors')));
  return {
    tensors,
    rank: config.r,
    alpha: config.lora_alpha,
    targets: config.target_modules as RunConfig['loraTargets'],
    ...(config.use_rslora ? { rslora: true } : {}),
    ...(config.trainable_token_indices ? { toolTokens: readToolTokens(folder) } : {}),
    baseModel: config.base_model_name_or_path,
  };
}

/**
 * `layers.0.self_attn.q_proj.lora_A`, with or without `base_model.model.`, `model.` before and `.weight` behind ->
 * PEFT's name; null: not an adapter's.
 */
export function peftName(name: string): string | null {
  const [, rows] =
    /^(?:base_model\.model\.)?(?:model\.)?(embed_tokens|lm_head)(?:\.token_adapter)?\.trainable_tokens_delta$/.exec(
      name,
    ) ?? [];
  if (rows !== undefined) return `base_model.model.${rows === 'lm_head' ? '' : 'model.'}${rows}${TOKEN_ROWS}`;
  const match =
    /^(?:base_model\.model\.)?(?:model\.)?(layers\.\d+\.(?:self_attn|mlp)\.(?:q|k|v|o|gate|up|down)_proj\.lora_[AB])(?:\.weight)?$/.exec(
      name,
    );
  return match ? `base_model.model.model.${match[1]}.weight` : null;
}

/** PEFT's rows of tokens, [tokens, hiddenSize]: not added to those of the base, but in their place. */
const TOKEN_ROWS = '.token_adapter.trainable_tokens_delta';

/** Rows of tokens among an adapter's tensors, by the weight that they belong to. */
export const tokenRows = (tensors: ReadonlyMap<string, Tensor>): Map<string, Tensor> =>
  new Map(
    [...peftTensors(tensors)].flatMap(([name, tensor]) =>
      name.endsWith(TOKEN_ROWS)
        ? [[`${name.slice('base_model.model.'.length, -TOKEN_ROWS.length)}.weight`, tensor] as const]
        : [],
    ),
  );

const PeftConfig = z.looseObject({
  r: z.number().int().positive(),
  lora_alpha: z.number().positive(),
  target_modules: z.array(z.string()),
  use_rslora: z.boolean().nullish(),
  trainable_token_indices: z.unknown().nullish(),
  base_model_name_or_path: z.string(),
});

/**
 * The adapter's among the tensors, under PEFT's names; with `expected`, in whole pairs of that rank on those targets.
 */
export function peftTensors(
  tensors: ReadonlyMap<string, Tensor>,
  expected?: Pick<AdapterExport, 'rank' | 'targets'>,
): Map<string, Tensor> {
  const out = new Map<string, Tensor>();
  for (const [name, tensor] of tensors) {
    const peft = peftName(name);
    if (peft !== null) out.set(peft, tensor);
  }
  if (expected) checkAdapter(out, expected);
  return out;
}

/** A [rank, in] and B [out, rank], in pairs, of every target and of nothing else. */
function checkAdapter(tensors: Map<string, Tensor>, { rank, targets }: Pick<AdapterExport, 'rank' | 'targets'>): void {
  if (tensors.size === 0) throw new Error('exportAdapter: there is no adapter tensor (layers.N.….lora_A / lora_B)');
  const seen = new Set<string>();
  for (const [name, { shape }] of tensors) {
    if (name.endsWith(TOKEN_ROWS)) continue;
    const [, target = '', side = ''] = /\.(\w+)\.lora_([AB])\.weight$/.exec(name) ?? [];
    seen.add(target);
    if (shape.length !== 2 || shape[side === 'A' ? 0 : 1] !== rank) {
      throw new Error(
        `exportAdapter: ${name} must be ${side === 'A' ? `[${rank}, in]` : `[out, ${rank}]`}, got [${shape.join(', ')}]`,
      );
    }
    if (!tensors.has(name.replace(`lora_${side}`, `lora_${side === 'A' ? 'B' : 'A'}`)))
      throw new Error(`exportAdapter: ${name} has no partner`);
  }
  const wanted = [...targets].sort().join(', ');
  if ([...seen].sort().join(', ') !== wanted)
    throw new Error(`exportAdapter: targets must be ${wanted}, got ${[...seen].sort().join(', ')}`);
}

/** Keys that every PEFT since 0.5 knows, and no other: an unknown key breaks an old PEFT. */
function peftConfig({
  rank,
  alpha,
  targets,
  rslora = false,
  base,
  tokens,
}: Pick<AdapterExport, 'rank' | 'alpha' | 'targets' | 'rslora'> & {
  base: string;
  tokens: TokenIndices | undefined;
}): Record<string, unknown> {
  return {
    peft_type: 'LORA',
    task_type: 'CAUSAL_LM',
    base_model_name_or_path: base,
    r: rank,
    lora_alpha: alpha,
    target_modules: [...targets],
    lora_dropout: 0,
    bias: 'none',
    fan_in_fan_out: false,
    inference_mode: true,
    modules_to_save: null,
    use_rslora: rslora,
    use_dora: false,
    rank_pattern: {},
    alpha_pattern: {},
    ...(tokens ? { trainable_token_indices: tokens } : {}), // PEFT 0.15
  };
}

const modelFiles =
  /^(config|generation_config|tokenizer|tokenizer_config|special_tokens_map)\.json$|^chat_template\.jinja$|\.safetensors(\.index\.json)?$/;

function copyBase(from: string, to: string): string {
  if (!existsSync(from))
    throw new UserError(
      'storage',
      `${from}: the base model's folder is missing`,
      'Give a model folder, or install Coach again.',
    );
  storing(to, () => {
    mkdirSync(to, { recursive: true });
    for (const name of readdirSync(from)) if (modelFiles.test(name)) copyFileSync(join(from, name), join(to, name));
  });
  return to;
}

function readme({
  rank,
  alpha,
  targets,
  base,
  includeBase,
  facts = [],
  templateHash,
  toolTokens,
}: AdapterExport & { base: string; templateHash: string }): string {
  const where = includeBase ? 'base' : base;
  return `# LoRA adapter, trained with Coach

${facts.map((fact) => `- ${fact}\n`).join('')}- Base model: \`${where}\`${includeBase ? ' (in this folder)' : ''}; rank ${rank}, alpha ${alpha}, on ${targets.join(', ')}

The adapter was trained on prompts as \`chat_template.jinja\` writes them (sha256 ${templateHash.slice(0, 16)}…; the base model's own template). Use \`tokenizer.apply_chat_template(messages, ${toolTokens ? '' : 'tools=tools, '}add_generation_prompt=True)\`.
Run the commands below in this folder.

## transformers and PEFT

\`\`\`python
from peft import PeftModel
from transformers import AutoModelForCausalLM, AutoTokenizer

${loadingCode(where, toolTokens !== undefined)}
model = model.merge_and_unload()  # optional: one plain model
\`\`\`

${toolTokens ? TOOL_TOKENS_USE : otherPrograms(where, rank)}`;
}

const otherPrograms = (where: string, rank: number): string => `## vLLM

\`\`\`sh
vllm serve ${where} --enable-lora --max-lora-rank ${rankForVllm(rank)} --lora-modules coached=.
\`\`\`

## llama.cpp

\`\`\`sh
${
  isGguf(where)
    ? `# coach export RUN --to gguf-lora writes adapter.gguf\nllama-cli -m ${where} --lora adapter.gguf`
    : `python convert_hf_to_gguf.py ${where} --outfile base.gguf
python convert_lora_to_gguf.py --base ${where} . --outfile adapter.gguf
llama-cli -m base.gguf --lora adapter.gguf`
}
\`\`\`
`;

/**
 * Python that loads base and adapter; transformers takes a GGUF by its folder and name, and dequantises it (needs
 * PyPI's gguf).
 */
function loadingCode(where: string, hasTokens: boolean): string {
  const [base, file] = isGguf(where) ? [dirname(where), `, gguf_file=${JSON.stringify(basename(where))}`] : [where, ''];
  if (hasTokens)
    return `base = AutoModelForCausalLM.from_pretrained(${JSON.stringify(base)}${file})
tokenizer = AutoTokenizer.from_pretrained(".")  # the base's, and a token for each tool
base.resize_token_embeddings(len(tokenizer))
model = PeftModel.from_pretrained(base, ".")`;
  return `base = ${JSON.stringify(base)}
tokenizer = AutoTokenizer.from_pretrained(base${file})
model = PeftModel.from_pretrained(AutoModelForCausalLM.from_pretrained(base${file}), ".")`;
}

/** vLLM takes one of these as its limit, 16 where none is given. */
function rankForVllm(rank: number): number {
  return [8, 16, 32, 64, 128, 256, 320, 512].find((limit) => limit >= rank) ?? rank;
}

/** What an adapter folder holds, to say so before anything of the user's is overwritten. */
export const adapterFiles = [
  'adapter_model.safetensors',
  'adapter_config.json',
  'chat_template.jinja',
  'chat_template.sha256',
  'README.md',
  'base',
  ...TOOL_TOKEN_FILES,
];
