import { termsOf } from './keywordIndex';
import { termDirection } from './termDirection';
import { product, type Embedder } from './vectorIndex';

/** How near two texts are, -1..1; 0 where nothing is known of one of them. */
export type Nearness = (a: string, b: string) => number;

/** Texts that are kept with their direction; of more, all are computed again. */
const MOST_KEPT = 4096;

/** The cosine of two texts' directions by a sentence encoder; without one that of how often they have each word. */
export const nearness = (embedder: Embedder | null): Nearness =>
  embedder ? byDirections((text) => embedder.embed(text), product) : byDirections(wordDirection, productOfWords);

function byDirections<T>(directionOf: (text: string) => T | null, cosine: (a: T, b: T) => number): Nearness {
  const kept = new Map<string, T | null>();
  const keptDirection = (text: string): T | null => {
    const known = kept.get(text);
    if (known !== undefined) return known;
    const direction = directionOf(text);
    if (kept.size >= MOST_KEPT) kept.clear();
    kept.set(text, direction);
    return direction;
  };
  return (a, b) => {
    const [left, right] = [keptDirection(a), keptDirection(b)];
    return left === null || right === null ? 0 : cosine(left, right);
  };
}

type WordCounts = ReadonlyMap<string, number>;

/** null: no word of it tells anything. */
function wordDirection(text: string): WordCounts | null {
  const direction = termDirection(termsOf(text));
  return direction.size === 0 ? null : direction;
}

const productOfWords = (a: WordCounts, b: WordCounts): number =>
  [...a].reduce((sum, [word, count]) => sum + count * (b.get(word) ?? 0), 0);
