import type { Random } from '../../base/random';
import type { GoldCall, Task, ToolSchema } from '../../protocol/task';
import type { Message, ToolResult } from '../../protocol/trace';
import type { ToolHosts, ToolSession } from '../../tools/hosts/callTool';
import type { AssistantTurn, Environment, Observation, Outcome } from './environment';

export interface ToolEnvironmentOptions {
  tools: readonly ToolSchema[];
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

  constructor(
    private readonly rolloutId: string,
    private readonly o: ToolEnvironmentOptions,
  ) {}

  async reset(task: Task, _random?: Random): Promise<Observation> {
    this.session = this.o.hosts.open(this.rolloutId);
    return { messages: [{ role: 'user', content: task.prompt }], tools: this.o.tools };
  }

  async step({ calls }: AssistantTurn, signal: AbortSignal): Promise<Outcome> {
    const { session } = this;
    if (session === null || this.isClosed) throw new Error('step: the environment is not open');
    const results = await Promise.all(calls.map((call) => boundedCall(session, call, this.o, signal)));
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
    const never = new AbortController().signal;
    for (const { call, result } of this.made) {
      const again = await boundedCall(other.session, call, this.o, never);
      other.made.push({ call, result: again });
      if (again.content === result.content) continue;
      other.close();
      return null;
    }
    return other;
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
