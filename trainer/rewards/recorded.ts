/** Recorded material from files: lines of four shapes -> episodes, grouped by the task that they share. */
import { z } from 'zod';
import { readBfclLine } from './bfcl/line';
import { suggest } from '../base/nearest';
import { UserError } from '../protocol/result';
import { type GoldCall, type Task, ToolSchema } from '../protocol/task';
import { readTraceJson, TRACE_VERSION, type Message, type Trace } from '../protocol/trace';
import { isRecord, stableJson } from '../protocol/arguments';
import { Episode } from './episode';
import { callsOfText, withoutTemplate } from './toolrl';
import type { PyValue } from './python';
import { parseJson } from '../base/json';

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

const SHAPES =
  'A line is a trace of a run, {"messages": […], "gold": {"calls": […], "answer": "…"}}, {"completion": "…", "answer": "…", "step": 0} in ToolRL\'s tags, or for bfcl-ast {"functions": […], "ground_truth": […], "category": "…", "calls" or "text": …}.';

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

// --- ToolRL's raw text

function fromText(json: Record<string, unknown>, where: string, line: number, tools: readonly ToolSchema[]): Episode {
  const { completion, answer } = json;
  if (typeof completion !== 'string')
    throw new UserError('config', `${where}: completion must be text, got ${short(completion)}`, SHAPES);
  if (typeof answer !== 'string')
    throw new UserError('config', `${where}: answer must be text in ToolRL's tags, got ${short(answer)}`, SHAPES);
  const gold = goldOfText(answer);
  const task: Task = { id: `line ${line}`, prompt: ' ', ...gold };
  checkGold(task, tools, where);
  return new Episode(task, traceOfText(completion, stepOf(json.step ?? 0, where), line), tools, { completion, answer });
}

/**
 * Gold calls, or where there are none the response; nothing where the text can't be read (ToolRL's own rule says so).
 */
function goldOfText(answer: string): Pick<Task, 'calls' | 'answer'> {
  const made = readableCalls(answer);
  const response = between(answer, 'response');
  if (answer.includes('<tool_call>')) return made === null ? {} : { calls: made };
  return { calls: [], ...(response !== null && response.trim() !== '' ? { answer: response.trim() } : {}) };
}

function traceOfText(completion: string, step: number, line: number): Trace {
  const text = withoutTemplate(completion, 'qwen');
  const made = readableCalls(text);
  const isBroken = text.includes('<tool_call>') && made === null;
  const reply =
    between(text, 'response') ?? (text.includes('<tool_call>') ? '' : text.split('</think>').at(-1)!.trim());
  const calls = made ?? [];
  const id = (i: number): string => `line-${line}-${i}`;
  const thought = between(text, 'think')?.trim() ?? '';
  const messages: Message[] = [{ role: 'user', content: '' }];
  if (calls.length > 0)
    messages.push({
      role: 'assistant',
      content: thought,
      tool_calls: calls.map((call, i) => ({ id: id(i), type: 'function', function: call })),
    });
  if (calls.length === 0 || reply !== '') messages.push({ role: 'assistant', content: reply });
  return {
    ...emptyTrace(`line ${line}`, step),
    messages,
    terminated: !isBroken,
    truncated: 'no',
    turns: [
      {
        start: 0,
        end: 0,
        text,
        sampleMs: 0,
        calls: calls.map((call, i) => ({ id: id(i), ...call, result: null })),
        ...(isBroken ? { parseError: 'a line of the call block is no call' } : {}),
      },
    ],
  };
}

/** null: there is no call block, or something in it is no call. */
function readableCalls(text: string): GoldCall[] | null {
  try {
    const calls = callsOfText(text)?.map((call): GoldCall => {
      const name = call instanceof Map ? call.get('name') : undefined;
      const parameters = call instanceof Map ? call.get('parameters') : undefined;
      if (typeof name !== 'string' || !(parameters instanceof Map)) throw new Error('no call');
      return { name, arguments: plain(parameters) as Record<string, unknown> };
    });
    return calls ?? null;
  } catch {
    return null;
  }
}

function plain(value: PyValue): unknown {
  if (value instanceof Map) return Object.fromEntries([...value].map(([key, member]) => [key, plain(member)]));
  return Array.isArray(value) ? value.map(plain) : typeof value === 'bigint' ? Number(value) : value;
}

const between = (text: string, tag: string): string | null =>
  new RegExp(`<${tag}>([^]*?)</${tag}>`).exec(text)?.[1] ?? null;

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

// --- messages with gold

const Text = z
  .union([z.string(), z.null(), z.array(z.object({ type: z.string(), text: z.string().optional() }))])
  .transform((content) => (Array.isArray(content) ? content.map((part) => part.text ?? '').join('') : (content ?? '')));
/** An object, or the text of one, as OpenAI's servers send it. */
const Arguments = z
  .union([z.record(z.string(), z.unknown()), z.string()])
  .transform((value, context): Record<string, unknown> => {
    if (typeof value !== 'string') return value;
    try {
      const json: unknown = parseJson(value);
      if (isRecord(json)) return json;
    } catch {
      // said below
    }
    context.addIssue({ code: 'custom', message: 'arguments must be an object, or the JSON text of one' });
    return z.NEVER;
  });
const AnyCall = z.union([
  z
    .object({ id: z.string().optional(), function: z.object({ name: z.string(), arguments: Arguments }) })
    .transform((call) => ({ id: call.id, ...call.function })),
  z.object({ id: z.string().optional(), name: z.string(), arguments: Arguments }),
  z
    .object({ id: z.string().optional(), name: z.string(), parameters: Arguments })
    .transform(({ parameters, ...call }) => ({ ...call, arguments: parameters })),
]);
const AnyMessage = z.object({
  role: z.enum(['system', 'developer', 'user', 'assistant', 'tool']),
  content: Text.optional().transform((content) => content ?? ''),
  tool_calls: z.array(AnyCall).nullish(),
  tool_call_id: z.string().optional(),
  name: z.string().optional(),
});

function fromMessages(
  json: Record<string, unknown>,
  where: string,
  line: number,
  context: RecordedContext,
  tools: readonly ToolSchema[],
): Episode {
  const parsed = z.array(AnyMessage).min(1).safeParse(json.messages);
  if (!parsed.success) throw new UserError('config', `${where}: messages: ${first(parsed.error)}`, SHAPES);
  const messages: Message[] = [];
  const turns: Trace['turns'] = [];
  for (const [at, { role, content, tool_calls, tool_call_id, name }] of parsed.data.entries()) {
    if (role === 'assistant') {
      const calls = (tool_calls ?? []).map((call, i) => ({
        id: call.id ?? `m${at}-${i}`,
        name: call.name,
        arguments: call.arguments,
        result: null,
      }));
      messages.push({
        role,
        content,
        ...(calls.length > 0
          ? {
              tool_calls: calls.map((call) => ({
                id: call.id,
                type: 'function',
                function: { name: call.name, arguments: call.arguments },
              })),
            }
          : {}),
      });
      turns.push({ start: 0, end: 0, text: content, sampleMs: 0, calls });
    } else if (role === 'tool') {
      const open = turns.at(-1)?.calls.filter((call) => call.result === null) ?? [];
      const call = tool_call_id === undefined ? open[0] : open.find((candidate) => candidate.id === tool_call_id);
      if (call === undefined)
        throw new UserError(
          'config',
          `${where}: messages.${at}: a tool's result without a call of its own${tool_call_id === undefined ? '' : `: ${tool_call_id}`}`,
          'A result follows its call, with the same id.',
        );
      call.result = {
        kind: resultKind(content, call.name, tools),
        content,
        policy: 'real',
        startedAt: 0,
        durationMs: 0,
      };
      messages.push({ role, content, tool_call_id: call.id, name: name ?? call.name });
    } else messages.push({ role: role === 'developer' ? 'system' : role, content });
  }
  const last = messages.at(-1)!;
  const ended = last.role === 'assistant' && !last.tool_calls?.length;
  const terminated = typeof json.terminated === 'boolean' ? json.terminated : ended;
  const id = typeof json.id === 'string' ? json.id : `line ${line}`;
  const taskId = typeof json.taskId === 'string' ? json.taskId : id;
  const trace: Trace = {
    ...emptyTrace(id, stepOf(json.step ?? 0, where)),
    taskId,
    messages,
    turns,
    terminated,
    truncated: terminated ? 'no' : 'turnLimit',
  };
  return new Episode(
    taskOf(json, where, line, context.tasks.get(taskId), taskId, promptOf(messages), tools),
    trace,
    tools,
  );
}

/** `{"error": …}` is what a failed call leaves; which kind of failure is not told any more. */
function resultKind(content: string, name: string, tools: readonly ToolSchema[]): 'ok' | 'threw' | 'unknownTool' {
  if (tools.length > 0 && !tools.some((tool) => tool.name === name)) return 'unknownTool';
  if (!/^\s*\{\s*"error"\s*:/.test(content)) return 'ok';
  try {
    return Object.keys(JSON.parse(content) as object).length === 1 ? 'threw' : 'ok';
  } catch {
    return 'ok';
  }
}

// --- gold, tools, bits

const Gold = z.union([
  z.string().transform((answer) => ({ answer })),
  z.array(AnyCall).transform((calls) => ({ calls })),
  z.strictObject({
    calls: z.array(AnyCall).optional(),
    answer: z.union([z.string(), z.number()]).transform(String).optional(),
  }),
]);

/** The line's own gold, else the task that the run recorded. */
function taskOf(
  json: Record<string, unknown>,
  where: string,
  line: number,
  known: Task | undefined,
  id: string,
  prompt: string,
  tools: readonly ToolSchema[] = [],
): Task {
  if (!('gold' in json)) return known ?? { id: id || `line ${line}`, prompt: prompt || ' ' };
  const parsed = Gold.safeParse(json.gold);
  if (!parsed.success) {
    const unknown = isRecord(json.gold)
      ? Object.keys(json.gold).find((key) => key !== 'calls' && key !== 'answer')
      : undefined;
    if (unknown !== undefined)
      throw new UserError('config', `${where}: gold has no field '${unknown}'`, suggest(unknown, ['calls', 'answer']));
    throw new UserError(
      'config',
      `${where}: gold must be {"calls": [{"name", "arguments"}], "answer"}, the calls alone, or the answer alone, got ${short(json.gold)}`,
      SHAPES,
    );
  }
  const gold: { calls?: { name: string; arguments: Record<string, unknown> }[]; answer?: string } = parsed.data;
  const task: Task = {
    id: id || `line ${line}`,
    prompt: prompt || ' ',
    ...(gold.calls ? { calls: gold.calls.map(({ name, arguments: args }) => ({ name, arguments: args })) } : {}),
    ...(gold.answer === undefined ? {} : { answer: gold.answer }),
  };
  checkGold(task, tools, where);
  return task;
}

function checkGold(task: Task, tools: readonly ToolSchema[], where: string): void {
  if (tools.length === 0) return;
  const missing = task.calls?.find((call) => !tools.some((tool) => tool.name === call.name));
  if (missing)
    throw new UserError(
      'config',
      `${where}: a gold call names the tool '${missing.name}', which does not exist`,
      suggest(
        missing.name,
        tools.map((tool) => tool.name),
      ),
    );
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

function stepOf(step: unknown, where: string): number {
  if (typeof step !== 'number' || !Number.isInteger(step))
    throw new UserError('config', `${where}: step must be a whole number, got ${short(step)}`, SHAPES);
  return step;
}

const emptyTrace = (id: string, step: number): Trace => ({
  version: TRACE_VERSION,
  id,
  runId: '',
  taskId: id,
  phase: 'try',
  step,
  groupId: '',
  indexInGroup: 0,
  seed: 0,
  model: '',
  checkpoint: '',
  temperature: 1,
  constraint: 'none',
  messages: [],
  turns: [],
  tokens: { ids: [], logprobs: [], completionMask: [], writer: '' },
  terminated: false,
  truncated: 'no',
  solved: null,
  rewards: [],
  reward: null,
  advantage: null,
  startedAt: 0,
  durationMs: 0,
});
const promptOf = (messages: readonly Message[]): string =>
  messages.find((message) => message.role === 'user')?.content ?? '';
const first = (error: z.ZodError): string =>
  z
    .prettifyError(new z.ZodError(error.issues.slice(0, 1)))
    .replace(/\s+/g, ' ')
    .replace(/^✖ /, '');
function short(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
