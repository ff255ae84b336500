/** Valid files of each kind, small. */
import { ggufBytes } from '../fixtures/ggufFile';
import { sampleTool } from '../store/runs/sample';

const floats = (n: number): Uint8Array => new Uint8Array(Float32Array.from({ length: n }, (_, i) => i / n).buffer);
const tensor = (...shape: number[]) => ({ type: 0, shape, bytes: floats(shape.reduce((a, b) => a * b, 1)) });
const TOKENS = ['a', 'b', 'ab', '<|im_start|>', '<|im_end|>'];

export const ggufSeed: Uint8Array = ggufBytes(
  {
    'general.architecture': { text: 'llama' },
    'llama.block_count': { u32: 1 },
    'llama.embedding_length': { u32: 8 },
    'llama.feed_forward_length': { u32: 8 },
    'llama.attention.head_count': { u32: 2 },
    'llama.attention.head_count_kv': { u32: 1 },
    'llama.context_length': { u32: 64 },
    'llama.attention.layer_norm_rms_epsilon': { f32: 1e-5 },
    'llama.vocab_size': { u32: TOKENS.length },
    'tokenizer.ggml.model': { text: 'gpt2' },
    'tokenizer.ggml.pre': { text: 'gpt-2' },
    'tokenizer.ggml.tokens': { texts: TOKENS },
    'tokenizer.ggml.token_type': { i32s: [1, 1, 1, 3, 3] },
    'tokenizer.ggml.merges': { texts: ['a b'] },
    'tokenizer.ggml.eos_token_id': { u32: 4 },
    'tokenizer.chat_template': {
      text: '{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}',
    },
  },
  {
    'token_embd.weight': tensor(TOKENS.length, 8),
    'output_norm.weight': tensor(8),
    'blk.0.attn_norm.weight': tensor(8),
    'blk.0.ffn_norm.weight': tensor(8),
    'blk.0.attn_q.weight': tensor(8, 8),
    'blk.0.attn_k.weight': tensor(4, 8),
    'blk.0.attn_v.weight': tensor(4, 8),
    'blk.0.attn_output.weight': tensor(8, 8),
    'blk.0.ffn_gate.weight': tensor(8, 8),
    'blk.0.ffn_up.weight': tensor(8, 8),
    'blk.0.ffn_down.weight': tensor(8, 8),
  },
);

export const tokenizerSeed = {
  version: '1.0',
  added_tokens: [
    { id: 4, content: '<x>', special: true, single_word: false, lstrip: false, rstrip: false, normalized: false },
  ],
  normalizer: {
    type: 'Sequence',
    normalizers: [{ type: 'NFC' }, { type: 'Replace', pattern: { Regex: 'b+' }, content: 'b' }],
  },
  pre_tokenizer: {
    type: 'Sequence',
    pretokenizers: [
      { type: 'Split', pattern: { Regex: 'a+|b| |[^ab ]' }, behavior: 'Isolated', invert: false },
      { type: 'Digits', individual_digits: true },
      { type: 'ByteLevel', add_prefix_space: false, trim_offsets: true, use_regex: false },
    ],
  },
  post_processor: null,
  decoder: { type: 'ByteLevel', add_prefix_space: true, trim_offsets: true, use_regex: true },
  model: {
    type: 'BPE',
    unk_token: null,
    byte_fallback: false,
    vocab: { a: 0, b: 1, ab: 2, Ġ: 3 },
    merges: [['a', 'b']],
  },
};

/** Its pattern goes back and forth over a row of a's for ever. */
export const slowTokenizerSeed = {
  ...tokenizerSeed,
  pre_tokenizer: { type: 'Split', pattern: { Regex: '(a+)+$|.' }, behavior: 'Isolated', invert: false },
};

const attribute = (key: string, stringValue: string) => ({ key, value: { stringValue } });
const said = (role: string, content: string) => JSON.stringify([{ role, parts: [{ type: 'text', content }] }]);
const span = (spanId: string, parentSpanId: string, ...attributes: object[]) => ({
  traceId: 't',
  spanId,
  parentSpanId,
  name: 'x',
  startTimeUnixNano: '1000000',
  endTimeUnixNano: 2e6,
  attributes,
  events: [{ name: 'e', attributes: [attribute('k', 'v')] }],
  status: { code: 1 },
});

export const otlpSeed = {
  resourceSpans: [
    {
      resource: { attributes: [attribute('service.name', 's')] },
      scopeSpans: [
        {
          spans: [
            span('1', '', attribute('gen_ai.operation.name', 'invoke_agent')),
            span(
              '2',
              '1',
              attribute('gen_ai.operation.name', 'chat'),
              attribute('gen_ai.input.messages', said('user', 'hi')),
              attribute('gen_ai.output.messages', said('assistant', 'yes')),
            ),
            span(
              '3',
              '1',
              attribute('gen_ai.operation.name', 'chat'),
              attribute('gen_ai.prompt.0.role', 'user'),
              attribute('gen_ai.prompt.0.content', 'x'),
              attribute('gen_ai.completion.0.content', 'y'),
            ),
          ],
        },
      ],
    },
  ],
};

const ask = [{ role: 'user', content: 'q' }];
const call = { id: 'c', type: 'function', function: { name: 'search', arguments: '{"query":"x"}' } };
export const preferenceSeeds: readonly unknown[] = [
  { prompt: ask, chosen: [{ role: 'assistant', content: 'a' }], rejected: [{ role: 'assistant', content: 'b' }] },
  { prompt: ask, chosen: [{ role: 'assistant', content: '', tool_calls: [call] }], rejected: [], tools: [sampleTool] },
  { prompt: 'q', completion: 'a', label: true },
  {
    input: { messages: ask, tools: [] },
    preferred_output: [{ role: 'assistant', content: 'a' }],
    non_preferred_output: [{ role: 'assistant', content: 'b' }],
  },
  { v: 1, t: 1, type: 'tools', id: 'x', tools: [sampleTool] },
];
