/**
 * Numbers and times as the page shows them: tabular, with a unit, a true minus sign, and a dash where nothing was
 * measured.
 */
import { durationText } from '../../trainer/protocol/duration';

let locale = 'en';
const formatters = new Map<string, Intl.NumberFormat>();

export function setLocale(next: string): void {
  try {
    locale = Intl.getCanonicalLocales(next)[0] ?? 'en';
  } catch {
    locale = 'en';
  }
  formatters.clear();
}

export const ABSENT = '–';
const NARROW_SPACE = '\u202f';

/** Fixed number of decimals. */
export function decimal(value: number | null | undefined, digits = 2): string {
  if (value === null || value === undefined || Number.isNaN(value)) return ABSENT;
  if (!Number.isFinite(value)) return value > 0 ? '∞' : '−∞';
  const key = String(digits);
  let formatter = formatters.get(key);
  if (!formatter) {
    formatter = new Intl.NumberFormat(locale, { minimumFractionDigits: digits, maximumFractionDigits: digits });
    formatters.set(key, formatter);
  }
  const text = formatter.format(value);
  return (/^[-−][0.,]*$/.test(text) ? text.slice(1) : text).replace('-', '−');
}

/**
 * About three significant digits, for metrics whose range is not known: 0.0123 -> 0.0123, 12345 -> 12,345, 2e-7 ->
 * 2.0e−7.
 */
export function metric(value: number | null | undefined): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return decimal(value);
  const size = Math.abs(value);
  if (size === 0) return '0';
  if (size < 1e-3 || size >= 1e6) return value.toExponential(1).replace('e+', 'e').replaceAll('-', '−');
  return decimal(value, size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : size >= 0.1 ? 3 : 4);
}

/** The figures of a sentence that the trainer wrote, signed as the panel's own: "-5.0 points" -> "−5.0 points". */
export const withMinusSigns = (sentence: string): string => sentence.replace(/(?<!\S)-(?=\d)/g, '−');

export function signed(value: number | null | undefined, digits = 2): string {
  const text = decimal(value, digits);
  return value !== null && value !== undefined && value > 0 && /[1-9]/.test(text) ? `+${text}` : text;
}

export const percent = (fraction: number | null | undefined, digits = 1): string =>
  fraction === null || fraction === undefined || Number.isNaN(fraction)
    ? ABSENT
    : `${decimal(100 * fraction, digits)}${NARROW_SPACE}%`;

/** A difference of two fractions, in percentage points: 0.313 -> +31.3. */
export const points = (difference: number | null | undefined): string =>
  difference === null || difference === undefined ? ABSENT : signed(100 * difference, 1);

export const pointsInterval = ([lo, hi]: readonly [number, number]): string => `[${points(lo)}, ${points(hi)}]`;
export const percentInterval = (ci: readonly [number, number] | null): string =>
  ci === null ? ABSENT : `[${decimal(100 * ci[0], 1)}, ${decimal(100 * ci[1], 1)}]`;

export const integer = (value: number): string => decimal(value, 0);

/** 41 ms · 1.2 s · 48 s · 2 min · 1 h 05 min */
export function duration(ms: number | null | undefined): string {
  if (ms === null || ms === undefined || !Number.isFinite(ms) || ms < 0) return ABSENT;
  return durationText(ms, decimal);
}

/** Today's times as 10:42, others with their date. */
export function moment(ms: number, now: number): string {
  const at = new Date(ms);
  const isToday = at.toDateString() === new Date(now).toDateString();
  return new Intl.DateTimeFormat(
    locale,
    isToday ? { hour: '2-digit', minute: '2-digit' } : { dateStyle: 'medium', timeStyle: 'short' },
  ).format(at);
}

/** The last two parts of a path, with either slash: /a/b/email/tools.ts -> email/tools.ts */
export function shortPath(path: string): string {
  return path.split(/[\\/]/).filter(Boolean).slice(-2).join('/');
}

/** First characters on one line; never cuts a surrogate pair. */
export function oneLine(text: string, length = 120): string {
  const flat = text.replace(/\s+/g, ' ').trim();
  const characters = Array.from(flat);
  return characters.length <= length ? flat : `${characters.slice(0, length - 1).join('')}…`;
}
