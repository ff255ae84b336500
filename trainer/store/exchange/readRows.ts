/** Preferences out of other programs' forms (formats.ts): each line is what its keys say it is. Pure. */
import { z } from 'zod';
import type { LineProblem } from '../../protocol/preferences';
import type { Message } from '../../protocol/trace';
import { parseJson } from '../../base/json';
import { inOneMessage } from '../../protocol/result';
import type { Row } from './formats';

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
