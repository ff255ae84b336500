/**
 * Spans of time said in another unit than they are asked for in: "two weeks" of days, "half an hour" of minutes. Both
 * ways, as restate.ts.
 */
import type { Random } from './random';
import { numbersSaid, numberWords } from './numbersSaid';

const SECONDS = { second: 1, minute: 60, hour: 3600, day: 86_400, week: 604_800, month: 2_592_000, year: 31_536_000 };
export type TimeUnit = keyof typeof SECONDS;
const UNITS = Object.keys(SECONDS) as TimeUnit[];
const UNIT = '(seconds?|secs?|minutes?|mins?|hours?|hrs?|days?|nights?|weeks?|fortnights?|months?|years?)';

/** "a year" is twelve months, not 12.17 of thirty days. */
function inUnit(count: number, said: TimeUnit, asked: TimeUnit): number {
  if (said === 'year' && asked === 'month') return count * 12;
  if (said === 'month' && asked === 'year') return count / 12;
  return (count * SECONDS[said]) / SECONDS[asked];
}

function unitNamed(word: string): TimeUnit | null {
  const name = word.toLowerCase().replace(/s$/, '');
  const short: Readonly<Record<string, TimeUnit>> = { sec: 'second', min: 'minute', hr: 'hour', night: 'day' };
  return short[name] ?? UNITS.find((unit) => unit === name) ?? null;
}

/** "How many hours or pieces" is no span of time. */
const TOLD = new RegExp(`(?:\\b(?:in|how many|number of|whole) |^)${UNIT}\\b(?! or (?!${UNIT}))`, 'i');

/**
 * The unit of a number, by its name ("days", "durationMinutes"), else by what its description says of it ("in
 * minutes", "how many days"). Null: none is named.
 */
export function timeUnitOf(name: string, description: unknown): TimeUnit | null {
  const words = name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/);
  const isSpan = words.some((word) => /^(duration|length|delay|timeout|period|interval|ttl)$/.test(word));
  const named = words.map((word) => (/s$/.test(word) || isSpan ? unitNamed(word) : null)).find(Boolean);
  if (named) return named;
  const told = TOLD.exec(typeof description === 'string' ? description : '');
  return told && /s$/i.test(told[1]!) ? unitNamed(told[1]!) : null;
}

/** Of work that is logged or billed two days are no 48 hours. @param about words of the tool, in the singular */
export const isWorked = (about: readonly string[]): boolean => about.some((word) => WORKED.test(word));
const WORKED = /^(log|track|work|worked|timesheet|overtime|shift|billable|invoice|hourly)$/;

const UNIT_SAID = new RegExp(`\\b${UNIT}\\b(\\s+and a half)?`, 'gi');
const END = '(\\s+and a half)?(?: more| full| whole)?\\s+$';
/** How many, as it stands before the unit: in digits, in words of two, "half an", "another", in one word. */
const COUNTS = [
  '(\\d+(?:[.,]\\d+)?)',
  '\\b([a-z]+[ -][a-z]+)',
  '\\b(half(?: an?)?|(?:a )?quarter of an?|another|an?|one)',
  '\\b([a-z]+)',
].map((count) => new RegExp(count + END, 'i'));
/** "once a week" and "8 a day" tell how often. */
const OFTEN = /(?:\b(?:once|twice|times|every|per)|\d)\s+an?\s+$/i;

/**
 * What a text says of a span of time. @param asked null: in each unit that there is
 * @returns in: in the unit that is asked for; other: counts of another unit, which are none of this one
 */
export function durationsSaid(text: string, asked: TimeUnit | null): { in: number[]; other: number[] } {
  const found = new Set<number>();
  const other = new Set<number>();
  for (const match of text.matchAll(UNIT_SAID)) {
    const counted = countBefore(text.slice(Math.max(0, match.index - 40), match.index));
    if (counted === null) continue;
    const isFortnight = /^fortnight/i.test(match[1]!);
    const said = isFortnight ? 'week' : unitNamed(match[1]!)!;
    const half = match[2] || counted.isAndAHalf ? 0.5 : 0;
    const amount = (counted.n + half) * (isFortnight ? 2 : 1);
    for (const unit of asked ? [asked] : UNITS) {
      const value = inUnit(amount, said, unit);
      if (Number.isInteger(value * 4)) found.add(value);
      if (unit !== said) other.add(counted.n);
    }
  }
  for (const n of found) other.delete(n);
  return { in: [...found], other: [...other] };
}

/** Null: it is no count, or tells how often. */
function countBefore(text: string): { n: number; isAndAHalf: boolean } | null {
  if (OFTEN.test(text)) return null;
  for (const [form, pattern] of COUNTS.entries()) {
    const [, said, half] = pattern.exec(text) ?? [];
    const n = said === undefined ? undefined : countOf(said.toLowerCase(), form);
    if (n !== undefined) return { n, isAndAHalf: half !== undefined };
  }
  return null;
}

function countOf(said: string, form: number): number | undefined {
  if (form === 0) return Number(said.replace(',', '.'));
  if (form === 2) return said.startsWith('half') ? 0.5 : said.includes('quarter') ? 0.25 : 1;
  return /^(a|and) half$/.test(said) ? undefined : numbersSaid(said.replace(/ of$/, '')).at(-1);
}

/** Null: people would say it in its own unit. The text says the value for `durationsSaid`. */
export function durationWords(value: number, unit: TimeUnit, random: Random): string | null {
  const ways = UNITS.flatMap((other): string[] => {
    if (SECONDS[other] <= SECONDS[unit] || (unit === 'week' && other === 'month')) return [];
    const whole = other === 'year' && unit === 'month' ? 12 : SECONDS[other] / SECONDS[unit];
    const count = value / whole;
    if (count === 1) return [`${article(other)} ${other}`, `${article(other)} ${other}`, `one ${other}`];
    if (count === 0.5 && other !== 'week' && other !== 'month') return [`half ${article(other)} ${other}`];
    if (count === 1.5 && other !== 'week') return [`${article(other)} ${other} and a half`];
    return Number.isInteger(count) && count > 1 && count < 9
      ? [`${numberWords(count)} ${other}s`, `${count} ${other}s`]
      : [];
  });
  if (unit === 'day' && value === 14) ways.push('a fortnight');
  return ways.length > 0 ? random.pick(ways) : null;
}

const article = (unit: TimeUnit): string => (unit === 'hour' ? 'an' : 'a');

/** Numbers of a unit that people say in a larger one. */
export const ROUND_DURATIONS: Readonly<Partial<Record<TimeUnit, readonly number[]>>> = {
  second: [30, 60, 90, 120, 300],
  minute: [30, 60, 90, 120, 180],
  hour: [24, 48, 72],
  day: [7, 14, 21, 28, 30],
  month: [6, 12, 24],
};
