/** Are the values that a description shows all that there are, or some of many? */
import type { JsonSchema } from '../../protocol/task';

/** Nothing is known, or examples ("such as rain"), which are not all; a list ("stars or points") is. */
export const isOpen = (known: readonly unknown[], { description }: JsonSchema): boolean =>
  known.length === 0 ||
  (isShownOnly(known) && SHOWS.test(String(description))) ||
  isExampleOnly(known, { description });

/** "e.g. Berlin": a name that only the description holds is one of many. */
export const isExampleOnly = (known: readonly unknown[], { description }: JsonSchema): boolean =>
  typeof description === 'string' &&
  SHOWS.test(description) &&
  known.every((value) => typeof value === 'string' && /^[\p{L} .,_/'’-]+$/u.test(value) && description.includes(value));

/** All that there are stand in the description. */
export const CLOSED = /\b(one of|any of|either|must be|allowed|options?|choices?)\b/i;
export const SHOWS = /\bsuch as|\be\.\s?g|\bfor (example|instance)|\blike\b/i;

/** A few plain words, as a description shows them ("such as rain, fog"), are not all that may be given. */
export const isShownOnly = (known: readonly unknown[]): boolean =>
  known.length <= 4 && known.every((value) => typeof value === 'string' && /^[a-z ]+$/.test(value));
/** "stars or points" are nearly all that there are. */
export const isListed = (known: readonly string[], description: string): boolean =>
  known.length > 1 && !SHOWS.test(description) && known.every((value) => description.includes(value));
