/** Raw text of a model as an episode: ToolRL's lines. */
import { UserError } from '../protocol/result';
import type { GoldCall, Task, ToolSchema } from '../protocol/task';
import { emptyTrace, type Message, type Trace } from '../protocol/trace';
import { Episode } from './episode';
import { callsOfText, withoutTemplate } from './toolrl';
import type { PyValue } from './python';
import { SHAPES, short, stepOf } from './recordedTrace';
import { checkGold } from './recordedTask';

export function fromText(
  json: Record<string, unknown>,
  where: string,
  line: number,
  tools: readonly ToolSchema[],
): Episode {
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
