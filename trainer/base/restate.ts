/**
 * Values said in other words than the arguments': "eighteen" for 18, "March 14, 2026" for 2026-03-14, "half past two"
 * for 14:30. Both ways: a
 * request may say a value so, and a reader (the check of written tasks, the sampler that copies values) finds which
 * values a text says.
 */
import type { Random } from './random';

const UNITS = (
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen ' +
  'fifteen sixteen seventeen eighteen nineteen'
).split(' ');
const TENS = ' ten twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');
const MONTHS = 'january february march april may june july august september october november december'.split(' ');
const OTHER_NUMBERS: Readonly<Record<string, number>> = { dozen: 12, couple: 2, once: 1, twice: 2, both: 2, half: 0.5 };

/** 0 to 999 in words; null for what people write in digits. */
export function numberWords(n: number): string | null {
  if (!Number.isInteger(n) || n < 0 || n > 999) return null;
  if (n < 20) return UNITS[n] ?? null;
  if (n < 100) return `${TENS[Math.floor(n / 10)]}${n % 10 ? `-${UNITS[n % 10]}` : ''}`;
  const rest = n % 100;
  return `${UNITS[Math.floor(n / 100)]} hundred${rest ? ` and ${numberWords(rest)}` : ''}`;
}

/**
 * A number, date or time as people say it; null where they would say it as it is. The text says the value for
 * `valuesSaid`.
 */
export function restate(value: unknown, random: Random): string | null {
  if (typeof value === 'number') return Math.abs(value) <= 100 ? numberWords(value) : null;
  if (typeof value !== 'string') return null;
  const date = /^(\d{4})-(\d\d)-(\d\d)$/.exec(value);
  if (date) return dateWords(Number(date[1]), Number(date[2]), Number(date[3]), random);
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

function timeWords(hour: number, minute: number, random: Random): string | null {
  const twelve = hour % 12 === 0 ? 12 : hour % 12;
  const half = hour < 12 ? 'am' : 'pm';
  const plain = minute === 0 ? `${twelve}` : `${twelve}:${String(minute).padStart(2, '0')}`;
  return random.pick([`${plain}${half}`, `${plain} ${half}`, ...(hour === 12 && minute === 0 ? ['noon'] : [])]);
}

const ordinal = (n: number): string =>
  `${n}${n % 100 > 10 && n % 100 < 14 ? 'th' : (['th', 'st', 'nd', 'rd'][n % 10] ?? 'th')}`;

/** Numbers that a text says in words ("twenty-one", "a couple", "two hundred"), in order. Digits are not looked at. */
export function numbersSaid(text: string): number[] {
  const out: number[] = [];
  let current: number | null = null;
  const flush = (): void => {
    if (current !== null) out.push(current);
    current = null;
  };
  for (const word of text.toLowerCase().match(/[a-z]+|[^\sa-z]+/g) ?? []) {
    const unit = UNITS.indexOf(word);
    const ten = TENS.indexOf(word);
    if (unit >= 0) {
      if (
        current !== null &&
        !(unit > 0 && unit < 10 && current >= 20 && current % 10 === 0) &&
        !(current >= 100 && current % 100 === 0)
      )
        flush();
      current = (current ?? 0) + unit;
    } else if (ten >= 2) {
      if (current !== null && current % 100 !== 0) flush();
      current = (current ?? 0) + ten * 10;
    } else if (word === 'hundred') current = (current ?? 1) * 100;
    else if (word === 'and' && current !== null && current >= 100) continue;
    else if (word === '-' && current !== null) continue;
    else {
      flush();
      if (Object.hasOwn(OTHER_NUMBERS, word)) out.push(OTHER_NUMBERS[word]!);
    }
  }
  flush();
  return out;
}

const MONTH = `(${MONTHS.map((name) => (name.length > 3 ? `${name}|${name.slice(0, 3)}` : name)).join('|')})\\.?`;
const DAY = '(\\d{1,2})(?:st|nd|rd|th)?';
const DATES = [
  new RegExp(`\\b${MONTH}\\s+${DAY},?\\s+(\\d{4})\\b`, 'gi'),
  new RegExp(`\\b${DAY}\\s+(?:of\\s+)?${MONTH},?\\s+(\\d{4})\\b`, 'gi'),
];

/** Dates (yyyy-mm-dd) that a text says with the month's name and a year. */
export function datesSaid(text: string): string[] {
  const out: string[] = [];
  DATES.forEach((pattern, form) => {
    for (const match of text.matchAll(pattern)) {
      const [month, day] = form === 0 ? [match[1]!, match[2]!] : [match[2]!, match[1]!];
      const index = MONTHS.findIndex((name) => name.startsWith(month.toLowerCase().slice(0, 3)));
      if (index >= 0 && Number(day) >= 1 && Number(day) <= 31)
        out.push(`${match[3]}-${two(index + 1)}-${two(Number(day))}`);
    }
  });
  return out;
}

/** Times (hh:mm) that a text says with am, pm or noon. */
export function timesSaid(text: string): string[] {
  const out: string[] = [];
  for (const [, hour, minute, half] of text.matchAll(/\b(\d{1,2})(?:[:.](\d\d))?\s?([ap])\.?m\b/gi)) {
    const h = (Number(hour) % 12) + (half!.toLowerCase() === 'p' ? 12 : 0);
    if (Number(hour) <= 12 && Number(minute ?? 0) < 60) out.push(`${two(h)}:${minute ?? '00'}`);
  }
  if (/\bnoon\b/i.test(text)) out.push('12:00');
  return out;
}

const two = (n: number): string => String(n).padStart(2, '0');

/** Does the text say the value: verbatim, or restated? Letters may differ in case. */
export function saysValue(text: string, value: string | number): boolean {
  if (typeof value === 'number') {
    return (
      new RegExp(`(?<![\\d.])${String(value).replace('.', '\\.')}(?!\\d|\\.\\d)`).test(text) ||
      numbersSaid(text).includes(value)
    );
  }
  if (text.toLowerCase().includes(value.toLowerCase())) return true;
  return /^\d{4}-\d\d-\d\d$/.test(value)
    ? datesSaid(text).includes(value)
    : /^\d\d:\d\d$/.test(value) && timesSaid(text).includes(value);
}
