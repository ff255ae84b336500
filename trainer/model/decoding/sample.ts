import type { Random } from '../../base/random';
import { sumExp } from './sumExp';

/** How hot a sequence was sampled: its free text, and the choices inside its calls. */
export interface Temperatures {
  text: number;
  calls: number;
}

/** As a trace records them; 1 where an imported one does not say. */
export const temperaturesOf = ({
  temperature,
  callTemperature,
}: {
  temperature: number | null;
  callTemperature?: number;
}): Temperatures => ({ text: temperature ?? 1, calls: callTemperature ?? temperature ?? 1 });

/**
 * The temperature of one choice. Among few ids, as a schema leaves them inside a call, it is that of the calls; an
 * answer may begin a word with hundreds, and is text.
 */
export const temperatureOf = (
  { text, calls }: Temperatures,
  allowed: ArrayLike<number> | null | undefined,
  vocabSize: number,
): number => (allowed && allowed.length < vocabSize / 8 ? calls : text);

/** Scratch memory of one call. */
let cumulative = new Float64Array(0);

/**
 * Samples one id, seeded, from softmax(logits / temperature) over the allowed ids; greedy at temperature 0 (ties: the
 * smaller id).
 * @param logits [vocab]; allowed null = every id
 * @returns the id and its log probability under exactly that distribution, nats (0 where only one id is allowed)
 */
export function sampleId(
  logits: Float32Array,
  allowed: readonly number[] | Int32Array | null,
  temperature: number,
  random: Random,
): { id: number; logprob: number } {
  const n = allowed ? allowed.length : logits.length;
  if (n === 0) throw new Error('sampleId: no id is allowed');
  const chosen = allowed ? gathered(logits, allowed) : logits;
  const best = greatest(chosen, n);
  const t = temperature > 0 ? temperature : 1;
  if (cumulative.length < n) cumulative = new Float64Array(n);
  const sum = sumExp(chosen, chosen[best]!, t, cumulative);
  const pick = temperature > 0 && n > 1 ? firstAbove(cumulative, n, random.next() * sum) : best;
  return { id: allowed ? allowed[pick]! : pick, logprob: (chosen[pick]! - chosen[best]!) / t - Math.log(sum) };
}

/** Where the greatest of the first n lies; the first of equals. */
export function greatest(values: Float32Array, n = values.length): number {
  let at = 0;
  let most = values[0]!;
  for (let i = 1; i < n; i++) {
    const value = values[i]!;
    if (value > most) [at, most] = [i, value];
  }
  return at;
}

function gathered(logits: Float32Array, ids: ArrayLike<number>): Float32Array {
  const out = new Float32Array(ids.length);
  for (let i = 0; i < out.length; i++) out[i] = logits[ids[i]!]!;
  return out;
}

/** The first place of an ascending list whose value is above a bound; the last where none is. */
function firstAbove(ascending: Float64Array, n: number, bound: number): number {
  let [from, to] = [0, n - 1];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (ascending[middle]! > bound) to = middle;
    else from = middle + 1;
  }
  return from;
}

/**
 * Log probability of an id under softmax(logits) over the whole vocabulary, nats: the model's own, whatever was
 * sampled from. @param logits [vocab]
 */
export function plainLogprob(logits: Float32Array, id: number): number {
  let top = -Infinity;
  for (let i = 0; i < logits.length; i++) if (logits[i]! > top) top = logits[i]!;
  return logits[id]! - top - Math.log(sumExp(logits, top, 1));
}
