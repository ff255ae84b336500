import { UserError } from '../../../protocol/result';
import type { Tokenizer } from '../../tokenizer/tokenizer';
import { stepBytes, type ByteState } from './jsonBytes';

const made = new WeakMap<Tokenizer, ByteVocabulary>();

/** The vocabulary of a tokenizer; made once for each. @throws UserError where it is no byte-level BPE */
export function byteVocabulary(tokenizer: Tokenizer): ByteVocabulary {
  let vocabulary = made.get(tokenizer);
  if (!vocabulary) made.set(tokenizer, (vocabulary = new ByteVocabulary(tokenizer)));
  return vocabulary;
}

/**
 * All tokens that are text, sorted by their bytes, so that those with a common beginning lie side by side and what
 * refuses the beginning refuses them all:
 * a trie without nodes.
 */
class ByteVocabulary {
  private readonly ids: Int32Array;
  private readonly bytes: readonly Uint8Array[];
  /** bytes in common with the token before */
  private readonly shared: Int32Array;
  private last: { states: readonly ByteState[]; first: number | null; allowed: Int32Array } | null = null;

  constructor(private readonly tokenizer: Tokenizer) {
    const tokens = Array.from({ length: tokenizer.vocabSize }, (_, id) => ({
      id,
      bytes: tokenizer.tokenBytes(id),
    })).filter((token): token is { id: number; bytes: Uint8Array } => token.bytes !== null && token.bytes.length > 0);
    const alone = new Set(tokens.flatMap(({ bytes }) => (bytes.length === 1 ? [bytes[0]] : [])));
    const missing = Array.from({ length: 95 }, (_, i) => 32 + i).find((byte) => !alone.has(byte));
    if (missing !== undefined)
      throw new UserError(
        'config',
        `tokenizer: no token is the character '${String.fromCharCode(missing)}' alone, so it is no byte-level BPE`,
        'take a model with such a tokenizer (SmolLM2, Llama 3, Qwen 2 and 3)',
      );
    tokens.sort((a, b) => Buffer.compare(a.bytes, b.bytes));
    this.ids = Int32Array.from(tokens, ({ id }) => id);
    this.bytes = tokens.map(({ bytes }) => bytes);
    this.shared = Int32Array.from(tokens, ({ bytes }, i) => (i === 0 ? 0 : inCommon(tokens[i - 1]!.bytes, bytes)));
  }

  /** Bytes of a token; null: a mark, or none at all */
  bytesOf(id: number): Uint8Array | null {
    return this.tokenizer.tokenBytes(id);
  }

  /** A text as the tokenizer cuts it; null where its tokens are not the text's bytes (a mark, a normaliser). */
  encode(text: string): number[] | null {
    const ids = this.tokenizer.encode(text);
    const parts = ids.map((id) => this.bytesOf(id));
    return parts.every((part) => part !== null) &&
      Buffer.concat(parts as Uint8Array[]).equals(Buffer.from(text, 'utf8'))
      ? ids
      : null;
  }

  /** Ids that may follow, ascending. @param first only those that begin with this byte */
  allowed(states: readonly ByteState[], first: number | null): Int32Array {
    if (this.last?.states !== states || this.last.first !== first)
      this.last = { states, first, allowed: this.walk(states, first) };
    return this.last.allowed;
  }

  private walk(states: readonly ByteState[], first: number | null): Int32Array {
    const out: number[] = [];
    /** where the beginning of the token at hand leads, byte by byte */
    const path: (readonly ByteState[])[] = [states];
    let refused = Infinity; // the byte at which a token was refused; all that share it are, too
    for (let i = 0; i < this.ids.length; i++) {
      const from = this.shared[i]!;
      if (from > refused) continue;
      refused = Infinity;
      const bytes = this.bytes[i]!;
      for (let at = from; at < bytes.length; at++) {
        const next = at === 0 && first !== null && bytes[0] !== first ? [] : stepBytes(path[at]!, bytes[at]!);
        if (next.length === 0) {
          refused = at;
          break;
        }
        path[at + 1] = next;
      }
      if (refused === Infinity) out.push(this.ids[i]!);
    }
    return Int32Array.from(out).sort();
  }
}
export type { ByteVocabulary };

function inCommon(a: Uint8Array, b: Uint8Array): number {
  let n = 0;
  while (n < a.length && n < b.length && a[n] === b[n]) n++;
  return n;
}
