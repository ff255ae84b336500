/** A made tool as a change of its file, and its uses as tasks: what is offered, and written only when asked to. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { relative } from 'node:path';
import { readTextFile, writeFileAtomic } from '../../base/storage';
import { UserError } from '../../protocol/result';
import type { Task, ToolSchema } from '../../protocol/task';
import { addTask, taskFileFor } from '../../tasks/addTask';
import { readTasks } from '../../tasks/readTasks';
import type { Discovered } from '../../tools/sources/typescript/discover';
import { unifiedDiff } from '../composites/placeCode';
import type { Dependencies } from '../dependencies';
import { foundIn, topLevelNames } from './checkCode';
import type { MadeTool } from './makeTool';
import type { Use } from './runCalls';
import { withExample } from './usage';

/** The file that a tool is to go to. text: null where there is none yet */
export interface Target {
  file: string;
  text: string | null;
  found: Discovered;
  /** what it declares or imports, tools included */
  names: string[];
}

/** @throws UserError where it is no TypeScript file */
export async function targetOf(file: string, { discover }: Pick<Dependencies, 'discover'>): Promise<Target> {
  if (!/(?<!\.d)\.[cm]?tsx?$/.test(file))
    throw new UserError(
      'tool',
      `${file}: a made tool is TypeScript, and goes to a TypeScript file`,
      'Name a .ts file; it need not be there yet.',
    );
  if (!existsSync(file))
    return { file, text: null, found: { tools: [], files: [], diagnostics: [], rewards: [] }, names: [] };
  const text = readTextFile(file);
  return { file, text, found: await discover([file]), names: topLevelNames(text) };
}

export interface Offer {
  /** the whole file with the tool at its end; as it is where the tool is there already */
  text: string;
  /** unified; empty where nothing is added */
  diff: string;
  tasks: Task[];
}

/** @throws UserError where the file would not have the tool */
export function offerOf({ file, text }: Target, { tool, code, uses }: MadeTool, cwd: string): Offer {
  const before = text === null || text === '' || text.endsWith('\n') ? (text ?? '') : `${text}\n`;
  const end = before.includes('\r\n') ? '\r' : '';
  const lines = [...(before === '' ? [] : ['']), ...withExample(code, tool, uses).split('\n')].map(
    (line) => `${line}${end}`,
  );
  const whole = `${before}${lines.join('\n')}\n`;
  const { tools } = foundIn(whole, file);
  if (!tools.some(({ name }) => name === tool.name))
    throw new UserError(
      'tool',
      `${file}: has no tool ${tool.name} with the made code at its end`,
      'Name another file, a new one for instance.',
    );
  const at = before.split('\n').length - 1;
  const diff = unifiedDiff(relative(cwd, file), text, [{ at, lines }]);
  return { text: whole, diff, tasks: tasksOf(tool.name, uses) };
}

/** Of demonstrations that a tool gives the right answers to. */
export const tasksOf = (tool: string, uses: readonly Use[]): Task[] =>
  uses.map(({ demonstration: { request, answer }, arguments: args }) => {
    const id = `demonstration-${createHash('sha256').update(request).digest('hex').slice(0, 8)}`;
    const calls = [{ name: tool, arguments: args }];
    return { id, prompt: request, calls, answer, tags: ['demonstration'], source: 'person' };
  });

/**
 * @param tool that the tasks are of
 * @returns the file of the tasks, and whether it was there before
 * @throws UserError where one of the files can't be written, the tool's has changed, or the tasks' has a fault
 */
export function writeOffer(
  { file, text, found }: Target,
  tool: ToolSchema,
  { text: whole, tasks }: Offer,
): ReturnType<typeof taskFileFor> {
  const tools = [...found.tools.filter(({ name }) => name !== tool.name), tool];
  const beside = taskFileFor(file);
  if (beside.exists) readTasks(beside.file, tools);
  const now = existsSync(file) ? readTextFile(file) : null;
  if (now !== text)
    throw new UserError(
      'storage',
      `${file}: has changed since the tool was made`,
      'Nothing was written; make it once more.',
    );
  if (whole !== now) writeFileAtomic(file, whole);
  for (const task of tasks) addTask(file, task, tools);
  return beside;
}
