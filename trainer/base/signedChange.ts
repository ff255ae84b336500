/** A number by which something changes: "3 more" are 3, "3 fewer" are -3. */
import { splitWords } from './words';

const CHANGE = /^(?:adjustment|change|delta|diff|difference|increment)$/;
const SAYS_SO = /\b(?:negative|minus)\b/i;

/** @param name of the parameter @returns may it be less than nothing? By its name or its description */
export function isSignedChange(name: string, schema: Readonly<Record<string, unknown>>): boolean {
  const { type, minimum, exclusiveMinimum, description } = schema;
  const isNumber = [type].flat().some((one) => one === 'number' || one === 'integer');
  const isBelow = (bound: unknown): boolean => typeof bound !== 'number' || bound < 0;
  if (!isNumber || !isBelow(minimum) || !isBelow(exclusiveMinimum)) return false;
  return CHANGE.test(splitWords(name).at(-1) ?? '') || (typeof description === 'string' && SAYS_SO.test(description));
}
