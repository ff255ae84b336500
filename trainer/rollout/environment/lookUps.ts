import type { Random } from '../../base/random';
import type { Task } from '../../protocol/task';
import type { PromptTools } from '../../tools/retrieval/promptTools';
import type { ShowsTools } from '../../tools/retrieval/shownTools';
import type { AssistantTurn, Environment, Observation, Outcome } from './environment';
import { stepWithout } from './stepWithout';
import { notShown } from './tools';

/**
 * An environment whose tools are looked up: the policy is shown a few of them and `find_tools`, and what that finds
 * from its next turn on (ScaleMCP, arXiv:2505.06416).
 */
export class LookUps implements Environment {
  private prompt: PromptTools | null = null;

  /** @param inner with all tools */
  constructor(
    private readonly inner: Environment,
    private readonly o: { begin: NonNullable<ShowsTools['begin']>; now(): number },
  ) {}

  async reset(task: Task, random: Random): Promise<Observation> {
    const opening = await this.inner.reset(task, random);
    this.prompt = this.o.begin(task);
    return { ...opening, tools: this.prompt.shown, isPart: true };
  }

  async step(turn: AssistantTurn, signal: AbortSignal): Promise<Outcome> {
    const prompt = this.prompt!;
    const before = prompt.shown;
    const now = this.o.now();
    for (const { name } of turn.calls) if (before.some((tool) => tool.name === name)) prompt.used(name);
    const answered = turn.calls.map(
      ({ name, arguments: args }) => prompt.answer(name, args, now) ?? notShown(name, before, now),
    );
    const outcome = await stepWithout(this.inner, answered, turn, signal);
    return prompt.shown === before ? outcome : { ...outcome, anew: { tools: prompt.shown } };
  }

  async fork(): Promise<Environment | null> {
    const inner = (await this.inner.fork?.()) ?? null;
    if (!inner) return null;
    const other = new LookUps(inner, this.o);
    other.prompt = this.prompt?.copy() ?? null;
    return other;
  }

  close(): void {
    this.inner.close();
  }
}
