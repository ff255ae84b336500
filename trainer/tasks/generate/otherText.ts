/** A text beside the ones that are known. */
import { Random } from '../../base/random';
import { associatedValue, siblingValue } from './associations/associatedValue';
import type { Draw } from './draw';
import { business, inventedName, lastName } from './everydayValues';

/** Of texts that may be any, so many are names that nobody knows. */
const INVENTED = 0.1;
/**
 * Of a text that may be any: a name that nobody knows; a word beside those that are shown or that people usually give;
 * where nothing is known, words near the parameter's. null: what is known is taken.
 */
export function drawOther(near: string[], known: readonly string[], usual: Draw | null, random: Random): string | null {
  if (random.next() < INVENTED) return inventedName(random);
  if (known.length === 0 && !usual) return associatedValue(near, random);
  if (random.next() >= (known.length > 0 ? BESIDE_SHOWN : BESIDE_USUAL)) return null;
  // of names no word is beside
  if (known.length === 0)
    return siblingValue(
      usualOnes(usual!).filter((one) => /^[a-z ]+$/.test(one)),
      random,
    );
  // of "uber" no word is known: it is a name
  return siblingValue(known, random) ?? random.pick([usual ?? business, inventedName, lastName])(random);
}
/** So often a word beside the ones that are shown: "such as rain" is also mist. */
const BESIDE_SHOWN = 0.35;
const BESIDE_USUAL = 0.12;

/** A word beside the ones shown, written as they are. */
export function besideShown(known: readonly string[], random: Random): string | null {
  const word = siblingValue(known, random);
  const isCapital = known.every((value) => /^\p{Lu}/u.test(value));
  return word !== null && isCapital ? word.charAt(0).toUpperCase() + word.slice(1) : word;
}

const usualOf = new WeakMap<Draw, readonly string[]>();

/** Always the same few of what people usually give. */
function usualOnes(draw: Draw): readonly string[] {
  const random = Random.fromSeed('usual');
  if (!usualOf.has(draw)) usualOf.set(draw, [...new Set(Array.from({ length: 12 }, () => draw(random)))]);
  return usualOf.get(draw)!;
}
