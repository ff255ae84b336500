import { TRACE_VERSION, type Message, type ToolResultKind, type Trace } from '../../trainer/protocol/trace';

export interface Step {
  calls?: [name: string, args: Record<string, unknown>, kind?: ToolResultKind | null, content?: string][];
  text?: string;
  parseError?: string;
}

/** A trace of the steps that a policy took; the last one without calls is its reply. */
export function trace(steps: Step[], extra: Partial<Trace> = {}): Trace {
  const messages: Message[] = [{ role: 'user', content: 'do it' }];
  const turns = steps.map((step, i) => {
    const calls = (step.calls ?? []).map(([name, args, kind = 'ok', content = '"done"'], j) => ({
      id: `${extra.id ?? 'x'}-${i}-${j}`,
      name,
      arguments: args,
      result: kind === null ? null : { kind, content, policy: 'real' as const, startedAt: 0, durationMs: 0 },
    }));
    messages.push({
      role: 'assistant',
      content: step.text ?? '',
      ...(calls.length
        ? {
            tool_calls: calls.map((call) => ({
              id: call.id,
              type: 'function' as const,
              function: { name: call.name, arguments: call.arguments },
            })),
          }
        : {}),
    });
    for (const call of calls)
      if (call.result)
        messages.push({ role: 'tool', content: call.result.content, tool_call_id: call.id, name: call.name });
    return {
      start: i,
      end: i + 1,
      text: step.text ?? '',
      calls,
      sampleMs: 0,
      ...(step.parseError ? { parseError: step.parseError } : {}),
    };
  });
  return {
    version: TRACE_VERSION,
    id: 'x',
    runId: 'r',
    taskId: 't',
    phase: 'train',
    step: 0,
    groupId: 'g',
    indexInGroup: 0,
    seed: 0,
    model: 'nano',
    checkpoint: '',
    temperature: 1,
    constraint: 'none',
    messages,
    turns,
    tokens: { ids: [], logprobs: [], completionMask: [], writer: '' },
    terminated: true,
    truncated: 'no',
    solved: null,
    rewards: [],
    reward: null,
    advantage: null,
    startedAt: 0,
    durationMs: 0,
    ...extra,
  };
}

export const close = (actual: number | null, expected: number): boolean =>
  actual !== null && Math.abs(actual - expected) < 1e-12;
