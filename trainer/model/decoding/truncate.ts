/**
 * Sampling from a part of a distribution. What is cut off is decided on the policy that samples, and held while it is
 * trained: the ids that a token was chosen
 * from mask its distribution in the training step as well (DeepSeek-V3.2, arXiv:2512.02556, "keep sampling mask"), so
 * both stay the same distribution.
 */
import { DEFAULTS } from '../../protocol/settings/defaults';

/**
 * As transformers' TopK-, TopP- and MinPLogitsWarper, in this order, behind the temperature. Absent: nothing is cut.
 */
export interface Truncation {
  topK?: number | undefined;
  topP?: number | undefined;
  minP?: number | undefined;
}

export const isTruncated = ({ topK, topP, minP }: Truncation): boolean =>
  topK !== undefined || (topP ?? DEFAULTS.topP) < 1 || (minP ?? DEFAULTS.minP) > 0;

/**
 * The ids that may be sampled, ascending.
 * @param logits [vocab]; allowed null = every id
 * @param temperature 0: greedy, nothing is cut
 * @returns null where nothing is cut
 */
export function truncate(
  logits: Float32Array,
  allowed: readonly number[] | Int32Array | null,
  temperature: number,
  truncation: Truncation,
): Int32Array | null {
  if (temperature === 0 || !isTruncated(truncation)) return null;
  const { topK, topP = DEFAULTS.topP, minP = DEFAULTS.minP } = truncation;
  let ids: Int32Array = allowed ? Int32Array.from(allowed) : Int32Array.from(logits, (_, id) => id);
  let top = -Infinity;
  for (const id of ids) top = Math.max(top, logits[id]!);
  const weightOf = (id: number): number => Math.exp((logits[id]! - top) / temperature);
  if (topK !== undefined && topK < ids.length) ids = likeliest(ids, weightOf, topK);
  if (topP < 1) ids = nucleus(ids, weightOf, topP);
  if (minP > 0) ids = ids.filter((id) => weightOf(id) >= minP);
  return ids.length === (allowed ?? logits).length ? null : ids.sort();
}

/** The k likeliest, and those as likely as the last of them. */
function likeliest(ids: Int32Array, weightOf: (id: number) => number, k: number): Int32Array {
  const weights = Float64Array.from(ids, weightOf);
  const places = heaviest(weights, (list) => list.length >= k);
  const least = weights[places[k - 1]!]!;
  return Int32Array.from(
    places.filter((i) => weights[i]! >= least),
    (i) => ids[i]!,
  );
}

/** The fewest likeliest ones that together have `share` of the weight, one at least. */
function nucleus(ids: Int32Array, weightOf: (id: number) => number, share: number): Int32Array {
  const weights = Float64Array.from(ids, weightOf);
  const needed = share * weights.reduce((sum, weight) => sum + weight, 0);
  const places = heaviest(weights, (list) => list.reduce((sum, i) => sum + weights[i]!, 0) >= needed);
  let sum = 0;
  let n = 0;
  while (n < places.length && sum < needed) sum += weights[places[n++]!]!;
  return Int32Array.from(places.slice(0, Math.max(1, n)), (i) => ids[i]!);
}

/**
 * Places by falling weight: as many as are enough, or all. Few of a vocabulary hold most of it, so only those above a
 * bound are sorted.
 */
function heaviest(weights: Float64Array, isEnough: (places: readonly number[]) => boolean): number[] {
  for (let bound = 1 / 16; bound > 1e-12; bound /= 16) {
    const places: number[] = [];
    weights.forEach((weight, i) => weight >= bound && places.push(i));
    if (isEnough(places)) return places.sort((a, b) => weights[b]! - weights[a]!);
  }
  return Array.from(weights.keys()).sort((a, b) => weights[b]! - weights[a]!);
}

/**
 * Logits where ids that stand in `seen` are less likely: divided by the penalty where positive, else multiplied (CTRL,
 * arXiv:1909.05858; as transformers). A copy, but for the penalty 1, which changes nothing.
 */
export function penalised(logits: Float32Array, seen: readonly number[], penalty = 1): Float32Array {
  if (penalty === 1) return logits;
  const out = logits.slice();
  for (const id of new Set(seen)) out[id] = logits[id]! > 0 ? logits[id]! / penalty : logits[id]! * penalty;
  return out;
}
