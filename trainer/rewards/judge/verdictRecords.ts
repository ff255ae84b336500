/** What a judge's replies become in the run's record. */
import type { JudgeUsage, JudgeVote } from '../../protocol/reward';
import type { Episode } from '../episode';
import type { Usage } from '../../model/question';
import type { OrderVote } from './ranking';

export const reasonOf = (reason: string, agreed: number): string =>
  agreed === 0 ? `[the two orders contradict each other, so this teaches nothing] ${reason}` : reason;

/** 1 = best, ties share a rank. */
export const ranksOf = (scores: readonly number[]): number[] =>
  scores.map((score) => 1 + scores.filter((other) => other > score).length);

/** A reply as the run keeps it; of equal attempts the first stands in the order. */
export function voteOf(
  { order, verdicts, text, error, usage, durationMs }: OrderVote,
  group: readonly Episode[],
  placeOf: readonly number[],
): JudgeVote {
  const told = verdicts && placeOf.map((place) => verdicts[place]!);
  return {
    order: order.map((place) => group[placeOf.indexOf(place)]!.trace.id),
    ranks: told && ranksOf(told.map((verdict) => verdict.score)),
    ...(told ? { reasons: told.map((verdict) => verdict.reason) } : {}),
    rawReply: text,
    ...(error === undefined ? {} : { error }),
    usage: recorded([usage]),
    durationMs,
  };
}

export const recorded = (usages: readonly Usage[]): JudgeUsage => {
  const { promptTokens, completionTokens, usd } = shared(usages, 1);
  return { promptTokens, completionTokens, costUsd: usd };
};

/** Each trace's part of what its group cost, so that the traces' sums are the truth. */
export function shared(all: readonly Usage[], traces: number): Usage {
  const sum = (of: (usage: Usage) => number): number => all.reduce((total, usage) => total + of(usage), 0) / traces;
  return {
    promptTokens: sum((usage) => usage.promptTokens),
    completionTokens: sum((usage) => usage.completionTokens),
    usd: all.some((usage) => usage.usd === null) ? null : sum((usage) => usage.usd ?? 0),
  };
}
