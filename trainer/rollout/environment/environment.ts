/** Where the policy acts. Wrappers (guards, a simulated user) see turns and messages, never tokens. */
import type { Random } from '../../base/random';
import type { GoldCall, Task, ToolSchema } from '../../protocol/task';
import type { Message, ToolResult } from '../../protocol/trace';

export interface Environment {
  /** Begins an episode. @param random a stream of its own, for what the environment draws */
  reset(task: Task, random: Random): Promise<Observation>;
  /** What a turn leads to. Failed calls are results; a cancel leaves them as they are. */
  step(turn: AssistantTurn, signal: AbortSignal): Promise<Outcome>;
  /**
   * The same state once more, to go on from in another way: by a copy, or by calling again. Absent or null: it can't
   * be had.
   */
  fork?(): Promise<Environment | null>;
  /** Frees what it holds; twice is harmless. */
  close(): void;
}

/** What the policy begins with. */
export interface Observation {
  messages: Message[];
  tools: readonly ToolSchema[];
  /** there are more tools than these */
  isPart?: boolean;
  /** the messages hold turns of the policy's own, of earlier requests */
  goesOn?: boolean;
}

/** A policy's turn as environments see it; every call has a name of its own. */
export interface AssistantTurn {
  text: string;
  content: string;
  calls: readonly (GoldCall & { id: string })[];
  /** something looked like a call and could not be read */
  error?: string | undefined;
}

export interface Outcome {
  /** what the policy reads next */
  messages: Message[];
  /** the episode is over */
  done: boolean;
  info: OutcomeInfo;
  /** What the policy is shown from its next turn on, in the place of what it was shown; absent: it reads on. */
  anew?: Anew;
}

/** Another prompt of the same episode: all that was said, with other tools. */
export type Anew = Pick<Observation, 'tools'>;

/** What is recorded of a turn beside its messages: whatever else an environment says of it goes into its `info`. */
export interface OutcomeInfo {
  /** of its calls, in their order */
  results: ToolResult[];
  /** what an answer states and nobody said (guards); absent: not looked at */
  ungrounded?: string[];
  [name: string]: unknown;
}
