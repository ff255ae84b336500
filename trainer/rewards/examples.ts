import type { GoldCall, Task, ToolSchema } from '../protocol/task';
import { TRACE_VERSION, type Message, type ToolResultKind, type Trace } from '../protocol/trace';
import { Episode } from './episode';
import { readRecorded } from './recorded';
import type { OptionValues } from './rule';

/** [tool, arguments, how it ended (default ok), what came back] */
export type ExampleCall = readonly [
  name: string,
  args: Record<string, unknown>,
  kind?: ToolResultKind,
  content?: string,
];
export interface ExampleTrace {
  /** one turn each */
  calls?: readonly ExampleCall[];
  /** the closing reply; absent: it was cut off */
  reply?: string;
  /** what it wrote beside each call */
  thought?: string;
  /** a last turn that could not be parsed */
  garbled?: boolean;
  sampledTokens?: number;
  callMs?: number;
}
interface Common {
  what: string;
  gold: { calls?: readonly (readonly [name: string, args: Record<string, unknown>])[]; answer?: string };
  tools?: readonly string[];
  options?: OptionValues;
  step?: number;
}
/** A worked case of a reward: shown to readers and run as its test. */
export type Example =
  | (Common &
      (
        | { trace: ExampleTrace; score: number | null }
        | { group: readonly ExampleTrace[]; scores: readonly (number | null)[] }
      ))
  | LineExample;
/** A recorded line, as `coach score` reads it. */
export interface LineExample {
  what: string;
  line: object;
  options?: OptionValues;
  score: number | null;
}

/** The episodes of an example, of one group. */
export function episodesOf(example: Example): Episode[] {
  if ('line' in example)
    return readRecorded(JSON.stringify(example.line), example.what, { tools: [], tasks: new Map() }).map(
      (line) => line.episode,
    );
  const calls = example.gold.calls?.map(([name, args]): GoldCall => ({ name, arguments: args }));
  const task: Task = {
    id: 'example',
    prompt: 'do it',
    ...(calls ? { calls } : {}),
    ...(example.gold.answer === undefined ? {} : { answer: example.gold.answer }),
  };
  const traces = 'group' in example ? example.group : [example.trace];
  const made = traces.flatMap((trace) => trace.calls ?? []).filter(([, , kind]) => kind !== 'unknownTool');
  const names = example.tools ?? [
    ...new Set([...(calls ?? []).map((call) => call.name), ...made.map(([name]) => name)]),
  ];
  return traces.map((trace, i) => new Episode(task, exampleTrace(trace, i, example.step ?? 0), names.map(exampleTool)));
}

const exampleTool = (name: string): ToolSchema => ({
  name,
  description: name,
  parameters: { type: 'object' },
  source: { file: 'example.ts', line: 1 },
  binding: { exportName: name, positional: 'object' },
  changesWorld: false,
});

function exampleTrace(
  { calls = [], reply, thought = '', garbled = false, sampledTokens = 0, callMs = 0 }: ExampleTrace,
  index: number,
  step: number,
): Trace {
  const messages: Message[] = [{ role: 'user', content: 'do it' }];
  const turns = calls.map(([name, args, kind = 'ok', content = '"done"'], i): Trace['turns'][number] => {
    const id = `c${i}`;
    messages.push(
      {
        role: 'assistant',
        content: thought,
        tool_calls: [{ id, type: 'function', function: { name, arguments: args } }],
      },
      { role: 'tool', tool_call_id: id, name, content },
    );
    return {
      start: 0,
      end: 0,
      text: thought,
      sampleMs: 0,
      calls: [
        { id, name, arguments: args, result: { kind, content, policy: 'real', startedAt: 0, durationMs: callMs } },
      ],
    };
  });
  const last = garbled ? '<tool_call>' : reply;
  if (last !== undefined) {
    messages.push({ role: 'assistant', content: last });
    turns.push({ start: 0, end: 0, text: last, calls: [], sampleMs: 0, ...(garbled ? { parseError: 'no JSON' } : {}) });
  }
  return {
    version: TRACE_VERSION,
    id: `example-${index}`,
    runId: '',
    taskId: 'example',
    phase: 'try',
    step,
    groupId: 'example',
    indexInGroup: index,
    seed: 0,
    model: '',
    checkpoint: '',
    temperature: 1,
    constraint: 'none',
    messages,
    turns,
    tokens: { ids: [], logprobs: [], completionMask: [], writer: 's'.repeat(sampledTokens) },
    terminated: reply !== undefined && !garbled,
    truncated: reply === undefined && !garbled ? 'turnLimit' : 'no',
    solved: null,
    rewards: [],
    reward: null,
    advantage: null,
    startedAt: 0,
    durationMs: 0,
  };
}
