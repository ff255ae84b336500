import { z } from 'zod';

/** score null = not scored (does not apply, or the scorer failed: then `error` says why); it never becomes 0. */
export const Reward = z.object({
  name: z.string(),
  score: z.number().nullable(),
  weight: z.number(),
  error: z.string().optional(),
  /** What the score is made of, by name; null = that part does not apply. */
  parts: z.record(z.string(), z.number().nullable()).optional(),
  /** True: an advantage channel of its own, outside the sum. */
  isChannel: z.boolean().optional(),
  /** A judge's, in its words. */
  reason: z.string().optional(),
  /** This trace's part of what the judge was asked and said; usd null: the price is not known. */
  usage: z.object({ promptTokens: z.number(), completionTokens: z.number(), usd: z.number().nullable() }).optional(),
});
export type Reward = z.infer<typeof Reward>;

/** The built-in rewards that a judge gives: `per: 'judge'` in rewards/registry.ts. */
export const JUDGE_REWARDS: readonly string[] = [
  'judge',
  'rubric',
  'cm2',
  'scribe',
  'toolCompJudge',
  'timJudge',
  'complianceJudge',
];

/** A judge gave it, or was asked to. */
export const isJudges = ({ name, reason, usage }: Pick<Reward, 'name' | 'reason' | 'usage'>): boolean =>
  JUDGE_REWARDS.includes(name) || reason !== undefined || usage !== undefined;

/** What a call of an outside model used; null = the server did not say. */
export const JudgeUsage = z.object({
  promptTokens: z.number().nullable(),
  completionTokens: z.number().nullable(),
  costUsd: z.number().nullable(),
});
export type JudgeUsage = z.infer<typeof JudgeUsage>;

/** One reply of a judge that saw the group in one order. */
export const JudgeVote = z.object({
  /** trace ids, the one seen first first */
  order: z.array(z.string()),
  /**
   * parallel to the verdict's traceIds, 1 = best, ties share a rank; null: this reply ranked nothing, `error` says why
   */
  ranks: z.array(z.number().int()).nullable(),
  reasons: z.array(z.string()).optional(),
  rawReply: z.string(),
  error: z.string().optional(),
  usage: JudgeUsage.optional(),
  durationMs: z.number().optional(),
});
export type JudgeVote = z.infer<typeof JudgeVote>;

/**
 * A judge's ranking of one group. ranks and reasons are parallel to traceIds; 1 = best, ties share a rank; ranks null =
 * not judged, which never
 * becomes a score. A run keeps one a line in judge.jsonl.
 */
export const JudgeVerdict = z.object({
  taskId: z.string(),
  traceIds: z.array(z.string()),
  ranks: z.array(z.number().int()).nullable(),
  reasons: z.array(z.string()),
  model: z.string(),
  rawReply: z.string(),
  groupId: z.string().optional(),
  step: z.number().int().optional(),
  /** ms since epoch */
  t: z.number().optional(),
  /** every reply that went into the ranking: both orders, and more votes */
  votes: z.array(JudgeVote).optional(),
  /** why it was not judged */
  error: z.string().optional(),
  /** of all votes together */
  usage: JudgeUsage.optional(),
  rubric: z.string().optional(),
});
export type JudgeVerdict = z.infer<typeof JudgeVerdict>;

/**
 * An answer as it was sampled: the ids of the whole history and the answer, which begins at `start`; writer as in
 * Tokens, one letter an id.
 */
export const AnswerTokens = z.object({ ids: z.array(z.number().int()), start: z.number().int(), writer: z.string() });
export type AnswerTokens = z.infer<typeof AnswerTokens>;

/** prompt = full history before the decision; chosen / rejected = what follows. */
export const PreferencePair = z.object({
  id: z.string(),
  taskId: z.string().optional(),
  prompt: z.array(z.record(z.string(), z.unknown())),
  chosen: z.array(z.record(z.string(), z.unknown())),
  rejected: z.array(z.record(z.string(), z.unknown())),
  tools: z.array(z.unknown()).optional(),
  source: z.string().optional(),
  /** what was sampled, where it was: training takes these ids and does not make them anew from the text */
  tokens: z.object({ chosen: AnswerTokens.optional(), rejected: AnswerTokens.optional() }).optional(),
});
export type PreferencePair = z.infer<typeof PreferencePair>;
