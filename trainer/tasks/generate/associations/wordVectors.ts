import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** n noun, s plural noun, v verb, d its past, g its -ing form, a adjective. */
export type WordKind = 'n' | 's' | 'v' | 'd' | 'g' | 'a';

export interface WordVectors {
  /** by falling frequency */
  words: readonly string[];
  /** of each word: "nv" */
  kinds: readonly string[];
  /** [word, direction], 8 bits, each row scaled to its largest number */
  vectors: Int8Array;
  dimensions: number;
  /** of each word's vector */
  lengths: Float64Array;
  indexOf(word: string): number | undefined;
}

let loaded: WordVectors | null = null;

/**
 * What words mean, as near as 12,000 directions tell it: a sentence encoder's vector of each word alone, reduced to 128
 * numbers (Model2Vec; made by makeWordVectors.py from all-MiniLM-L6-v2, Apache-2.0). 1.5 MB, read at the first use.
 *
 * @throws Error where the files that ship with Coach are not there
 */
export function wordVectors(): WordVectors {
  return (loaded ??= read());
}

function read(): WordVectors {
  const folder = [__dirname, join(__dirname, '..', 'words')].find((path) => existsSync(join(path, 'words.int8')));
  if (!folder) throw new Error(`wordVectors: words.int8 is neither in ${__dirname} nor in ../words beside it`);
  const lines = readFileSync(join(folder, 'words.txt'), 'utf8').trimEnd().split('\n');
  const words = lines.map((line) => line.slice(0, line.indexOf(' ')));
  const vectors = new Int8Array(readFileSync(join(folder, 'words.int8')));
  const indices = new Map(words.map((word, i) => [word, i]));
  const dimensions = vectors.length / words.length;
  const lengthOf = (word: number): number =>
    Math.sqrt(vectors.subarray(word * dimensions, (word + 1) * dimensions).reduce((sum, x) => sum + x * x, 0));
  return {
    words,
    kinds: lines.map((line) => line.slice(line.indexOf(' ') + 1)),
    vectors,
    dimensions,
    lengths: Float64Array.from(words, (_, word) => lengthOf(word)),
    indexOf: (word) => indices.get(word),
  };
}
