/** The way from a tool file to tasks, as far as no tensors are needed: train, evaluate and `coach tasks` share it. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { UserError } from './protocol/result';
import type { RunConfig } from './protocol/runConfig';
import type { Diagnostic, Split, Task, ToolSchema } from './protocol/task';
import type { Discovered, Rooms } from './rooms';
import { shortPath } from './shortPath';
import { generateTasks } from './tasks/generateTasks';
import { readTasks, tasksFileBeside } from './tasks/readTasks';
import { splitTasks } from './tasks/taskset';
import type { HostOptions, ToolHosts } from './tools/callTool';
import { defaultPolicy } from './tools/toolPolicy';

export type Note = (level: 'info' | 'warning', message: string) => void;

/**
 * The tools of a file or folder; those that are broken are left out, and said.
 * @throws UserError where there is no tool to train on, with what discovery said about those that are none
 */
export async function findTools(path: string, cwd: string, rooms: Rooms, note: Note): Promise<Discovered> {
  const file = resolve(cwd, path);
  if (!existsSync(file)) throw new UserError('tool', `${file}: there is no such file or folder`, 'Give a TypeScript or JavaScript file with tools, or a folder of them.');
  const found = await rooms.discover([file]);
  const errors = found.diagnostics.filter((d) => d.severity === 'error');
  if (found.tools.length > 0) {
    for (const error of errors) note('warning', `left out: ${describe(error, cwd)}`);
    return found;
  }
  const shown = errors.slice(0, 5).map((d) => `\n  ${describe(d, cwd)}`).join('');
  const more = errors.length > 5 ? `\n  … and ${errors.length - 5} more` : '';
  throw new UserError('tool', `${file}: there is no tool in it${shown}${more}`, errors.length > 0 ? 'Correct what is said above.' : 'Put @tool into the JSDoc of an exported function, or the decorator @tool() on a method.');
}

/** `src/tools.ts:12: error: …` */
export function describe(d: Diagnostic, cwd: string): string {
  return `${shortPath(resolve(cwd, d.file), cwd)}:${d.line}: ${d.severity}: ${d.message}`;
}

/** The tool hosts of a run, by its settings. */
export function openHosts(
  { config, found, workspace, note, ask, rooms }: { config: RunConfig; found: Discovered; workspace: string; note: Note; ask: HostOptions['ask']; rooms: Rooms },
): Promise<ToolHosts> {
  return rooms.openHosts({
    tools: found.tools,
    workspace,
    policyOf: (tool) => config.toolPolicy ?? defaultPolicy(tool),
    ask,
    timeoutMs: config.toolTimeoutMs,
    outputBytes: config.toolOutputBytes,
    memoryMb: config.toolMemoryMb,
    seed: config.seed,
    rewards: found.rewards,
    ...(config.guardSchema === undefined ? {} : { checksSchema: config.guardSchema }),
    note,
  });
}

/**
 * The tasks of the file that was named or lies beside the tool file, else (or with `isFresh`) generated ones. Generating calls the read-only tools in hosts of its
 * own; where the policy is to ask, they are mocked, since nobody can be asked before the run exists.
 */
export async function makeTasks(
  { config, found, workspace, cwd, note, rooms, isFresh = false }: { config: RunConfig; found: Discovered; workspace: string; cwd: string; note: Note; rooms: Rooms; isFresh?: boolean },
): Promise<{ tasks: Task[]; source: string }> {
  const file = config.tasks !== undefined ? resolve(cwd, config.tasks) : isFresh ? null : tasksFileBeside(config.toolFile);
  if (file !== null) return { tasks: readTasks(file, found.tools), source: file };
  const policy = config.toolPolicy === 'ask' ? 'mock' : config.toolPolicy;
  const hosts = await openHosts({ config: { ...config, toolPolicy: policy, guardSchema: true }, found, workspace, note, ask: async () => 'unavailable', rooms });
  try {
    const session = hosts.open('tasks');
    const tasks = await generateTasks(found.tools, { count: config.taskCount, seed: config.seed, language: config.taskLanguage, call: (name, args) => session.call(name, args), note: (message) => note('warning', message) });
    session.close();
    return { tasks, source: 'generated' };
  } finally {
    await hosts.close();
  }
}

/** @throws UserError that names the source where a split would be empty */
export function splitFor(config: RunConfig, { tasks, source }: { tasks: readonly Task[]; source: string }, tools: readonly ToolSchema[]): Record<Split, Task[]> {
  try {
    return splitTasks(tasks, { heldOut: config.heldOutTasks, validation: config.evalTasks, tools });
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    throw new UserError(error.border, `${source === 'generated' ? 'generated tasks' : source}: ${error.message}`, error.hint);
  }
}
