/** A tool's unit tests: its calls, run in a tool host, and whether each gives the right answer. */
import { stableJson } from '../../protocol/arguments';
import type { ToolSchema } from '../../protocol/task';
import type { ToolResult } from '../../protocol/trace';
import type { ToolHosts } from '../../tools/hosts/callTool';
import type { Demonstration } from './demonstrations';
import { Refused, type Refusal } from './refusals';

/** A demonstration, and the arguments that its request means. */
export interface Use {
  demonstration: Demonstration;
  arguments: Record<string, unknown>;
}

/** What a result other than a value is refused as. */
const KINDS: Readonly<Partial<Record<ToolResult['kind'], Refusal>>> = {
  invalidArguments: 'noCalls',
  timeout: 'timedOut',
  hostDied: 'tooMuch',
  outputTooLarge: 'tooMuch',
};
/** After these, further calls would only cost time. */
const HOPELESS: ReadonlySet<Refusal> = new Set(['timedOut', 'tooMuch']);

/** Null: the result is the right answer. */
export type Finding = { refusal: Refusal; words: string } | null;

/**
 * Each in a world of its own; after one that hangs or takes all memory, the rest is not run.
 * @throws the signal's reason
 */
export async function runUses(
  hosts: Pick<ToolHosts, 'open'>,
  tool: Pick<ToolSchema, 'name'>,
  uses: readonly Use[],
  signal: AbortSignal,
): Promise<Finding[]> {
  const found: Finding[] = [];
  for (const [i, { arguments: args, demonstration }] of uses.entries()) {
    const session = hosts.open(`maketool-${i}`);
    try {
      const result = await session.call(tool.name, args, signal);
      signal.throwIfAborted();
      found.push(findingOf(result, demonstration));
    } finally {
      session.close();
    }
    const last = found.at(-1);
    if (last && HOPELESS.has(last.refusal)) break;
  }
  return found;
}

function findingOf({ kind, content, isCut }: ToolResult, { answer }: Demonstration): Finding {
  if (kind !== 'ok') return { refusal: KINDS[kind] ?? 'threw', words: errorOf(content) };
  if (isCut) return { refusal: 'tooMuch', words: 'its result is longer than what a model reads' };
  return answerText(content) === answer ? null : { refusal: 'wrongAnswer', words: `it gave ${shown(content)}` };
}

/** A result as an answer is written: a text trimmed, a number or true as they are, anything else as JSON. */
function answerText(content: string): string {
  const value: unknown = JSON.parse(content);
  if (typeof value === 'string') return value.trim();
  return typeof value === 'object' ? stableJson(value) : String(value);
}

const errorOf = (content: string): string => {
  const { error } = JSON.parse(content) as { error?: unknown };
  return typeof error === 'string' ? error : content;
};
const MOST_SHOWN = 200;
const shown = (text: string): string => (text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text);

/**
 * Of the uses of demonstrations that the maker was told the answers of, what was right is said; of others only that
 * theirs was wrong, so that a tool can't learn it by heart.
 * @throws Refused where one of them failed
 */
export function refuseFailed(found: readonly Finding[], uses: readonly Use[], told: ReadonlySet<Demonstration>): void {
  const failed = found.flatMap((one, i) => (one ? [{ ...one, use: uses[i]! }] : []));
  const [first] = failed;
  if (!first) return;
  const words = failed.slice(0, 3).map(({ words, refusal, use: { demonstration, arguments: args } }) => {
    const { request, answer } = demonstration;
    const right =
      refusal !== 'wrongAnswer'
        ? ''
        : told.has(demonstration)
          ? `, right is ${JSON.stringify(answer)}`
          : ', which is not right';
    return `for "${shown(request)}", called with ${shown(JSON.stringify(args))}: ${words}${right}`;
  });
  throw new Refused(first.refusal, words.join('; '));
}
