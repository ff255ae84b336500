/** What was not taken, counted by reason. */
export type Tally = Record<string, number>;

/** Counts, and is false: it stands where something is refused. */
export function countAs(counts: Tally, reason: string): false {
  counts[reason] = (counts[reason] ?? 0) + 1;
  return false;
}

export const sumOf = (counts: Readonly<Tally>): number => Object.values(counts).reduce((total, n) => total + n, 0);

/** The most frequent first, five at most: "8 calls that failed; 3 said before". */
export const tallyWords = (counts: Readonly<Tally>): string =>
  Object.entries(counts)
    .sort(([, a], [, b]) => b - a)
    .slice(0, 5)
    .map(([reason, n]) => `${n} ${reason}`)
    .join('; ');
