import type { Random } from '../../base/random';
import type { Task } from '../../protocol/task';
import type { Message } from '../../protocol/trace';
import type { AssistantTurn, Environment, Observation, Outcome } from './environment';

/** Who answers the policy's answers. */
export interface User {
  /** @param dialogue so far, the policy's last answer included @returns null: nothing more is wanted */
  reply(dialogue: readonly Message[], signal: AbortSignal): Promise<string | null>;
  fork(): User;
}

/** Says these lines, one after the other, whatever is answered. */
export function scriptedUser(lines: readonly string[]): User {
  let next = 0;
  return {
    reply: async () => lines[next++] ?? null,
    fork: () => scriptedUser(lines.slice(next)),
  };
}

/** An environment with a user in it: what would end an episode is answered, until the user has nothing more to say. */
export class SimulatedUser implements Environment {
  constructor(
    private readonly inner: Environment,
    private readonly user: User,
    private dialogue: Message[] = [],
  ) {}

  async reset(task: Task, random: Random): Promise<Observation> {
    const opening = await this.inner.reset(task, random);
    this.dialogue = [...opening.messages];
    return opening;
  }

  async step(turn: AssistantTurn, signal: AbortSignal): Promise<Outcome> {
    const outcome = await this.inner.step(turn, signal);
    this.dialogue.push({ role: 'assistant', content: turn.content }, ...outcome.messages);
    // a turn that could not be read is no answer that one could reply to
    if (!outcome.done || turn.error !== undefined) return outcome;
    const words = await this.user.reply(this.dialogue, signal);
    if (words === null) return outcome;
    const said: Message = { role: 'user', content: words };
    this.dialogue.push(said);
    return { ...outcome, messages: [...outcome.messages, said], done: false };
  }

  async fork(): Promise<Environment | null> {
    const inner = (await this.inner.fork?.()) ?? null;
    return inner && new SimulatedUser(inner, this.user.fork(), [...this.dialogue]);
  }

  close(): void {
    this.inner.close();
  }
}
