/** Days that a text counts from a today that it states: "Today is 2026-05-04. What is free tomorrow?" Both ways. */
import { numbersSaid, numberWords } from './numbersSaid';
import type { Random } from './random';
import { datesSaid } from './restate';

export const WEEKDAYS = 'sunday monday tuesday wednesday thursday friday saturday'.split(' ');
const MS_A_DAY = 86_400_000;
const ISO = '\\d{4}-\\d\\d-\\d\\d';

const after = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * MS_A_DAY).toISOString().slice(0, 10);
const weekdayOf = (day: string): number => new Date(day).getUTCDay();
/** How many days it is until then, 1 to 7. */
const until = (day: string, weekday: number): number => ((weekday - weekdayOf(day) + 6) % 7) + 1;

const STATED = [
  /\btoday(?:'s| is|:|,)[ ,]*((?:\w+day[ ,]+)?(?:the )?[^.;!?\n]{0,30})/i,
  /\b(?:it is|it's)[ ,]*([^.;!?\n]{0,40}) today\b/i,
];

/** The day that a text says is today; null: none. */
export function todaySaid(text: string): string | null {
  for (const pattern of STATED) {
    const said = pattern.exec(text)?.[1];
    const day = said && (new RegExp(ISO).exec(said)?.[0] ?? datesSaid(said)[0]);
    if (day && !Number.isNaN(Date.parse(day))) return day;
  }
  return null;
}

const WEEKDAY = `(${WEEKDAYS.join('|')})`;

/** Days (yyyy-mm-dd) that a text names from the today that it states; [] where it states none. */
export function datesFromToday(text: string): string[] {
  const today = todaySaid(text);
  if (today === null) return [];
  const out = new Set<string>();
  const add = (days: number): void => void out.add(after(today, days));
  if (/\bday after tomorrow\b/i.test(text)) add(2);
  else if (/\btomorrow\b/i.test(text)) add(1);
  if (/\bday before yesterday\b/i.test(text)) add(-2);
  else if (/\byesterday\b|\blast night\b/i.test(text)) add(-1);
  for (const [, which = '', weekday] of text.matchAll(new RegExp(`\\b(last |next )?${WEEKDAY}\\b`, 'gi'))) {
    const days = until(today, WEEKDAYS.indexOf(weekday!.toLowerCase()));
    // "today is Monday" names no other day
    if (which !== '' || days < 7) add(/last/i.test(which) ? days - 7 : days);
  }
  for (const [, count, unit, ago] of text.matchAll(
    /\b(?:in )?(\d{1,2}|an?|one|two|three|four|five|six|seven|ten) (days?|weeks?)( ago| from (?:now|today))?\b/gi,
  )) {
    const n = /^\d/.test(count!) ? Number(count) : (numbersSaid(count!)[0] ?? 1);
    add((/^w/i.test(unit!) ? 7 * n : n) * (ago?.trim() === 'ago' ? -1 : 1));
  }
  out.delete(today);
  return [...out];
}

/** A day as it is said from some today, and the sentence that states that. */
export function fromToday(day: string, random: Random): { said: string; stated: string } {
  const [days, said] = random.pick<[number, string | null]>([
    [0, 'today'],
    [1, 'tomorrow'],
    [1, 'tomorrow'],
    [1, 'tomorrow'],
    [2, 'the day after tomorrow'],
    [2 + random.int(5), null],
    [2 + random.int(5), null],
    [2 + random.int(5), `in ${numberWords(2 + random.int(5))} days`],
  ]);
  const named = WEEKDAYS[weekdayOf(day)]!;
  const weekday = named.charAt(0).toUpperCase() + named.slice(1);
  const counted = said?.startsWith('in ') ? numbersSaid(said)[0]! : days;
  const today = after(day, -counted);
  return {
    said: said ?? `${random.pick(['', 'this ', 'next '])}${weekday}`.trim(),
    stated: statedToday(today, random),
  };
}

function statedToday(today: string, random: Random): string {
  const weekday = WEEKDAYS[weekdayOf(today)]!;
  const day = weekday.charAt(0).toUpperCase() + weekday.slice(1);
  return random.pick([
    `Today is ${today}.`,
    `Today is ${today}.`,
    `Today is ${day}, ${today}.`,
    `It's ${today} today.`,
    `Today: ${today}.`,
  ]);
}
