/**
 * Trains the nano tokenizer: byte-level BPE over pieces. A piece is one camelCase part, one digit, one space or one
 * sign, so that a value has the
 * same tokens in a request, in a result and inside JSON: copying then is an induction head and not a learned mapping.
 */
export const PIECES = '[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[A-Z]|[0-9]|\\s|[^\\sA-Za-z0-9]';
export const SPECIALS = [
  '<|pad|>',
  '<|end|>',
  '<|tool|>',
  '<|system|>',
  '<|user|>',
  '<|assistant|>',
  '<|call|>',
  '<|result|>',
] as const;

/** GPT-2's printable stand-ins for bytes. */
function byteAlphabet(): string[] {
  const printable = [...Array(94).keys()]
    .map((i) => i + 33)
    .concat(
      [...Array(12).keys()].map((i) => i + 161),
      [...Array(82).keys()].map((i) => i + 174),
    );
  let extra = 0;
  return Array.from({ length: 256 }, (_, b) => String.fromCodePoint(printable.includes(b) ? b : 256 + extra++));
}

/** @param counts piece -> how often; @returns tokenizer.json as an object, `vocabSize` ids in all */
export function trainBpe(counts: Map<string, number>, vocabSize: number): Record<string, unknown> {
  const alphabet = byteAlphabet();
  const encoder = new TextEncoder();
  const words = [...counts].map(([piece, n]) => ({ n, parts: [...encoder.encode(piece)].map((b) => alphabet[b]) }));
  const merges: [string, string][] = [];
  const size = (): number => SPECIALS.length + alphabet.length + merges.length;
  while (size() < vocabSize) {
    const pairs = new Map<string, number>();
    for (const w of words)
      for (let i = 0; i + 1 < w.parts.length; i++) {
        const key = `${w.parts[i]} ${w.parts[i + 1]}`;
        pairs.set(key, (pairs.get(key) ?? 0) + w.n);
      }
    let best = '';
    let most = 0;
    for (const [key, n] of pairs) if (n > most || (n === most && key < best)) [best, most] = [key, n];
    if (most < 2) break;
    const [a, b] = best.split(' ') as [string, string];
    merges.push([a, b]);
    for (const w of words) {
      for (let i = 0; i + 1 < w.parts.length; i++)
        if (w.parts[i] === a && w.parts[i + 1] === b) w.parts.splice(i, 2, a + b);
    }
  }
  const vocab: Record<string, number> = {};
  SPECIALS.forEach((t, i) => (vocab[t] = i));
  alphabet.forEach((t, i) => (vocab[t] = SPECIALS.length + i));
  merges.forEach(([a, b]) => (vocab[a + b] ??= Object.keys(vocab).length));
  return {
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: SPECIALS.map((content, id) => ({
      id,
      content,
      single_word: false,
      lstrip: false,
      rstrip: false,
      normalized: false,
      special: true,
    })),
    normalizer: null,
    pre_tokenizer: {
      type: 'Sequence',
      pretokenizers: [
        { type: 'Split', pattern: { Regex: PIECES }, behavior: 'Isolated', invert: false },
        { type: 'ByteLevel', add_prefix_space: false, trim_offsets: true, use_regex: false },
      ],
    },
    post_processor: null,
    decoder: { type: 'ByteLevel', add_prefix_space: true, trim_offsets: true, use_regex: true },
    model: {
      type: 'BPE',
      dropout: null,
      unk_token: null,
      continuing_subword_prefix: null,
      end_of_word_suffix: null,
      fuse_unk: false,
      byte_fallback: false,
      ignore_merges: false,
      vocab,
      merges,
    },
  };
}
