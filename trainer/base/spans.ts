/** Two arguments between which a stretch lies: from when to when, from how much to how much. */
import { splitWords } from './words';

const STARTS = /^(start|begin|from|since|after|earliest|min|first)/i;
const ENDS = /^(end|until|to|before|latest|max|last)/i;
/** Words in which the names of a pair differ: checkIn and checkOut, pickup_date and dropoff_date. */
const ENDS_OF: Readonly<Record<string, RegExp>> = {
  in: /^out$/,
  checkin: /^checkout$/,
  open: /^clos(e|ing)$/,
  opens: /^closes$/,
  opening: /^closing$/,
  pickup: /^(dropoff|return)$/,
  depart: /^return$/,
  departure: /^return$/,
  outbound: /^(return|inbound)$/,
};
/** A day, perhaps with a time, or a time of day. */
const WHEN = /^(\d{4}-\d{2}|\d{2}:\d{2}(:\d{2})?$)/;
const TIME_OF_DAY = /^\d{2}:\d{2}/;

/** Names of the start and the end; null: there is no such pair. */
export function spanNames(all: readonly string[]): readonly [start: string, end: string] | null {
  // first and last name are no stretch, and would hide the one beside them
  const names = all.filter((name) => !/name$/i.test(name));
  const start = names.find((name) => STARTS.test(name));
  const end = names.find((name) => ENDS.test(name));
  if (start !== undefined && end !== undefined) return [start, end];
  const split = names.map((name) => splitWords(name));
  for (const [i, words] of split.entries())
    for (const [j, others] of split.entries())
      if (i !== j && differInEnds(words, others)) return [names[i]!, names[j]!];
  return null;
}

/** Are they the same but for one word, which says that the second is the end? */
function differInEnds(words: readonly string[], others: readonly string[]): boolean {
  if (words.length !== others.length) return false;
  const at = words.findIndex((word, k) => word !== others[k]);
  return (
    at >= 0 && words.every((word, k) => k === at || word === others[k]) && !!ENDS_OF[words[at]!]?.test(others[at]!)
  );
}

/** Is the one before the other, both days or both times of a day? null: they are not to be compared. */
export function isBefore(low: unknown, high: unknown): boolean | null {
  if (typeof low === 'number' && typeof high === 'number') return low < high;
  if (typeof low !== 'string' || typeof high !== 'string' || !WHEN.test(low) || !WHEN.test(high)) return null;
  return TIME_OF_DAY.test(low) === TIME_OF_DAY.test(high) ? low < high : null;
}
