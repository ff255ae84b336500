import { createHash } from 'node:crypto';
import { Random } from '../../base/random';
import { stableJson } from '../../protocol/arguments';
import { JudgeFailure, type JudgeClient, type Usage, type JudgeTools } from '../../model/question';
import { eachIdOnce } from './exactSchema';
import { RANKING_SCHEMA, RANKING_SYSTEM, RANKING_WITH_TOOLS, rankingUser } from './prompts/ranking';
import { combineOrders, parseRanking, rankScores, type Verdict } from './replies';
import type { JudgeSettings } from './settings';

/** One reply, or why there is none. */
export interface OrderVote {
  /** places in `attempts`, the one shown first first */
  order: number[];
  /** in the order of `attempts`; null: `error` says why */
  verdicts: Verdict[] | null;
  text: string;
  error?: string;
  /** asking again in this run can't help */
  isFinal: boolean;
  usage: Usage;
  durationMs: number;
}

export interface Ranked {
  /** in the order of the attempts, [0, 1]; null: not judged, `error` says why */
  scores: number[] | null;
  error: string | null;
  isFinal: boolean;
  agreement: number;
  reasons: string[];
  votes: OrderVote[];
}

export interface RankingQuestion {
  client: JudgeClient;
  task: string;
  /** all different, at least two */
  attempts: readonly string[];
  settings: Pick<JudgeSettings, 'votes' | 'mode'>;
  scores: 'relative' | 'ranks';
  tools?: JudgeTools | undefined;
  signal: AbortSignal;
  now(): number;
}

/**
 * Each vote asks in a shuffled order and in its reverse, all at once; a vote counts where both orders were answered.
 */
export function rankAttempts(question: RankingQuestion): Promise<Ranked> {
  return question.settings.mode === 'pairwise' && question.attempts.length > 2
    ? pairwise(question)
    : listwise(question);
}

async function listwise({ attempts, scores, ...rest }: RankingQuestion): Promise<Ranked> {
  const asked = await Promise.all(
    Array.from({ length: rest.settings.votes }, (_, vote) => bothOrders({ attempts, scores, ...rest }, vote)),
  );
  const votes = asked.flat();
  const complete = asked.flatMap(([forward, backward]) =>
    forward.verdicts && backward.verdicts ? [{ forward: forward.verdicts, backward: backward.verdicts }] : [],
  );
  const [first] = complete;
  if (first === undefined) {
    return {
      scores: null,
      error: votes.find((vote) => vote.verdicts === null)?.error ?? '',
      isFinal: votes.some((vote) => vote.isFinal),
      agreement: 0,
      reasons: attempts.map(() => ''),
      votes,
    };
  }
  const scale = (verdicts: readonly Verdict[]): number[] => {
    const given = verdicts.map((verdict) => verdict.score);
    return scores === 'ranks' ? rankScores(given)! : given;
  };
  const combined = combineOrders(
    complete.map(({ forward, backward }) => ({ forward: scale(forward), backward: scale(backward) })),
  );
  return {
    ...combined,
    error: null,
    isFinal: votes.some((vote) => vote.isFinal),
    reasons: first.forward.map((verdict) => verdict.reason),
    votes,
  };
}

/**
 * Each pair by itself; an attempt's score is the mean of 1/2 + half its margin over each other one, in [0, 1]. A pair
 * without a verdict leaves the group
 * not judged: who met fewer opponents would be measured by another rule.
 */
async function pairwise(question: RankingQuestion): Promise<Ranked> {
  const { attempts } = question;
  const places = attempts.flatMap((_, i) => attempts.slice(i + 1).map((__, j): [number, number] => [i, i + 1 + j]));
  const pairs = await Promise.all(
    places.map(async ([i, j]) => ({
      i,
      j,
      ranked: await listwise({ ...question, attempts: [attempts[i]!, attempts[j]!] }),
    })),
  );
  const votes = pairs.flatMap(({ i, j, ranked }) =>
    ranked.votes.map((vote) => ({ ...vote, order: vote.order.map((place) => (place === 0 ? i : j)), verdicts: null })),
  );
  const isFinal = pairs.some(({ ranked }) => ranked.isFinal);
  const missing = pairs.find(({ ranked }) => ranked.scores === null);
  if (missing)
    return { scores: null, error: missing.ranked.error, isFinal, agreement: 0, reasons: attempts.map(() => ''), votes };
  const sums = attempts.map(() => 0);
  for (const { i, j, ranked } of pairs) {
    const [ofI, ofJ] = ranked.scores as [number, number];
    const margin = ofI - ofJ;
    sums[i]! += 0.5 + margin / 2;
    sums[j]! += 0.5 - margin / 2;
  }
  return {
    scores: sums.map((sum) => sum / (attempts.length - 1)),
    error: null,
    isFinal,
    votes,
    agreement: pairs.reduce((sum, { ranked }) => sum + ranked.agreement, 0) / pairs.length,
    reasons: attempts.map((_, place) =>
      pairs
        .filter(({ i, j }) => i === place || j === place)
        .map(({ i, ranked }) => ranked.reasons[i === place ? 0 : 1] ?? '')
        .filter((reason) => reason !== '')
        .join(' '),
    ),
  };
}

async function bothOrders(
  { client, task, attempts, tools, signal, now }: RankingQuestion,
  vote: number,
): Promise<[OrderVote, OrderVote]> {
  // From the content, so that the same group is asked the same way again: by the cache, and in a resumed run.
  const random = Random.fromSeed(
    createHash('sha256')
      .update(stableJson([task, attempts, vote]))
      .digest('hex'),
  );
  const order = random.shuffle(attempts.map((_, i) => i));
  const names = (): string[] => random.shuffle(Array.from({ length: attempts.length }, (_, i) => nameOf(i)));
  const ask = async (places: number[], ids: readonly string[]): Promise<OrderVote> => {
    const started = now();
    try {
      const { value, text, usage } = await client.ask(
        {
          system: tools ? `${RANKING_SYSTEM}\n\n${RANKING_WITH_TOOLS}` : RANKING_SYSTEM,
          user: rankingUser(
            task,
            places.map((place, i) => ({ id: ids[i]!, text: attempts[place]! })),
          ),
          schema: { name: 'ranking', schema: RANKING_SCHEMA },
          exactSchema: eachIdOnce(RANKING_SCHEMA, ids, { score: { type: 'number', minimum: 0, maximum: 1 } }),
          parse: (reply) => parseRanking(reply, ids),
          ...(tools ? { tools } : {}),
        },
        signal,
      );
      return {
        order: places,
        verdicts: attempts.map((_, place) => value.get(ids[places.indexOf(place)]!)!),
        text,
        isFinal: false,
        usage,
        durationMs: now() - started,
      };
    } catch (error) {
      if (!(error instanceof JudgeFailure)) throw error;
      return {
        order: places,
        verdicts: null,
        text: error.reply,
        error: error.message,
        isFinal: error.isFinal,
        usage: error.usage,
        durationMs: now() - started,
      };
    }
  };
  return allOrFirstFailure([ask(order, names()), ask([...order].reverse(), names())]) as Promise<
    [OrderVote, OrderVote]
  >;
}

/** All are waited for, so that none runs on behind the back of a failure. */
export async function allOrFirstFailure<T>(work: readonly Promise<T>[]): Promise<T[]> {
  return (await Promise.allSettled(work)).map((outcome) => {
    if (outcome.status === 'rejected') throw outcome.reason;
    return outcome.value;
  });
}

/** A to Z, then A1 and so on. */
const nameOf = (i: number): string => `${String.fromCharCode(65 + (i % 26))}${i < 26 ? '' : Math.floor(i / 26)}`;
