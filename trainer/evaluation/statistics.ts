/** Mean difference after - before over the same tasks, with its 95 % interval (paired, normal; ddof 1). */
export function pairedGain(before: readonly boolean[], after: readonly boolean[]): { mean: number; ci95: [number, number] } {
  if (before.length !== after.length || before.length === 0) throw new Error(`pairedGain: needs the same tasks twice, got ${before.length} and ${after.length}`);
  const d = before.map((b, i) => Number(after[i]) - Number(b));
  const mean = d.reduce((a, b) => a + b, 0) / d.length;
  const variance = d.length > 1 ? d.reduce((a, b) => a + (b - mean) ** 2, 0) / (d.length - 1) : 0;
  const half = 1.959964 * Math.sqrt(variance / d.length);
  return { mean, ci95: [mean - half, mean + half] };
}

/** Says a gain in words that call noise noise. */
export function verdictOf({ mean, ci95 }: { mean: number; ci95: [number, number] }): string {
  if (ci95[0] > 0) return 'a real gain: the interval lies above 0';
  if (ci95[1] < 0) return 'a real loss: the interval lies below 0';
  return mean === 0 ? 'no change' : 'could be chance: the interval holds 0';
}

/** Chance that at least one of k draws without replacement from n samples, c of them right, is right. Chen et al., arXiv:2107.03374, eq. 1. */
export function passAtK(n: number, c: number, k: number): number {
  if (n - c < k) return 1;
  let miss = 1;
  for (let i = n - c + 1; i <= n; i++) miss *= 1 - k / i;
  return 1 - miss;
}
