/**
 * A day with a time ("2026-05-05T15:00"), as people say it: "tomorrow at 3 pm" where the text states today, "May 5,
 * 2026 at half past two". Both ways, as restate.ts.
 */
import type { Random } from './random';
import { datesFromToday, fromToday, todaySaid } from './relativeDates';
import { datesSaid, restate, timesSaid } from './restate';

/** With or without seconds and the letter of UTC. */
const MOMENT = '(\\d{4}-\\d\\d-\\d\\d)[T ](\\d\\d:\\d\\d)(?::00(?:\\.0+)?)?Z?';
const WHOLE = new RegExp(`^${MOMENT}$`);
const IN_TEXT = new RegExp(`(?:\\b(on|at|around) )?(?<![\\w-])${MOMENT}(?![\\w:-])`, 'g');
/** A day as it stands in a text. */
export const DAY = /(?<![\w-])\d{4}-\d\d-\d\d(?![\w-])/g;
const NOW = /\b(today|tonight|this (morning|afternoon|evening))\b/gi;
const TIME = /(?<![\d:.T-])(?:[01]\d|2[0-3]):[0-5]\d(?![\d:]|\s?[ap]\.?m)/gi;

/** Day and time of a moment; null: it is none. */
export function partsOfMoment(value: string): { day: string; time: string } | null {
  const [, day, time] = WHOLE.exec(value) ?? [];
  return day !== undefined && time !== undefined && !Number.isNaN(Date.parse(day)) ? { day, time } : null;
}

/** Moments (yyyy-mm-ddThh:mm) that a text may mean: each day that it says with each of its times. */
export function momentsSaid(text: string): string[] {
  const days = new Set([...(text.match(DAY) ?? []), ...datesSaid(text), ...datesFromToday(text)]);
  const today = todaySaid(text);
  // "Today is 2026-05-04. Come tomorrow" speaks of one day
  if (today !== null && days.size > 1 && (text.match(NOW) ?? []).length < 2) days.delete(today);
  const times = new Set([...(text.match(TIME) ?? []), ...timesSaid(text)]);
  return [...days].flatMap((day) => [...times].map((time) => `${day}T${time}`));
}

/** Does the text say the moment's day, and its time? */
export function saysMoment(text: string, value: string): boolean {
  const parts = partsOfMoment(value);
  return parts !== null && momentsSaid(text).includes(`${parts.day}T${parts.time}`);
}

/**
 * The text with its moments in words: all from some today, with the sentence that states it, or by the calendar. Of
 * two on one day the second needs no day: "tomorrow at 3 pm to 5 pm". null: it says none, or, from a today, not of one
 * day.
 */
export function sayMoments(
  text: string,
  random: Random,
  isFromToday: boolean,
): { said: string; stated: string | null } | null {
  const days = new Set([...text.matchAll(IN_TEXT)].map((match) => match[2]!));
  const [first] = days;
  if (first === undefined || [...days].some((day) => Number.isNaN(Date.parse(day)))) return null;
  if (isFromToday && days.size > 1) return null;
  const fromThen = isFromToday ? fromToday(first, random) : null;
  let last = '';
  const said = text.replace(IN_TEXT, (_, before: string | undefined, day: string, time: string) => {
    const spoken = timeWords(time, random);
    const at = before === undefined ? '' : 'at ';
    if (day === last) return at + spoken;
    last = day;
    const words = fromThen?.said ?? restate(day, random)!;
    return `${at !== '' && /^(\p{Lu}|\d|the \d)/u.test(words) ? 'on ' : ''}${words} at ${spoken}`;
  });
  return { said, stated: fromThen?.stated ?? null };
}

const timeWords = (time: string, random: Random): string => (random.next() < 0.7 && restate(time, random)) || time;
