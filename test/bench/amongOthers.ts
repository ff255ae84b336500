/** A tool file's tools among others that do not matter: Seal-Tools' definitions, none of its requests. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Random } from '../../trainer/base/random';
import type { Task, ToolSchema } from '../../trainer/protocol/task';
import type { ToolResult } from '../../trainer/protocol/trace';
import { generateTasks } from '../../trainer/tasks/generate/generateTasks';
import { readTasks, tasksFileBeside } from '../../trainer/tasks/readTasks';
import { splitTasks } from '../../trainer/tasks/taskset';
import type { ToolHosts } from '../../trainer/tools/hosts/callTool';
import { EXAMPLES } from '../tasks/fixtures';

/** JSON Schema's words for Seal-Tools' types. */
const TYPES: Record<string, string> = { str: 'string', int: 'integer', float: 'number', bool: 'boolean' };
interface SealTool {
  name: string;
  description: string;
  parameters: Record<string, { type: string; description: string }>;
  required: string[];
}

/** @throws Error without COACH_SHARED_DATA, the folder of public data */
export function others(own: readonly ToolSchema[], seed: number): ToolSchema[] {
  const folder = process.env.COACH_SHARED_DATA;
  if (!folder) throw new Error('set COACH_SHARED_DATA to the folder of public data');
  const taken = new Set(own.map(({ name }) => name));
  const lines = readFileSync(join(folder, 'seal-tools', 'tools.jsonl'), 'utf8')
    .trimEnd()
    .split('\n');
  const tools = lines
    .map((line) => JSON.parse(line) as SealTool)
    .filter(({ name }) => !taken.has(name))
    .map(
      ({ name, description, parameters, required }): ToolSchema => ({
        name,
        description,
        parameters: {
          type: 'object',
          properties: Object.fromEntries(
            Object.entries(parameters).map(([key, { type, ...rest }]) => [
              key,
              { type: TYPES[type] ?? 'string', ...rest },
            ]),
          ),
          required,
        },
        source: { file: 'seal-tools', line: 1 },
        binding: { exportName: name, positional: 'object' },
        changesWorld: false,
      }),
    );
  return Random.fromSeed(seed).fork('others').shuffle(tools);
}

const onOneLine = (text: string): string => text.replaceAll('*/', '').replace(/\s+/g, ' ').trim();

/** Words that no parameter of a module's function can have as its name, besides those of fewer than three letters. */
const RESERVED = new Set(
  (
    'arguments await break case catch class const continue debugger default delete else enum eval export extends ' +
    'false finally for function implements import instanceof interface let new null package private protected ' +
    'public return static super switch this throw true try typeof var void while with yield'
  ).split(' '),
);
const isName = (name: string): boolean => /^[A-Za-z_]\w{2,}$/.test(name) && !RESERVED.has(name);

/** The definitions as functions that give nothing, but for those with a name that TypeScript can't have. */
export function asSource(tools: readonly ToolSchema[]): string[] {
  return tools.flatMap(({ name, description, parameters }) => {
    const { properties = {}, required = [] } = parameters as {
      properties?: Record<string, { type: string; description: string }>;
      required?: string[];
    };
    if (![name, ...Object.keys(properties)].every(isName)) return [];
    const sorted = Object.entries(properties).sort(
      ([a], [b]) => Number(required.includes(b)) - Number(required.includes(a)),
    );
    const said = sorted.map(([key, of]) => ` *  @param ${key} ${onOneLine(of.description)}`);
    const taken = sorted.map(
      ([key, of]) => `${key}${required.includes(key) ? '' : '?'}: ${of.type === 'integer' ? 'number' : of.type}`,
    );
    return [
      [`/** ${onOneLine(description)}`, ...said, ' *  @tool */'].join('\n'),
      `export function ${name}(${taken.join(', ')}): null {\n  return null;\n}\n`,
    ].join('\n');
  });
}
const NOTHING: ToolResult = { kind: 'ok', content: 'null', policy: 'mock', startedAt: 0, durationMs: 0 };

/** Real tools in their hosts; all others give nothing. */
export const among = (own: readonly ToolSchema[], hosts: ToolHosts): Pick<ToolHosts, 'open'> => ({
  open: (id) => {
    const session = hosts.open(id);
    const names = new Set(own.map(({ name }) => name));
    return {
      call: (name, args, signal) => (names.has(name) ? session.call(name, args, signal) : Promise.resolve(NOTHING)),
      close: () => session.close(),
    };
  },
});

/** Tasks that are measured, and others that the file's own tools are found by. */
export async function tasksOf(
  own: ToolSchema[],
  hosts: ToolHosts,
  file: string,
  n: number,
): Promise<{ heldOut: Task[]; train: Task[] }> {
  const split = (all: readonly Task[]) => splitTasks(all, { heldOut: n, validation: 8, tools: own });
  const beside = tasksFileBeside(file);
  if (beside !== null) return split(readTasks(beside, own));
  const session = hosts.open('tasks');
  const tasks = await generateTasks(own, {
    count: 10 * n,
    seed: 0,
    call: (name, args) => session.call(name, args),
    workspace: EXAMPLES,
  });
  session.close();
  return split(tasks);
}
