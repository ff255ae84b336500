/** What each token adds to the text, for the panel's token view, from the run's tokenizer.json. Free of `vscode`. */
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { modelFolder } from '../processes/programs';

interface Vocabulary {
  texts: Map<number, string>;
  /** of tokens that were decoded before */
  known: Map<number, Piece>;
  /** tokens that stand for themselves, not for bytes */
  special: Set<number>;
  isByteLevel: boolean;
}

/** A token's bytes, and its text where it holds whole characters only; bytes null: it stands for itself. */
interface Piece {
  bytes: Uint8Array | null;
  whole: string | null;
}

const cache = new Map<string, Promise<Vocabulary>>();

/** For the token view: without the model's tokenizer the ids stand for themselves, and it is said why. */
export async function readTokens(
  model: string,
  nanoDir: string,
  ids: readonly number[],
): Promise<{ tokenTexts: string[]; tokensProblem?: string }> {
  try {
    return { tokenTexts: await tokenTexts(modelFolder(model, nanoDir), ids) };
  } catch (error) {
    return {
      tokenTexts: ids.map((id) => `<${id}>`),
      tokensProblem:
        `The tokens are shown by their ids, since the tokenizer of ${model} can't be read: ` +
        `${(error as Error).message}`,
    };
  }
}

/**
 * @returns one text per id; a character that several tokens share appears with its last one. An unknown id is shown as
 * <id>, one that was redacted (-1) as [redacted].
 */
export async function tokenTexts(modelDir: string, ids: readonly number[]): Promise<string[]> {
  let vocabulary = cache.get(modelDir);
  if (!vocabulary) {
    vocabulary = readVocabulary(path.join(modelDir, 'tokenizer.json'));
    cache.set(modelDir, vocabulary);
    vocabulary.catch(() => cache.delete(modelDir));
  }
  return decode(await vocabulary, ids);
}

async function readVocabulary(file: string): Promise<Vocabulary> {
  if (!(await stat(file)).isFile()) throw new Error(`${file} is no plain file`); // a pipe would never end
  const raw = JSON.parse(await readFile(file, 'utf8')) as {
    model: { vocab: Record<string, number> };
    added_tokens?: { id: number; content: string }[];
    decoder?: { type?: string; decoders?: { type?: string }[] };
  };
  const texts = new Map(Object.entries(raw.model.vocab).map(([text, id]) => [id, text]));
  const special = new Set<number>();
  for (const { id, content } of raw.added_tokens ?? []) {
    texts.set(id, content);
    special.add(id);
  }
  const decoders = [raw.decoder?.type, ...(raw.decoder?.decoders ?? []).map(({ type }) => type)];
  return { texts, known: new Map(), special, isByteLevel: decoders.includes('ByteLevel') };
}

function decode({ texts, known, special, isByteLevel }: Vocabulary, ids: readonly number[]): string[] {
  let decoder = new TextDecoder();
  let isOpen = false; // a character may have begun
  return ids.map((id) => {
    const text = texts.get(id);
    if (text === undefined) return id === -1 ? '[redacted]' : `<${id}>`;
    if (special.has(id)) {
      if (isOpen) decoder = new TextDecoder(); // a character never goes on across a special token
      isOpen = false;
      return text;
    }
    let piece = known.get(id);
    if (!piece) known.set(id, (piece = pieceOf(text, isByteLevel)));
    if (piece.whole !== null && (piece.bytes === null || !isOpen)) return piece.whole;
    isOpen = piece.whole === null;
    return decoder.decode(piece.bytes!, { stream: true });
  });
}

const whole = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function pieceOf(text: string, isByteLevel: boolean): Piece {
  if (!isByteLevel)
    return {
      bytes: null,
      whole: text
        .replaceAll('\u2581', ' ')
        .replace(/^<0x([0-9A-F]{2})>$/, (_, hex: string) => String.fromCharCode(parseInt(hex, 16))),
    };
  const numbers = [...text].map((character) => BYTES.get(character));
  if (numbers.some((byte) => byte === undefined)) return { bytes: null, whole: text };
  const bytes = Uint8Array.from(numbers as number[]);
  try {
    return { bytes, whole: whole.decode(bytes) };
  } catch {
    return { bytes, whole: null };
  }
}

/** GPT-2's table: printable bytes stand for themselves, the other 68 for characters from U+0100 on. */
const BYTES = new Map<string, number>();
for (let byte = 0, next = 0x100; byte < 256; byte++) {
  const isPrintable = (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || byte >= 174;
  BYTES.set(String.fromCodePoint(isPrintable ? byte : next++), byte);
}
