import type { GoldCall, Task, ToolSchema } from '../../protocol/task';
import { meetsGold, type MadeCall } from '../solved';
import type { CallInWorld } from './goldRun';

export interface Answered {
  name: string;
  arguments: Record<string, unknown>;
  result: string;
}

/**
 * Who reads the request without its gold: the next call, given those before it and what they returned; null: none is
 * needed any more.
 */
export type Solver = (prompt: string, before: readonly Answered[], attempt: number) => Promise<GoldCall | null>;

/**
 * Does the solver come to the gold calls from the request alone, at least once in k? Each attempt has a world of its
 * own. What it answers in words does not count.
 * @param open a fresh world: its calls, and what ends it
 */
export async function roundTrips(
  task: Task,
  tools: readonly ToolSchema[],
  { solve, open, k }: { solve: Solver; open(): { call: CallInWorld; close(): void }; k: number },
): Promise<boolean> {
  for (let attempt = 0; attempt < k; attempt++) {
    const world = open();
    try {
      if (await comesToGold(task, tools, (before) => solve(task.prompt, before, attempt), world.call)) return true;
    } finally {
      world.close();
    }
  }
  return false;
}

/** One call more than the gold ones, so that a look too many is forgiven and a call where none is needed is seen. */
async function comesToGold(
  { answer: _, ...task }: Task,
  tools: readonly ToolSchema[],
  next: (before: readonly Answered[]) => Promise<GoldCall | null>,
  run: CallInWorld,
): Promise<boolean> {
  const answered: Answered[] = [];
  const made: MadeCall[] = [];
  while (made.length <= (task.calls?.length ?? 0) + 1) {
    const call = await next(answered);
    if (call === null) break;
    const { kind, content } = await run(call.name, call.arguments);
    made.push({ ...call, resultKind: kind });
    answered.push({ ...call, result: content });
  }
  return meetsGold(task, { calls: made, lastReply: '', terminated: true }, tools);
}
