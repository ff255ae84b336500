import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { UserError } from '../../protocol/result';
import { RopeScaling, ropeFactors } from './rope';
import { readModelJson } from '../modelJson';

/** Sizes and switches of a Llama-shaped model (Llama, Qwen2, Qwen3), read from config.json or a GGUF's metadata. */
export interface ModelConfig {
  family: 'llama' | 'qwen2' | 'qwen3';
  vocabSize: number;
  hiddenSize: number;
  layers: number;
  heads: number;
  kvHeads: number;
  headDim: number;
  intermediateSize: number;
  rmsNormEps: number;
  ropeTheta: number;
  /** what each rotary frequency is divided by, [headDim / 2]; null: by nothing */
  ropeFactors: readonly number[] | null;
  tiedEmbeddings: boolean;
  /** Biases on q, k, v (Qwen2 always), and on o where the family is not Qwen2. */
  attentionBias: boolean;
  /** Qwen3: RMSNorm on each head's q and k before the rotation. */
  qkNorm: boolean;
  maxPositions: number;
  eosIds: number[];
  padId: number;
}

/**
 * Above any model there is, and below what would be made into lists before the weights are looked at: 1e9 layers are
 * 9e9 names.
 */
const size = (most: number) => z.number().int().positive().max(most);
const tokenId = z.number().int().min(0).max(4_000_000);
const HfConfig = z.object({
  model_type: z.enum(['llama', 'qwen2', 'qwen3']),
  vocab_size: size(4_000_000),
  hidden_size: size(131_072),
  num_hidden_layers: size(1_000),
  num_attention_heads: size(4_096),
  num_key_value_heads: size(4_096).optional(),
  head_dim: size(16_384).nullish(),
  intermediate_size: size(1_000_000),
  rms_norm_eps: z.number().positive().default(1e-6),
  rope_theta: z.number().positive().optional(),
  rope_parameters: RopeScaling.nullish(),
  rope_scaling: RopeScaling.nullish(),
  tie_word_embeddings: z.boolean().default(false),
  attention_bias: z.boolean().optional(),
  max_position_embeddings: size(100_000_000).default(2048),
  eos_token_id: z.union([tokenId, z.array(tokenId).max(1_000)]).nullish(),
  // -1 is how the first Llamas said that there is none
  pad_token_id: z.union([tokenId, z.literal(-1)]).nullish(),
});

/** transformers 5 writes rope_parameters, older versions rope_theta at the top level: both are read. */
export function readModelConfig(folder: string): ModelConfig {
  const file = join(folder, 'config.json');
  if (!existsSync(file))
    throw new UserError(
      'config',
      `${folder}: no config.json`,
      'choose a Hugging Face model folder (config.json, tokenizer.json, *.safetensors)',
    );
  return parseModelConfig(readModelJson(file), file);
}

/** @param json what a config.json holds; where: the file, for messages */
export function parseModelConfig(json: unknown, file: string): ModelConfig {
  const parsed = HfConfig.safeParse(json);
  if (!parsed.success) {
    const issue = parsed.error.issues[0]!; // zod gives one at least
    const found = issue.path.reduce(
      (at: unknown, key) => (at as Record<PropertyKey, unknown> | undefined)?.[key],
      json,
    );
    throw new UserError(
      'config',
      `${file}: ${issue.path.join('.') || 'root'}: ${issue.message}, got ${JSON.stringify(found) ?? 'nothing'}`,
      issue.path[0] === 'model_type' ? 'supported: model_type llama, qwen2, qwen3' : 'fetch the file again',
    );
  }
  const c = parsed.data;
  const headDim = c.head_dim ?? c.hidden_size / c.num_attention_heads;
  const kvHeads = c.num_key_value_heads ?? c.num_attention_heads;
  if (!Number.isInteger(headDim) || headDim % 2 || c.num_attention_heads % kvHeads) {
    throw new UserError(
      'config',
      `${file}: heads ${c.num_attention_heads}, key-value heads ${kvHeads}, head size ${headDim} do not fit`,
      'fetch the file again',
    );
  }
  const ropeTheta = c.rope_parameters?.rope_theta ?? c.rope_theta ?? 10_000;
  return {
    family: c.model_type,
    vocabSize: c.vocab_size,
    hiddenSize: c.hidden_size,
    layers: c.num_hidden_layers,
    heads: c.num_attention_heads,
    kvHeads,
    headDim,
    intermediateSize: c.intermediate_size,
    rmsNormEps: c.rms_norm_eps,
    ropeTheta,
    ropeFactors: ropeFactors(c.rope_scaling ?? c.rope_parameters, { headDim, theta: ropeTheta, where: file }),
    tiedEmbeddings: c.tie_word_embeddings,
    attentionBias: c.model_type === 'qwen2' || c.attention_bias === true,
    qkNorm: c.model_type === 'qwen3',
    maxPositions: c.max_position_embeddings,
    eosIds: c.eos_token_id === null || c.eos_token_id === undefined ? [] : [c.eos_token_id].flat(),
    padId: Math.max(0, c.pad_token_id ?? 0),
  };
}

export type Projection = 'q_proj' | 'k_proj' | 'v_proj' | 'o_proj' | 'gate_proj' | 'up_proj' | 'down_proj';

/** Hugging Face name of a projection's weight, without '.weight'. */
export const projectionName = (layer: number, p: Projection): string =>
  `model.layers.${layer}.${p === 'gate_proj' || p === 'up_proj' || p === 'down_proj' ? 'mlp' : 'self_attn'}.${p}`;

/** Projections of the same input. */
export const TOGETHER = [
  ['q_proj', 'k_proj', 'v_proj'],
  ['gate_proj', 'up_proj'],
] as const satisfies readonly (readonly Projection[])[];
/** Names of their weights, layer by layer. */
export const weightsTogether = ({ layers }: ModelConfig): string[][] =>
  Array.from({ length: layers }, (_, layer) =>
    TOGETHER.map((ps) => ps.map((p) => `${projectionName(layer, p)}.weight`)),
  ).flat();

/** [out, in] of a projection. */
export function projectionShape(c: ModelConfig, p: Projection): [number, number] {
  const q = c.heads * c.headDim;
  const kv = c.kvHeads * c.headDim;
  switch (p) {
    case 'q_proj':
      return [q, c.hiddenSize];
    case 'k_proj':
    case 'v_proj':
      return [kv, c.hiddenSize];
    case 'o_proj':
      return [c.hiddenSize, q];
    case 'gate_proj':
    case 'up_proj':
      return [c.intermediateSize, c.hiddenSize];
    case 'down_proj':
      return [c.hiddenSize, c.intermediateSize];
  }
}

/** Every weight's Hugging Face name and shape. */
export function weightShapes(c: ModelConfig): Map<string, number[]> {
  const shapes = new Map<string, number[]>([
    ['model.embed_tokens.weight', [c.vocabSize, c.hiddenSize]],
    ['model.norm.weight', [c.hiddenSize]],
  ]);
  if (!c.tiedEmbeddings) shapes.set('lm_head.weight', [c.vocabSize, c.hiddenSize]);
  for (let l = 0; l < c.layers; l++) {
    const at = `model.layers.${l}`;
    shapes
      .set(`${at}.input_layernorm.weight`, [c.hiddenSize])
      .set(`${at}.post_attention_layernorm.weight`, [c.hiddenSize]);
    for (const p of ['q_proj', 'k_proj', 'v_proj', 'o_proj', 'gate_proj', 'up_proj', 'down_proj'] as const) {
      shapes.set(`${projectionName(l, p)}.weight`, projectionShape(c, p));
      if (
        c.attentionBias &&
        (p === 'q_proj' || p === 'k_proj' || p === 'v_proj' || (p === 'o_proj' && c.family !== 'qwen2'))
      )
        shapes.set(`${projectionName(l, p)}.bias`, [projectionShape(c, p)[0]]);
    }
    if (c.qkNorm) for (const n of ['q_norm', 'k_norm']) shapes.set(`${at}.self_attn.${n}.weight`, [c.headDim]);
  }
  return shapes;
}

/**
 * How a packed model holds a weight, in bits: projections in 4, embedding and head, whose rounding would show in each
 * logit, in 8; null: in float32, as norms and biases, which are few.
 */
export const packedBits = (name: string): 4 | 8 | null =>
  /_proj\.weight$/.test(name) ? 4 : /(embed_tokens|lm_head)\.weight$/.test(name) ? 8 : null;
