/** From the traces of one request to the next lessons: what was right, a recovery, a pair, a task. Pure. */
import type { Flag } from '../../protocol/flywheel';
import type { PreferencePair } from '../../protocol/reward';
import type { GoldCall, ToolSchema } from '../../protocol/task';
import type { Message, Trace } from '../../protocol/trace';
import type { Dialogue } from '../../store/dialogues';
import { functionTool } from '../../store/exchange/exportData';
import { decisionBetween, pairId, tokensOf, wordsOf } from '../../store/preferences/pairOf';
import { isSameCall } from '../solved';
import { flagsOf, hasFailed, showsRight, type Signs } from './flags';

export interface Flagged {
  trace: Trace;
  flags: Flag[];
  pair: PreferencePair | null;
  /** what was right for its request */
  demonstration: Dialogue | null;
  recovery: Dialogue | null;
}

export interface Lessons {
  flagged: Flagged[];
  /** the trace that shows best what is right; null: none does */
  right: Trace | null;
}

/** @param traces of one task. @param gold its right calls, where the task says them */
export function lessonsOf(
  traces: readonly Trace[],
  gold: readonly GoldCall[] | null,
  signs: Signs,
  tools: readonly ToolSchema[],
): Lessons {
  const shown = tools.map(functionTool);
  const told = traces.map((trace) => ({ trace, flags: flagsOf(trace, signs) }));
  const right = told.filter(({ trace, flags }) => showsRight(trace, flags, signs)).map(({ trace }) => trace);
  right.sort((a, b) => (b.reward ?? 0) - (a.reward ?? 0) || a.turns.length - b.turns.length || (a.id < b.id ? -1 : 1));
  const [best = null] = right;
  const flagged = told
    .filter(({ flags }) => flags.length > 0)
    .map(({ trace, flags }): Flagged => {
      const pair = (best && pairWith(trace, best)) ?? (gold && pairWithGold(trace, gold, tools));
      return {
        trace,
        flags,
        demonstration: right.includes(trace) ? null : demonstrationOf(trace, best, gold),
        pair: pair && { ...pair, ...(shown.length > 0 ? { tools: shown } : {}) },
        recovery: recoveryOf(trace, best, signs),
      };
    });
  return { flagged, right: best };
}

/** What the policy itself did right, else the gold calls. Null: neither is known. */
function demonstrationOf(trace: Trace, right: Trace | null, gold: readonly GoldCall[] | null): Dialogue | null {
  const of = { taskId: trace.taskId, prompt: promptOf(trace) };
  return right ? { ...of, messages: right.messages } : gold && trace.solved === false ? of : null;
}

/** The flagged answer against the right one, where they part. Null: by nothing that the policy decided, or equal. */
function pairWith(trace: Trace, right: Trace): PreferencePair | null {
  const isNoBetter = trace.reward !== null && right.reward !== null && right.reward <= trace.reward;
  if (trace.id === right.id || (trace.solved === true && isNoBetter)) return null;
  const decision = decisionBetween(trace, right, { toolFile: '' });
  if (decision === null) return null;
  const { id, taskId, prompt, sides } = decision.pair;
  const [rejected, chosen] = sides;
  return {
    id,
    taskId,
    prompt,
    chosen: chosen.messages,
    rejected: rejected.messages,
    source: 'flywheel',
    tokens: {
      ...(chosen.tokens ? { chosen: chosen.tokens } : {}),
      ...(rejected.tokens ? { rejected: rejected.tokens } : {}),
    },
  };
}

/**
 * The first turn that is not the gold call which was due, against that call: what came before is the same for both.
 * Null where all gold calls were made (what is wrong comes later), or where a turn made several at once.
 */
function pairWithGold(trace: Trace, gold: readonly GoldCall[], tools: readonly ToolSchema[]): PreferencePair | null {
  if (trace.solved !== false) return null;
  const turns = turnsOf(trace);
  for (let k = 0; turns !== null && k < gold.length; k++) {
    const [turn, due] = [turns[k], gold[k]!];
    if (turn === undefined || turn.calls.length > 1) return null;
    const [made] = turn.calls;
    if (made && isSameCall(due, made, tools)) {
      if (made.result?.kind !== 'ok') return null;
      continue;
    }
    const prompt = trace.messages.slice(0, turn.at);
    const said = trace.messages[turn.at]!;
    const call = { id: `gold-${trace.id}-${k}`, type: 'function' as const, function: due };
    const right: Message = { role: 'assistant', content: '', tool_calls: [call] };
    const tokens = tokensOf(trace, turn.at);
    return {
      id: pairId(prompt, said, right),
      taskId: trace.taskId,
      prompt,
      chosen: [right],
      rejected: [said],
      source: 'flywheel: gold call',
      ...(tokens ? { tokens: { rejected: tokens } } : {}),
    };
  }
  return null;
}

/**
 * The error, then what is right: as the trace itself went on where it came right in the end; else with what the right
 * trace did from there, where both were the same until the error. A call that failed is taken to have changed nothing.
 */
function recoveryOf(trace: Trace, right: Trace | null, signs: Signs): Dialogue | null {
  const turns = turnsOf(trace);
  const failed = (turns ?? []).filter(
    ({ calls }) => calls.length > 0 && calls.every(({ result }) => hasFailed(result)),
  );
  if (failed.length === 0) return null;
  const behind = (at: number): number => {
    const next = trace.messages.findIndex(({ role }, i) => i > at && role !== 'tool');
    return next < 0 ? trace.messages.length : next;
  };
  const dialogue = (messages: Message[], trainFrom: number): Dialogue => ({
    taskId: trace.taskId,
    prompt: promptOf(trace),
    messages,
    trainFrom,
  });
  if (cameRight(trace, signs)) return dialogue(trace.messages, behind(failed.at(-1)!.at));
  const { at } = failed[0]!;
  if (right === null || right.id === trace.id || right.messages[at]?.role !== 'assistant') return null;
  const isSame = trace.messages.slice(0, at).every((message, i) => wordsOf(message) === wordsOf(right.messages[i]!));
  if (!isSame) return null;
  const end = behind(at);
  return dialogue([...trace.messages.slice(0, end), ...right.messages.slice(at)], end);
}

/** It ended well, whatever failed on the way. */
export const cameRight = (trace: Trace, { up }: Pick<Signs, 'up'>): boolean =>
  trace.terminated && (trace.solved === true || up.has(trace.id)) && !trace.ungrounded?.length;

/** The turns with the place of their message; null where the messages are others than the turns (cut, or rewritten). */
function turnsOf({ messages, turns }: Trace): { at: number; calls: Trace['turns'][number]['calls'] }[] | null {
  const places = messages.flatMap(({ role }, at) => (role === 'assistant' ? [at] : []));
  return places.length === turns.length ? turns.map(({ calls }, i) => ({ at: places[i]!, calls })) : null;
}

export const promptOf = ({ messages }: Pick<Trace, 'messages'>): string =>
  messages.find(({ role }) => role === 'user')?.content ?? '';

/** What makes two demonstrations the same. */
export const dialogueKey = ({ taskId, messages }: Dialogue): string => messages?.map(wordsOf).join('\n') ?? taskId;
