import type { Random } from '../random';

/** How hot a sequence was sampled: its free text, and the choices inside its calls. */
export interface Temperatures { text: number; calls: number }

/** As a trace records them; 1 where an imported one does not say. */
export const temperaturesOf = ({ temperature, callTemperature }: { temperature: number | null; callTemperature?: number }): Temperatures => ({ text: temperature ?? 1, calls: callTemperature ?? temperature ?? 1 });

/** The temperature of one choice. Among few ids, as a schema leaves them inside a call, it is that of the calls; free text may say almost anything, and is text. */
export const temperatureOf = ({ text, calls }: Temperatures, allowed: ArrayLike<number> | null | undefined, vocabSize: number): number => (allowed && allowed.length < vocabSize / 2 ? calls : text);

/** Scratch memory of one call. */
let weights = new Float64Array(0);

/**
 * Samples one id, seeded, from softmax(logits / temperature) over the allowed ids; greedy at temperature 0 (ties: the smaller id).
 * @param logits [vocab]; allowed null = every id
 * @returns the id and its log probability under exactly that distribution, nats (0 where only one id is allowed)
 */
export function sampleId(logits: Float32Array, allowed: readonly number[] | Int32Array | null, temperature: number, random: Random): { id: number; logprob: number } {
  const n = allowed ? allowed.length : logits.length;
  if (n === 0) throw new Error('sampleId: no id is allowed');
  const idAt = (i: number): number => (allowed ? allowed[i] : i);
  let best = 0;
  for (let i = 1; i < n; i++) if (logits[idAt(i)] > logits[idAt(best)]) best = i;
  const top = logits[idAt(best)];
  const t = temperature > 0 ? temperature : 1;
  if (weights.length < n) weights = new Float64Array(n);
  let sum = 0;
  for (let i = 0; i < n; i++) sum += weights[i] = Math.exp((logits[idAt(i)] - top) / t);
  let pick = best;
  if (temperature > 0 && n > 1) {
    let u = random.next() * sum;
    for (pick = 0; pick < n - 1; pick++) {
      u -= weights[pick];
      if (u < 0) break;
    }
  }
  const id = idAt(pick);
  return { id, logprob: (logits[id] - top) / t - Math.log(sum) };
}

/** Log probability of an id under softmax(logits) over the whole vocabulary, nats: the model's own, whatever was sampled from. @param logits [vocab] */
export function plainLogprob(logits: Float32Array, id: number): number {
  let top = -Infinity;
  for (let i = 0; i < logits.length; i++) if (logits[i]! > top) top = logits[i]!;
  let sum = 0;
  for (let i = 0; i < logits.length; i++) sum += Math.exp(logits[i]! - top);
  return logits[id]! - top - Math.log(sum);
}
