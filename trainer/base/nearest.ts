/** "Did you mean": the candidate with the smallest edit distance, or null where none is near. */
export function nearest(word: string, candidates: readonly string[]): string | null {
  let best: string | null = null;
  // Up to 2 edits, or a third of a long word: beyond that a suggestion is a guess.
  let bestDistance = Math.max(2, Math.floor(word.length / 3)) + 1;
  for (const candidate of candidates) {
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase());
    if (distance < bestDistance && distance < candidate.length) [best, bestDistance] = [candidate, distance];
  }
  return best;
}

/** ` Did you mean "x"?`, or the list, as a hint. */
export function suggest(word: string, candidates: readonly string[]): string {
  const near = nearest(word, candidates);
  return near === null ? `Known: ${candidates.join(', ')}.` : `Did you mean ${near}?`;
}

/** Levenshtein with swaps of neighbours (optimal string alignment). */
function editDistance(a: string, b: string): number {
  let older: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      row[j] = Math.min(previous[j]! + 1, row[j - 1]! + 1, previous[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        row[j] = Math.min(row[j]!, older[j - 2]! + 1);
    }
    [older, previous] = [previous, row];
  }
  return previous[b.length]!;
}
