/**
 * Preferences in other programs' forms (readRows.ts reads them): TRL's preference rows (conversational, arguments an
 * object, tools one JSON string), OpenAI's (input, preferred_output, non_preferred_output; arguments a JSON string) and
 * KTO's (prompt, completion, label). Pure.
 */
import { z } from 'zod';
import type { PreferenceBody, PreferenceFormat } from '../../protocol/preferences';
import { trainingPairs, type PreferenceState } from '../../protocol/preferenceState';
import type { PreferencePair } from '../../protocol/reward';
import { Message } from '../../protocol/trace';

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
