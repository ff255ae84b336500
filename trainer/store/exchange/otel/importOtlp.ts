/**
 * Episodes out of OTLP/JSON spans of other agents. Read are the GenAI conventions as they are (gen_ai.input.messages in
 * parts, on the span or its
 * events), and two older ways: OpenLLMetry's flat gen_ai.prompt.N.* and OpenInference's llm.input_messages.N.message.*.
 * An episode is what lies
 * under one invoke_agent span, or one trace where there is none; its conversation is that of its chat with the longest
 * history.
 */
import type { Message } from '../../../protocol/trace';
import { argumentsFrom, parsed, textFrom, toolsFrom, type ForeignEpisode } from './episode';
import { millis, plain, type Span, type TracesData } from './otlp';

interface Read extends Pick<Span, 'traceId' | 'spanId' | 'parentSpanId' | 'name' | 'status'> {
  operation: 'chat' | 'agent' | 'tool' | null;
  values: Record<string, unknown>;
  start: number | null;
  end: number | null;
}

/** @returns episodes in the order of their start, and how many chats said nothing (their content was not recorded) */
export function episodesOfOtlp(data: readonly TracesData[]): { episodes: ForeignEpisode[]; silent: number } {
  const spans = data
    .flatMap((d) => d.resourceSpans)
    .flatMap((r) => r.scopeSpans ?? [])
    .flatMap((s) => s.spans ?? [])
    .map(readSpan);
  const byId = new Map(spans.map((span) => [`${span.traceId}/${span.spanId}`, span]));
  const owners = new Map<Read, Read | null>();
  const groups = new Map<string, Read[]>();
  for (const span of spans) {
    const owner = agentOf(span, byId, owners);
    const key = owner ? `${owner.traceId}/${owner.spanId}` : span.traceId;
    const group = groups.get(key);
    if (group) group.push(span);
    else groups.set(key, [span]);
  }
  let silent = 0;
  const episodes = [...groups.values()].flatMap((group) => {
    const chats = group.filter((span) => span.operation === 'chat').sort((a, b) => (a.start ?? 0) - (b.start ?? 0));
    if (chats.length === 0) return [];
    const said = chats
      .map((chat) => ({ chat, messages: conversationOf(chat) }))
      .filter(({ messages }) => messages.some((m) => m.role === 'assistant'));
    silent += chats.length - said.length;
    return said.length === 0 ? [] : [episodeOf(group, said)];
  });
  return { episodes: episodes.sort((a, b) => (a.startedAt ?? 0) - (b.startedAt ?? 0)), silent };
}

function readSpan({ attributes, events = [], startTimeUnixNano, endTimeUnixNano, ...span }: Span): Read {
  const values = plain([
    ...events.flatMap((event) => (event.name === 'gen_ai.evaluation.result' ? [] : (event.attributes ?? []))),
    ...(attributes ?? []),
  ]);
  const said = textFrom(
    values['gen_ai.operation.name'] ??
      values['openinference.span.kind'] ??
      values['traceloop.span.kind'] ??
      values['llm.request.type'],
  ).toLowerCase();
  const operation = /^(chat|text_completion|generate_content|llm|completion)$/.test(said)
    ? 'chat'
    : /^(invoke_agent|agent)$/.test(said)
      ? 'agent'
      : /^(execute_tool|tool)$/.test(said)
        ? 'tool'
        : null;
  return { ...span, values, operation, start: millis(startTimeUnixNano), end: millis(endTimeUnixNano) };
}

/**
 * The nearest agent span above it (itself included); a loop in the parents ends the search.
 * @param owners what was found so far: a chain of spans is walked once, not once from each of its spans
 */
function agentOf(span: Read, byId: ReadonlyMap<string, Read>, owners: Map<Read, Read | null>): Read | null {
  const below: Read[] = [];
  let at: Read | undefined = span;
  while (at !== undefined && !owners.has(at) && at.operation !== 'agent') {
    owners.set(at, null); // until it is known; met again, it closes a loop without an agent
    below.push(at);
    at = at.parentSpanId ? byId.get(`${at.traceId}/${at.parentSpanId}`) : undefined;
  }
  const owner = at === undefined ? null : at.operation === 'agent' ? at : owners.get(at)!;
  for (const each of below) owners.set(each, owner);
  return owner;
}

function episodeOf(group: Read[], said: { chat: Read; messages: Message[] }[]): ForeignEpisode {
  const agent = group.find((span) => span.operation === 'agent');
  const { messages } = said.reduce((longest, each) =>
    each.messages.length >= longest.messages.length ? each : longest,
  );
  const first = (key: string) =>
    [agent, ...said.map(({ chat }) => chat)].map((span) => span?.values[key]).find((value) => value !== undefined);
  const tools = group.filter((span) => span.operation === 'tool');
  const starts = group.flatMap((span) => span.start ?? []);
  const ends = group.flatMap((span) => span.end ?? []);
  const assistants = messages.filter((m) => m.role === 'assistant').length;
  const durations = said.map(({ chat }) => (chat.start === null || chat.end === null ? null : chat.end - chat.start));
  const temperature = first('gen_ai.request.temperature');
  return {
    id: textFrom(
      first('coach.trace.id') ??
        (agent ? `${agent.traceId.slice(0, 12)}-${agent.spanId.slice(0, 6)}` : group[0]!.traceId.slice(0, 16)),
    ),
    model: textFrom(first('gen_ai.response.model') ?? first('gen_ai.request.model') ?? first('llm.model_name')) || null,
    temperature: typeof temperature === 'number' ? temperature : null,
    messages,
    tools: toolsFrom(first('gen_ai.tool.definitions')),
    startedAt: starts.length === 0 ? null : least(starts),
    durationMs: starts.length === 0 || ends.length === 0 ? null : -least(ends.map((end) => -end)) - least(starts),
    // one chat a message: then its times are those; else they can't be told apart
    sampleMs: Array.from({ length: assistants }, (_, i) => (durations.length === assistants ? durations[i]! : null)),
    calls: new Map(
      tools.flatMap((span) => {
        const id = span.values['gen_ai.tool.call.id'];
        const error = span.status?.code === 2 ? textFrom(span.values['error.type']) || 'error' : null;
        return typeof id === 'string' && span.start !== null && span.end !== null
          ? [[id, { startedAt: span.start, durationMs: span.end - span.start, error }] as const]
          : [];
      }),
    ),
  };
}

/** As Math.min, which takes no list of a hundred thousand. */
const least = (times: readonly number[]): number => times.reduce((a, b) => Math.min(a, b), Infinity);

function conversationOf({ values }: Read): Message[] {
  const structured = [
    ...instructions(values['gen_ai.system_instructions']),
    ...partMessages(values['gen_ai.input.messages']),
    ...partMessages(values['gen_ai.output.messages']),
  ];
  if (structured.length > 0) return structured;
  return [
    ...flatMessages(values, /^gen_ai\.prompt\.(\d+)\.(.+)$/),
    ...flatMessages(values, /^gen_ai\.completion\.(\d+)\.(.+)$/),
    ...flatMessages(values, /^llm\.input_messages\.(\d+)\.message\.(.+)$/),
    ...flatMessages(values, /^llm\.output_messages\.(\d+)\.message\.(.+)$/),
  ];
}

const listOf = (value: unknown): Record<string, unknown>[] => {
  const list: unknown = typeof value === 'string' ? parsed(value) : value;
  return Array.isArray(list)
    ? list.filter((each): each is Record<string, unknown> => typeof each === 'object' && each !== null)
    : [];
};

const instructions = (value: unknown): Message[] => {
  const text = listOf(value)
    .map((part) => textFrom(part['content']))
    .join('\n');
  return text === '' ? [] : [{ role: 'system', content: text }];
};

/** The conventions' messages: roles and parts. A part of another kind (an image, reasoning) is named in its place. */
function partMessages(value: unknown): Message[] {
  return listOf(value).flatMap((message): Message[] => {
    const parts = listOf(message['parts']);
    const results = parts.filter((part) => part['type'] === 'tool_call_response');
    if (results.length > 0)
      return results.map((part) => ({
        role: 'tool',
        content: textFrom(part['response'] ?? part['result']),
        ...(part['id'] === undefined ? {} : { tool_call_id: textFrom(part['id']) }),
      }));
    const content = parts
      .filter((part) => part['type'] !== 'tool_call')
      .map((part) => (part['type'] === 'text' ? textFrom(part['content']) : `[${textFrom(part['type'])}]`))
      .join('');
    const calls = parts
      .filter((part) => part['type'] === 'tool_call')
      .map((part, i) => call(part['id'] ?? `call_${i}`, part['name'], part['arguments']));
    return [{ role: roleOf(message['role']), content, ...(calls.length > 0 ? { tool_calls: calls } : {}) }];
  });
}

const call = (id: unknown, name: unknown, args: unknown) => ({
  id: textFrom(id),
  type: 'function' as const,
  function: { name: textFrom(name), arguments: argumentsFrom(args) },
});
const roleOf = (role: unknown): Message['role'] =>
  role === 'user' || role === 'assistant' || role === 'tool'
    ? role
    : role === 'human'
      ? 'user'
      : role === 'model' || role === 'ai'
        ? 'assistant'
        : 'system';

/** `PREFIX.0.role`, `PREFIX.0.content`, `PREFIX.0.tool_calls.0.name` … -> messages */
function flatMessages(values: Record<string, unknown>, pattern: RegExp): Message[] {
  const rows = new Map<number, Record<string, unknown>>();
  for (const [key, value] of Object.entries(values)) {
    const [, index, field] = pattern.exec(key) ?? [];
    if (index === undefined) continue;
    const row = rows.get(Number(index)) ?? {};
    row[field!] = value;
    rows.set(Number(index), row);
  }
  return [...rows]
    .sort(([a], [b]) => a - b)
    .map(([, row]) => {
      const calls = [0, 1, 2, 3, 4, 5, 6, 7].flatMap((i) => {
        const name = row[`tool_calls.${i}.name`] ?? row[`tool_calls.${i}.tool_call.function.name`];
        return name === undefined
          ? []
          : [
              call(
                row[`tool_calls.${i}.id`] ?? row[`tool_calls.${i}.tool_call.id`] ?? `call_${i}`,
                name,
                row[`tool_calls.${i}.arguments`] ?? row[`tool_calls.${i}.tool_call.function.arguments`],
              ),
            ];
      });
      const id = row['tool_call_id'];
      return {
        role: roleOf(row['role']),
        content: textFrom(row['content']),
        ...(calls.length > 0 ? { tool_calls: calls } : {}),
        ...(id === undefined ? {} : { tool_call_id: textFrom(id) }),
      };
    });
}
