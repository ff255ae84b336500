/** Two arguments between which a stretch lies: from when to when, from how much to how much. */
import type { Random } from '../../base/random';
import type { Arguments } from '../../protocol/arguments';
import { splitWords } from '../../tools/schema/words';

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
const DAY = /^\d{4}-\d{2}-\d{2}$/;
const TIME_OF_DAY = /^\d{2}:\d{2}/;
const MOMENT = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2})(.*)$/;
const FAR_DAYS = 40;
/** So often what lies far apart becomes a stay, or a stretch of the day. */
const NEAR = 0.8;
/** Of moments on different days. */
const SAME_DAY = 0.95;
const MS_A_MINUTE = 60_000;
const MS_A_DAY = 86_400_000;

interface Span {
  start: string;
  end: string;
  low: number | string;
  high: number | string;
}

/** A start that lies after its end changes places with it; days that lie far apart mostly become a stay. */
export function inOrder(args: Arguments, random: Random): Arguments {
  const span = spanIn(args);
  if (span === null) return args;
  const { start, end } = span;
  const [low, high] = span.low > span.high ? [span.high, span.low] : [span.low, span.high];
  return { ...args, [start]: low, [end]: near(low, high, random) };
}

/** False where a start lies after its end. */
export function isInOrder(args: Arguments): boolean {
  const span = spanIn(args);
  return span === null || span.low <= span.high;
}

/** null: there is no such pair, or its values are none that one is before the other of. */
function spanIn(args: Arguments): Span | null {
  const names = Object.keys(args);
  const start = names.find((name) => STARTS.test(name));
  const end = names.find((name) => ENDS.test(name));
  const pair = start !== undefined && end !== undefined ? ([start, end] as const) : pairOf(names);
  if (!pair) return null;
  const [low, high] = pair.map((name) => args[name]);
  const isComparable =
    (typeof low === 'number' && typeof high === 'number') ||
    (typeof low === 'string' && typeof high === 'string' && WHEN.test(low) && areAlike(low, high));
  return isComparable ? { start: pair[0], end: pair[1], low: low as string, high: high as string } : null;
}

const areAlike = (low: string, high: string): boolean =>
  WHEN.test(high) && TIME_OF_DAY.test(low) === TIME_OF_DAY.test(high);

/** Two names that are the same but for one word. */
function pairOf(names: readonly string[]): readonly [string, string] | null {
  const split = names.map((name) => splitWords(name));
  for (const [i, words] of split.entries())
    for (const [j, others] of split.entries()) {
      if (i === j || words.length !== others.length) continue;
      const differing = words.flatMap((word, k) => (word === others[k] ? [] : [[word, others[k]!] as const]));
      if (differing.length === 1 && ENDS_OF[differing[0]![0]]?.test(differing[0]![1])) return [names[i]!, names[j]!];
    }
  return null;
}

/** The end, or one that is nearer to the start. */
function near(low: Span['low'], high: Span['high'], random: Random): Span['high'] {
  const [from, to] = [String(low), String(high)];
  if (DAY.test(from) && DAY.test(to))
    return Date.parse(to) - Date.parse(from) > FAR_DAYS * MS_A_DAY && random.next() < NEAR
      ? iso(Date.parse(from) + (1 + random.int(21)) * MS_A_DAY).slice(0, 10)
      : high;
  const moment = MOMENT.exec(from);
  if (!moment || !MOMENT.test(to) || from.slice(0, 10) === to.slice(0, 10) || random.next() >= SAME_DAY) return high;
  const minutes = random.pick([30, 45, 60, 90, 120, 180]);
  return iso(Date.parse(`${moment[1]}Z`) + minutes * MS_A_MINUTE).slice(0, 16) + moment[2];
}

const iso = (ms: number): string => new Date(ms).toISOString();
