/**
 * OpenAI-style logs, one episode a line: `{messages, tools?}` (fine-tuning rows), `{request, response}` or flat
 * requests with `choices`, or a bare list of messages.
 */
import { z } from 'zod';
import type { Message } from '../../../protocol/trace';
import { argumentsFrom, textFrom, toolsFrom, type ForeignEpisode } from './episode';

const Part = z.object({ type: z.string().optional(), text: z.string().optional() });
const ForeignMessage = z.object({
  role: z.enum(['system', 'developer', 'user', 'assistant', 'tool', 'function']),
  content: z.union([z.string(), z.null(), z.array(Part)]).optional(),
  tool_calls: z
    .array(
      z.object({
        id: z.string().nullish(),
        function: z.object({ name: z.string(), arguments: z.unknown().optional() }),
      }),
    )
    .nullish(),
  tool_call_id: z.string().nullish(),
  name: z.string().nullish(),
});
const Reply = z.object({
  choices: z.array(z.object({ message: ForeignMessage })).min(1),
  model: z.string().nullish(),
  created: z.number().nullish(),
});
const Row = z.object({
  id: z.union([z.string(), z.number()]).nullish(),
  model: z.string().nullish(),
  temperature: z.number().nullish(),
  messages: z.array(ForeignMessage).min(1),
  tools: z.unknown().optional(),
  choices: z.unknown().optional(),
  created: z.number().nullish(),
});

/** @returns null where the value is no log of messages. @throws ZodError where it is one, but broken */
export function episodeOfLog(json: unknown, id: string): ForeignEpisode | null {
  const body: unknown = Array.isArray(json) ? { messages: json } : json;
  if (typeof body !== 'object' || body === null) return null;
  const { request, response } = body as { request?: unknown; response?: unknown };
  const flat = typeof request === 'object' && request !== null ? { ...body, ...request } : body;
  if (!Array.isArray((flat as { messages?: unknown }).messages)) return null;
  const row = Row.parse(flat);
  const reply = Reply.safeParse(response ?? flat);
  const messages = messagesFrom([...row.messages, ...(reply.success ? [reply.data.choices[0]!.message] : [])]);
  const created = (reply.success ? reply.data.created : row.created) ?? null;
  return {
    id: row.id == null ? id : String(row.id),
    model: (reply.success ? reply.data.model : null) ?? row.model ?? null,
    temperature: row.temperature ?? null,
    messages,
    tools: toolsFrom(row.tools),
    startedAt: created === null ? null : created * 1000,
    durationMs: null,
    sampleMs: messages.filter((m) => m.role === 'assistant').map(() => null),
    calls: new Map(),
  };
}

/** A call without an id gets one by its place; a result without one answers the first call that still waits. */
function messagesFrom(given: z.infer<typeof ForeignMessage>[]): Message[] {
  const waiting = new WaitingCalls();
  let count = 0;
  return given.map((message): Message => {
    const content = Array.isArray(message.content)
      ? message.content.map((part) => part.text ?? `[${part.type ?? 'part'}]`).join('')
      : textFrom(message.content);
    if (message.role === 'tool' || message.role === 'function') {
      const call = waiting.take(message.tool_call_id);
      const name = message.name ?? call?.name;
      const id = message.tool_call_id ?? call?.id;
      return {
        role: 'tool',
        content,
        ...(id === undefined ? {} : { tool_call_id: id }),
        ...(name === undefined ? {} : { name }),
      };
    }
    const role = message.role === 'developer' ? 'system' : message.role;
    if (role !== 'assistant' || !message.tool_calls?.length) return { role, content };
    const calls = message.tool_calls.map((call) => ({
      id: call.id ?? `call_${count++}`,
      type: 'function' as const,
      function: { name: call.function.name, arguments: argumentsFrom(call.function.arguments) },
    }));
    for (const call of calls) waiting.add({ id: call.id, name: call.function.name });
    return { role, content, tool_calls: calls };
  });
}

/** Calls that no result has answered, in their order; ids may be there twice. */
class WaitingCalls {
  private readonly calls = new Set<{ id: string; name: string }>();
  private readonly byId = new Map<string, { id: string; name: string }[]>();

  add(call: { id: string; name: string }): void {
    this.calls.add(call);
    const same = this.byId.get(call.id);
    if (same) same.push(call);
    else this.byId.set(call.id, [call]);
  }

  /** The first with that id, or else the first of all. */
  take(id: string | null | undefined): { id: string; name: string } | undefined {
    const [call] = (id == null ? undefined : this.byId.get(id)) ?? this.calls;
    if (call === undefined) return undefined;
    this.calls.delete(call);
    const same = this.byId.get(call.id)!;
    same.splice(same.indexOf(call), 1);
    if (same.length === 0) this.byId.delete(call.id);
    return call;
  }
}
