/**
 * 95 % Wilson score interval of a proportion. Source: Wilson 1927; z = 1.959964. @param k successes of n; null where n
 * is 0
 */
export function wilson(k: number, n: number): [number, number] | null {
  if (n === 0) return null;
  const z2 = 1.959964 ** 2;
  const p = k / n;
  const centre = (p + z2 / (2 * n)) / (1 + z2 / n);
  const half = (1.959964 / (1 + z2 / n)) * Math.sqrt((p * (1 - p)) / n + z2 / (4 * n * n));
  // At the ends centre and half are equal but for their rounding.
  return [k === 0 ? 0 : Math.max(0, centre - half), k === n ? 1 : Math.min(1, centre + half)];
}

/** On which side of 0 an interval lies: 1 above, -1 below, 0: it holds 0, so that what it is of could be chance. */
export const sideOf = ([low, high]: readonly [number, number]): 1 | 0 | -1 => (low > 0 ? 1 : high < 0 ? -1 : 0);
