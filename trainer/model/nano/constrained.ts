import { CallGrammar } from '../decoding/constrained/callGrammar';
import type { Tokenizer } from '../tokenizer/tokenizer';
import type { Dialogue } from './dialogue';

/** The sampler could not have said this. */
export class NotSayable extends Error {}

/**
 * For each place of a dialogue's ids: what the constrained sampler would have allowed there; null where nothing is
 * sampled. @throws NotSayable
 */
export function allowedIds(
  tokenizer: Tokenizer,
  d: Dialogue,
  ids: readonly number[],
  marks: { assistant: number; end: number; user: number; result: number },
): (Int32Array | null)[] {
  const grammar = new CallGrammar(tokenizer, d.tools, true, true);
  const ranges: [number, number][] = [];
  const out: (Int32Array | null)[] = Array<Int32Array | null>(ids.length).fill(null);
  let open: number | null = null;
  for (let i = 0; i < ids.length; i++) {
    if (ids[i] === marks.assistant) {
      if (open !== null) ranges.push([open, i]);
      open = null;
      const turn = grammar.turn({ ids, ranges: ranges.slice() });
      while (!turn.isDone) {
        i++;
        out[i] = turn.allowed();
        const id = ids[i]!;
        if (!turn.advance(id))
          throw new NotSayable(
            `allowedIds: ${tokenizer.tokenText(id)} (place ${i}) is not allowed in: ` +
              `${tokenizer.decode(ids.slice(0, i + 1), true)}`,
          );
      }
    } else if (ids[i] === marks.user || ids[i] === marks.result) {
      if (open !== null) ranges.push([open, i]);
      open = i + 1;
    }
  }
  return out;
}
