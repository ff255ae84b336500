import { sideOf } from '../protocol/interval';

export { pairedChange } from '../protocol/interval';

/**
 * Mean difference after - before over the same tasks, with its 95 % interval: paired, normal, and clustered where
 * contents are given, since paraphrases of one
 * content are solved or missed together and six of them tell little more than one (Miller, arXiv:2411.00640, section
 * 2.2; C / (C - 1) for C clusters).
 * @param before solved, or an amount, task by task
 * @param contents what each task is about; default: each task is one of its own. A single content says nothing of
 * others: -1 to 1
 */
export function pairedGain(
  before: readonly (boolean | number)[],
  after: readonly (boolean | number)[],
  contents?: readonly string[],
): { mean: number; ci95: [number, number] } {
  const n = before.length;
  if (after.length !== n || n === 0 || (contents && contents.length !== n))
    throw new Error(
      `pairedGain: needs the same tasks twice, got ${n} and ` +
        `${after.length}${contents ? `, and ${contents.length} contents` : ''}`,
    );
  const d = before.map((b, i) => Number(after[i]) - Number(b));
  const mean = d.reduce((a, b) => a + b, 0) / n;
  const sums = new Map<string | number, number>();
  d.forEach((x, i) => sums.set(contents?.[i] ?? i, (sums.get(contents?.[i] ?? i) ?? 0) + x - mean));
  const clusters = sums.size;
  if (clusters === 1) return { mean, ci95: [-1, 1] };
  const variance =
    ([...sums.values()].reduce((total, sum) => total + sum ** 2, 0) * clusters) / (clusters - 1) / n ** 2;
  const half = 1.959964 * Math.sqrt(variance);
  return { mean, ci95: [mean - half, mean + half] };
}

/**
 * The tasks whose outcome changed, and the exact two-sided McNemar test on them: how likely so uneven a split is where
 * gaining and losing are equally likely
 * (McNemar 1947; binomial with 1/2). Each task counts as one of its own, whatever it is about. p is 1 where nothing
 * changed.
 */
export function mcnemar(
  before: readonly boolean[],
  after: readonly boolean[],
): { gained: number; lost: number; p: number } {
  if (after.length !== before.length)
    throw new Error(`mcnemar: needs the same tasks twice, got ${before.length} and ${after.length}`);
  const gained = before.filter((b, i) => !b && after[i]).length;
  const lost = before.filter((b, i) => b && !after[i]).length;
  const n = gained + lost;
  let logTerm = -n * Math.LN2; // of 0 out of n
  let tail = 0;
  for (let k = 0; k <= Math.min(gained, lost); k++) {
    tail += Math.exp(logTerm);
    logTerm += Math.log(n - k) - Math.log(k + 1);
  }
  return { gained, lost, p: Math.min(1, 2 * tail) };
}

/** Says a gain in words that call noise noise. */
export function verdictOf({ mean, ci95 }: { mean: number; ci95: [number, number] }): string {
  const side = sideOf(ci95);
  if (side !== 0) return side > 0 ? 'a real gain: the interval lies above 0' : 'a real loss: the interval lies below 0';
  return mean === 0 ? 'no change' : 'could be chance: the interval holds 0';
}

/**
 * Chance that at least one of k draws without replacement from n samples, c of them right, is right. Chen et al.,
 * arXiv:2107.03374, eq. 1.
 */
export function passAtK(n: number, c: number, k: number): number {
  if (n - c < k) return 1;
  let miss = 1;
  for (let i = n - c + 1; i <= n; i++) miss *= 1 - k / i;
  return 1 - miss;
}
