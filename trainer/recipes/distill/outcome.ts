/** What became of a teacher's samples: which pass, why the others don't, and which of those that pass are kept. */
import type { Task, ToolSchema } from '../../protocol/task';
import type { Message, Trace } from '../../protocol/trace';
import { areMadeInOrder, meetsGold, outcomeOf } from '../../tasks/solved';

/** Why a sample is not learnt from, in words; the first that holds counts. */
export const REFUSALS = {
  cut: 'was cut off by a limit',
  broken: 'held a call that can not be read',
  calledInText: 'wrote its call into the text',
  failedCall: 'made a call that failed',
  noCall: 'called no tool',
  wrongCall: 'did not make the gold calls',
  furtherCall: 'made a call too many',
  wrongAnswer: 'did not give the answer',
  belowBar: 'was rewarded below the bar',
  stopped: 'was expected to fail, and stopped',
} as const;
export type Refusal = keyof typeof REFUSALS;

/**
 * Why a whole episode does not pass; null: it does. A call that failed is refused even where a better one followed,
 * since the student would learn it.
 * @param bar least reward, in the place of gold calls and answers; null: those decide
 */
export function refusalOf(task: Task, trace: Trace, tools: readonly ToolSchema[], bar: number | null): Refusal | null {
  const { calls, lastReply } = outcomeOf(trace);
  if (trace.truncated !== 'no') return 'cut';
  if (trace.turns.some(({ parseError }) => parseError !== undefined)) return 'broken';
  if (calls.length === 0 && looksLikeCall(lastReply, tools)) return 'calledInText';
  if (calls.some(({ resultKind }) => resultKind !== 'ok')) return 'failedCall';
  if (bar !== null) return trace.reward !== null && trace.reward >= bar ? null : 'belowBar';
  if (meetsGold(task, outcomeOf(trace), tools)) return null;
  const gold = task.calls ?? [];
  if (gold.length > 0 && calls.length === 0) return 'noCall';
  if (!areMadeInOrder(gold, calls, tools)) return 'wrongCall';
  return task.answer !== undefined && meetsGold({ ...task, answer: undefined }, outcomeOf(trace), tools)
    ? 'wrongAnswer'
    : 'furtherCall';
}

/** A tool's name in what Hermes, Llama, Mistral and the like write as a call, where their server does not read it. */
function looksLikeCall(text: string, tools: readonly ToolSchema[]): boolean {
  if (/<tool_call>|\[TOOL_CALLS\]|<function=|<\|python_tag\|>/.test(text)) return true;
  return tools.some(({ name }) => new RegExp(`"(name|function|tool)"\\s*:\\s*"${escaped(name)}"`).test(text));
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Characters that the policy wrote, calls included. */
export const writtenLength = (messages: readonly Message[]): number =>
  messages
    .filter(({ role }) => role === 'assistant')
    .reduce(
      (sum, { content, tool_calls = [] }) => sum + content.length + JSON.stringify(tool_calls.map(plain)).length,
      0,
    );

/** A call without the name that the server gave it, which is another each time. */
const plain = ({ function: called }: NonNullable<Message['tool_calls']>[number]): object => called;

/** How many dialogues of a task are kept. */
const KEPT_PER_TASK = 2;

/**
 * Of one task's the two shortest; such as say the same count once, and among equally short ones the earlier goes
 * first.
 */
export function shortest<T extends { messages: readonly Message[] }>(passed: readonly T[]): T[] {
  const said = new Map<string, T>();
  for (const one of passed) {
    const words = JSON.stringify(
      one.messages
        .filter(({ role }) => role === 'assistant')
        .map(({ content, tool_calls = [] }) => [content, tool_calls.map(plain)]),
    );
    if (!said.has(words)) said.set(words, one);
  }
  return [...said.values()]
    .sort((a, b) => writtenLength(a.messages) - writtenLength(b.messages))
    .slice(0, KEPT_PER_TASK);
}
