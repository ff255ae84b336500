/** A trace's turns and calls as bars in time, with what was cut off: what the picture draws and its table says. */
import type { Trace } from '../../trainer/protocol/trace';
import type { Steps } from './traceSteps';

export interface Bar {
  kind: 'turn' | 'call' | 'cut';
  /** 1-based number of the turn */
  turn: number;
  /** its name; null for a turn */
  tool: string | null;
  /** from the start of the trace; null: it never ran */
  startMs: number | null;
  durationMs: number;
  /** how it ended, where not well: a kind of result, that it could not be read, or what cut it off */
  problem:
    | Exclude<NonNullable<Trace['turns'][number]['calls'][number]['result']>['kind'], 'ok'>
    | 'unreadable'
    | 'notRun'
    | Exclude<Trace['truncated'], 'no'>
    | null;
  /** the place in the conversation */
  anchor: string;
}

/** In order of time. A trace that was cut off ends with a bar of kind `cut`: over its last turn, where that wrote. */
export function waterfall(trace: Pick<Trace, 'truncated'>, { turns, totalMs }: Steps): Bar[] {
  const bars = turns.flatMap((step): Bar[] => [
    {
      kind: 'turn',
      turn: step.number,
      tool: null,
      startMs: step.startMs,
      durationMs: step.durationMs,
      problem: step.turn.parseError === undefined ? null : 'unreadable',
      anchor: `turn-${step.number}`,
    },
    ...step.calls.map(({ call, startMs, durationMs }, i): Bar => {
      const kind = call.result?.kind;
      return {
        kind: 'call',
        turn: step.number,
        tool: call.name,
        startMs,
        durationMs,
        problem: kind === undefined ? 'notRun' : kind === 'ok' ? null : kind,
        anchor: `call-${step.number}-${i}`,
      };
    }),
  ]);
  if (trace.truncated === 'no') return bars;
  const end = Math.max(0, ...bars.map(({ startMs, durationMs }) => (startMs ?? 0) + durationMs));
  const from = Math.min(end, totalMs);
  return [
    ...bars,
    {
      kind: 'cut',
      turn: turns.length,
      tool: null,
      startMs: from,
      durationMs: totalMs - from,
      problem: trace.truncated,
      anchor: 'end',
    },
  ];
}
