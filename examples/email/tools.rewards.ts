/** The part of a trace that this reward reads; the whole shape is in trainer/protocol/trace.ts. */
interface Episode {
  messages: { role: string; content: string; tool_calls?: unknown[] }[];
  terminated: boolean;
}

/**
 * Brevity of the closing reply, 0 to 1: full marks up to 12 words, none from 40. An episode without a closing reply is not scored.
 * @reward
 */
export function brevity(_task: unknown, trace: Episode): number | null {
  const last = trace.messages.at(-1);
  if (!trace.terminated || last?.role !== 'assistant' || last.tool_calls?.length) return null;
  const words = last.content.split(/\s+/).filter(Boolean).length;
  return Math.max(0, Math.min(1, (40 - words) / 28));
}
