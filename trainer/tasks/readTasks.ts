import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020';
import { Task, TaskSource, type ToolSchema } from '../protocol/task';
import { UserError } from '../protocol/result';
import { ajvPattern } from '../base/boundedPattern';
import { nearest, suggest } from '../base/nearest';
import { isRecord, propertiesOf } from '../protocol/arguments';
import { readTextFile } from '../base/storage';
import { parseJson } from '../base/json';
import { serversNamed } from '../tools/sources/mcp/config';

/**
 * Reads tasks, one JSON object a line: `{id, prompt, calls?, answer?, tags?, source?}`. Blank lines are skipped.
 * Strict, since a task that no
 * policy can solve would count as a failure of the policy: an unknown field, a double id, a gold call that names a
 * missing tool or that
 * the tool's schema would refuse, and a task with neither calls nor answer are errors.
 *
 * @throws UserError with file:line, the rule, the value and the way out
 */
export function readTasks(file: string, tools: readonly ToolSchema[]): Task[] {
  const lines = readText(file)
    .replace(/^\ufeff/, '')
    .split(/\r?\n/);
  const checkArguments = argumentChecker(tools);
  const lineOfId = new Map<string, number>();
  const tasks: Task[] = [];
  lines.forEach((line, index) => {
    if (line.trim() === '') return;
    const where = `${file}:${index + 1}`;
    const task = parseLine(line, where);
    const first = lineOfId.get(task.id);
    if (first !== undefined)
      throw new UserError(
        'task',
        `${where}: the id '${task.id}' is already used on line ${first}`,
        'Give each task an id of its own.',
      );
    lineOfId.set(task.id, index + 1);
    for (const call of task.calls ?? []) checkArguments(call.name, call.arguments, where);
    tasks.push(task);
  });
  if (tasks.length === 0) throw new UserError('task', `${file}: there is no task in it`, EXAMPLE);
  return tasks;
}

/** The line that a task of a file stands on; null where it has changed since it was read. */
export function lineOfTask(file: string, { id }: Task): number | null {
  const lines = readText(file).split(/\r?\n/);
  const at = lines.findIndex((line) => line.includes(JSON.stringify(id)) && (JSON.parse(line) as Task).id === id);
  return at < 0 ? null : at + 1;
}

/**
 * Checks tasks as lines of such a file; a tool's schema is compiled once for all of them. The check throws UserError.
 */
export function taskChecker(tools: readonly ToolSchema[]): (task: Task, where: string) => void {
  const checkArguments = argumentChecker(tools);
  return (task, where) => {
    const { calls } = parseLine(JSON.stringify(task), where);
    for (const call of calls ?? []) checkArguments(call.name, call.arguments, where);
  };
}

/** One task as a line of such a file would be checked. @throws UserError */
export const checkTask = (task: Task, tools: readonly ToolSchema[], where: string): void =>
  taskChecker(tools)(task, where);

/** The JSONL text of tasks; readTasks reads it back. */
export function tasksToJsonl(tasks: readonly Task[]): string {
  return tasks.map((task) => `${JSON.stringify(task)}\n`).join('');
}

/**
 * The task file that belongs to a tool file: `mail.tasks.jsonl` beside `mail.ts`; else the only `*.tasks.jsonl` of the
 * folder (of the folder
 * itself when a folder is given). MCP servers have only what is named for them, `NAME.tasks.jsonl`. null: there is
 * none,
 * so tasks are generated.
 *
 * @throws UserError when a folder has several and none is named for the tool file
 */
export function tasksFileBeside(toolFile: string): string | null {
  const isFolder = existsSync(toolFile) && statSync(toolFile).isDirectory();
  const folder = isFolder ? toolFile : dirname(toolFile);
  if (!isFolder) {
    const own = ownTasksFile(toolFile);
    if (existsSync(own)) return own;
    if (serversNamed(toolFile) !== null) return null;
  }
  if (!existsSync(folder)) return null;
  const names = readdirSync(folder).sort();
  const stems = new Set(names.filter((name) => SOURCE.test(name)).map(stem));
  const loose = names.filter(
    (name) => name.endsWith('.tasks.jsonl') && (isFolder || !stems.has(name.slice(0, -'.tasks.jsonl'.length))),
  );
  if (loose.length > 1) {
    throw new UserError(
      'task',
      `${folder}: several task files (${loose.join(', ')})`,
      `Name one of them with --tasks${isFolder ? '' : `, or call it ${basename(ownTasksFile(toolFile))}`}.`,
    );
  }
  const [only] = loose;
  return only === undefined ? null : join(folder, only);
}

/** The task file that a tool file, or MCP servers, would have beside them. */
export function ownTasksFile(toolFile: string): string {
  const servers = serversNamed(toolFile);
  if (servers === null) return join(dirname(toolFile), `${stem(toolFile)}.tasks.jsonl`);
  if ('file' in servers) return toolFile.replace(/\.json$/i, '.tasks.jsonl');
  return join(servers.folder, `${servers.names.join('+').replace(/[^\w.+-]+/g, '-')}.tasks.jsonl`);
}

const SOURCE = /\.[cm]?[jt]sx?$/;
const stem = (file: string): string => basename(file).replace(SOURCE, '');
const FIELDS = Object.keys(Task.shape);
const EXAMPLE =
  'A line looks like {"id":"t1","prompt":"Find the mail about ' +
  'rent","calls":[{"name":"searchEmails","arguments":{"query":"rent"}}]}; or leave the file ' +
  'out, and tasks are generated.';

function readText(file: string): string {
  try {
    return readTextFile(file);
  } catch (error) {
    if (error instanceof UserError) throw error;
    const code = (error as NodeJS.ErrnoException).code;
    throw new UserError(
      'task',
      `${file}: the task file can't be read (${code ?? String(error)})`,
      code === 'ENOENT'
        ? 'Check the path, or leave it out, and tasks are generated.'
        : 'Check that it is a text file that you may read.',
    );
  }
}

/** Longer than any request, its gold calls and answer; no model would read it. */
const MAX_LINE = 2_000_000;

function parseLine(line: string, where: string): Task {
  if (line.length > MAX_LINE)
    throw new UserError(
      'task',
      `${where}: the task has ${line.length} characters; at most ${MAX_LINE} are read`,
      'Shorten its prompt: no model reads so much.',
    );
  let value: unknown;
  try {
    value = parseJson(line);
  } catch (error) {
    throw new UserError(
      'task',
      `${where}: the line is not JSON (${(error as Error).message}): ${shorten(line)}`,
      'Each line holds one whole JSON object, without a comma at its end.',
    );
  }
  if (!isRecord(value))
    throw new UserError('task', `${where}: a task must be a JSON object, got ${shorten(line)}`, EXAMPLE);
  for (const field of Object.keys(value)) {
    if (!FIELDS.includes(field))
      throw new UserError(
        'task',
        `${where}: unknown field '${field}'`,
        `${suggest(field, FIELDS)} A task has the fields ${FIELDS.join(', ')}.`,
      );
  }
  if ('source' in value && !TaskSource.safeParse(value.source).success) {
    const near = typeof value.source === 'string' ? suggest(value.source, TaskSource.options) : '';
    throw new UserError(
      'task',
      `${where}: source must be one of ${TaskSource.options.join(', ')}, got ${shorten(JSON.stringify(value.source))}`,
      `${near} It says who wrote the request; a line without it was written by a person.`.trim(),
    );
  }
  const parsed = Task.safeParse(value);
  if (!parsed.success) {
    const issue = parsed.error.issues[0]!;
    const path = issue.path.map(String).join('.');
    throw new UserError(
      'task',
      `${where}: ${path || 'task'}: ${issue.message}, got ` +
        `${shorten(JSON.stringify(at(value, issue.path)) ?? 'nothing')}`,
      EXAMPLE,
    );
  }
  const task = parsed.data;
  if (task.calls === undefined && (task.answer === undefined || task.answer.trim() === '')) {
    throw new UserError(
      'task',
      `${where}: task '${task.id}' has neither calls nor answer, so nothing can tell whether it is solved`,
      'Add "calls" (the gold calls; [] where no tool is needed) or "answer".',
    );
  }
  return task;
}

/** Checks a gold call against its tool: the name, then the arguments. */
function argumentChecker(
  tools: readonly ToolSchema[],
): (name: string, args: Record<string, unknown>, where: string) => void {
  const ajv = new Ajv2020({
    strict: false,
    validateFormats: false,
    logger: false,
    allErrors: false,
    code: { regExp: ajvPattern },
  });
  const validators = new Map<string, ValidateFunction>();
  return (name, args, where) => {
    const tool = tools.find((candidate) => candidate.name === name);
    if (!tool)
      throw new UserError(
        'task',
        `${where}: the gold call names a tool that is missing: '${name}'`,
        suggest(
          name,
          tools.map((candidate) => candidate.name),
        ),
      );
    const properties = Object.keys(propertiesOf(tool.parameters));
    const isOpen = tool.parameters.additionalProperties !== undefined && tool.parameters.additionalProperties !== false;
    for (const key of Object.keys(args)) {
      if (properties.includes(key) || isOpen) continue;
      const near = nearest(key, properties);
      throw new UserError(
        'task',
        `${where}: ${name} has no parameter '${key}'`,
        near ? `Did you mean '${near}'?` : properties.length ? `It has: ${properties.join(', ')}.` : 'It takes none.',
      );
    }
    let validate = validators.get(name);
    if (!validate) validators.set(name, (validate = ajv.compile(tool.parameters)));
    if (!validate(args)) {
      const error = validate.errors?.[0];
      const path = error?.instancePath.slice(1).replace(/\//g, '.');
      throw new UserError(
        'task',
        `${where}: ${name}${path ? `, ${path}` : ''}: ` +
          `${error?.message ?? 'the arguments do not fit the schema'}, got ` +
          `${shorten(JSON.stringify(args))}`,
        "A call that the tool's schema refuses can't be solved: correct the task or the tool.",
      );
    }
  };
}

const at = (value: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (node, key) =>
      typeof node === 'object' && node !== null ? (node as Record<PropertyKey, unknown>)[key] : undefined,
    value,
  );
const shorten = (text: string): string => (text.length > 80 ? `${text.slice(0, 77)}…` : text);
