import { join } from 'node:path';
import { Discovery, type RewardFunctionPlace } from '../../trainer/tools/sources/typescript/toolFile';
import { openToolHosts, type ToolHosts } from '../../trainer/tools/hosts/callTool';
import { UserError } from '../../trainer/protocol/result';
import { generateTasks } from '../../trainer/tasks/generate/generateTasks';
import type { Arguments } from '../../trainer/protocol/arguments';
import type { JsonSchema, Task, ToolSchema, TypeScriptTool } from '../../trainer/protocol/task';
import type { ToolResult } from '../../trainer/protocol/trace';

export const EXAMPLES = join(__dirname, '../../examples');

/** A tool schema in one line; a property name that ends in `?` is optional. */
export function tool(
  name: string,
  description: string,
  properties: Record<string, JsonSchema> = {},
  extra: Partial<TypeScriptTool> = {},
): TypeScriptTool {
  const names = Object.keys(properties);
  return {
    name,
    description,
    changesWorld: false,
    source: { file: 'tools.ts', line: 1 },
    parameters: {
      type: 'object',
      properties: Object.fromEntries(names.map((key) => [key.replace('?', ''), properties[key]])),
      required: names.filter((key) => !key.endsWith('?')),
    },
    binding: { exportName: name, positional: names.map((key) => ({ name: key.replace('?', '') })) },
    ...extra,
  };
}

export const STRING = { type: 'string' };
export const NUMBER = { type: 'number' };

export const ok = (value: unknown): ToolResult => ({
  kind: 'ok',
  content: JSON.stringify(value) ?? 'null',
  policy: 'real',
  startedAt: 0,
  durationMs: 0,
});
export const threw = (message: string): ToolResult => ({
  kind: 'threw',
  content: JSON.stringify({ error: message }),
  policy: 'real',
  startedAt: 0,
  durationMs: 0,
});

export const task = (prompt: string, calls?: Task['calls'], answer?: string): Task => ({
  id: prompt,
  prompt,
  ...(calls ? { calls } : {}),
  ...(answer === undefined ? {} : { answer }),
});

export function isUserError(...parts: RegExp[]): (error: unknown) => boolean {
  return (error) =>
    error instanceof UserError && parts.every((part) => part.test(`${error.message} -> ${error.hint ?? ''}`));
}

export const discover = (...paths: string[]): TypeScriptTool[] =>
  new Discovery().discover(paths.map((path) => join(EXAMPLES, path))).tools as TypeScriptTool[];

/** Every tool real, in a host of its own. */
export function openHosts(
  tools: TypeScriptTool[],
  rewards: RewardFunctionPlace[] = [],
  workspace = EXAMPLES,
): Promise<ToolHosts> {
  return openToolHosts({
    tools,
    rewards,
    workspace,
    policyOf: () => 'real',
    ask: async () => 'unavailable',
    timeoutMs: 10_000,
    outputBytes: 16_384,
    memoryMb: 256,
    seed: 0,
    size: 1,
    note: () => undefined,
  });
}

/** @param answers by tool: what it returns; any other must not be called */
export const madeTasks = (
  tools: readonly ToolSchema[],
  count: number,
  answers: Readonly<Record<string, (args: Arguments) => unknown>>,
): Promise<Task[]> =>
  generateTasks(tools, {
    count,
    seed: 4,
    looseWording: 0,
    call: async (name, args) => (answers[name] ? ok(answers[name](args)) : threw('must not be called')),
  });

/** Whatever the case of its letters. */
export const has = (text: string, part: unknown): boolean => text.toLowerCase().includes(String(part).toLowerCase());

/** The tools that the gold calls call, in order. */
export const namesOf = ({ calls }: Task): string => calls!.map(({ name }) => name).join(' ');
