import { UserError } from '../../protocol/result';
import { ChatTemplate } from '../tokenizer/chatTemplate';
import { Tokenizer, type TokenizerJson } from '../tokenizer/tokenizer';
import type { Gguf } from './gguf';
import { wordsPattern } from '../tokenizer/knownPatterns';

/** llama.h, llama_token_type. */
const NORMAL = 1;
const CONTROL = 3;
const USER_DEFINED = 4;
const UNUSED = 5;

interface Split {
  normalizer: { type: string } | null;
  pre_tokenizer: TokenizerJson['pre_tokenizer'];
  /** a text that is a token whole is that token, whatever the merges make of it */
  ignoreMerges: boolean;
}

const byteLevel = (useRegex: boolean) => ({
  type: 'ByteLevel',
  add_prefix_space: false,
  trim_offsets: true,
  use_regex: useRegex,
});
const words = (digits: string) => ({
  type: 'Split',
  pattern: { Regex: wordsPattern(digits) },
  behavior: 'Isolated',
  invert: false,
});
const sequence = (...pretokenizers: object[]) => ({ type: 'Sequence', pretokenizers });

/**
 * How text is cut before the merges, by llama.cpp's name for it (tokenizer.ggml.pre), as the tokenizer.json of each
 * family has it:
 * SmolLM2, GPT-2, Llama 3.2, Qwen2.5 (equal in Qwen3).
 */
const splits = new Map<string, Split>([
  [
    'smollm',
    {
      normalizer: null,
      pre_tokenizer: sequence({ type: 'Digits', individual_digits: true }, byteLevel(true)),
      ignoreMerges: false,
    },
  ],
  ['gpt-2', { normalizer: null, pre_tokenizer: byteLevel(true), ignoreMerges: false }],
  [
    'llama-bpe',
    { normalizer: null, pre_tokenizer: sequence(words('\\p{N}{1,3}'), byteLevel(false)), ignoreMerges: true },
  ],
  [
    'qwen2',
    { normalizer: { type: 'NFC' }, pre_tokenizer: sequence(words('\\p{N}'), byteLevel(false)), ignoreMerges: false },
  ],
]);

/**
 * The tokenizer that a GGUF carries, in the form of a tokenizer.json.
 * @throws UserError: another kind than byte-level BPE, another way of cutting, or lists that don't fit each other
 */
export function ggufTokenizerJson(file: Gguf): TokenizerJson {
  const model = file.text('tokenizer.ggml.model');
  if (model !== 'gpt2')
    throw new UserError(
      'config',
      `${file.path}: tokenizer.ggml.model must be gpt2 (byte-level BPE), got ${model}`,
      'take a model with such a tokenizer (SmolLM2, Llama 3, Qwen 2 and 3), or its Hugging Face folder',
    );
  const pre = file.text('tokenizer.ggml.pre');
  const split = splits.get(pre);
  if (!split)
    throw new UserError(
      'config',
      `${file.path}: tokenizer.ggml.pre must be one of ${[...splits.keys()].join(', ')}, got ${pre}`,
      'take the Hugging Face folder of the same model: it says itself how text is cut',
    );
  const tokens = file.list('tokenizer.ggml.tokens', 'string');
  const types = file.metadata.has('tokenizer.ggml.token_type')
    ? file.list('tokenizer.ggml.token_type', 'number')
    : tokens.map(() => NORMAL);
  if (types.length !== tokens.length)
    throw new UserError(
      'config',
      `${file.path}: tokenizer.ggml.token_type must have ${tokens.length} entries, one a token, got ${types.length}`,
      'fetch the file again',
    );
  const vocab: Record<string, number> = Object.create(null) as Record<string, number>;
  const added: object[] = [];
  tokens.forEach((content, id) => {
    // unused ones only fill the embedding up to a round number
    if (types[id] !== UNUSED) vocab[content] = id;
    if (types[id] === CONTROL || types[id] === USER_DEFINED)
      added.push({
        id,
        content,
        single_word: false,
        lstrip: false,
        rstrip: false,
        normalized: false,
        special: types[id] === CONTROL,
      });
  });
  return {
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: added as TokenizerJson['added_tokens'],
    normalizer: split.normalizer,
    pre_tokenizer: split.pre_tokenizer,
    post_processor: null,
    decoder: byteLevel(true),
    model: {
      type: 'BPE',
      dropout: null,
      unk_token: null,
      continuing_subword_prefix: null,
      end_of_word_suffix: null,
      fuse_unk: false,
      byte_fallback: false,
      ignore_merges: split.ignoreMerges,
      vocab,
      merges: file.list('tokenizer.ggml.merges', 'string'),
    },
  } as TokenizerJson;
}

export const ggufTokenizer = (file: Gguf): Tokenizer => Tokenizer.from(ggufTokenizerJson(file));

/** The chat template and the texts of the tokens that it knows by name. @throws UserError where the file has none */
export function ggufTemplate(file: Gguf): ChatTemplate {
  if (!file.metadata.has('tokenizer.chat_template'))
    throw new UserError(
      'config',
      `${file.path}: has no chat template (tokenizer.chat_template)`,
      'take the instruct version of the model: a base model has not learned to hold a dialogue',
    );
  const tokens = file.list('tokenizer.ggml.tokens', 'string');
  const textOf = (key: string): string => {
    const id = file.numberOr(`tokenizer.ggml.${key}_token_id`, null);
    return id === null ? '' : (tokens[id] ?? '');
  };
  return new ChatTemplate(file.text('tokenizer.chat_template'), {
    bos_token: textOf('bos'),
    eos_token: textOf('eos'),
    pad_token: textOf('padding'),
    unk_token: textOf('unknown'),
  });
}
