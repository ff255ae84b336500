import { z } from 'zod';
import type { Task } from './task';
import type { Trace } from './trace';

/** score null = not scored (does not apply, or the scorer failed: then `error` says why); it never becomes 0. */
export const Reward = z.object({ name: z.string(), score: z.number().nullable(), weight: z.number(), error: z.string().optional() });
export type Reward = z.infer<typeof Reward>;

export type RewardFunction = (task: Task, trace: Trace) => number | null;
export type GroupRewardFunction = (task: Task, traces: Trace[]) => (number | null)[];

/** A judge's ranking of one group, best first; ties share a rank. */
export const JudgeVerdict = z.object({
  taskId: z.string(),
  traceIds: z.array(z.string()),
  ranks: z.array(z.number().int()).nullable(),
  reasons: z.array(z.string()),
  model: z.string(),
  rawReply: z.string(),
});
export type JudgeVerdict = z.infer<typeof JudgeVerdict>;

/** An answer as it was sampled: the ids of the whole history and the answer, which begins at `start`. */
export const AnswerTokens = z.object({ ids: z.array(z.number().int()), start: z.number().int() });
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
