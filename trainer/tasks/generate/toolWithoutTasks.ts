import type { Diagnostic, ToolSchema, ToolWithoutTasks } from '../../protocol/task';
import type { Random } from '../../base/random';
import type { Harvest } from './harvest';
import { drawArguments } from './values';

/** What is to be said of a tool that no task could be made for, and what its `@example` might be. */
export function toolWithoutTasks(tool: ToolSchema, harvest: Harvest, random: Random): ToolWithoutTasks {
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
  return {
    tool: tool.name,
    parameter: hasWorked ? null : (blamed?.path ?? null),
    why,
    found: empty ? null : drawArguments(tool, random, harvest.known, 0),
  };
}

/** At the tool, with what mends it. @param message what is said, where more is known of what its calls came to */
export function withoutTasksAt(tool: ToolSchema, without: ToolWithoutTasks, message?: string): Diagnostic {
  const { parameter } = without;
  const wayOut = parameter === null ? 'Give an @example of a call.' : `Give an @example that shows a ${parameter}.`;
  const { file, line, column = 1 } = tool.source;
  return {
    file,
    line,
    column,
    endColumn: column + tool.name.length,
    severity: 'warning',
    message: message ?? `No task could be made for ${tool.name}: ${without.why}. ${wayOut}`,
    withoutTasks: without,
  };
}
