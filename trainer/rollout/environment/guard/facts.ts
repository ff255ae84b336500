/**
 * What a text states that can be looked up: numbers, days, times of day, ids and quoted names. Magnitudes only: a sign
 * is often a dash. Pure.
 */

/** A number as it may be read. half: half a unit of its last digit, as far as rounding may have moved it. */
export interface Reading {
  value: number;
  half: number;
}
/** year null: the text names none */
export interface Day {
  year: number | null;
  month: number;
  day: number;
}
export type Fact =
  | { kind: 'number'; text: string; readings: Reading[] }
  /** more than one where day and month may be either way round */
  | { kind: 'day'; text: string; days: Day[] }
  /** minutes since midnight */
  | { kind: 'time'; text: string; minutes: number }
  | { kind: 'id' | 'name'; text: string };

/** Longer quotes are prose; what they state is looked up by itself. */
const LONGEST_NAME = 60;
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const MONTH =
  '(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)';
const NOT_INSIDE = '(?<![\\p{L}\\p{N}/:._-])';
const QUOTED = /"([^"\n]*)"|«([^»\n]*)»|`([^`\n]*)`|(?<![\p{L}\p{N}])'([^'\n]*)'(?![\p{L}\p{N}])/gu;
const ISO_DAY = new RegExp(
  `${NOT_INSIDE}(\\d{4})[-/.](\\d{1,2})[-/.](\\d{1,2})(?:(?=T\\d\\d:)|(?![\\p{L}\\p{N}]|[-/.]\\d))`,
  'gu',
);
const NUMERIC_DAY = new RegExp(`${NOT_INSIDE}(\\d{1,2})([-/.])(\\d{1,2})\\2(\\d{4})(?![\\p{L}\\p{N}]|[-/.]\\d)`, 'gu');
const DAY_MONTH = new RegExp(
  `${NOT_INSIDE}(\\d{1,2})(?:st|nd|rd|th|\\.)?\\s+(?:of\\s+)?${MONTH}\\b\\.?(?:,?\\s+(\\d{4})\\b)?`,
  'giu',
);
const MONTH_DAY = new RegExp(`\\b${MONTH}\\.?\\s+(\\d{1,2})(?:st|nd|rd|th)?\\b(?:,?\\s+(\\d{4})\\b)?`, 'giu');
const CLOCK =
  /(?<![\p{L}\d:.])T?(\d{1,2}):(\d{2})(?::\d{2}(?:\.\d+)?)?(?:\s?([ap])\.?m\b\.?|Z|[+-]\d\d:?\d\d)?(?![\p{L}\d:])/giu;
const HOUR = /(?<![\p{L}\d:.,])(\d{1,2})()\s?([ap])\.?m\b\.?/giu;
const TOKEN = /[^\s"'`,;(){}[\]<>|=]+/gu;
const NUMBER =
  /(?<![\p{L}\p{N}])(?<!\d[.,])((?:\d+(?:[.,]\d+)*|\.\d+))(?:(\s?%)|(k|\s(?:thousand|million|billion))(?![\p{L}\p{N}])|[-°]?\p{L}{1,6}(?![\p{L}\p{N}]))?/giu;
const SCALES: Record<string, number> = { k: 1e3, thousand: 1e3, million: 1e6, billion: 1e9 };

/**
 * One kind of quotes, of spaces and of minus, so that typing habits make no difference; 1 234 with narrow spaces
 * becomes 1,234.
 */
export const plainly = (text: string): string =>
  text
    .normalize('NFC')
    .replace(/[“”„]/g, '"')
    .replace(/[‘’‚]/g, "'")
    .replace(/[\u2010-\u2015\u2212]/g, '-')
    .replace(/(?<=\d)[\u00a0\u202f\u2009](?=\d{3}(?!\d))/g, ',')
    .replace(/[\u00a0\u202f\u2009]/g, ' ');

/**
 * @param quotes whether a quoted name counts as one fact; else what stands in quotes is read as the rest is
 * @returns the facts, and the text without them
 */
export function factsIn(text: string, { quotes }: { quotes: boolean }): { facts: Fact[]; rest: string } {
  const facts: Fact[] = [];
  let rest = plainly(text);
  const take = (pattern: RegExp, read: (...groups: (string | undefined)[]) => Fact | null): void => {
    rest = rest.replace(pattern, (match: string, ...groups: unknown[]) => {
      const fact = read(match.trim().replace(/^T(?=\d)|\.$/g, ''), ...(groups as (string | undefined)[]));
      if (fact !== null) facts.push(fact);
      return fact === null ? match : match.replace(/\S/g, ' ');
    });
  };
  if (quotes) take(QUOTED, (_, ...inside) => nameOf(inside.slice(0, 4).find((name) => name !== undefined) ?? ''));
  take(ISO_DAY, (all, year, month, day) => dayOf(all!, year, [[month, day]]));
  take(NUMERIC_DAY, (all, a, _, b, year) =>
    dayOf(all!, year, [
      [a, b],
      [b, a],
    ]),
  );
  take(DAY_MONTH, (all, day, month, year) => dayOf(all!, year, [[monthNumber(month!), day]]));
  take(MONTH_DAY, (all, month, day, year) => dayOf(all!, year, [[monthNumber(month!), day]]));
  for (const pattern of [CLOCK, HOUR])
    take(pattern, (all, hour, minute, half) => timeOf(all!, Number(hour), Number(minute || 0), half?.toLowerCase()));
  rest = rest.replace(TOKEN, (token) => {
    const core = token.replace(/^(?:[^\p{L}\p{N}~/.]|\.(?!\.?\/))+|(?<![^\p{L}\p{N}/])[^\p{L}\p{N}/]+$/gu, '');
    if (!isId(core)) return token;
    facts.push({ kind: 'id', text: core });
    return ' '.repeat(token.length);
  });
  take(NUMBER, (all, digits, percent, scale) => ({
    kind: 'number',
    text: all!,
    readings: readingsOf(digits!, percent !== undefined, SCALES[scale?.trim().toLowerCase() ?? ''] ?? 1),
  }));
  return { facts, rest };
}

function nameOf(text: string): Fact | null {
  return text.length <= LONGEST_NAME && /[\p{L}\p{N}]/u.test(text) ? { kind: 'name', text } : null;
}

const monthNumber = (name: string): string => String(MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1);

function dayOf(text: string, year: string | undefined, ways: (string | undefined)[][]): Fact | null {
  const days = ways
    .map(
      ([month, day]): Day => ({
        year: year === undefined ? null : Number(year),
        month: Number(month),
        day: Number(day),
      }),
    )
    .filter(({ month, day }) => month >= 1 && month <= 12 && day >= 1 && day <= 31);
  return days.length > 0 ? { kind: 'day', text, days } : null;
}

function timeOf(text: string, hour: number, minute: number, half: string | undefined): Fact | null {
  if (hour > (half === undefined ? 24 : 12) || minute > 59) return null;
  return {
    kind: 'time',
    text,
    minutes: (half === undefined ? hour : (hour % 12) + (half === 'p' ? 12 : 0)) * 60 + minute,
  };
}

/**
 * Letters with digits (INV-42), addresses, paths, file names, snake_case; but not a number with its unit (10km, 3rd).
 */
function isId(token: string): boolean {
  if (!/\p{L}/u.test(token)) return /^\d+(?:\.\d+){2,}$/.test(token); // 1.2.3
  if (/^\d+(?:[.,]\d+)*[-°]?[\p{L}/]{1,8}$/u.test(token)) return false;
  return (
    /\p{N}|[@_]|:\/\//u.test(token) ||
    /^(?:~|\.{1,2})\/|^\/[^/]+\//.test(token) ||
    /[\p{L}\p{N}]\.[a-z][a-z0-9]{1,4}$/u.test(token)
  );
}

/** 1,234.5 and 1.234,5 as they are meant; where that can't be told (1.234), both. A percentage is also its fraction. */
function readingsOf(digits: string, isPercent: boolean, scale: number): Reading[] {
  const written: string[] = [];
  if (/^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(digits)) written.push(digits.replaceAll(',', ''));
  if (/^\d{1,3}(?:\.\d{3})+(?:,\d+)?$/.test(digits)) written.push(digits.replaceAll('.', '').replace(',', '.'));
  if (/^\d*\.?\d+$/.test(digits)) written.push(digits);
  if (/^\d+,\d+$/.test(digits) && written.length === 0) written.push(digits.replace(',', '.'));
  if (written.length === 0) written.push(...digits.split(/[.,]/)); // a list without spaces
  return written.flatMap((text) => {
    const reading: Reading = {
      value: Number(text) * scale,
      half: 0.5 * 10 ** -(text.split('.')[1]?.length ?? 0) * scale,
    };
    return isPercent ? [reading, { value: reading.value / 100, half: reading.half / 100 }] : [reading];
  });
}
