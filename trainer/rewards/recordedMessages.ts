/** A dialogue in anybody's chat shape as a trace. */
import { z } from 'zod';
import { UserError } from '../protocol/result';
import type { ToolSchema } from '../protocol/task';
import { emptyTrace, type Message, type Trace } from '../protocol/trace';
import { Episode } from './episode';
import { SHAPES, promptOf, stepOf, first } from './recordedTrace';
import type { RecordedContext } from './recorded';
import { taskOf } from './recordedTask';
import { AnyMessage } from './recordedShapes';

type Calls = Trace['turns'][number]['calls'];
type Recorded = z.infer<typeof AnyMessage>;

const callsOf = ({ tool_calls: calls }: Recorded, at: number): Calls =>
  (calls ?? []).map((call, i) => ({
    id: call.id ?? `m${at}-${i}`,
    name: call.name,
    arguments: call.arguments,
    result: null,
  }));

const asToolCall = ({ id, name, arguments: args }: Calls[number]): NonNullable<Message['tool_calls']>[number] => ({
  id,
  type: 'function',
  function: { name, arguments: args },
});

/** The call that a tool's message answers: by its id, else the first that has no result yet. */
function answeredCall(
  turn: Trace['turns'][number] | undefined,
  { tool_call_id: id }: Recorded,
  place: string,
): Calls[number] {
  const open = turn?.calls.filter((call) => call.result === null) ?? [];
  const call = id === undefined ? open[0] : open.find((candidate) => candidate.id === id);
  if (call === undefined)
    throw new UserError(
      'config',
      `${place}: a tool's result without a call of its own${id === undefined ? '' : `: ${id}`}`,
      'A result follows its call, with the same id.',
    );
  return call;
}

export function fromMessages(
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
  for (const [at, message] of parsed.data.entries()) {
    const { role, content } = message;
    if (role === 'assistant') {
      const calls = callsOf(message, at);
      messages.push({ role, content, ...(calls.length > 0 ? { tool_calls: calls.map(asToolCall) } : {}) });
      turns.push({ start: 0, end: 0, text: content, sampleMs: 0, calls });
    } else if (role === 'tool') {
      const call = answeredCall(turns.at(-1), message, `${where}: messages.${at}`);
      const kind = resultKind(content, call.name, tools);
      call.result = { kind, content, policy: 'real', startedAt: 0, durationMs: 0 };
      messages.push({ role, content, tool_call_id: call.id, name: message.name ?? call.name });
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

/**
 * `{"error": …}` is what a failed call leaves; which kind of failure is not told any more, but for a name of no tool
 * (unknownTool in tools/sources/toolSource.ts).
 */
function resultKind(content: string, name: string, tools: readonly ToolSchema[]): 'ok' | 'threw' | 'unknownTool' {
  if (tools.length > 0 && !tools.some((tool) => tool.name === name)) return 'unknownTool';
  if (!/^\s*\{\s*"error"\s*:/.test(content)) return 'ok';
  try {
    const result = JSON.parse(content) as Record<string, unknown>;
    if (result['error'] === 'unknown_tool' && Array.isArray(result['valid_tools'])) return 'unknownTool';
    return Object.keys(result).length === 1 ? 'threw' : 'ok';
  } catch {
    return 'ok';
  }
}
