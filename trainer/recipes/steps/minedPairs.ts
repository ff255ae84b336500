/**
 * The self-critic: the policy's own samples, scored by the run's reward, become pairs for DPO. Source: Tool-Star,
 * arXiv:2505.16410, which ranks them by the task's reward; how many of a group, and the least margin, are ours.
 */
import type { Metrics } from '../../protocol/messages';
import type { Note } from '../../protocol/note';
import type { Trace } from '../../protocol/trace';

/** Why a group gives no pair. */
const NO_PAIR = ['unscored', 'tied', 'belowMargin'] as const;
export type NoPair = (typeof NO_PAIR)[number];

export interface MinedPairs {
  pairs: [chosen: Trace, rejected: Trace][];
  /** difference of each pair's rewards, in their order */
  margins: number[];
  dropped: Record<NoPair, number>;
}

/**
 * Of each group the best against the worst, the second best against the second worst, and so on; never a tie, never a
 * trace that nothing scored.
 * @param traces groups one after the other
 * @param most pairs of a group
 * @param margin the rewards of a pair differ by this or more
 */
export function minedPairs(
  traces: readonly Trace[],
  { groupSize, most, margin }: { groupSize: number; most: number; margin: number },
): MinedPairs {
  const mined: MinedPairs = { pairs: [], margins: [], dropped: { unscored: 0, tied: 0, belowMargin: 0 } };
  for (let from = 0; from < traces.length; from += groupSize) {
    const scored = traces
      .slice(from, from + groupSize)
      .filter((t) => t.reward !== null && t.tokens.completionMask.includes(1))
      .sort((a, b) => b.reward! - a.reward! || a.indexInGroup - b.indexInGroup);
    const apart = (k: number): number => scored[k]!.reward! - scored[scored.length - 1 - k]!.reward!;
    const isPair = (k: number): boolean => apart(k) > 0 && apart(k) >= margin;
    if (scored.length < 2) mined.dropped.unscored++;
    else if (!isPair(0)) mined.dropped[apart(0) > 0 ? 'belowMargin' : 'tied']++;
    for (let k = 0; k < most && k < Math.floor(scored.length / 2) && isPair(k); k++) {
      mined.pairs.push([scored[k]!, scored[scored.length - 1 - k]!]);
      mined.margins.push(apart(k));
    }
  }
  return mined;
}

/** Pairs that were chosen by conduct and not by reward: no group is dropped for its rewards. */
export const minedByConduct = (pairs: MinedPairs['pairs']): MinedPairs => ({
  pairs,
  margins: pairs.flatMap(([a, b]) => (a.reward === null || b.reward === null ? [] : [a.reward - b.reward])),
  dropped: { unscored: 0, tied: 0, belowMargin: 0 },
});

/** A step's; coach/pair_margin null: there is no pair. */
export const minedMetrics = ({ pairs, margins, dropped }: MinedPairs): Metrics => ({
  'coach/pairs': pairs.length,
  'coach/pair_margin': margins.length === 0 ? null : sum(margins) / margins.length,
  'coach/groups_tied': dropped.tied,
  'coach/groups_below_margin': dropped.belowMargin,
  'coach/groups_unscored': dropped.unscored,
});

/** Over several steps, to be told at their end. */
export class MinedSoFar {
  private steps = 0;
  private groups = 0;
  private readonly margins: number[] = [];
  private readonly dropped: Record<NoPair, number> = { unscored: 0, tied: 0, belowMargin: 0 };

  /** @param groups that were sampled in the step */
  add({ margins, dropped }: MinedPairs, groups: number): void {
    this.steps++;
    this.groups += groups;
    this.margins.push(...margins);
    for (const why of NO_PAIR) this.dropped[why] += dropped[why];
  }

  /** @param margin the least */
  note(margin: number): Note {
    const { unscored, tied, belowMargin } = this.dropped;
    const n = this.margins.length;
    const mean = n === 0 ? '' : `, whose rewards differ by ${(sum(this.margins) / n).toFixed(3)} on average`;
    const reasons = [
      ...(tied === 0 ? [] : [`${tied} are tied`]),
      ...(belowMargin === 0 ? [] : [`${belowMargin} differ by less than ${margin}`]),
      ...(unscored === 0 ? [] : [`${unscored} have fewer than two scored answers`]),
    ];
    return {
      level: n === 0 ? 'warning' : 'info',
      code: 'pairsMined',
      message:
        `Self-critic: ${n} pairs of its own samples in ${this.steps} steps${mean}; of ${this.groups} groups ` +
        (reasons.length === 0 ? 'none was dropped' : `${reasons.join(', ')}, and gave none`),
    };
  }
}

const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);
