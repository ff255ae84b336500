/**
 * Numbers as JSON writes them, without an exponent: what may be written next so that the whole still comes to lie in
 * its range.
 */
export interface NumberRange {
  min: number;
  max: number;
  /** digits behind the point; 0: whole numbers */
  decimals: number;
}

/** Before the point, so that a number ends. */
const MOST_DIGITS = 9;
const CLOSE = 1e-9;

/** Is it a number of the range, at its end? */
export function isWithin(text: string, { min, max, decimals }: NumberRange): boolean {
  const found = /^-?(?:0|[1-9]\d*)(?:\.(\d+))?$/.exec(text);
  return found !== null && (found[1] ?? '').length <= decimals && Number(text) >= min && Number(text) <= max;
}

/** Is there a number of the range that begins so? */
export function canBecome(text: string, { min, max, decimals }: NumberRange): boolean {
  const found = /^(-?)(0|[1-9]\d*)?(?:(\.)(\d*))?$/.exec(text);
  if (found === null) return false;
  const [, sign, digits = '', point = '', fraction = ''] = found;
  if (
    (digits === '' && point !== '') ||
    digits.length > MOST_DIGITS ||
    fraction.length > decimals ||
    (point !== '' && decimals === 0)
  )
    return false;
  const [low, high] = sign === '-' ? [Math.max(0, -max), -min] : [Math.max(0, min), max];
  if (sign === '-' && high <= 0) return false;
  if (digits === '') return high >= low;
  const grid = 10 ** -decimals;
  const meets = (from: number, width: number): boolean => from <= high + CLOSE && from + width - grid >= low - CLOSE;
  if (point !== '') return meets(Number(`${digits}.${fraction || '0'}`), 10 ** -fraction.length);
  const more = digits === '0' ? 0 : MOST_DIGITS - digits.length;
  return Array.from({ length: more + 1 }, (_, i) => 10 ** i).some((scale) => meets(Number(digits) * scale, scale));
}

/** Longest text of a number of the range: sign, digits, point, decimals. */
export function longest({ min, max, decimals }: NumberRange): number {
  const digits = (value: number): number =>
    Number.isFinite(value) ? Math.min(MOST_DIGITS, String(Math.trunc(Math.abs(value))).length) : MOST_DIGITS;
  return (min < 0 ? 1 : 0) + Math.max(digits(min), digits(max)) + (decimals > 0 ? 1 + decimals : 0);
}
