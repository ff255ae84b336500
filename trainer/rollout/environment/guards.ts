import type { Random } from '../../base/random';
import type { Task, ToolSchema } from '../../protocol/task';
import type { Message, Turn } from '../../protocol/trace';
import type { AssistantTurn, Environment, Observation, Outcome } from './environment';
import { refuseUnseen, ungroundedIn, type Guards } from './guard/guard';
import type { SoFar } from './guard/seen';
import { stepWithout } from './stepWithout';

/** What the guards look at. */
interface Watched extends SoFar {
  messages: Message[];
  turns: Pick<Turn, 'calls'>[];
  tools: readonly ToolSchema[];
}

/** An environment behind guards; none that is on: the environment itself. */
export const guarded = (inner: Environment, guards: Guards, now: () => number): Environment =>
  guards.values || guards.answers ? new GuardedEnvironment(inner, guards, now) : inner;

/**
 * Calls whose values nobody gave are not made, and are answered with why; what an answer states and nobody said is
 * noted.
 */
class GuardedEnvironment implements Environment {
  constructor(
    private readonly inner: Environment,
    private readonly guards: Guards,
    private readonly now: () => number,
    private soFar: Watched = { messages: [], turns: [], tools: [] },
  ) {}

  async reset(task: Task, random: Random): Promise<Observation> {
    const opening = await this.inner.reset(task, random);
    this.soFar = { messages: [...opening.messages], turns: [], tools: opening.tools };
    return opening;
  }

  async step(turn: AssistantTurn, signal: AbortSignal): Promise<Outcome> {
    const { messages, turns, tools } = this.soFar;
    messages.push({ role: 'assistant', content: turn.content });
    const refused = this.guards.values ? refuseUnseen(turn.calls, this.soFar, tools, this.now()) : [];
    const outcome = await stepWithout(this.inner, refused, turn, signal);
    const { results } = outcome.info;
    turns.push({ calls: turn.calls.map((call, i) => ({ ...call, result: results[i] ?? null })) });
    messages.push(...outcome.messages);
    if (!this.guards.answers || turn.calls.length > 0 || turn.error !== undefined) return outcome;
    return { ...outcome, info: { ...outcome.info, ungrounded: ungroundedIn(turn.content, this.soFar) } };
  }

  async fork(): Promise<Environment | null> {
    const inner = (await this.inner.fork?.()) ?? null;
    const { messages, turns, tools } = this.soFar;
    return (
      inner &&
      new GuardedEnvironment(inner, this.guards, this.now, { messages: [...messages], turns: [...turns], tools })
    );
  }

  close(): void {
    this.inner.close();
  }
}
