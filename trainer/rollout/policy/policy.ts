/**
 * Who answers. One call is one assistant turn, at the level of messages; tokens come along where the policy knows
 * them. Local, remote and scripted policies are asked in this way alone.
 */
import type { Random } from '../../base/random';
import type { PromptTool } from '../../model/tokenizer/chatTemplate';
import type { GoldCall } from '../../protocol/task';
import type { Message, Trace } from '../../protocol/trace';
import type { Sampling } from './sampling';

export interface Policy {
  /** the model's name; with `version`, which names the checkpoint, it is recorded on each trace */
  readonly id: string;
  readonly version: string;
  /** what its turns are held to while they are written */
  readonly constraint: Trace['constraint'];
  open(opening: Opening): Conversation;
}

export interface Opening {
  messages: readonly Message[];
  /** the messages hold turns of its own: it goes on from them, with other tools */
  goesOn?: boolean;
  tools: readonly PromptTool[];
  /** the stream that its choices are drawn from: the same stream gives the same words */
  random: Random;
  sampling: Sampling;
  /** the shape that each of its turns is to have; absent: any words and calls */
  format?: ReplyFormat | undefined;
}

/**
 * One JSON object, in JSON Schema. A local policy is held to it while it writes; a server is asked for it, and one that
 * takes no such wish is asked in words alone: whoever reads the reply checks it.
 */
export interface ReplyFormat {
  name: string;
  /** as servers take it: names and ranges that change from question to question are left to the words */
  schema: Record<string, unknown>;
  /** the same with the names and ranges of this very question, for decoding; default: schema */
  exactSchema?: Record<string, unknown> | undefined;
}

export interface Conversation {
  /** The next turn. A cancel ends it where it is, and is no exception. @throws what keeps the policy from answering */
  respond(signal: AbortSignal): Promise<PolicyTurn>;
  /** What the policy reads before its next turn: results of its calls, the user's next words, turns made for it. */
  append(messages: readonly Message[]): void;
  /** Shares all that was read so far, and goes on with a random stream of its own. Between turns only. */
  fork(): Conversation;
  /** Frees what it holds; twice is harmless. */
  close(): void;
}

export interface PolicyTurn {
  /** as it was written, special tokens included where there are any */
  text: string;
  /** what was said beside the calls */
  content: string;
  calls: PolicyCall[];
  /** set where something looked like a call and could not be read, or the policy can't read so much */
  error?: string;
  /** calls that a server made as such, and that can't be read */
  broken?: BrokenCall[];
  /**
   * `stop`: the policy ended its turn; `length`: a limit on tokens did, and it is no turn; nothing can be added then
   */
  finishReason: 'stop' | 'length' | 'cancelled';
  /** null: nobody counted */
  usage: TokenUsage | null;
  /** of a policy that knows them */
  tokens?: TurnTokens;
  /** who made it, where the policy was not asked (a tool graph): the policy reads it with what it led to */
  policy?: string;
}

/** A server that named its call wants that name back with the result. */
export type PolicyCall = GoldCall & { id?: string };

/** @see PolicyTurn.broken */
export interface BrokenCall {
  id: string;
  name: string;
  /** among all calls of the turn, from 0 */
  place: number;
  why: 'noJson' | 'noObject' | 'noFunction';
}

export interface TokenUsage {
  promptTokens: number;
  completionTokens: number;
  /** what it cost; absent: nobody counts money */
  usd?: number;
}

/** One turn of a conversation of its own. @throws as Conversation.respond */
export async function respondOnce(policy: Policy, opening: Opening, signal: AbortSignal): Promise<PolicyTurn> {
  const conversation = policy.open(opening);
  try {
    return await conversation.respond(signal);
  } finally {
    conversation.close();
  }
}

/** All that was read and written since the turn before, one entry a token, as in a trace's Tokens. */
export interface TurnTokens {
  /** where the policy's own begin */
  start: number;
  ids: number[];
  logprobs: (number | null)[];
  plainLogprobs: (number | null)[];
  completionMask: (0 | 1)[];
  writer: string;
  /** what each belongs to, as Tokens.kind; absent: nobody said */
  kind?: string | undefined;
  /** by place: the ids that a sampled one was chosen from, where these were not all */
  allowed: ReadonlyMap<number, Int32Array>;
}
