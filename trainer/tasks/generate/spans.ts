/** Of a stretch from when to when, or from how much to how much, the start lies before the end. */
import type { Random } from '../../base/random';
import { isBefore, spanNames } from '../../base/spans';
import type { Arguments } from '../../protocol/arguments';

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const MOMENT = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2})(.*)$/;
const FAR_DAYS = 40;
/** So often what lies far apart becomes a stay. */
const NEAR = 0.8;
/** So often moments on different days become a stretch of one. */
const SAME_DAY = 0.95;
const MS_A_MINUTE = 60_000;
const MS_A_DAY = 86_400_000;

/** A start that lies after its end changes places with it; what lies far apart mostly becomes a stay. */
export function inOrder(args: Arguments, random: Random): Arguments {
  const names = spanNames(Object.keys(args));
  if (names === null) return args;
  const [start, end] = names;
  const isTurned = isBefore(args[end], args[start]);
  if (isTurned === null) return args;
  const [low, high] = isTurned ? [args[end], args[start]] : [args[start], args[end]];
  return { ...args, [start]: low, [end]: near(low, high, random) };
}

/** False where a start lies after its end. */
export function isInOrder(args: Arguments): boolean {
  const names = spanNames(Object.keys(args));
  return names === null || isBefore(args[names[1]], args[names[0]]) !== true;
}

/** The end, or one that is nearer to the start. */
function near(low: unknown, high: unknown, random: Random): unknown {
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
