/** From two traces of one task to the pair that a person is asked about: the first step in which they differ. */
import { createHash } from 'node:crypto';
import type { PairSide } from '../../protocol/preferences';
import type { QueuedPair } from '../../protocol/preferenceState';
import type { AnswerTokens } from '../../protocol/reward';
import type { Message, Trace } from '../../protocol/trace';
import { stableJson } from '../../protocol/arguments';

export interface PairContext {
  /** relative to the workspace, with / */
  toolFile: string;
  toolsId?: string;
}

/** A decision in which two traces part. */
export type Decision = Pick<QueuedPair, 'pair' | 'differs' | 'tools'>;

/**
 * @returns null where the traces are equal, or part by something that the policy did not decide (another tool result,
 * another prompt), or
 * where one of them ends before the other: then there is no step that could be preferred.
 */
export function decisionBetween(a: Trace, b: Trace, { toolFile, toolsId }: PairContext): Decision | null {
  if (a.taskId !== b.taskId) return null;
  const at = a.messages.findIndex(
    (message, i) => b.messages[i] === undefined || wordsOf(message) !== wordsOf(b.messages[i]!),
  );
  const [first, second] = [a.messages[at], b.messages[at]];
  if (at < 1 || first?.role !== 'assistant' || second?.role !== 'assistant') return null;
  const prompt = a.messages.slice(0, at);
  const sides: [PairSide, PairSide] = [sideOf(a, at), sideOf(b, at)];
  const calls = [first, second].map((message) => message.tool_calls ?? []);
  return {
    pair: {
      id: pairId(prompt, first, second),
      runId: a.runId,
      taskId: a.taskId,
      groupId: a.groupId,
      toolFile,
      model: a.model,
      checkpoint: a.checkpoint,
      prompt,
      sides,
      ...(toolsId === undefined ? {} : { toolsId }),
    },
    differs: calls[0]!.length + calls[1]!.length > 0 ? 'call' : 'words',
    tools: [...new Set(calls.flat().map((call) => call.function.name))].sort(),
  };
}

/** The same for the same history and answers, whichever of them comes first and whatever their calls' ids are. */
export function pairId(prompt: readonly Message[], first: Message, second: Message): string {
  const text = stableJson([prompt.map(wordsOf), [wordsOf(first), wordsOf(second)].sort()]);
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

function sideOf(trace: Trace, at: number): PairSide {
  const tokens = tokensOf(trace, at);
  return { traceId: trace.id, messages: [trace.messages[at]!], ...(tokens ? { tokens } : {}) };
}

/**
 * Ids of history and answer as they were sampled; null where the trace does not say which are which (imported, or
 * written by hand).
 */
export function tokensOf(trace: Trace, at: number): AnswerTokens | null {
  if (trace.redactions) return null; // some of its ids are not the sampled ones
  const assistants = trace.messages.filter((message) => message.role === 'assistant').length;
  const turn = trace.turns[trace.messages.slice(0, at).filter((message) => message.role === 'assistant').length];
  if (!turn || assistants !== trace.turns.length || turn.end > trace.tokens.ids.length || turn.start >= turn.end)
    return null;
  // of the prompt that it answered to
  const begin = (trace.tokens.begins ?? []).filter((at) => at <= turn.start).at(-1) ?? 0;
  return {
    ids: trace.tokens.ids.slice(begin, turn.end),
    start: turn.start - begin,
    writer: trace.tokens.writer.slice(begin, turn.end),
  };
}

/** Messages are compared with those of every other trace of their group. */
const known = new WeakMap<Message, string>();

/** A message without the ids of its calls, which differ from trace to trace. */
export function wordsOf(message: Message): string {
  let words = known.get(message);
  if (words === undefined) {
    words = stableJson([
      message.role,
      message.content,
      message.tool_calls?.map((call) => [call.function.name, call.function.arguments]) ?? [],
    ]);
    known.set(message, words);
  }
  return words;
}
