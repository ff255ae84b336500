import type { Random } from '../../../base/random';
import { wordsNear } from './associations';
import type { WordKind } from './wordVectors';

/** Of how many words of what kind a value is, the first ones oftener. */
const SHAPES: readonly (readonly WordKind[])[] = [
  ['n'],
  ['n'],
  ['n'],
  ['a', 'n'],
  ['a', 'n'],
  ['n', 'n'],
  ['n', 'n'],
  ['s'],
  ['a'],
  ['a', 'n', 'n'],
  ['n', 's'],
  ['g', 'n'],
];

const known = new Map<string, ReturnType<typeof wordsNear>>();

/**
 * One to three words that lie near a parameter's name and description, for a text of which nothing else is known.
 * "transport, such as train": bus, night train. null: no word of it is known, or none of the shape is near.
 */
export function associatedValue(text: readonly string[], random: Random): string | null {
  const key = text.join(' ');
  if (!known.has(key)) known.set(key, wordsNear(text));
  const near = known.get(key)!;
  if (!near) return null;
  const words = random.pick(SHAPES).map((kind) => near(kind, random));
  return words.includes(null) || new Set(words).size < words.length ? null : words.join(' ');
}
