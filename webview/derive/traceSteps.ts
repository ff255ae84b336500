/** One trace as its steps in time: what the outline, the waterfall and the conversation show. */
import type { Trace, Turn } from '../../trainer/protocol/trace';

export interface CallStep {
  call: Turn['calls'][number];
  /** from the start of the trace; null = the call never ran */
  startMs: number | null;
  durationMs: number;
  isError: boolean;
}
export interface TurnStep {
  turn: Turn;
  /** 1-based */
  number: number;
  startMs: number;
  durationMs: number;
  tokens: number;
  trainedTokens: number;
  calls: CallStep[];
  /** an answer: nothing was called and nothing failed to parse */
  isAnswer: boolean;
}
export interface Steps {
  turns: TurnStep[];
  totalMs: number;
}

/**
 * The record holds how long each turn was sampled and when each call started, not when a turn began: a turn ends where
 * its first call
 * starts (or where the trace ends) and began `sampleMs` before, but not before the step ahead of it was over.
 */
export function traceSteps(trace: Trace): Steps {
  let free = 0;
  const turns = trace.turns.map((turn, i): TurnStep => {
    const calls = turn.calls.map(
      (call): CallStep => ({
        call,
        startMs: call.result ? Math.max(0, call.result.startedAt - trace.startedAt) : null,
        durationMs: call.result?.durationMs ?? 0,
        isError: call.result === null ? false : call.result.kind !== 'ok',
      }),
    );
    const firstCall = Math.min(...calls.map((c) => c.startMs ?? Infinity));
    const end = Number.isFinite(firstCall)
      ? firstCall
      : i === trace.turns.length - 1
        ? Math.max(trace.durationMs, free + turn.sampleMs)
        : free + turn.sampleMs;
    const startMs = Math.max(free, end - turn.sampleMs);
    free = Math.max(end, ...calls.map((c) => (c.startMs ?? 0) + c.durationMs));
    let trainedTokens = 0;
    for (let t = turn.start; t < turn.end; t++) trainedTokens += trace.tokens.completionMask[t] ?? 0;
    return {
      turn,
      number: i + 1,
      startMs,
      durationMs: turn.sampleMs,
      tokens: turn.end - turn.start,
      trainedTokens,
      calls,
      isAnswer: turn.calls.length === 0 && turn.parseError === undefined,
    };
  });
  return { turns, totalMs: Math.max(trace.durationMs, free, 1e-6) };
}

export interface Segment {
  writer: string;
  /** the policy's turn, 0-based; null outside of turns */
  turn: number | null;
  start: number;
  end: number;
}

/**
 * Token ranges that belong together: the prompt, each turn of the policy (sampled and forced ones), each stretch of
 * results or template.
 */
export function tokenSegments(trace: Trace): Segment[] {
  const segments: Segment[] = [];
  const count = trace.tokens.ids.length;
  let turn = 0;
  for (let i = 0; i < count; i++) {
    while (turn < trace.turns.length && i >= trace.turns[turn]!.end) turn++;
    const inTurn = turn < trace.turns.length && i >= trace.turns[turn]!.start ? turn : null;
    const writer = inTurn !== null ? 's' : (trace.tokens.writer[i] ?? 'p');
    const last = segments[segments.length - 1];
    if (last && last.turn === inTurn && last.writer === writer) last.end = i + 1;
    else segments.push({ writer, turn: inTurn, start: i, end: i + 1 });
  }
  return segments;
}

/** The messages ahead of the policy's first word. */
export function opening(trace: Trace): Trace['messages'] {
  const first = trace.messages.findIndex((m) => m.role === 'assistant');
  return first < 0 ? trace.messages : trace.messages.slice(0, first);
}

/** What was said to the policy between a turn, with its results, and the next. */
export function saidAfter({ messages }: Trace, turn: number): Trace['messages'] {
  const spoken = messages.flatMap((m, i) => (m.role === 'assistant' ? [i] : []));
  const [from, to] = [spoken[turn], spoken[turn + 1]];
  return from === undefined
    ? []
    : messages.slice(from + 1, to).filter(({ role }) => role === 'user' || role === 'system');
}

/** What the policy said in a turn, without the call syntax: the content of its message. */
export function prose(trace: Trace, turn: number): string {
  return trace.messages.filter((m) => m.role === 'assistant')[turn]?.content ?? trace.turns[turn]?.text ?? '';
}
