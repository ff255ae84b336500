/**
 * Preferences in other programs' forms, both ways: TRL's preference rows (conversational, arguments an object, tools
 * one JSON string), OpenAI's
 * (input, preferred_output, non_preferred_output; arguments a JSON string) and KTO's (prompt, completion, label). Pure.
 */
import { z } from 'zod';
import type { LineProblem, PreferenceBody, PreferenceFormat } from '../../protocol/preferences';
import { trainingPairs, type PreferenceState } from '../../protocol/preferenceState';
import type { PreferencePair } from '../../protocol/reward';
import { Message } from '../../protocol/trace';
import { parseJson } from '../../base/json';
import { inOneMessage } from '../../protocol/result';

export interface Pair {
  prompt: Message[];
  chosen: Message[];
  rejected: Message[];
  tools?: unknown[];
}
export interface Single {
  prompt: Message[];
  completion: Message[];
  label: boolean;
  tools?: unknown[];
}
export type Row = ({ kind: 'pair' } & Pair) | ({ kind: 'single' } & Single);

/** One JSON line a row, in the order given; the same row once. */
export function formatRows(rows: readonly Row[], format: PreferenceFormat): string[] {
  const written = rows.flatMap((row): object[] => {
    switch (format) {
      case 'trl':
        return row.kind === 'pair'
          ? [{ prompt: trl(row.prompt), chosen: trl(row.chosen), rejected: trl(row.rejected), ...trlTools(row.tools) }]
          : [];
      case 'openai':
        return row.kind === 'pair' ? [openaiRow(row)] : [];
      case 'kto':
        return row.kind === 'single'
          ? [ktoRow(row)]
          : [
              ktoRow({ ...row, completion: row.chosen, label: true }),
              ktoRow({ ...row, completion: row.rejected, label: false }),
            ];
    }
  });
  return [...new Set(written.map((row) => JSON.stringify(row)))];
}

/** What training would take, and for KTO also single answers and steps with a thumb. */
export function exportRows(state: PreferenceState): Row[] {
  const messages = (list: PreferencePair['prompt']) => z.array(Message).parse(list);
  const pairs = trainingPairs(state).map(
    ({ prompt, chosen, rejected, tools }): Row => ({
      kind: 'pair',
      prompt: messages(prompt),
      chosen: messages(chosen),
      rejected: messages(rejected),
      ...(tools ? { tools } : {}),
    }),
  );
  const toolsOf = (id: string | undefined) => (id !== undefined && state.tools[id] ? { tools: state.tools[id] } : {});
  const singles = state.unpaired.map(
    ({ prompt, completion, label, toolsId }): Row => ({
      kind: 'single',
      prompt,
      completion,
      label,
      ...toolsOf(toolsId),
    }),
  );
  const thumbs = state.notes.flatMap(({ thumb, about }): Row[] =>
    thumb && about
      ? [
          {
            kind: 'single',
            prompt: about.prompt,
            completion: about.completion,
            label: thumb === 'up',
            ...toolsOf(about.toolsId),
          },
        ]
      : [],
  );
  return [...pairs, ...singles, ...thumbs];
}

/** TRL's templates want arguments as an object and name no call: what binds a result to its call is the order. */
const trl = (messages: readonly Message[]): object[] =>
  messages.map(({ role, content, tool_calls: calls, name }) => ({
    role,
    content,
    ...(role === 'tool' && name !== undefined ? { name } : {}),
    ...(calls?.length
      ? {
          tool_calls: calls.map((call) => ({
            type: 'function',
            function: { name: call.function.name, arguments: call.function.arguments },
          })),
        }
      : {}),
  }));

/** No tools: no key, since templates render an empty list otherwise than none. */
const trlTools = (tools: readonly unknown[] | undefined): object =>
  tools?.length ? { tools: JSON.stringify(tools) } : {};

const ktoRow = ({ prompt, completion, label, tools }: Single): object => ({
  prompt: trl(prompt),
  completion: trl(completion),
  label,
  ...trlTools(tools),
});

function openaiRow({ prompt, chosen, rejected, tools }: Pair): object {
  const ids = new CallIds();
  const input = prompt.map((message) => openai(message, ids));
  // Both sides go on from the same history, so their calls are numbered from the same place.
  const [preferred, other] = [chosen, rejected].map((side) => {
    const own = ids.fork();
    return side.slice(0, 1).map((message) => openai(message, own));
  });
  return {
    input: { messages: input, ...(tools?.length ? { tools } : {}), parallel_tool_calls: true },
    preferred_output: preferred,
    non_preferred_output: other,
  };
}

/** Ids by order: those of a run differ from rollout to rollout and mean nothing outside it. */
class CallIds {
  private readonly byOld = new Map<string, string>();
  constructor(private next = 0) {}
  of(old: string): string {
    const known = this.byOld.get(old) ?? `call_${this.next++}`;
    this.byOld.set(old, known);
    return known;
  }
  fork(): CallIds {
    return new CallIds(this.next);
  }
}

function openai({ role, content, tool_calls: calls, tool_call_id: id }: Message, ids: CallIds): object {
  if (role === 'tool') return { role, ...(id === undefined ? {} : { tool_call_id: ids.of(id) }), content };
  if (!calls?.length) return { role, content };
  return {
    role,
    ...(content === '' ? {} : { content }),
    tool_calls: calls.map((call) => ({
      id: ids.of(call.id),
      type: 'function',
      function: { name: call.function.name, arguments: JSON.stringify(call.function.arguments) },
    })),
  };
}

export interface ReadRows {
  rows: Row[];
  /** lines that hold no preference, by number */
  problems: LineProblem[];
}

/** Each line is what its keys say it is, so a file may mix forms. */
export function readRows(text: string): ReadRows {
  const rows: Row[] = [];
  const problems: LineProblem[] = [];
  text
    .replace(/^\ufeff/, '')
    .split(/\r?\n/)
    .forEach((line, i) => {
      if (line.trim() === '') return;
      try {
        rows.push(readRow(parseJson(line)));
      } catch (error) {
        const why =
          error instanceof z.ZodError
            ? [error.issues[0]?.path.join('.'), error.issues[0]?.message].filter(Boolean).join(': ')
            : error instanceof SyntaxError
              ? `no JSON: ${error.message}`
              : (error as Error).message;
        problems.push({ line: i + 1, message: `line ${i + 1}: ${inOneMessage(why)}` });
      }
    });
  return { rows, problems };
}

const Content = z
  .union([z.string(), z.null(), z.array(z.object({ type: z.string().optional(), text: z.string() }))])
  .optional();
const textOf = (content: z.infer<typeof Content>): string =>
  typeof content === 'string' ? content : (content ?? []).map((part) => part.text).join('');
const ForeignCall = z.object({
  id: z.string().nullish(),
  function: z.object({ name: z.string(), arguments: z.union([z.string(), z.record(z.string(), z.unknown())]) }),
});
const ForeignMessage = z.object({
  role: z.enum(['system', 'developer', 'user', 'assistant', 'tool']),
  content: Content,
  tool_calls: z.array(ForeignCall).nullish(),
  tool_call_id: z.string().nullish(),
  name: z.string().nullish(),
});
const Conversation = z.union([z.string(), z.array(ForeignMessage)]);

const TrlRow = z.object({
  prompt: Conversation.optional(),
  chosen: Conversation,
  rejected: Conversation,
  tools: z.unknown().optional(),
});
const KtoRow = z.object({
  prompt: Conversation,
  completion: Conversation,
  label: z.union([z.boolean(), z.literal(0), z.literal(1)]),
  tools: z.unknown().optional(),
});
const OpenaiRow = z.object({
  input: z.object({ messages: z.array(ForeignMessage), tools: z.unknown().optional() }),
  preferred_output: z.array(ForeignMessage),
  non_preferred_output: z.array(ForeignMessage),
});

function readRow(json: unknown): Row {
  if (typeof json !== 'object' || json === null) throw new Error('must be an object');
  if ('preferred_output' in json) {
    const row = OpenaiRow.parse(json);
    return pairRow(row.input.messages, row.preferred_output, row.non_preferred_output, row.input.tools);
  }
  if ('label' in json) {
    const row = KtoRow.parse(json);
    const [prompt, completion] = conversations([row.prompt, 'user'], [row.completion, 'assistant']);
    if (completion!.length === 0) throw new Error('the completion is empty');
    return {
      kind: 'single',
      prompt: prompt!,
      completion: completion!,
      label: Boolean(row.label),
      ...toolsOf(row.tools),
    };
  }
  if ('chosen' in json && 'rejected' in json) {
    const row = TrlRow.parse(json);
    if (row.prompt !== undefined) return pairRow(row.prompt, row.chosen, row.rejected, row.tools);
    // TRL's implicit prompt: what both conversations begin with.
    if (typeof row.chosen === 'string' || typeof row.rejected === 'string')
      throw new Error('has texts without a prompt');
    const [a, b] = [row.chosen, row.rejected];
    let shared = 0;
    while (shared < Math.min(a.length, b.length) - 1 && JSON.stringify(a[shared]) === JSON.stringify(b[shared]))
      shared++;
    return pairRow(a.slice(0, shared), a.slice(shared), b.slice(shared), row.tools);
  }
  throw new Error(
    'is no preference: it needs prompt, chosen and rejected; or input, preferred_output and ' +
      'non_preferred_output; or prompt, completion and label',
  );
}

type Foreign = z.infer<typeof Conversation>;

function pairRow(prompt: Foreign, chosen: Foreign, rejected: Foreign, tools: unknown): Row {
  const [history, better, worse] = conversations([prompt, 'user'], [chosen, 'assistant'], [rejected, 'assistant']);
  if (better!.length === 0 || worse!.length === 0) throw new Error('one of its answers is empty');
  if (better![0]!.role !== 'assistant' || worse![0]!.role !== 'assistant')
    throw new Error('an answer must begin with an assistant message');
  if (JSON.stringify(better) === JSON.stringify(worse)) throw new Error('both answers are the same');
  return { kind: 'pair', prompt: history!, chosen: better!, rejected: worse!, ...toolsOf(tools) };
}

/** Into our messages: calls get ids by order, a result the id of the call it answers (TRL has no ids). */
function conversations(first: readonly [Foreign, 'user'], ...sides: (readonly [Foreign, 'assistant'])[]): Message[][] {
  const state = { count: 0, waiting: [] as string[], names: new Map<string, string>(), ids: new Map<string, string>() };
  const prompt = convert(first[0], 'user', state);
  return [
    prompt,
    ...sides.map(([side, role]) =>
      convert(side, role, {
        ...state,
        waiting: [...state.waiting],
        names: new Map(state.names),
        ids: new Map(state.ids),
      }),
    ),
  ];
}

function convert(
  given: Foreign,
  role: 'user' | 'assistant',
  state: { count: number; waiting: string[]; names: Map<string, string>; ids: Map<string, string> },
): Message[] {
  if (typeof given === 'string') return given === '' ? [] : [{ role, content: given }];
  return given.map((message): Message => {
    const as = message.role === 'developer' ? 'system' : message.role;
    if (as === 'tool') {
      const id = (message.tool_call_id == null ? undefined : state.ids.get(message.tool_call_id)) ?? state.waiting[0];
      if (id !== undefined) state.waiting.splice(state.waiting.indexOf(id), 1);
      const name = message.name ?? (id === undefined ? undefined : state.names.get(id));
      return {
        role: 'tool',
        content: textOf(message.content),
        ...(id === undefined ? {} : { tool_call_id: id }),
        ...(name == null ? {} : { name }),
      };
    }
    if (as !== 'assistant' || !message.tool_calls?.length) return { role: as, content: textOf(message.content) };
    const calls = message.tool_calls.map((call) => {
      const id = `call_${state.count++}`;
      state.waiting.push(id);
      state.names.set(id, call.function.name);
      if (call.id != null) state.ids.set(call.id, id);
      return {
        id,
        type: 'function' as const,
        function: { name: call.function.name, arguments: argumentsOf(call.function.arguments) },
      };
    });
    return { role: 'assistant', content: textOf(message.content), tool_calls: calls };
  });
}

function argumentsOf(given: string | Record<string, unknown>): Record<string, unknown> {
  if (typeof given !== 'string') return given;
  const parsed: unknown = given.trim() === '' ? {} : parseJson(given);
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
    throw new Error('the arguments of a call must be an object');
  return parsed as Record<string, unknown>;
}

function toolsOf(given: unknown): { tools?: unknown[] } {
  const parsed: unknown = typeof given === 'string' && given.trim() !== '' ? parseJson(given) : given;
  return Array.isArray(parsed) && parsed.length > 0 ? { tools: parsed as unknown[] } : {};
}

/** Rows as lines of the store; tools are kept once, by `idOf`. */
export function toBodies(rows: readonly Row[], source: string, idOf: (tools: unknown[]) => string): PreferenceBody[] {
  const known = new Set<string>();
  return rows.flatMap(({ tools, ...row }): PreferenceBody[] => {
    const id = tools ? idOf(tools) : undefined;
    const first: PreferenceBody[] = tools && id !== undefined && !known.has(id) ? [{ type: 'tools', tools }] : [];
    if (id !== undefined) known.add(id);
    const shared = { source, ...(id === undefined ? {} : { toolsId: id }) };
    return [
      ...first,
      row.kind === 'pair'
        ? { type: 'pair', prompt: row.prompt, chosen: row.chosen, rejected: row.rejected, ...shared }
        : { type: 'unpaired', prompt: row.prompt, completion: row.completion, label: row.label, ...shared },
    ];
  });
}
