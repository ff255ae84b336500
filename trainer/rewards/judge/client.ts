import { createHash } from 'node:crypto';
import type { Engine } from '../../model/engine/engine';
import { stableJson } from '../../protocol/arguments';
import type { JudgeCache } from './cache';
import { InvalidReply, type Question, type Usage } from '../../model/question';
import type { JudgeSettings } from './settings';

export interface ClientOptions {
  settings: JudgeSettings;
  /** where a model of this disk computes; without one it can be checked, and not asked */
  engine: Engine | null;
  cache: JudgeCache;
  /** waits, or rejects when the signal is aborted */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  now(): number;
}

/** What was asked, and of whom: equal keys get equal replies. */
export const cacheKey = (...asked: readonly unknown[]): string =>
  createHash('sha256').update(stableJson(asked)).digest('hex');

/** A kept reply that still can be read; null: ask. */
export function recall<T>(reply: string | undefined, question: Question<T>): { value: T } | null {
  if (reply === undefined) return null;
  try {
    return { value: question.parse(reply) };
  } catch (error) {
    if (error instanceof InvalidReply) return null;
    throw error;
  }
}

/** Why nothing more is asked; null: there is room. */
export function overBudget(spent: Usage, { budgetTokens, budgetUsd }: JudgeSettings): string | null {
  const tokens = spent.promptTokens + spent.completionTokens;
  if (budgetTokens !== null && tokens >= budgetTokens)
    return `the judge's budget is spent: ${tokens} of ${budgetTokens} tokens`;
  if (budgetUsd !== null && (spent.usd ?? 0) >= budgetUsd)
    return `the judge's budget is spent: ${(spent.usd ?? 0).toFixed(4)} of ${budgetUsd} USD`;
  return null;
}
