/** A made tool as a change of its file, and its uses as tasks: what is offered, and written only when asked to. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { relative } from 'node:path';
import { readTextFile, writeFileAtomic } from '../../base/storage';
import { UserError } from '../../protocol/result';
import type { Task, ToolSchema } from '../../protocol/task';
import { addTask } from '../../tasks/addTask';
import { Discovery } from '../../tools/sources/typescript/toolFile';
import { unifiedDiff } from '../composites/placeCode';
import { topLevelNames } from './checkCode';
import type { MadeTool } from './makeTool';
import type { Use } from './runCalls';

/** The file that a tool is to go to. text: null where there is none yet */
export interface Target {
  file: string;
  text: string | null;
  /** of all that it has */
  tools: ToolSchema[];
  /** what it declares or imports, tools included */
  names: string[];
}

/** @throws UserError where it is no TypeScript file */
export function targetOf(file: string): Target {
  if (!/(?<!\.d)\.[cm]?tsx?$/.test(file))
    throw new UserError(
      'tool',
      `${file}: a made tool is TypeScript, and goes to a TypeScript file`,
      'Name a .ts file; it need not be there yet.',
    );
  if (!existsSync(file)) return { file, text: null, tools: [], names: [] };
  const text = readTextFile(file);
  return { file, text, tools: new Discovery().discover([file]).tools, names: topLevelNames(text) };
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
  const lines = [...(before === '' ? [] : ['']), ...code.split('\n')];
  const whole = `${before}${lines.join('\n')}\n`;
  const { tools } = new Discovery().discover([file], { [file]: whole });
  if (!tools.some(({ name }) => name === tool.name))
    throw new UserError('tool', `${file}: has no tool ${tool.name} with the made code at its end`, 'Name another file, a new one for instance.');
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

/** @returns the file of the tasks @throws UserError where one of the files can't be written, or the tool's has changed */
export function writeOffer({ file, text }: Target, { text: whole, tasks }: Offer): string {
  const now = existsSync(file) ? readTextFile(file) : null;
  if (now !== text)
    throw new UserError('storage', `${file}: has changed since the tool was made`, 'Nothing was written; make it once more.');
  if (whole !== now) writeFileAtomic(file, whole);
  const { tools } = new Discovery().discover([file]);
  let at = '';
  for (const task of tasks) at = addTask(file, task, tools).file;
  return at;
}
