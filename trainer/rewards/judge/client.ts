import { createHash } from 'node:crypto';
import type { Engine } from '../../model/engine/engine';
import { stableJson } from '../../tasks/arguments';
import type { JudgeCache } from './cache';
import type { JudgeTools } from './judge';
import { InvalidReply } from './replies';
import type { JudgeSettings } from './settings';

export interface Usage {
  promptTokens: number;
  completionTokens: number;
  usd: number | null;
}

/** Why there is no verdict. `isFinal`: asking again in this run can't help. */
export class JudgeFailure extends Error {
  /** what was paid, and said, all the same */
  usage: Usage = { promptTokens: 0, completionTokens: 0, usd: null };
  reply = '';
  constructor(
    message: string,
    readonly isFinal = false,
  ) {
    super(message);
  }
}

export interface Question<T> {
  system: string;
  user: string;
  schema: { name: string; schema: Record<string, unknown> };
  /** the same shape with the names and ranges of this very question: for a model that is held to it while it writes */
  exactSchema: Record<string, unknown>;
  /** @throws InvalidReply */
  parse(text: string): T;
  /** that the judge may call before it replies */
  tools?: JudgeTools;
}

export interface Reply<T> {
  value: T;
  /** as it came */
  text: string;
  usage: Usage;
  isCached: boolean;
}

export interface JudgeClient {
  /**
   * Is there a server that takes the key and knows the model, or a model in the folder? Costs nothing, or one token
   * where the model is not in its list. @throws UserError before a run begins, in one sentence
   */
  check(signal: AbortSignal): Promise<void>;
  /** @throws JudgeFailure, or the reason of the signal */
  ask<T>(question: Question<T>, signal: AbortSignal): Promise<Reply<T>>;
  /** all of this client's replies so far */
  readonly spent: Usage & { requests: number; retries: number; cacheHits: number };
  /** frees what it holds; twice is harmless */
  close(): void;
}

export interface ClientOptions {
  settings: JudgeSettings;
  /** where a model of this disk computes; without one it can be checked, and not asked */
  engine: Engine | null;
  cache: JudgeCache;
  /** waits, or rejects when the signal is aborted */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  now(): number;
}

/**
 * A judge that can be asked: a model of this disk where the settings name one, else an OpenAI-compatible server.
 * @throws UserError where the model can't be loaded
 */
export async function openClient(options: ClientOptions): Promise<JudgeClient> {
  return options.settings.modelPath === null
    ? (await import('./serverClient')).openServerClient(options)
    : (await import('./localClient')).openLocalClient(options);
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

/** Runs at most n at once, first come first served. */
export function semaphore(n: number): <T>(work: () => Promise<T>) => Promise<T> {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (running >= n) await new Promise<void>((resolve) => waiting.push(resolve));
    else running++;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
}
