/** Recorded material from files: lines of four shapes -> episodes, grouped by the task that they share. */
import { z } from 'zod';
import { readBfclLine } from './bfcl/line';
import { suggest } from '../base/nearest';
import { UserError } from '../protocol/result';
import { type Task, ToolSchema } from '../protocol/task';
import { emptyTrace, readTraceJson, type Trace } from '../protocol/trace';
import { isRecord, stableJson } from '../protocol/arguments';
import { Episode } from './episode';
import { parseJson } from '../base/json';
import { SHAPES, short, promptOf, first } from './recordedTrace';
import { fromText } from './recordedText';
import { fromMessages } from './recordedMessages';
import { taskOf } from './recordedTask';

/** A line with its episode; lines of one `group` are compared with each other. */
export interface RecordedLine {
  line: number;
  group: string;
  episode: Episode;
}

export interface RecordedContext {
  /** tools of the whole file; a line's own `tools` go first */
  tools: readonly ToolSchema[];
  /** tasks by id, for traces that bring no gold of their own */
  tasks: ReadonlyMap<string, Task>;
}

/**
 * Reads JSON lines; blank ones are skipped.
 * @param where of messages, the file's name
 * @throws UserError with file:line for the first line that is none of the shapes, or whose gold calls name a tool that
 * is not among the known ones
 */
export function readRecorded(text: string, where: string, context: RecordedContext): RecordedLine[] {
  const out: RecordedLine[] = [];
  text
    .replace(/^\ufeff/, '')
    .split('\n')
    .forEach((line, index) => {
      if (line.trim() === '') return;
      out.push(readLine(line, `${where}:${index + 1}`, index + 1, context));
    });
  if (out.length === 0) throw new UserError('config', `${where}: there is no line in it`, SHAPES);
  return out;
}

function readLine(text: string, where: string, line: number, context: RecordedContext): RecordedLine {
  let json: unknown;
  try {
    json = parseJson(text);
  } catch (error) {
    throw new UserError('config', `${where}: is not JSON: ${(error as Error).message}`, SHAPES);
  }
  if (!isRecord(json)) throw new UserError('config', `${where}: must be an object, got ${short(json)}`, SHAPES);
  const tools = 'tools' in json ? readTools(json.tools, where) : context.tools;
  const group = (episode: Episode, name: unknown): RecordedLine => ({
    line,
    group:
      typeof name === 'string' || typeof name === 'number'
        ? `${name}\0${stableJson([episode.task.calls ?? null, episode.task.answer ?? null])}`
        : `line ${line}`,
    episode,
  });
  if ('ground_truth' in json || 'functions' in json) return group(fromBfcl(text, where, line), json.group);
  if ('completion' in json) return group(fromText(json, where, line, tools), json.group);
  if ('turns' in json && 'tokens' in json) {
    const trace = fromTrace(json, where);
    return group(
      new Episode(
        taskOf(json, where, line, context.tasks.get(trace.taskId), trace.taskId, promptOf(trace.messages)),
        trace,
        tools,
      ),
      trace.groupId,
    );
  }
  if ('messages' in json) return group(fromMessages(json, where, line, context, tools), json.group ?? json.groupId);
  const near = Object.keys(json)
    .map((key) => [key, suggest(key, ['completion', 'messages', 'functions', 'ground_truth'])] as const)
    .find(([, hint]) => hint.startsWith('Did'));
  throw new UserError(
    'config',
    `${where}: has neither messages nor a completion nor functions, got ${short(Object.keys(json))}`,
    near ? `${near[1]} ${SHAPES}` : SHAPES,
  );
}

// --- BFCL's questions

function fromBfcl(text: string, where: string, line: number): Episode {
  const bfcl = readBfclLine(text, where);
  const id = `line ${line}`;
  return new Episode({ id, prompt: ' ' }, emptyTrace(id, 0), [], undefined, bfcl);
}

// --- traces of ours

function fromTrace(json: Record<string, unknown>, where: string): Trace {
  const read = readTraceJson(json);
  if (!read.ok) throw new UserError('config', `${where}: ${read.why}`, read.isNewer ? 'Update Coach.' : SHAPES);
  return read.trace;
}

/** Our tool schemas, or OpenAI's function list. */
function readTools(value: unknown, where: string): ToolSchema[] {
  const OpenAi = z
    .object({
      function: z.object({
        name: z.string(),
        description: z.string().default(''),
        parameters: z.record(z.string(), z.unknown()).default({}),
      }),
    })
    .transform((tool) => tool.function);
  const Bare = z.object({
    name: z.string(),
    description: z.string().default(''),
    parameters: z.record(z.string(), z.unknown()).default({}),
  });
  const parsed = z.array(z.union([ToolSchema, OpenAi, Bare])).safeParse(value);
  if (!parsed.success)
    throw new UserError(
      'config',
      `${where}: tools: ${first(parsed.error)}`,
      'A tool is {"type": "function", "function": {"name", "description", "parameters"}}.',
    );
  return parsed.data.map((tool) =>
    'binding' in tool
      ? tool
      : {
          ...tool,
          source: { file: where, line: 1 },
          binding: { exportName: tool.name, positional: 'object' },
          changesWorld: false,
        },
  );
}
