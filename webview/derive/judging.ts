/** What a judge's verdict says beyond its ranking: how far its votes agree, what the order did, what it cost. Pure. */
import { isJudges, type JudgeUsage, type JudgeVerdict } from '../../trainer/protocol/reward';
import type { Trace } from '../../trainer/protocol/trace';
import { choiceOf, type Choice } from './agreement';
import { wilson } from '../../trainer/protocol/interval';

export interface RankedTrace {
  traceId: string;
  /** null = not judged */
  rank: number | null;
  isTie: boolean;
  reason: string | null;
}

/** Best first; what has no rank last, in the order of the record. */
export function rankingOf(verdict: JudgeVerdict): RankedTrace[] {
  const rows = verdict.traceIds.map((traceId, i): RankedTrace => {
    const rank = verdict.ranks?.[i] ?? null;
    return {
      traceId,
      rank,
      isTie: rank !== null && verdict.ranks!.filter((other) => other === rank).length > 1,
      reason: verdict.reasons[i]?.trim() || null,
    };
  });
  return rows
    .map((row, i) => ({ row, i }))
    .sort((a, b) => (a.row.rank ?? Infinity) - (b.row.rank ?? Infinity) || a.i - b.i)
    .map(({ row }) => row);
}

export interface Disagreement {
  /** replies that ranked the group */
  votes: number;
  /** replies that did not */
  failed: number;
  /** pairs of traces */
  pairs: number;
  /** pairs of which not all votes say the same; null = fewer than two votes */
  split: number | null;
  /** the pairs themselves, as the votes see them */
  splits: { traceIds: [string, string]; choices: Choice[] }[];
}

export function disagreement({ traceIds, votes = [] }: JudgeVerdict): Disagreement {
  const ranking = votes.filter((vote) => vote.ranks !== null);
  const splits: Disagreement['splits'] = [];
  let pairs = 0;
  for (const [first, second] of pairsOf(traceIds)) {
    pairs++;
    const choices = ranking.flatMap((vote) => choiceOf({ traceIds, ranks: vote.ranks }, [first, second]) ?? []);
    if (new Set(choices).size > 1) splits.push({ traceIds: [first, second], choices });
  }
  return {
    votes: ranking.length,
    failed: votes.length - ranking.length,
    pairs,
    split: ranking.length < 2 ? null : splits.length,
    splits,
  };
}

export interface OrderBias {
  /** pairs in votes, ties left out */
  n: number;
  firstSeen: number;
  /** share of n in which what was seen first was preferred: one half is fair; null = nothing to count */
  share: number | null;
  ci95: readonly [number, number] | null;
}

/**
 * Pairs of one vote hang together, so the interval is rather too narrow; it is for seeing a strong bias, not a weak
 * one.
 */
export function orderBias(verdicts: readonly JudgeVerdict[]): OrderBias {
  let n = 0;
  let firstSeen = 0;
  for (const { traceIds, votes = [] } of verdicts) {
    for (const vote of votes) {
      for (const [earlier, later] of pairsOf(vote.order)) {
        const choice = choiceOf({ traceIds, ranks: vote.ranks }, [earlier, later]);
        if (choice === null || choice === 'tie') continue;
        n++;
        if (choice === 'first') firstSeen++;
      }
    }
  }
  return { n, firstSeen, share: n > 0 ? firstSeen / n : null, ci95: wilson(firstSeen, n) };
}

export interface UsageTotal {
  promptTokens: number | null;
  completionTokens: number | null;
  costUsd: number | null;
  /** replies whose cost or tokens nobody told */
  unknown: number;
}

/** Sums what is known; what is not known is counted, not taken for 0. */
export function usageOf(verdicts: readonly Pick<JudgeVerdict, 'usage' | 'votes'>[]): UsageTotal {
  const total: UsageTotal = { promptTokens: null, completionTokens: null, costUsd: null, unknown: 0 };
  const add = (usage: JudgeUsage | undefined): void => {
    if (!usage || usage.promptTokens === null || usage.completionTokens === null || usage.costUsd === null)
      total.unknown++;
    for (const key of ['promptTokens', 'completionTokens', 'costUsd'] as const) {
      const value = usage?.[key];
      if (value !== null && value !== undefined) total[key] = (total[key] ?? 0) + value;
    }
  };
  for (const { usage, votes } of verdicts) {
    if (usage) add(usage);
    else if (votes && votes.length > 0) for (const vote of votes) add(vote.usage);
    else add(undefined);
  }
  return total;
}

/**
 * The verdict as far as the rewards of a group's traces tell it, for runs whose judge kept no line of its own: score,
 * reason and share of the
 * usage of each. null = no judge among the rewards. A trace that was not scored is left out: it is not judged.
 */
export function verdictFromRewards(traces: readonly Trace[]): JudgeVerdict | null {
  const said = traces.flatMap((trace) => {
    const reward = trace.rewards.find(isJudges);
    return reward ? [{ trace, reward }] : [];
  });
  const first = said[0];
  if (!first) return null;
  const scored = said.filter(({ reward }) => reward.score !== null);
  const shown = scored.length > 0 ? scored : said;
  const usage = said.map(({ reward }) => reward.usage);
  const sum = (values: readonly (number | null | undefined)[]): number | null =>
    values.every((value) => value === null || value === undefined)
      ? null
      : values.reduce<number>((total, value) => total + (value ?? 0), 0);
  return {
    taskId: first.trace.taskId,
    groupId: first.trace.groupId,
    step: first.trace.step,
    model: first.reward.name,
    rawReply: '',
    traceIds: shown.map(({ trace }) => trace.id),
    ranks:
      scored.length > 0
        ? scored.map(({ reward }) => 1 + scored.filter((other) => other.reward.score! > reward.score!).length)
        : null,
    reasons: shown.map(({ reward }) => reward.reason ?? ''),
    ...(scored.length === 0 && first.reward.error ? { error: first.reward.error } : {}),
    usage: {
      promptTokens: sum(usage.map((one) => one?.promptTokens)),
      completionTokens: sum(usage.map((one) => one?.completionTokens)),
      costUsd: sum(usage.map((one) => one?.usd)),
    },
  };
}

/**
 * A ranking moved by one person: the trace goes to that place, all places are told apart again. @returns trace ids,
 * best first
 */
export function moved(order: readonly string[], traceId: string, to: number): string[] {
  const rest = order.filter((id) => id !== traceId);
  rest.splice(Math.min(rest.length, Math.max(0, to)), 0, traceId);
  return rest;
}

function* pairsOf(ids: readonly string[]): Generator<[string, string]> {
  for (let i = 0; i < ids.length; i++) for (let j = i + 1; j < ids.length; j++) yield [ids[i]!, ids[j]!];
}
