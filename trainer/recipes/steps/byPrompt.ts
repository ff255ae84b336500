import type { Trace } from '../../protocol/trace';

type Read = Pick<Trace, 'tokens' | 'turns'>;
interface Sampled<T> {
  trace: T;
  allowed: ReadonlyMap<number, Int32Array>;
}

/**
 * An episode as what a policy read in one piece: where it was given another prompt on its way (`Tokens.begins`), what
 * it wrote from there on is a sequence of its own. Each has the turns that lie in it, and the trace's advantage.
 */
export function byPrompt<T extends Read>({ trace, allowed }: Sampled<T>): Sampled<T>[] {
  const { tokens, turns } = trace;
  if (!tokens.begins) return [{ trace, allowed }];
  const starts = [0, ...tokens.begins];
  return starts.map((start, i) => {
    const end = starts[i + 1] ?? tokens.ids.length;
    const { ids, logprobs, plainLogprobs, completionMask, writer, kind } = tokens;
    const isIn = (place: number): boolean => start <= place && place < end;
    return {
      trace: {
        ...trace,
        tokens: {
          ids: ids.slice(start, end),
          logprobs: logprobs.slice(start, end),
          ...(plainLogprobs && { plainLogprobs: plainLogprobs.slice(start, end) }),
          completionMask: completionMask.slice(start, end),
          writer: writer.slice(start, end),
          ...(kind !== undefined && { kind: kind.slice(start, end) }),
        },
        turns: turns
          .filter((turn) => isIn(turn.start))
          .map((turn) => ({ ...turn, start: turn.start - start, end: turn.end - start })),
      },
      allowed: new Map([...allowed].filter(([place]) => isIn(place)).map(([place, of]) => [place - start, of])),
    };
  });
}
