/** What a language model is asked, by a judge or a writer of tasks, and how its answer is read. */
import type { z } from 'zod';
import type { ToolSchema } from '../protocol/task';

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

/** A reply that can't be used; the message goes back to the judge. */
export class InvalidReply extends Error {}

/** One JSON object, alone or in a code fence. @throws InvalidReply */
export function jsonOf(text: string): unknown {
  const body = /^\s*```(?:json)?\s*\n([^]*?)\n\s*```\s*$/.exec(text)?.[1] ?? text;
  if (body.trim() === '') throw new InvalidReply('the reply is empty');
  try {
    return JSON.parse(body);
  } catch {
    throw new InvalidReply('the reply is not one JSON object');
  }
}

/** Where a reply has not the shape that was asked for, and what is wrong there. */
export function firstIssue({ issues, message }: z.ZodError): string {
  const [issue] = issues;
  return issue ? `${issue.path.join('.')} ${issue.message}` : message;
}

/** Tools that a judge may call to check a claim (Themis): none of them changes the world. */
export interface JudgeTools {
  schemas: readonly ToolSchema[];
  /** @returns what the judge reads; errors are words, too */
  call(name: string, args: Record<string, unknown>, signal: AbortSignal): Promise<string>;
}
