import { singular } from '../../../tools/schema/words';
import type { Random } from '../../../base/random';
import { siblingsOf, wordsNear } from './associations';
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

/** "preferred airline" is an airline. */
const SAYS_NOTHING = new Set(
  'preferred desired wanted given new optional exact full current specific chosen selected requested own other'.split(
    ' ',
  ),
);

const known = new Map<string, ReturnType<typeof wordsNear>>();

/**
 * One to three words that lie near a parameter's name and description, for a text of which nothing else is known.
 * "transport, such as train": bus, night train. null: no word of it is known, or none of the shape is near.
 */
export function associatedValue(text: readonly string[], random: Random): string | null {
  const telling = text.filter((word) => !SAYS_NOTHING.has(word));
  const key = telling.join(' ');
  if (!known.has(key)) known.set(key, wordsNear(telling));
  const near = known.get(key)!;
  if (!near) return null;
  const words = random.pick(SHAPES).map((kind) => near(kind, random));
  const isOdd = words.some(
    (word, i) => word === null || text.includes(word) || text.includes(singular(word)) || words.indexOf(word) < i,
  );
  return isOdd ? null : words.join(' '); // a style is not called "style"
}

const siblings = new Map<string, readonly string[]>();

/**
 * A word beside the ones that are shown: of "restaurant, pub, diner" cafe or tavern. null: none of them is known, or
 * none lies near.
 */
export function siblingValue(shown: readonly string[], random: Random): string | null {
  const words = shown.map((text) => text.toLowerCase()).filter((text) => /^[a-z]+$/.test(text));
  const key = words.join(' ');
  if (!siblings.has(key)) siblings.set(key, words.length === 0 ? [] : siblingsOf(words));
  const found = siblings.get(key)!;
  return found.length === 0 ? null : random.pick(found);
}
