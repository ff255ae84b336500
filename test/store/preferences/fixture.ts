import type { AnswerPair, PairVerdict, PreferenceBody, PreferenceLine } from '../../../trainer/protocol/preferences';
import type { Message, Trace } from '../../../trainer/protocol/trace';
import { sampleTrace } from '../runs/sample';

export const user = (content: string): Message => ({ role: 'user', content });
export const says = (content: string): Message => ({ role: 'assistant', content });
export const calls = (id: string, name: string, args: Record<string, unknown>): Message => ({
  role: 'assistant',
  content: '',
  tool_calls: [{ id, type: 'function', function: { name, arguments: args } }],
});
export const answers = (id: string, content: string): Message => ({
  role: 'tool',
  content,
  tool_call_id: id,
  name: 'search',
});

export const pair = (id: string, more: Partial<AnswerPair> = {}): AnswerPair => ({
  id,
  runId: 'r',
  taskId: 't',
  groupId: 'g',
  toolFile: 'tools.ts',
  model: 'nano',
  checkpoint: 'step 3',
  prompt: [user('Find it')],
  sides: [
    {
      traceId: 'a',
      messages: [calls('1', 'search', { query: 'it' })],
      tokens: { ids: [1, 2, 3], start: 2, writer: 'pps' },
    },
    { traceId: 'b', messages: [calls('2', 'search', { query: 'it', limit: 5 })] },
  ],
  ...more,
});

let clock = 0;
/** A line as the store writes it. */
export function line(
  body: PreferenceBody,
  more: Partial<Pick<PreferenceLine, 'id' | 't' | 'author'>> = {},
): PreferenceLine {
  clock++;
  return {
    version: 1,
    id: `l${clock}`,
    t: clock,
    author: { name: 'Ada', email: 'ada@example.org' },
    ...body,
    ...more,
  } as PreferenceLine;
}

export const mark = (id: string, verdict: PairVerdict, more: Partial<AnswerPair> = {}): PreferenceBody => ({
  type: 'mark',
  pair: pair(id, more),
  verdict,
  shown: { a: 0, isBlind: true },
});

/** A trace of messages; each assistant message gets a turn of two tokens behind one token for what came before. */
export function traceOf(id: string, messages: Message[], more: Partial<Trace> = {}): Trace {
  const tokens: Trace['tokens'] = { ids: [], logprobs: [], completionMask: [], writer: '' };
  const turns: Trace['turns'] = [];
  const write = (n: number, writer: string) => {
    for (let i = 0; i < n; i++) {
      tokens.ids.push(tokens.ids.length + 10);
      tokens.logprobs.push(writer === 's' ? -0.5 : null);
      tokens.completionMask.push(writer === 's' ? 1 : 0);
      tokens.writer += writer;
    }
  };
  for (const message of messages) {
    if (message.role !== 'assistant') {
      write(1, 'p');
      continue;
    }
    const start = tokens.ids.length;
    write(2, 's');
    turns.push({
      start,
      end: tokens.ids.length,
      text: message.content,
      calls: (message.tool_calls ?? []).map((c) => ({
        id: c.id,
        name: c.function.name,
        arguments: c.function.arguments,
        result: null,
      })),
      sampleMs: 1,
    });
  }
  return sampleTrace(id, { taskId: 't', groupId: 'g', messages, turns, tokens, ...more });
}
