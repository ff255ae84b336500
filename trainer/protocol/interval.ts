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

/**
 * Difference after - before over the same tasks, each one of its own, with its 95 % interval: Newcombe's paired
 * square-and-add of two Wilson intervals (method 10 in
 * Statist. Med. 17, 2635, 1998). For sets so small that hardly a task changes, where the normal interval is too short:
 * none that changed of 24 is [-0.14, 0.14].
 */
export function pairedChange(
  before: readonly boolean[],
  after: readonly boolean[],
): { mean: number; ci95: [number, number] } {
  const n = before.length;
  if (after.length !== n || n === 0)
    throw new Error(`pairedChange: needs the same tasks twice, got ${n} and ${after.length}`);
  const count = (isCounted: (b: boolean, a: boolean) => boolean): number =>
    before.filter((b, i) => isCounted(b, after[i]!)).length;
  const [both, onlyBefore, onlyAfter, neither] = [
    count((b, a) => b && a),
    count((b, a) => b && !a),
    count((b, a) => !b && a),
    count((b, a) => !b && !a),
  ];
  const [solvedBefore, solvedAfter] = [both + onlyBefore, both + onlyAfter];
  const [p, q] = [solvedBefore / n, solvedAfter / n];
  const [[pLow, pHigh], [qLow, qHigh]] = [wilson(solvedBefore, n)!, wilson(solvedAfter, n)!];
  const product = both * neither - onlyBefore * onlyAfter;
  const spread = Math.sqrt(solvedBefore * (n - solvedBefore) * solvedAfter * (n - solvedAfter));
  const phi = spread === 0 ? 0 : (product > 0 ? Math.max(0, product - n / 2) : product) / spread;
  const reach = (ofAfter: number, ofBefore: number): number =>
    Math.sqrt(ofAfter ** 2 - 2 * phi * ofAfter * ofBefore + ofBefore ** 2);
  return { mean: q - p, ci95: [q - p - reach(q - qLow, pHigh - p), q - p + reach(qHigh - q, p - pLow)] };
}
