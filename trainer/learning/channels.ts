import { computeAdvantages } from './advantages';
import type { Reward } from '../protocol/reward';

/** Rewards as computeAdvantages takes them, the channels left out. */
export interface ScoreColumns {
  names: string[];
  weights: number[] /** [B][F] */;
  scores: (number | null)[][];
}

/** @param rows the rewards of each trace, in the order of the batch */
export function scoreColumns(rows: readonly (readonly Reward[])[]): ScoreColumns {
  const summed = (rewards: readonly Reward[]): Reward[] => rewards.filter((reward) => !reward.isChannel);
  const first = summed(rows[0] ?? []);
  return {
    names: first.map((reward) => reward.name),
    weights: first.map((reward) => reward.weight),
    scores: rows.map((rewards) => summed(rewards).map((reward) => reward.score)),
  };
}

/**
 * Adds the advantage channels of a batch to its advantages: A + sum over channels of weight x A_channel, where
 * A_channel is normalised within the
 * group among the rows that the channel scored, and 0 for the rest and where fewer than two are scored. A group that is
 * dead in the sum of its rewards is
 * alive again where a channel tells its members apart (all solved, some with fewer calls).
 *
 * Source: HDPO, arXiv:2604.08545: L = w_acc L(A_acc) + w_tool L(A_tool). With one update per batch (mu = 1) the loss is
 * linear in A, so the sum of the
 * advantages has the same gradient. Deviation: with mu > 1 clipping acts on the sum and not on each channel.
 *
 * @param base of scoreColumns, by computeAdvantages
 * @param rows the rewards of each trace, in the order of the batch
 */
export function addChannels(
  base: { advantages: readonly number[]; isDeadGroup: readonly boolean[] },
  rows: readonly (readonly Reward[])[],
  groupSize: number,
): { advantages: number[]; isDeadGroup: boolean[]; metrics: Record<string, number | null> } {
  const advantages = [...base.advantages];
  const isDeadGroup = [...base.isDeadGroup];
  const metrics: Record<string, number | null> = {};
  for (const [index, { name, weight, isChannel }] of (rows[0] ?? []).entries()) {
    if (!isChannel) continue;
    const channel = computeAdvantages(
      rows.map((rewards) => [rewards[index]!.score]),
      { weights: [1], groupSize, scaleRewards: 'group', aggregation: 'sumThenNormalize', names: [name] },
    );
    channel.advantages.forEach((advantage, row) => (advantages[row]! += weight * advantage));
    channel.isDeadGroup.forEach((isDead, group) => (isDeadGroup[group] &&= isDead || weight === 0));
    for (const key of [`rewards/${name}/mean`, `rewards/${name}/std`]) metrics[key] = channel.metrics[key] ?? null;
  }
  return { advantages, isDeadGroup, metrics };
}
