export interface AdvantageOptions {
  /** One weight per reward function. */
  weights: readonly number[];
  /** G: rows g*G to g*G+G-1 are the rollouts of one prompt. */
  groupSize: number;
  /** Divide by the standard deviation of the group, of the whole batch, or not at all. Ignored by normalizeThenSum. */
  scaleRewards: 'group' | 'batch' | 'none';
  aggregation: 'sumThenNormalize' | 'normalizeThenSum';
  /**
   * leaveOneOut: a reward is held against the mean of the other scored ones of its group (RLOO, arXiv:2402.14740;
   * LOOP, 2502.01600), with sumThenNormalize. Default group.
   */
  baseline?: 'group' | 'leaveOneOut';
  /** Names of the reward functions for the metrics; default r0, r1, … */
  names?: readonly string[];
}

export interface Advantages {
  /** [B]; 0 for a row that nothing scored. */
  advantages: number[];
  /** [B]; weighted sum of the scores; null for a row that nothing scored. */
  rewards: (number | null)[];
  /**
   * [B / G]; no learning signal: all scored rewards of the group are exactly equal (also when fewer than two are
   * scored).
   */
  isDeadGroup: boolean[];
  /** TRL's names; null where TRL has NaN (nothing to average, or a deviation of fewer than two values). */
  metrics: Record<string, number | null>;
}

/** TRL adds it to every standard deviation it divides by. */
const STD_EPSILON = 1e-4;
/** torch.isclose(std, 0) with its default absolute tolerance. */
const ZERO_STD_TOLERANCE = 1e-8;

/**
 * Group-relative advantages. sumThenNormalize: A = (R - mean_group) / (std + 1e-4), R the weighted sum of the scores;
 * normalizeThenSum: each function normalised in its group first, summed by weight, then normalised over the batch
 * (GDPO).
 * The deviation divides by n - 1. A null score (not scored) is left out of every sum, mean and deviation.
 * Source: DeepSeekMath, arXiv:2402.03300 (GRPO); Dr. GRPO, arXiv:2503.20783 (no division); as TRL 1.16 does it,
 * `_generate_and_score_completions`. Deviation from TRL: where all scores are exactly equal the mean is that score
 * itself, so a dead group has advantage 0 and not rounding noise divided by 1e-4 (up to 7e-5 in TRL's float32).
 *
 * @param rewardsPerFunction [B][F], null = not scored
 * @throws Error when B is no multiple of groupSize, or a row does not have one score for each weight
 */
export function computeAdvantages(
  rewardsPerFunction: readonly (readonly (number | null)[])[],
  options: AdvantageOptions,
): Advantages {
  const { weights, groupSize, scaleRewards, aggregation } = options;
  checkShape(rewardsPerFunction, weights.length, groupSize);
  const groups = rewardsPerFunction.length / groupSize;
  const rewards = rewardsPerFunction.map((scores) => weightedSum(scores, weights));
  const groupOf = <T>(values: readonly T[], group: number): T[] =>
    values.slice(group * groupSize, (group + 1) * groupSize);
  const columnOf = (index: number): (number | null)[] => rewardsPerFunction.map((scores) => scores[index]!);

  let advantages: number[] = [];
  let isDeadGroup: boolean[] = [];
  let zeroStdShare: number;
  if (aggregation === 'sumThenNormalize') {
    const batch = statistics(rewards);
    // r - mean of the other n - 1 = n / (n - 1) (r - mean of all)
    const toBaseline = (n: number): number => (options.baseline === 'leaveOneOut' && n > 1 ? n / (n - 1) : 1);
    const perGroup = Array.from({ length: groups }, (_, group) => statistics(groupOf(rewards, group)));
    isDeadGroup = perGroup.map((group) => group.isConstant);
    const stdOf = (group: Statistics): number | null => (scaleRewards === 'batch' ? batch.std : group.std);
    advantages = rewards.map((reward, row) => {
      const group = perGroup[Math.floor(row / groupSize)]!;
      const normalised = normalise(reward, group.mean, scaleRewards === 'none' ? 'none' : stdOf(group)) ?? 0;
      return normalised * toBaseline(group.n);
    });
    zeroStdShare = share(perGroup.map((group) => isZeroStd(stdOf(group))));
  } else {
    const normalised: (number | null)[][] = []; // [B][F]
    for (let group = 0; group < groups; group++) {
      const perFunction = weights.map((_, index) => statistics(groupOf(columnOf(index), group)));
      isDeadGroup.push(perFunction.every((of) => of.isConstant));
      for (const scores of groupOf(rewardsPerFunction, group))
        normalised.push(perFunction.map(({ mean, std }, index) => normalise(scores[index]!, mean, std)));
    }
    // A row that was scored but has no deviation to be measured by counts as 0; only a row that nothing scored stays
    // out.
    const sums = normalised.map((scores, row) => (rewards[row] === null ? null : (weightedSum(scores, weights) ?? 0)));
    const batch = statistics(sums);
    advantages = sums.map((sum) => normalise(sum, batch.mean, batch.std) ?? 0);
    zeroStdShare = isZeroStd(batch.std) ? 1 : 0;
  }

  const metrics: Record<string, number | null> = {};
  weights.forEach((_, index) => {
    const { mean, std } = statistics(columnOf(index));
    const name = options.names?.[index] ?? `r${index}`;
    metrics[`rewards/${name}/mean`] = mean;
    metrics[`rewards/${name}/std`] = std;
  });
  const all = statistics(rewards);
  metrics['reward'] = all.mean;
  metrics['reward_std'] = all.std;
  metrics['frac_reward_zero_std'] = zeroStdShare;
  return { advantages, rewards, isDeadGroup, metrics };
}

function checkShape(rows: readonly (readonly unknown[])[], functions: number, groupSize: number): void {
  if (!Number.isInteger(groupSize) || groupSize < 1 || rows.length % groupSize !== 0) {
    throw new Error(`computeAdvantages: rows must be a multiple of groupSize ${groupSize}, got ${rows.length}`);
  }
  const bad = rows.findIndex((row) => row.length !== functions);
  if (bad >= 0)
    throw new Error(`computeAdvantages: row ${bad} must have ${functions} scores, got ${rows[bad]?.length}`);
}

/** Sum over the scored, null when none is. */
function weightedSum(scores: readonly (number | null)[], weights: readonly number[]): number | null {
  let sum: number | null = null;
  scores.forEach((score, index) => {
    if (score !== null) sum = (sum ?? 0) + score * weights[index]!;
  });
  return sum;
}

interface Statistics {
  /** null without values. */
  mean: number | null;
  /** n - 1 in the divisor; null with fewer than two values. */
  std: number | null;
  /** how many values there are */
  n: number;
  isConstant: boolean;
}

function statistics(values: readonly (number | null)[]): Statistics {
  const scored = values.filter((value): value is number => value !== null);
  const [first] = scored;
  if (first === undefined) return { mean: null, std: null, n: 0, isConstant: true };
  if (scored.every((value) => value === first)) {
    return { mean: first, std: scored.length > 1 ? 0 : null, n: scored.length, isConstant: true };
  }
  const mean = scored.reduce((sum, value) => sum + value, 0) / scored.length;
  const variance = scored.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (scored.length - 1);
  return { mean, std: Math.sqrt(variance), n: scored.length, isConstant: false };
}

/** (value - mean) / (std + 1e-4); null when the value, or the deviation to divide by, is not there. */
function normalise(value: number | null, mean: number | null, std: number | null | 'none'): number | null {
  if (value === null || mean === null || std === null) return null;
  return std === 'none' ? value - mean : (value - mean) / (std + STD_EPSILON);
}

function isZeroStd(std: number | null): boolean {
  return std !== null && std <= ZERO_STD_TOLERANCE;
}

function share(facts: readonly boolean[]): number {
  return facts.length === 0 ? 0 : facts.filter(Boolean).length / facts.length;
}
