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
  tools: readonly PromptTool[];
  /** the stream that its choices are drawn from: the same stream gives the same words */
  random: Random;
  sampling: Sampling;
}

export interface Conversation {
  /** The next turn. A cancel ends it where it is, and is no exception. @throws what keeps the policy from answering */
  respond(signal: AbortSignal): Promise<PolicyTurn>;
  /** What the policy reads before its next turn: results of its calls, the user's next words. */
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
  /** set where something looked like a call and could not be read */
  error?: string;
  /** `stop`: the policy ended its turn; `length`: a limit on tokens did, and it is no turn; nothing can be added then */
  finishReason: 'stop' | 'length' | 'cancelled';
  /** null: nobody counted */
  usage: TokenUsage | null;
  /** of a policy that knows them */
  tokens?: TurnTokens;
}

/** A server that named its call wants that name back with the result. */
export type PolicyCall = GoldCall & { id?: string };

export interface TokenUsage {
  promptTokens: number;
  completionTokens: number;
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
  /** by place: the ids that a sampled one was chosen from, where these were not all */
  allowed: ReadonlyMap<number, Int32Array>;
}
