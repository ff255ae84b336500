/**
 * Values said in other words than the arguments': "eighteen" for 18, "March 14, 2026" for 2026-03-14, "half past two"
 * for 14:30. Both ways: a
 * request may say a value so, and a reader (the check of written tasks, the sampler that copies values) finds which
 * values a text says.
 */
import { numbersSaid, numberWords, UNITS } from './numbersSaid';
import type { Random } from './random';

const MONTHS = 'january february march april may june july august september october november december'.split(' ');

/**
 * A number, date or time as people say it; null where they would say it as it is. The text says the value for
 * `saysValue`.
 */
export function restate(value: unknown, random: Random): string | null {
  if (typeof value === 'number') return Math.abs(value) <= 100 ? numberWords(value) : null;
  if (typeof value !== 'string') return null;
  const date = /^(\d{4})-(\d\d)-(\d\d)$/.exec(value);
  if (date) return dateWords(Number(date[1]), Number(date[2]), Number(date[3]), random);
  const month = /^(\d{4})-(\d\d)$/.exec(value);
  if (month) return monthWords(month[1]!, Number(month[2]));
  const time = /^(\d\d):(\d\d)$/.exec(value);
  return time ? timeWords(Number(time[1]), Number(time[2]), random) : null;
}

function dateWords(year: number, month: number, day: number, random: Random): string | null {
  const name = MONTHS[month - 1];
  if (name === undefined) return null;
  const short = random.next() < 0.3 ? name.slice(0, 3) : name;
  const said = short.charAt(0).toUpperCase() + short.slice(1);
  return random.pick([
    `${said} ${day}, ${year}`,
    `${day} ${said} ${year}`,
    `the ${ordinal(day)} of ${said} ${year}`,
    `${said} ${ordinal(day)} ${year}`,
  ]);
}

function monthWords(year: string, month: number): string | null {
  const name = MONTHS[month - 1];
  return name === undefined ? null : `${name.charAt(0).toUpperCase()}${name.slice(1)} ${year}`;
}

function timeWords(hour: number, minute: number, random: Random): string | null {
  const twelve = hour % 12 === 0 ? 12 : hour % 12;
  const half = hour < 12 ? 'am' : 'pm';
  const plain = minute === 0 ? `${twelve}` : `${twelve}:${two(minute)}`;
  // "half past two" is in the afternoon; what is not in the day says so
  const isDay = hour >= FIRST_HOUR && hour < FIRST_HOUR + 12;
  const spoken = wordsFor(twelve, minute);
  const ofDay = hour < 12 ? 'in the morning' : hour < 18 ? 'in the afternoon' : 'in the evening';
  return random.pick([
    `${plain}${half}`,
    `${plain} ${half}`,
    ...(spoken && isDay ? [spoken, spoken] : []),
    ...(spoken && !isDay && hour > 4 ? [`${spoken} ${ofDay}`] : []),
    ...(hour === 12 && minute === 0 ? ['noon'] : []),
  ]);
}

/** "half past two", "quarter to three", "nine o'clock"; null: people say such a time in digits. */
function wordsFor(twelve: number, minute: number): string | null {
  if (minute === 0) return `${UNITS[twelve]} o'clock`;
  if (minute === 30) return `half past ${UNITS[twelve]}`;
  if (minute === 15) return `quarter past ${UNITS[twelve]}`;
  return minute === 45 ? `quarter to ${UNITS[(twelve % 12) + 1]}` : null;
}

/** Without more the hours of a day are meant: from seven in the morning to a quarter to seven in the evening. */
const FIRST_HOUR = 7;

const ordinal = (n: number): string =>
  `${n}${n % 100 > 10 && n % 100 < 14 ? 'th' : (['th', 'st', 'nd', 'rd'][n % 10] ?? 'th')}`;

const MONTH = `(${MONTHS.map((name) => (name.length > 3 ? `${name}|${name.slice(0, 3)}` : name)).join('|')})\\.?`;
const DAY = '(\\d{1,2})(?:st|nd|rd|th)?';
const DATES = [
  new RegExp(`\\b${MONTH}\\s+${DAY},?\\s+(\\d{4})\\b`, 'gi'),
  new RegExp(`\\b${DAY}\\s+(?:of\\s+)?${MONTH},?\\s+(\\d{4})\\b`, 'gi'),
];

/** 1 to 12, of a month's name or its first three letters. */
const monthNumber = (name: string): number =>
  MONTHS.findIndex((month) => month.startsWith(name.toLowerCase().slice(0, 3))) + 1;

/** Dates (yyyy-mm-dd) that a text says with the month's name and a year. */
export function datesSaid(text: string): string[] {
  const out: string[] = [];
  DATES.forEach((pattern, form) => {
    for (const match of text.matchAll(pattern)) {
      const [month, day] = form === 0 ? [match[1]!, match[2]!] : [match[2]!, match[1]!];
      if (Number(day) >= 1 && Number(day) <= 31) out.push(`${match[3]}-${two(monthNumber(month))}-${two(Number(day))}`);
    }
  });
  return out;
}

const MONTH_OF_YEAR = new RegExp(`\\b${MONTH}(?:\\s+of)?,?\\s+(\\d{4})\\b`, 'gi');

/** Months (yyyy-mm) that a text says with their name and a year. */
export const monthsSaid = (text: string): string[] =>
  [...text.matchAll(MONTH_OF_YEAR)].map(([, month, year]) => {
    return `${year}-${two(monthNumber(month!))}`;
  });

const HOURS = UNITS.slice(1, 13).join('|');
const HOUR = `(\\d{1,2}|${HOURS})`;
const OF_DAY = "(?:\\s*(?:([ap])\\.?m\\b\\.?|(?:o'?clock )?(?:in the|at|this) (morning|afternoon|evening|night)))";
const PARTS_OF_HOUR: Readonly<Record<string, number>> = { half: 30, quarter: 15, 'a quarter': 15 };
const PART = 'half|a quarter|quarter|five|ten|twenty';
/** In "quarter to ten to 6 pm" the ten is the hour before. */
const ANEW = '(?<!\\b(?:past|to) )\\b';
const TIMES = {
  digits: new RegExp(
    `(?<![\\d:.-])(?<!${ANEW}(?:${PART}) (?:past|to) )${HOUR}(?:[:.](\\d\\d)| (fifteen|thirty|forty[ -]five|ten|twenty))?${OF_DAY}`,
    'gi',
  ),
  clock: /(?<![\d:.-])(\d{1,2}):(\d\d)(?![\d:.]|\s?[ap]\.?m|\s(?:in the|at|this)\s)/gi,
  whole: new RegExp(`(?<![\\d:.-])${HOUR} o'?clock\\b`, 'gi'),
  // "from 2 to 4 pm"
  range: new RegExp(
    `(?<![\\d:.-])(\\d{1,2})(?:[:.](\\d\\d))?\\s*(?:-|–|to|and|until|till)\\s*${HOUR}(?:[:.](\\d\\d))?${OF_DAY}`,
    'gi',
  ),
  past: new RegExp(`${ANEW}(${PART}) (past|to) ${HOUR}\\b${OF_DAY}?`, 'gi'),
};

const hourOf = (said: string): number => (/^\d/.test(said) ? Number(said) : UNITS.indexOf(said.toLowerCase()));

/**
 * Times (hh:mm) that a text says: "3 pm", "half past two", "9 o'clock", noon. Where it does not say which half of the
 * day is meant, both, that of the day first. @param isSure only where it says so
 */
export function timesSaid(text: string, isSure = false): string[] {
  const out: string[] = [];
  const add = (hour: number, minute: number, half?: string): void => {
    if (hour > 23 || minute > 59 || (half !== undefined && hour > 12)) return;
    const [early, late] = [hour % 12, (hour % 12) + 12];
    const both = hour > 12 || hour === 0 ? [hour] : early >= FIRST_HOUR ? [early, late] : [late, early];
    const hours = half === undefined ? both : [half === 'a' || half === 'morning' ? early : late];
    if (isSure && hours.length > 1) return;
    for (const h of hours) out.push(`${two(h)}:${two(minute)}`);
  };
  for (const [, hour, minute, words, half, ofDay] of text.matchAll(TIMES.digits))
    add(hourOf(hour!), words ? numbersSaid(words)[0]! : Number(minute ?? 0), (half ?? ofDay)?.toLowerCase());
  for (const [, hour, minute, until, minuteUntil, half, ofDay] of text.matchAll(TIMES.range)) {
    const isLate = !/^(a|morning)/i.test((half ?? ofDay)!);
    // from 10 to 6 pm is from the morning on
    const isAcross = Number(hour) % 12 >= hourOf(until!) % 12;
    add(Number(hour), Number(minute ?? 0), isLate !== isAcross ? 'p' : 'a');
    add(hourOf(until!), Number(minuteUntil ?? 0), isLate ? 'p' : 'a');
  }
  for (const [, hour, minute] of text.matchAll(TIMES.clock)) if (hour!.length === 1) add(Number(hour), Number(minute));
  for (const [, hour] of text.matchAll(TIMES.whole)) add(hourOf(hour!), 0);
  for (const [, minute, side, hour, half, ofDay] of text.matchAll(TIMES.past)) {
    const minutes = PARTS_OF_HOUR[minute!.toLowerCase()] ?? numbersSaid(minute!)[0]!;
    const isTo = side!.toLowerCase() === 'to';
    const full = hourOf(hour!);
    add(isTo ? ((full + 10) % 12) + 1 : full, isTo ? 60 - minutes : minutes, (half ?? ofDay)?.toLowerCase());
  }
  if (/\bnoon\b/i.test(text)) out.push('12:00');
  if (/\bmidnight\b/i.test(text)) out.push('00:00');
  return [...new Set(out)];
}

const two = (n: number): string => String(n).padStart(2, '0');
