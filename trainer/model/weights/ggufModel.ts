import { parseModelConfig, projectionName, type ModelConfig, type Projection } from '../network/config';
import { UserError } from '../../protocol/result';
import type { Gguf } from './gguf';
import { restoreRows } from './rotaryRows';
import type { NamedTensor } from './weights';

const architectures = ['llama', 'qwen2', 'qwen3'];

/**
 * Sizes of the model in a GGUF, through the same checks as a config.json.
 * @throws UserError: an architecture that we don't have, a number that is absent, a vocabulary that does not fit
 */
export function ggufConfig(file: Gguf): ModelConfig {
  const config = ggufSizes(file);
  return file.tensors.has('rope_freqs.weight') ? { ...config, ropeFactors: readFactors(file, config) } : config;
}

/** The same without the factors of its rotation, which lie in a tensor: what comes before the tensors is enough. */
export function ggufSizes(file: Gguf): ModelConfig {
  const family = file.text('general.architecture');
  if (!architectures.includes(family))
    throw new UserError(
      'config',
      `${file.path}: architecture must be one of ${architectures.join(', ')}, got ${family}`,
      'take a model of one of these, e.g. SmolLM2, Llama 3.2, Qwen 2.5 or Qwen 3',
    );
  const number = (key: string): number => file.number(`${family}.${key}`);
  const optional = (key: string): number | null => file.numberOr(`${family}.${key}`, null);
  if ((optional('expert_count') ?? 0) > 0)
    throw new UserError(
      'config',
      `${file.path}: ${family}.expert_count must be 0, got ${optional('expert_count')}`,
      'take a model without experts',
    );
  const heads = number('attention.head_count');
  const headDim = optional('attention.key_length') ?? number('embedding_length') / heads;
  for (const key of ['attention.value_length', 'rope.dimension_count']) {
    const value = optional(key) ?? headDim;
    if (value !== headDim)
      throw new UserError(
        'config',
        `${file.path}: ${family}.${key} must be the head size ${headDim}, got ${value}`,
        'take a model whose heads are rotated whole',
      );
  }
  const eos = ['eos', 'eot', 'eom'].flatMap((name) => file.numberOr<number[]>(`tokenizer.ggml.${name}_token_id`, []));
  return parseModelConfig(
    {
      model_type: family,
      vocab_size: vocabSize(file, family),
      hidden_size: number('embedding_length'),
      num_hidden_layers: number('block_count'),
      num_attention_heads: heads,
      num_key_value_heads: optional('attention.head_count_kv') ?? heads,
      head_dim: headDim,
      intermediate_size: number('feed_forward_length'),
      rms_norm_eps: number('attention.layer_norm_rms_epsilon'),
      rope_theta: optional('rope.freq_base') ?? 10_000,
      rope_scaling: ropeScaling(file, family),
      tie_word_embeddings: !file.tensors.has('output.weight'),
      attention_bias: file.tensors.has('blk.0.attn_q.bias'),
      max_position_embeddings: number('context_length'),
      eos_token_id: [...new Set(eos)],
      pad_token_id: file.numberOr('tokenizer.ggml.padding_token_id', 0),
    },
    file.path,
  );
}

/** Rows of the embedding; the metadata's own number and the list of tokens must agree with it. */
function vocabSize(file: Gguf, family: string): number {
  const embedding = file.tensors.get('token_embd.weight');
  if (embedding === undefined)
    throw new UserError(
      'config',
      `${file.path}: tensor token_embd.weight is missing`,
      'fetch the file again, or take another one of the same model',
    );
  const rows = embedding.shape[0]!;
  const said = file.numberOr(`${family}.vocab_size`, rows);
  const tokens = file.list('tokenizer.ggml.tokens', 'string').length;
  if (said !== rows || tokens > rows) {
    throw new UserError(
      'config',
      `${file.path}: the vocabulary does not fit: the embedding has ${rows} rows, ` +
        `${family}.vocab_size is ${said}, the tokenizer has ${tokens} tokens`,
      'the file was put together wrongly; take another one of the same model',
    );
  }
  return rows;
}

function ropeScaling(file: Gguf, family: string): { rope_type: string; factor?: number } | null {
  const type = file.metadata.has(`${family}.rope.scaling.type`) ? file.text(`${family}.rope.scaling.type`) : null;
  const factor =
    file.numberOr(`${family}.rope.scaling.factor`, null) ?? file.numberOr(`${family}.rope.scale_linear`, null) ?? 1;
  if (type === 'none' || factor === 1) return null;
  return { rope_type: type ?? 'linear', factor };
}

/** Llama 3's: what each frequency is divided by (convert_hf_to_gguf.py, generate_extra_tensors). */
function readFactors(file: Gguf, config: ModelConfig): number[] {
  const tensor = file.tensors.get('rope_freqs.weight')!;
  if (tensor.shape.join() !== `${config.headDim / 2}`)
    throw new UserError(
      'config',
      `${file.path}: tensor rope_freqs.weight must be [${config.headDim / 2}], got [${tensor.shape.join(', ')}]`,
      'fetch the file again',
    );
  return [...file.read(tensor)];
}

const projections: Record<string, Projection> = {
  attn_q: 'q_proj',
  attn_k: 'k_proj',
  attn_v: 'v_proj',
  attn_output: 'o_proj',
  ffn_gate: 'gate_proj',
  ffn_up: 'up_proj',
  ffn_down: 'down_proj',
};
const norms: Record<string, string> = {
  attn_norm: 'input_layernorm',
  ffn_norm: 'post_attention_layernorm',
  attn_q_norm: 'self_attn.q_norm',
  attn_k_norm: 'self_attn.k_norm',
};

/** llama.cpp's name -> Hugging Face's; one that is unknown stays as it is, and loadWeights names it. */
export function weightName(name: string): string {
  if (name === 'token_embd.weight') return 'model.embed_tokens.weight';
  if (name === 'output_norm.weight') return 'model.norm.weight';
  if (name === 'output.weight') return 'lm_head.weight';
  const [, layer, part = '', kind] = /^blk\.(\d+)\.(\w+)\.(weight|bias)$/.exec(name) ?? [];
  if (part in projections) return `${projectionName(Number(layer), projections[part]!)}.${kind}`;
  return part in norms ? `model.layers.${layer}.${norms[part]}.${kind}` : name;
}

/** The weights of an open file, by Hugging Face name, dequantised as they are asked for. */
export function* ggufTensors(file: Gguf, config: ModelConfig): Generator<NamedTensor, void, void> {
  for (const tensor of file.tensors.values()) {
    if (tensor.name === 'rope_freqs.weight') continue; // in the config
    const name = weightName(tensor.name);
    const restored = <T extends Float32Array | Uint8Array>(values: T): T => restoreRows(values, name, config);
    const readCodes = (): ReturnType<Gguf['readCodes']> => {
      const codes = file.readCodes(tensor);
      for (const rows of [codes?.codes, codes?.scales, codes?.offsets]) if (rows) restored(rows);
      return codes;
    };
    yield { name, shape: tensor.shape, where: file.path, read: () => restored(file.read(tensor)), readCodes };
  }
}
