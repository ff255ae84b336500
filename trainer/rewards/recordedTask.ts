/** The task of a recorded line, with its gold. */
import { z } from 'zod';
import { suggest } from '../base/nearest';
import { UserError } from '../protocol/result';
import type { Task, ToolSchema } from '../protocol/task';
import { isRecord } from '../protocol/arguments';
import { SHAPES, short } from './recordedTrace';
import { AnyCall } from './recordedShapes';

const Gold = z.union([
  z.string().transform((answer) => ({ answer })),
  z.array(AnyCall).transform((calls) => ({ calls })),
  z.strictObject({
    calls: z.array(AnyCall).optional(),
    answer: z.union([z.string(), z.number()]).transform(String).optional(),
  }),
]);

/** The line's own gold, else the task that the run recorded. */
export function taskOf(
  json: Record<string, unknown>,
  where: string,
  line: number,
  known: Task | undefined,
  id: string,
  prompt: string,
  tools: readonly ToolSchema[] = [],
): Task {
  if (!('gold' in json)) return known ?? { id: id || `line ${line}`, prompt: prompt || ' ' };
  const parsed = Gold.safeParse(json.gold);
  if (!parsed.success) {
    const unknown = isRecord(json.gold)
      ? Object.keys(json.gold).find((key) => key !== 'calls' && key !== 'answer')
      : undefined;
    if (unknown !== undefined)
      throw new UserError('config', `${where}: gold has no field '${unknown}'`, suggest(unknown, ['calls', 'answer']));
    throw new UserError(
      'config',
      `${where}: gold must be {"calls": [{"name", "arguments"}], "answer"}, the calls alone, or ` +
        `the answer alone, got ${short(json.gold)}`,
      SHAPES,
    );
  }
  const gold: { calls?: { name: string; arguments: Record<string, unknown> }[]; answer?: string } = parsed.data;
  const task: Task = {
    id: id || `line ${line}`,
    prompt: prompt || ' ',
    ...(gold.calls ? { calls: gold.calls.map(({ name, arguments: args }) => ({ name, arguments: args })) } : {}),
    ...(gold.answer === undefined ? {} : { answer: gold.answer }),
  };
  checkGold(task, tools, where);
  return task;
}

export function checkGold(task: Task, tools: readonly ToolSchema[], where: string): void {
  if (tools.length === 0) return;
  const missing = task.calls?.find((call) => !tools.some((tool) => tool.name === call.name));
  if (missing)
    throw new UserError(
      'config',
      `${where}: a gold call names the tool '${missing.name}', which does not exist`,
      suggest(
        missing.name,
        tools.map((tool) => tool.name),
      ),
    );
}
