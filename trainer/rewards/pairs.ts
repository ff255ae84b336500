import { createHash } from 'node:crypto';
import type { PreferencePair } from '../protocol/reward';
import type { Message, Trace } from '../protocol/trace';
import { stableJson } from '../protocol/arguments';

export interface PairOptions {
  /** The better side must be ahead by more than this, in units of reward; ties never make a pair. Default 1e-6. */
  minMargin?: number;
  /** At most so many pairs a group, those of greatest margin first; default 4. */
  maxPairs?: number;
  /** Passed through to the pairs: what the policy saw of the tools. */
  tools?: unknown[];
}

/**
 * Mines preference pairs from the scored traces of one task. At each history that several traces share and go on from
 * with different
 * assistant messages, the message whose traces have the highest mean reward is preferred to the one with the lowest (a
 * decision step: prompt =
 * the shared history, chosen and rejected = one message each). Where traces part by a tool's result and not by a
 * decision, or one ends where the other goes on, and no
 * decision made a pair, the best whole episode is preferred to the worst. Unscored traces are left out.
 */
export function minePairs(traces: readonly Trace[], options: PairOptions = {}): PreferencePair[] {
  const { minMargin = 1e-6, maxPairs = 4, tools } = options;
  const scored = traces.filter((trace): trace is Scored => trace.reward !== null && trace.messages.length > 0);
  const found = decisions(scored).filter((candidate) => candidate.margin > minMargin);
  if (found.length === 0) {
    const whole = wholeEpisode(scored);
    if (whole && whole.margin > minMargin) found.push(whole);
  }
  found.sort((a, b) => b.margin - a.margin || a.prompt.length - b.prompt.length);
  return found.slice(0, maxPairs).map(({ prompt, chosen, rejected, taskId, source }) => {
    const pair = { taskId, prompt, chosen, rejected, ...(tools ? { tools } : {}), source };
    return {
      id: createHash('sha256')
        .update(stableJson([prompt, chosen, rejected]))
        .digest('hex')
        .slice(0, 16),
      ...pair,
    };
  });
}

type Scored = Trace & { reward: number };
interface Candidate {
  taskId: string;
  prompt: Message[];
  chosen: Message[];
  rejected: Message[];
  margin: number;
  source: string;
}

/** One candidate per history: the best and the worst next message by the mean reward of the traces that took it. */
function decisions(traces: Scored[]): Candidate[] {
  const histories = new Map<string, Map<string, { trace: Scored; at: number; rewards: number[] }>>();
  for (const trace of traces) {
    let history = trace.taskId;
    trace.messages.forEach((message, at) => {
      const next = keyOf(message);
      if (message.role === 'assistant') {
        const options = histories.get(history) ?? new Map();
        const option = options.get(next) ?? { trace, at, rewards: [] };
        option.rewards.push(trace.reward);
        options.set(next, option);
        histories.set(history, options);
      }
      history = createHash('sha256').update(history).update('\0').update(next).digest('base64');
    });
  }
  return [...histories.values()]
    .filter((options) => options.size > 1)
    .map((options) => {
      const ranked = [...options.values()]
        .map((option) => ({ ...option, mean: mean(option.rewards) }))
        .sort((a, b) => b.mean - a.mean);
      const [best, worst] = [ranked[0]!, ranked.at(-1)!];
      return {
        taskId: best.trace.taskId,
        prompt: best.trace.messages.slice(0, best.at),
        chosen: [best.trace.messages[best.at]!],
        rejected: [worst.trace.messages[worst.at]!],
        margin: best.mean - worst.mean,
        source: 'mined: decision step',
      };
    });
}

/**
 * Best against worst trace, from the first message in which they differ and in which both go on with the policy's
 * words.
 */
function wholeEpisode(traces: Scored[]): Candidate | null {
  const ranked = [...traces].sort((a, b) => b.reward - a.reward);
  const [best, worst] = [ranked[0], ranked.at(-1)];
  if (!best || !worst || best === worst) return null;
  const start = best.messages.findIndex((message) => message.role === 'assistant');
  if (start < 0 || worst.messages[start]?.role !== 'assistant' || !sameStart(best.messages, worst.messages, start))
    return null;
  const [chosen, rejected] = [best.messages.slice(start), worst.messages.slice(start)];
  if (stableJson(chosen.map(keyOf)) === stableJson(rejected.map(keyOf))) return null;
  return {
    taskId: best.taskId,
    prompt: best.messages.slice(0, start),
    chosen,
    rejected,
    margin: best.reward - worst.reward,
    source: 'mined: whole episode',
  };
}

const sameStart = (a: Message[], b: Message[], length: number): boolean =>
  a.slice(0, length).every((message, i) => b[i] !== undefined && keyOf(message) === keyOf(b[i]));

/** A message without the ids of its calls, which differ from trace to trace. */
function keyOf(message: Message): string {
  return stableJson([
    message.role,
    message.content,
    message.tool_calls?.map((call) => [call.function.name, call.function.arguments]) ?? [],
  ]);
}

const mean = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
