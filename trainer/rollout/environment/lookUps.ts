import type { Random } from '../../base/random';
import type { Task, ToolSchema } from '../../protocol/task';
import type { ToolResult } from '../../protocol/trace';
import { FIND_TOOLS, foundResult, lookUpResult, queryOf } from '../../tools/retrieval/findTools';
import type { LookUp, ShowsTools } from '../../tools/retrieval/shownTools';
import type { AssistantTurn, Environment, Observation, Outcome } from './environment';
import { stepWithout } from './stepWithout';
import { notShown } from './tools';

/**
 * An environment whose tools are looked up: the policy is shown a few of them and `find_tools`, and what that finds
 * from its next turn on, in the place of others (ScaleMCP, arXiv:2505.06416).
 */
export class LookUps implements Environment {
  private shown: readonly ToolSchema[] = [];
  private readonly called = new Set<string>();

  /** @param inner with all tools */
  constructor(
    private readonly inner: Environment,
    private readonly o: { shown: ShowsTools & { lookUp: LookUp }; now(): number },
  ) {}

  async reset(task: Task, random: Random): Promise<Observation> {
    const opening = await this.inner.reset(task, random);
    this.shown = this.o.shown.of(task);
    return { ...opening, tools: this.shown, isPart: true };
  }

  async step(turn: AssistantTurn, signal: AbortSignal): Promise<Outcome> {
    const before = this.shown;
    const answered = turn.calls.map(({ name, arguments: args }) => {
      if (name === FIND_TOOLS.name) return this.lookUp(args);
      this.called.add(name);
      return notShown(name, before, this.o.now());
    });
    const outcome = await stepWithout(this.inner, answered, turn, signal);
    return this.shown === before ? outcome : { ...outcome, anew: { tools: this.shown } };
  }

  private lookUp(args: Record<string, unknown>): ToolResult {
    const query = queryOf(args);
    if (query === null)
      return lookUpResult(
        'invalidArguments',
        JSON.stringify({ error: 'query: must be a text that says what has to be done' }),
        this.o.now(),
      );
    const { found, shown } = this.o.shown.lookUp(query, { shown: this.shown, called: this.called });
    this.shown = shown;
    return lookUpResult('ok', foundResult(found), this.o.now());
  }

  async fork(): Promise<Environment | null> {
    const inner = (await this.inner.fork?.()) ?? null;
    if (!inner) return null;
    const other = new LookUps(inner, this.o);
    other.shown = this.shown;
    for (const name of this.called) other.called.add(name);
    return other;
  }

  close(): void {
    this.inner.close();
  }
}
