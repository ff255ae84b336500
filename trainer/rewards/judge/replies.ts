import { z } from 'zod';
import { firstIssue, InvalidReply, jsonOf } from '../../model/question';

export interface Verdict {
  score: number;
  reason: string;
}

const Reply = z.object({
  attempts: z.array(z.object({ id: z.string(), score: z.number().min(0).max(1), reason: z.string().default('') })),
});

/**
 * The verdicts of a ranking by id. Strict: every id once, no other.
 * @throws InvalidReply with what is wrong
 */
export function parseRanking(text: string, ids: readonly string[]): Map<string, Verdict> {
  const parsed = Reply.safeParse(jsonOf(text));
  if (!parsed.success)
    throw new InvalidReply(
      `the reply is not {"attempts": [{"id", "reason", "score" from 0 to 1}]}: ${firstIssue(parsed.error)}`,
    );
  const verdicts = new Map<string, Verdict>();
  for (const { id, score, reason } of parsed.data.attempts) {
    if (!ids.includes(id)) throw new InvalidReply(`there is no attempt ${id}`);
    if (verdicts.has(id)) throw new InvalidReply(`attempt ${id} is there twice`);
    verdicts.set(id, { score, reason });
  }
  const missing = ids.filter((id) => !verdicts.has(id));
  if (missing.length > 0) throw new InvalidReply(`attempt ${missing.join(', ')} is missing`);
  return verdicts;
}

/**
 * Ranks, best first, to scores: 1 for the best, 0 for the last, evenly between; ties share the mean of their places.
 * Source: ToolBrain, arXiv:2510.00023, reward_llm_judge_via_ranking (step 1 / (G - 1)); ties are ours. One alone is not
 * ranked: null.
 */
export function rankScores(scores: readonly number[]): number[] | null {
  if (scores.length < 2) return null;
  return scores.map((score) => {
    const better = scores.filter((other) => other > score).length;
    const equal = scores.filter((other) => other === score).length;
    return 1 - (better + (equal - 1) / 2) / (scores.length - 1);
  });
}

/**
 * How far two orders of presentation agree, Kendall's tau-b, in [-1, 1]; two that see no difference at all agree (1),
 * one that does and one that does not
 * tell nothing of each other (0).
 */
export function agreement(a: readonly number[], b: readonly number[]): number {
  let [sum, inA, inB] = [0, 0, 0];
  for (let i = 0; i < a.length; i++) {
    for (let j = 0; j < i; j++) {
      const [x, y] = [Math.sign(a[i]! - a[j]!), Math.sign(b[i]! - b[j]!)];
      sum += x * y;
      inA += x * x;
      inB += y * y;
    }
  }
  if (inA === 0 && inB === 0) return 1;
  return inA === 0 || inB === 0 ? 0 : sum / Math.sqrt(inA * inB);
}

/**
 * One score per attempt from pairs of orders: the mean of all, drawn towards the group's mean by how much the orders
 * disagree. Total disagreement leaves
 * equal scores, which teach nothing.
 */
export function combineOrders(pairs: readonly { forward: readonly number[]; backward: readonly number[] }[]): {
  scores: number[];
  agreement: number;
} {
  const agreed =
    pairs.reduce((sum, { forward, backward }) => sum + Math.max(0, agreement(forward, backward)), 0) / pairs.length;
  const [first] = pairs;
  if (first === undefined) throw new Error('combineOrders: there is no pair of orders');
  const means = first.forward.map(
    (_, i) => pairs.reduce((sum, { forward, backward }) => sum + forward[i]! + backward[i]!, 0) / (2 * pairs.length),
  );
  if (agreed === 0) {
    const middle = means.reduce((sum, value) => sum + value, 0) / means.length;
    return { scores: means.map(() => middle), agreement: 0 };
  }
  const middle = means.reduce((sum, value) => sum + value, 0) / means.length;
  return { scores: means.map((value) => middle + agreed * (value - middle)), agreement: agreed };
}
