/** Which texts are too like an earlier one: Jaccard similarity of their sets of 3-grams. */

/** From here on two texts are one. */
const LIKE = 0.8;

/** Letters and digits alone count, a blank between words. A text of fewer than three characters is one gram. */
export function grams(text: string): Set<string> {
  const plain = ` ${(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join(' ')} `;
  return new Set(
    plain.length < 3 ? [plain] : Array.from({ length: plain.length - 2 }, (_, i) => plain.slice(i, i + 3)),
  );
}

export function jaccard(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let both = 0;
  for (const gram of a) if (b.has(gram)) both++;
  return a.size + b.size === 0 ? 1 : both / (a.size + b.size - both);
}

/** Whether two sets of 3-grams are so alike. Their sizes alone often tell that they are not. */
export function areLike(a: ReadonlySet<string>, b: ReadonlySet<string>, threshold = LIKE): boolean {
  return Math.min(a.size, b.size) >= threshold * Math.max(a.size, b.size) && jaccard(a, b) >= threshold;
}

/**
 * For each text whether it is no near-duplicate of one before it that was kept. Two sets that are as like as
 * `threshold` share a gram among the rarest of each
 * (prefix filtering: Bayardo, Ma, Srikant, "Scaling Up All Pairs Similarity Search", WWW 2007), so only texts that
 * share a rare gram are compared.
 * @param known texts that are kept already
 */
export function distinct(
  texts: readonly string[],
  { threshold = LIKE, known = [] }: { threshold?: number; known?: readonly string[] } = {},
): boolean[] {
  const sets = [...known, ...texts].map(grams);
  const frequency = new Map<string, number>();
  for (const set of sets) for (const gram of set) frequency.set(gram, (frequency.get(gram) ?? 0) + 1);
  const index = new Map<string, number[]>();
  const kept = sets.map((set, at) => {
    const rarest = [...set]
      .sort((a, b) => frequency.get(a)! - frequency.get(b)! || (a < b ? -1 : 1))
      .slice(0, set.size - Math.ceil(threshold * set.size) + 1);
    const isLike = (other: number): boolean => areLike(set, sets[other]!, threshold);
    const isDouble = at >= known.length && [...new Set(rarest.flatMap((gram) => index.get(gram) ?? []))].some(isLike);
    if (!isDouble) for (const gram of rarest) index.get(gram)?.push(at) ?? index.set(gram, [at]);
    return !isDouble;
  });
  return kept.slice(known.length);
}
