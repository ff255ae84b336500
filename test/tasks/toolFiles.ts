import { dirname, join } from 'node:path';
import type { Task, TypeScriptTool } from '../../trainer/protocol/task';
import { generateTasks, type GenerateOptions } from '../../trainer/tasks/generate/generateTasks';
import { openToolHosts } from '../../trainer/tools/hosts/callTool';
import { Discovery } from '../../trainer/tools/sources/typescript/toolFile';

const FOLDER = join(__dirname, '../fixtures/toolFiles');

/**
 * Tool files as people write them: other domains and styles, no @example, tools that throw for what they don't know.
 */
export const TOOL_FILES = [
  'hotel/frontDesk.ts',
  'clinic/clinic.ts',
  'warehouse/orders.ts',
  'repo/history.ts',
  'music/player.js',
  'home/home.ts',
  'airport/board.mjs',
  'calendar/calendar.ts',
  'gym/gym.js',
  'kitchen/recipes.mjs',
  'carClub/fleet.ts',
  'physio/practice.mjs',
  'board/cards.ts',
] as const;

export const toolsOf = (name: string): TypeScriptTool[] =>
  new Discovery().discover([join(FOLDER, name)]).tools as TypeScriptTool[];

/** Work in a host of the file's tools, those that change the world mocked. */
export async function inHost<T>(
  tools: TypeScriptTool[],
  work: (call: GenerateOptions['call']) => Promise<T>,
): Promise<T> {
  await using hosts = await openToolHosts({
    tools,
    workspace: dirname(tools[0]!.source.file),
    policyOf: (tool) => (tool.changesWorld ? 'mock' : 'real'),
    ask: async () => 'unavailable',
    timeoutMs: 10_000,
    outputBytes: 16_384,
    memoryMb: 256,
    seed: 0,
    size: 1,
    note: () => undefined,
  });
  const session = hosts.open('tasks');
  return await work((name, args) => session.call(name, args));
}

export const tasksOf = (tools: TypeScriptTool[], options: Partial<GenerateOptions> = {}): Promise<Task[]> =>
  inHost(tools, (call) =>
    generateTasks(tools, { count: 200, seed: 0, call, workspace: dirname(tools[0]!.source.file), ...options }),
  );
