import type { Diagnostic, ToolSchema, ToolWithoutTasks } from '../../protocol/task';
import { tasksFileName } from '../../protocol/taskFileName';
import type { Random } from '../../base/random';
import { deref, isRecord, propertiesOf, requiredOf } from '../../protocol/arguments';
import type { Harvest } from './harvest';
import { drawArguments } from './values';

/** What is to be said of a tool that no task could be made for, and what its `@example` might be. */
export function toolWithoutTasks(tool: ToolSchema, harvest: Harvest, random: Random): ToolWithoutTasks {
  const other = replacedBy(tool, harvest.pool.tools);
  if (other !== null)
    return {
      tool: tool.name,
      parameter: null,
      why: `its description says that it is deprecated, and ${other} in its place is asked for`,
      wayOut: 'Leave it out.',
      found: null,
    };
  const table = tableOf(tool);
  if (table !== null)
    return {
      tool: tool.name,
      parameter: null,
      why: `${table} is a table of any keys, for which no request can be made up`,
      wayOut:
        'List its keys as properties, or write requests for it in ' +
        `${tool.source ? tasksFileName(tool.source.file) : 'a file of tasks (*.tasks.jsonl)'}; the ` +
        'embedded model cannot make such calls.',
      found: null,
    };
  const required = harvest.pool
    .placesOf(tool)
    .filter(({ isRequired, schema }) => isRequired && !('enum' in schema) && !('const' in schema));
  const failure = harvest.failures.get(tool.name);
  const empty = required.find(({ path }) => harvest.pool.valuesAt(tool, path).length === 0);
  const blamed = required.find(({ path }) => failure?.includes(path.split('.').at(-1)!)) ?? empty ?? required[0];
  const hasWorked = harvest.pool.hasWorked(tool);
  const why = hasWorked
    ? 'its calls work, but no request could be worded for them'
    : (failure ?? (tool.changesWorld ? 'no request could be worded for it' : 'no arguments could be made up for it'));
  const elsewhere = exampleElsewhere(tool);
  return {
    tool: tool.name,
    parameter: hasWorked ? null : (blamed?.path ?? null),
    why,
    ...(elsewhere === undefined ? {} : { wayOut: elsewhere }),
    found: empty ? null : drawArguments(tool, random, harvest.known, 0),
  };
}

/** "DEPRECATED: Use read_text_file instead.": the tool of this set that it speaks of; null: it is not replaced. */
export function replacedBy(tool: ToolSchema, tools: readonly ToolSchema[]): string | null {
  if (!/\b(deprecated|superseded|obsolete)\b/i.test(tool.description)) return null;
  const words = new Set(tool.description.match(/[\w-]+/g));
  return tools.find(({ name }) => name !== tool.name && words.has(name))?.name ?? null;
}

/** How a tool without a place for JSDoc gets an example; undefined: by `@example`. */
export function exampleElsewhere({ name, binding }: ToolSchema): string | undefined {
  if (binding.kind !== 'mcp') return undefined;
  return `Give arguments that make sense: "coach": {"examples": {"${name}": [{…}]}} of ${binding.server} in mcp.json.`;
}

/** A required parameter without keys of its own: `Record<string, number>`. */
function tableOf({ parameters }: ToolSchema): string | null {
  const properties = propertiesOf(parameters);
  const required = requiredOf(parameters);
  const isTable = (name: string): boolean => {
    const schema = deref(properties[name], parameters);
    return schema.type === 'object' && !isRecord(schema.properties) && schema.additionalProperties !== false;
  };
  return required.find(isTable) ?? null;
}

/** With what mends it. */
export function withoutTasksMessage({ tool, why, parameter, wayOut: known }: ToolWithoutTasks): string {
  const wayOut =
    known ?? (parameter === null ? 'Give an @example of a call.' : `Give an @example that shows a ${parameter}.`);
  return `No task could be made for ${tool}: ${why}. ${wayOut}`;
}

/** At the tool, where it stands in a file. */
export function withoutTasksAt(tool: ToolSchema, without: ToolWithoutTasks, message: string): Diagnostic | undefined {
  if (!tool.source) return undefined;
  const { file, line, column = 1 } = tool.source;
  return {
    file,
    line,
    column,
    endColumn: column + tool.name.length,
    severity: 'warning',
    message,
    withoutTasks: without,
  };
}
