/**
 * How often a text has each term, times what that weighs, scaled to length 1; empty: no term of it tells anything.
 */
export function termDirection(
  terms: readonly string[],
  weigh: (term: string) => number = () => 1,
): Map<string, number> {
  const weights = new Map<string, number>();
  for (const term of terms) weights.set(term, (weights.get(term) ?? 0) + weigh(term));
  const length = Math.hypot(...weights.values());
  return new Map([...weights].map(([term, weight]) => [term, weight / length]));
}
