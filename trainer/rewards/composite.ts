import { mean } from '../base/mean';
import type { Reward } from '../protocol/reward';

/** What one component of a composite reward does to what is learnt. Figures are null where they can't be told. */
export interface ComponentView {
  name: string;
  weight: number;
  /** traces that it scored */
  n: number;
  mean: number | null;
  /** of the scores, over all traces; n - 1 in the divisor */
  variance: number | null;
  /** with the sum of the weighted rewards, Pearson */
  correlation: number | null;
  /**
   * Share of the advantage: covariance of weight x score with the sum, both less the mean of their group, over the
   * variance of the sum. The shares of all
   * components add up to 1; below 0: it pulls against the rest.
   */
  share: number | null;
}

/**
 * A composite reward component by component. Source of the idea: the reward decomposition of TA-MDP (Visual-ARFT's
 * theory, see systems.md row 4); the share is ours:
 * group-relative advantages divide by one deviation per group, so what a component adds to them goes with its
 * covariance inside the group.
 *
 * @param groups the rewards of each trace, group by group; traces that nothing scored are left out, and channels too
 */
export function compositeView(groups: readonly (readonly (readonly Reward[])[])[]): ComponentView[] {
  const first = groups.flat().find((rewards) => rewards.length > 0) ?? [];
  const components = first.map((reward, index) => ({ ...reward, index })).filter((reward) => !reward.isChannel);
  const value = (rewards: readonly Reward[], index: number): number => {
    const { score, weight } = rewards[index]!;
    return (score ?? 0) * weight;
  };
  const scored = groups.map((group) =>
    group.filter((rewards) => components.some(({ index }) => rewards[index]?.score != null)),
  );
  const sums = scored.map((group) =>
    group.map((rewards) => components.reduce((sum, { index }) => sum + value(rewards, index), 0)),
  );
  const centredSums = sums.flatMap(centred);
  const spread = dot(centredSums, centredSums);
  return components.map(({ name, weight, index }) => {
    const places = scored.flatMap((group, g) =>
      group.flatMap((rewards, i) => {
        const { score } = rewards[index]!;
        return score === null ? [] : [{ score, sum: sums[g]![i]! }];
      }),
    );
    const scores = places.map((place) => place.score);
    const contributions = scored.flatMap((group) => centred(group.map((rewards) => value(rewards, index))));
    return {
      name,
      weight,
      n: scores.length,
      mean: mean(scores),
      variance: variance(scores),
      correlation: correlation(
        scores,
        places.map((place) => place.sum),
      ),
      share: spread > TINY ? dot(contributions, centredSums) / spread : null,
    };
  });
}

/** Below it a spread is rounding. */
const TINY = 1e-12;
const dot = (a: readonly number[], b: readonly number[]): number => a.reduce((sum, value, i) => sum + value * b[i]!, 0);

function centred(values: readonly number[]): number[] {
  const middle = mean(values) ?? 0;
  return values.map((value) => value - middle);
}

function variance(values: readonly number[]): number | null {
  const rest = centred(values);
  return values.length < 2 ? null : dot(rest, rest) / (values.length - 1);
}

function correlation(a: readonly number[], b: readonly number[]): number | null {
  const [x, y] = [centred(a), centred(b)];
  const scale = Math.sqrt(dot(x, x) * dot(y, y));
  return scale > TINY ? dot(x, y) / scale : null;
}
