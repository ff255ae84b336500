import type { ToolResult } from '../../protocol/trace';
import type { AssistantTurn, Environment, Outcome } from './environment';
import { resultMessages } from './tools';

/**
 * A turn some of whose calls a wrapper has answered itself: the environment sees the other calls alone; a turn of which
 * nothing is left it does not see at all.
 * @param answered by the calls' places; null or absent: the environment's
 */
export async function stepWithout(
  inner: Environment,
  answered: readonly (ToolResult | null)[],
  turn: AssistantTurn,
  signal: AbortSignal,
): Promise<Outcome> {
  const calls = turn.calls.filter((_, i) => !answered[i]);
  if (calls.length === turn.calls.length) return inner.step(turn, signal);
  const none: Outcome = { messages: [], done: false, info: { results: [] } };
  const outcome = calls.length === 0 ? none : await inner.step({ ...turn, calls }, signal);
  const made = [...outcome.info.results];
  const results = turn.calls.map((_, i) => answered[i] ?? made.shift()!);
  // what comes behind the results, such as a user's words, stays behind them
  const behind = outcome.messages.filter(({ role }) => role !== 'tool');
  return {
    ...outcome,
    messages: [...resultMessages(turn.calls, results), ...behind],
    info: { ...outcome.info, results },
  };
}
