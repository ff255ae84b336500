import type { GoldCall, ToolSchema } from '../../protocol/task';
import type { ToolResult } from '../../protocol/trace';
import { isTellingText, saysFailedText } from '../generate/pool/results';

/** In one world, so that a call sees what those before it did. */
export type CallInWorld = (name: string, args: Record<string, unknown>) => Promise<ToolResult>;

/**
 * The results of the gold calls as the policy would read them; or why they are none: which call, and what came of it.
 * A read-only tool must give something.
 */
export async function runGold(
  calls: readonly GoldCall[],
  tools: readonly ToolSchema[],
  call: CallInWorld,
): Promise<{ results: string[] } | { problem: string }> {
  const results: string[] = [];
  for (const { name, arguments: args } of calls) {
    const { kind, content, policy } = await call(name, args);
    if (kind === 'ok' && policy === 'real' && saysFailedText(content))
      return { problem: `${name}: it says that it failed` };
    if (kind !== 'ok') return { problem: `${name}: ${kind}` };
    if (tools.find((tool) => tool.name === name)?.changesWorld !== true && !isTellingText(content))
      return { problem: `${name}: it found nothing` };
    results.push(content);
  }
  return { results };
}
