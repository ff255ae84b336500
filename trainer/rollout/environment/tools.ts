import type { Random } from '../../base/random';
import type { GoldCall, Task, ToolSchema } from '../../protocol/task';
import type { Message, ToolResult } from '../../protocol/trace';
import type { ToolHosts, ToolSession } from '../../tools/hosts/callTool';
import type { ShowsTools } from '../../tools/retrieval/shownTools';
import { unknownTool } from '../../tools/sources/toolSource';
import type { AssistantTurn, Environment, Observation, Outcome } from './environment';

export interface ToolEnvironmentOptions {
  tools: readonly ToolSchema[];
  /** which of them an episode is shown, and may call; absent or null: all */
  shown?: Pick<ShowsTools, 'of'> | null | undefined;
  hosts: Pick<ToolHosts, 'open'>;
  /** after this a call counts as lost, ms; well above the hosts' own limits */
  callLimitMs: number;
  now(): number;
}

/** The task's prompt, then results of calls, until a turn without a call. */
export class ToolEnvironment implements Environment {
  private session: ToolSession | null = null;
  private isClosed = false;
  private readonly made: { call: GoldCall; result: ToolResult }[] = [];
  /** null: all */
  private shown: readonly ToolSchema[] | null = null;

  constructor(
    private readonly rolloutId: string,
    private readonly o: ToolEnvironmentOptions,
  ) {}

  async reset(task: Task, _random?: Random): Promise<Observation> {
    this.session = this.o.hosts.open(this.rolloutId);
    this.shown = this.o.shown?.of(task) ?? null;
    const messages: Message[] = [{ role: 'user', content: task.prompt }];
    return this.shown ? { messages, tools: this.shown, isPart: true } : { messages, tools: this.o.tools };
  }

  async step({ calls }: AssistantTurn, signal: AbortSignal): Promise<Outcome> {
    const { session } = this;
    if (session === null || this.isClosed) throw new Error('step: the environment is not open');
    const results = await Promise.all(
      calls.map((call) => this.notShown(call) ?? boundedCall(session, call, this.o, signal)),
    );
    calls.forEach(({ name, arguments: args }, i) =>
      this.made.push({ call: { name, arguments: args }, result: results[i]! }),
    );
    return { messages: resultMessages(calls, results), done: calls.length === 0, info: { results } };
  }

  /** By making its calls again; null where one of them changes the world, or answers otherwise. */
  async fork(): Promise<Environment | null> {
    if (this.made.some(({ call, result }) => result.policy === 'real' && this.changesWorld(call.name))) return null;
    const other = new ToolEnvironment(`${this.rolloutId}-fork`, this.o);
    other.session = this.o.hosts.open(other.rolloutId);
    other.shown = this.shown;
    const never = new AbortController().signal;
    for (const { call, result } of this.made) {
      const again = this.notShown(call) ?? (await boundedCall(other.session, call, this.o, never));
      other.made.push({ call, result: again });
      if (again.content === result.content) continue;
      other.close();
      return null;
    }
    return other;
  }

  /** A tool that the policy was not shown is none to it, as where it is used. */
  private notShown({ name }: GoldCall): ToolResult | null {
    return this.shown && notShown(name, this.shown, this.o.now());
  }

  private changesWorld(name: string): boolean {
    return this.o.tools.find((tool) => tool.name === name)?.changesWorld ?? false;
  }

  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.session?.close();
  }
}

/** What a call of a tool comes to that is not among those that the policy is shown; null: it is. */
export function notShown(name: string, shown: readonly ToolSchema[], startedAt: number): ToolResult | null {
  if (shown.some((tool) => tool.name === name)) return null;
  return { ...unknownTool(shown.map((tool) => tool.name)), policy: 'real', startedAt, durationMs: 0 };
}

/** As the policy reads them. */
export const resultMessages = (calls: AssistantTurn['calls'], results: readonly ToolResult[]): Message[] =>
  calls.map(({ name, id }, i) => ({ role: 'tool', name, tool_call_id: id, content: results[i]!.content }));

/** The hosts bound each call; should one be lost all the same, the episode must not wait for it for ever. */
async function boundedCall(
  session: ToolSession,
  call: GoldCall,
  { callLimitMs, now }: ToolEnvironmentOptions,
  signal: AbortSignal,
): Promise<ToolResult> {
  const startedAt = now();
  let timer: NodeJS.Timeout | undefined;
  const lost = new Promise<ToolResult>((resolve) => {
    timer = setTimeout(
      () =>
        resolve({
          kind: 'hostDied',
          content: JSON.stringify({ error: `${call.name} gave no answer` }),
          policy: 'real',
          startedAt,
          durationMs: now() - startedAt,
        }),
      callLimitMs,
    );
  });
  try {
    return await Promise.race([session.call(call.name, call.arguments, signal), lost]);
  } finally {
    clearTimeout(timer);
  }
}
