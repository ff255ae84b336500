import type { Task, TaskSource } from './task';
import { withoutLookUps, type Trace } from './trace';

/**
 * A line of *.tasks.jsonl: the prompt with the calls and the answer of this trace as gold. Worth only what the trace
 * is: a person looks at it first. @param source who wrote the prompt
 */
export function taskOf(trace: Trace, source: TaskSource = 'use'): Task {
  const prompt = trace.messages.find((m) => m.role === 'user')?.content ?? '';
  const calls = withoutLookUps(trace).turns.flatMap((turn) =>
    turn.calls
      .filter((call) => call.result?.kind === 'ok')
      .map((call) => ({ name: call.name, arguments: call.arguments })),
  );
  const last = trace.messages[trace.messages.length - 1];
  const answer = trace.terminated && last?.role === 'assistant' && !last.tool_calls?.length ? last.content : '';
  return { id: `from-${trace.id}`, prompt, calls, ...(answer ? { answer } : {}), tags: ['from a trace'], source };
}
