import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Tokenizer as HfTokenizer } from '@huggingface/tokenizers';
import { readModelJson } from '../modelJson';
import { UserError } from '../../protocol/result';
import { TookTooLong, withinTime } from '../../base/timeLimit';
import { hasForeignPattern } from './knownPatterns';

/** A tokenizer.json, as far as it is looked at here; the library checks the rest. */
export interface TokenizerJson {
  model?: { vocab?: object };
  normalizer?: unknown;
  pre_tokenizer?: PreTokenizer | null;
  decoder?: { type?: string } | null;
  added_tokens?: { id: number; content?: string; special?: boolean }[];
}
interface PreTokenizer {
  type?: string;
  pretokenizers?: PreTokenizer[];
  normalizers?: PreTokenizer[];
  individual_digits?: boolean;
}

/** What a tokenizer was made from. */
interface Made {
  json: TokenizerJson;
  config: object;
}

/**
 * A tokenizer.json with special tokens more, from an id on.
 * @throws UserError where it has one of them
 */
function withAdded<T extends TokenizerJson>(json: T, texts: readonly string[], first: number): T {
  const known = new Set([...Object.keys(json.model?.vocab ?? {}), ...(json.added_tokens ?? []).map((t) => t.content)]);
  const twice = texts.find((text) => known.has(text));
  if (twice !== undefined)
    throw new UserError(
      'config',
      `tokenizer: the model has a token ${twice} already`,
      'Take the model that it was made from, which has none for tools.',
    );
  const marks = { single_word: false, lstrip: false, rstrip: false, normalized: false, special: true };
  const more = texts.map((content, i) => ({ id: first + i, content, ...marks }));
  return { ...json, added_tokens: [...(json.added_tokens ?? []), ...more] };
}

/** Text <-> ids, by a Hugging Face folder's tokenizer.json. */
export class Tokenizer {
  private readonly texts = new Map<number, string>();
  private readonly wholeTexts = new Map<number, string | null>();
  private readonly byteOf: Map<string, number>;
  private added: Set<number> | null = null;

  /** @param isForeign has it patterns that may take for ever? Then each use of it runs under a limit */
  constructor(
    private readonly hf: HfTokenizer,
    readonly vocabSize: number,
    private readonly isForeign = true,
    private readonly made: Made | null = null,
  ) {
    this.byteOf = byteLevelInverse();
  }

  static load<T extends Tokenizer>(
    this: new (
      hf: HfTokenizer,
      vocabSize: number,
      isForeign: boolean,
      made: Made,
    ) => T,
    folder: string,
  ): T {
    const file = join(folder, 'tokenizer.json');
    if (!existsSync(file))
      throw new UserError(
        'config',
        `${folder}: no tokenizer.json`,
        'choose a Hugging Face model folder (config.json, tokenizer.json, *.safetensors)',
      );
    const json = readModelJson(file) as unknown as TokenizerJson;
    const configFile = join(folder, 'tokenizer_config.json');
    const config = existsSync(configFile) ? readModelJson(configFile) : {};
    return new this(...opened(json, config, file));
  }

  /** From what a tokenizer.json holds. */
  static from(json: TokenizerJson): Tokenizer {
    return new Tokenizer(...opened(json, {}, 'tokenizer'));
  }

  /** As a tokenizer.json holds it. */
  get json(): TokenizerJson {
    if (this.made === null) throw new Error('tokenizer: it was not made from a file');
    return this.made.json;
  }

  /** The same with special tokens behind all that there are, in their order. @throws UserError where one is known */
  withTokens(texts: readonly string[]): Tokenizer {
    return new Tokenizer(...opened(withAdded(this.json, texts, this.vocabSize), this.made!.config, 'tokenizer'));
  }

  /**
   * Special tokens that stand in the text become their ids: escape text that is not ours first (chatTemplate does).
   * @throws UserError for a text that is longer than any model reads, or that the tokenizer's patterns get lost in
   */
  encode(text: string): number[] {
    if (text === '') return [];
    if (text.length > MAX_CHARACTERS)
      throw new UserError(
        'task',
        `a text of ${text.length} characters is to be read by the model; at most ${MAX_CHARACTERS} are`,
        'Shorten what a task, a tool or a file says.',
      );
    const ids = this.inTime(text.length, () => this.hf.encode(text, { add_special_tokens: false }).ids);
    return [...ids];
  }

  private inTime<T>(characters: number, action: () => T): T {
    try {
      return this.isForeign || characters > QUICK_CHARACTERS ? withinTime(MAX_MS, action) : action();
    } catch (error) {
      const why =
        error instanceof TookTooLong
          ? `${error.message} over a text of ${characters} characters`
          : `can't be used: ${reasonOf(error)}`;
      throw new UserError(
        'config',
        `tokenizer: ${why}`,
        'take the tokenizer.json that belongs to the model, or shorten the text',
      );
    }
  }

  /**
   * Special tokens are left out unless asked for; ids that are no token (a model's vocabulary may be padded to a round
   * number) are nothing.
   */
  decode(ids: readonly number[], keepSpecial = false): string {
    const known = ids.filter((id) => id >= 0 && id < this.vocabSize);
    if (known.length === 0) return '';
    return (
      this.joined(known) ??
      this.inTime(known.length, () =>
        this.hf.decode(known, { skip_special_tokens: !keepSpecial, clean_up_tokenization_spaces: false }),
      )
    );
  }

  /** What the library says of them, put together here; null: not all of them are whole characters of text. */
  private joined(ids: readonly number[]): string | null {
    if (this.made?.json.decoder?.type !== 'ByteLevel') return null;
    let all = '';
    for (const id of ids) {
      const text = this.wholeText(id);
      if (text === null) return null;
      all += text;
    }
    return all;
  }

  /** Null: a mark, a part of a character, or nothing that a byte-level tokenizer has. */
  private wholeText(id: number): string | null {
    let text = this.wholeTexts.get(id);
    if (text === undefined) {
      const bytes = this.tokenBytes(id);
      this.wholeTexts.set(id, (text = bytes && asText(bytes)));
    }
    return text;
  }

  /** Text of one id, for views: a token that is part of a character shows its bytes as \xNN. */
  tokenText(id: number): string {
    let text = this.texts.get(id);
    if (text === undefined) {
      const raw = this.hf.id_to_token(id) ?? `<${id}>`;
      const bytes = [...raw].map((c) => this.byteOf.get(c));
      text = raw.startsWith('<|') || bytes.includes(undefined) ? raw : readable(Uint8Array.from(bytes as number[]));
      this.texts.set(id, text);
    }
    return text;
  }

  /**
   * Bytes of one id, as byte-level BPE has them; null where it is an added token (a mark, no text), none at all, or of
   * another kind of tokenizer.
   */
  tokenBytes(id: number): Uint8Array | null {
    this.added ??= new Set(this.hf.get_added_tokens_decoder().keys());
    const raw = this.added.has(id) ? undefined : this.hf.id_to_token(id);
    if (raw === undefined) return null;
    const bytes = [...raw].map((c) => this.byteOf.get(c));
    return bytes.includes(undefined) ? null : Uint8Array.from(bytes as number[]);
  }

  /** @throws UserError when the tokenizer has no such token */
  idOf(token: string): number {
    const id = this.hf.token_to_id(token);
    if (id === undefined)
      throw new UserError(
        'config',
        `tokenizer: no token ${token}`,
        'take the tokenizer.json that belongs to the model',
      );
    return id;
  }
}

/** The longest contexts hold half of it; it takes up to four seconds. */
const MAX_CHARACTERS = 1_000_000;
/** So many are read in a tenth of a second, whatever they are. */
const QUICK_CHARACTERS = 20_000;
const MAX_MS = 4_500;
/** Ten times the largest vocabulary. */
const MAX_ID = 4_000_000;

/** The library finds out by failing that a part of a file is missing or of another kind. */
const reasonOf = (error: unknown): string =>
  error instanceof TypeError || error instanceof RangeError
    ? 'a part of it is missing, of another kind or too large'
    : (error as Error).message;

/** @throws UserError where it is no tokenizer */
function opened(json: TokenizerJson, config: object, where: string): [HfTokenizer, number, boolean, Made] {
  try {
    const vocabulary = Object.values(json.model?.vocab ?? {}) as unknown[];
    const added = (json.added_tokens ?? []).map((token) => token.id);
    // Unigram's is a list of texts and scores: there the place is the id
    const ids = Array.isArray(json.model?.vocab) ? added : [...(vocabulary as number[]), ...added];
    const wrong = ids.find((id) => !Number.isInteger(id) || id < 0 || id > MAX_ID);
    if (wrong !== undefined)
      throw new Error(`the id of a token must be a whole number from 0 to ${MAX_ID}, got ${JSON.stringify(wrong)}`);
    // the library would count through anything that has a length
    if ((json.added_tokens ?? []).some(({ content }) => content !== undefined && typeof content !== 'string'))
      throw new Error('the content of an added token must be a text');
    for (const part of [json.normalizer, json.pre_tokenizer]) checkSteps(part as PreTokenizer | null | undefined);
    const size = added.reduce((most, id) => Math.max(most, id + 1), vocabulary.length);
    const isForeign = [json.normalizer, json.pre_tokenizer, json.decoder].some(hasForeignPattern);
    return [new HfTokenizer(withUnicodeDigits(json), config), size, isForeign, { json, config }];
  } catch (error) {
    throw new UserError(
      'config',
      `${where}: can't be used: ${reasonOf(error)}`,
      'take the tokenizer.json that belongs to the model',
    );
  }
}

/** Real tokenizers have up to ten. */
const MAX_STEPS = 32;

/**
 * Each step may make a text longer, so that many of them make one that fills the memory: ByteLevel doubles what is not
 * ASCII, and what it wrote is not.
 */
function checkSteps(part: PreTokenizer | null | undefined): void {
  const steps = stepsOf(part);
  const ofBytes = steps.filter(({ type }) => type === 'ByteLevel').length;
  if (ofBytes > 1) throw new Error(`it has ${ofBytes} ByteLevel steps one after the other; one makes letters of bytes`);
  if (steps.length > MAX_STEPS)
    throw new Error(`it has ${steps.length} steps one after the other; at most ${MAX_STEPS}`);
}

const stepsOf = (part: PreTokenizer | null | undefined): PreTokenizer[] => {
  const inner = part?.pretokenizers ?? part?.normalizers;
  return Array.isArray(inner) ? inner.flatMap(stepsOf) : part ? [part] : [];
};

/**
 * @huggingface/tokenizers' Digits knows 0 to 9 only, Python's every Unicode number ("½", "٣", "Ⅷ"): a Split says the
 * same as Python's.
 */
function withUnicodeDigits(json: TokenizerJson): TokenizerJson {
  const replaced = (p: PreTokenizer): PreTokenizer & Record<string, unknown> => {
    if (p.pretokenizers) return { ...p, pretokenizers: p.pretokenizers.map(replaced) };
    return p.type === 'Digits'
      ? {
          type: 'Split',
          pattern: { Regex: p.individual_digits ? '\\p{N}' : '\\p{N}+' },
          behavior: 'Isolated',
          invert: false,
        }
      : { ...p };
  };
  return json.pre_tokenizer ? { ...json, pre_tokenizer: replaced(json.pre_tokenizer) } : json;
}

const readable = (bytes: Uint8Array): string =>
  asText(bytes) ??
  [...bytes].map((b) => (b < 128 ? String.fromCharCode(b) : `\\x${b.toString(16).padStart(2, '0')}`)).join('');

/** Null: not whole characters. */
function asText(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** GPT-2's printable stand-in -> byte. */
function byteLevelInverse(): Map<string, number> {
  const map = new Map<string, number>();
  let extra = 0;
  for (let b = 0; b < 256; b++) {
    const printable = (b >= 33 && b <= 126) || (b >= 161 && b <= 172) || b >= 174;
    map.set(String.fromCodePoint(printable ? b : 256 + extra++), b);
  }
  return map;
}
