import * as tf from '@tensorflow/tfjs';
import type { Engine } from '../engine/engine';
import { cachedForward, type CausalLM } from './causalLM';
import { KvCache } from './kvCache';

/** Sizes are rounded up to these, so that few graphs are compiled and which one runs depends on the sizes alone. */
const TOKENS = [1, 4, 16, 64, 128, 192, 256, 384, 512, 768, 1024];
const CAPACITY = [64, 128, 192, 256, 320, 384, 512, 768, 1024, 1536, 2048];
const LANES = [2, 4, 8, 16, 32, 48, 64, 96, 128, 192, 256];
export const bucket = (sizes: readonly number[], n: number): number => sizes.find((s) => s >= n) ?? n;

type Forward = (...args: tf.Tensor[]) => tf.Tensor[];

/** Compiled forward passes of one model; made once, used by every batch of rollouts. Weights are read at each call, so training shows at once. */
export class DecoderGraphs {
  readonly prefill: Forward;
  readonly step: Forward;
  constructor(readonly engine: Engine, readonly model: CausalLM) {
    const run = (cached: boolean): Forward => engine.jit((...args: tf.Tensor[]) => {
      const [ids, positions, lengths, last, k, v] = args;
      const out = cachedForward(model, ids, positions, lengths, last, cached ? { k, v } : null);
      return [out.logits, out.k, out.v];
    }, 'decode');
    this.prefill = run(false);
    this.step = run(true);
  }
}

/**
 * A batch of sequences that grow together: each call feeds some tokens to some lanes and gives back the logits after each lane's last one.
 * A lane that waits for a tool keeps its cache. There are always at least 2 rows (a product of 1 row rounds differently; processes.md 3).
 */
export class Decoder {
  private cache: KvCache | null = null;
  /** lane (as the caller counts) -> row of the cache; -1 once released */
  private rows: number[] = [];

  constructor(private readonly graphs: DecoderGraphs) {}

  /**
   * Starts lanes from prompts; lanes with the same prompt share its computation.
   * @param prompts ids per lane; @returns logits per lane, [vocab] each
   */
  async start(prompts: readonly (readonly number[])[]): Promise<Float32Array[]> {
    const unique = new Map<string, number>();
    const distinct: (readonly number[])[] = [];
    const source = prompts.map((p) => {
      const key = p.join();
      if (!unique.has(key)) unique.set(key, distinct.push(p) - 1);
      return unique.get(key)!;
    });
    const longest = Math.max(...distinct.map((p) => p.length));
    const width = bucket(TOKENS, longest);
    const shared = new KvCache(this.graphs.model.config, distinct.length, longest);
    const logits: Float32Array[] = [];
    // at most 16 rows at once, so that attention over long prompts stays small
    for (let from = 0; from < distinct.length; from += 16) {
      const part = distinct.slice(from, from + 16);
      const out = await this.forward(part.map((ids, i) => ({ lane: from + i, ids })), width, null);
      shared.append(out.k, out.v, width, part.map((p) => p.length), part.map((_, i) => from + i));
      logits.push(...out.logits);
    }
    const lanes = bucket(LANES, Math.max(2, prompts.length));
    this.cache = shared.select([...source, ...Array<number>(lanes - source.length).fill(0)], bucket(CAPACITY, longest + 32));
    this.rows = prompts.map((_, i) => i);
    return source.map((s) => logits[s]);
  }

  /** @param feeds lane and the ids to append (at least one); @returns logits after the last of each, in the same order */
  async step(feeds: readonly { lane: number; ids: readonly number[] }[]): Promise<Float32Array[]> {
    let cache = this.cache!;
    const width = bucket(TOKENS, Math.max(...feeds.map((f) => f.ids.length)));
    const need = Math.max(...feeds.map((f) => cache.lengths[this.rows[f.lane]] + f.ids.length));
    if (need > cache.capacity) this.cache = cache = cache.select(Array.from({ length: cache.lanes }, (_, i) => i), bucket(CAPACITY, need));
    const byRow: { lane: number; ids: readonly number[] }[] = Array.from({ length: cache.lanes }, (_, lane) => ({ lane, ids: [] }));
    for (const f of feeds) byRow[this.rows[f.lane]] = { lane: this.rows[f.lane], ids: f.ids };
    const out = await this.forward(byRow, width, cache);
    cache.append(out.k, out.v, width, byRow.map((f) => f.ids.length), byRow.map((f) => f.lane));
    return feeds.map((f) => out.logits[this.rows[f.lane]]);
  }

  /** Lanes that ended; once half of the rows are free, the batch shrinks. */
  release(lanes: readonly number[]): void {
    for (const lane of lanes) this.rows[lane] = -1;
    const kept = this.rows.flatMap((row, lane) => (row < 0 ? [] : [lane]));
    const size = bucket(LANES, Math.max(2, kept.length));
    if (!this.cache || kept.length === 0 || size > this.cache.lanes / 2) return;
    const from = kept.map((lane) => this.rows[lane]);
    this.cache = this.cache.select([...from, ...Array<number>(size - from.length).fill(from[0])], this.cache.capacity);
    kept.forEach((lane, i) => (this.rows[lane] = i));
  }

  private async forward(rows: readonly { lane: number; ids: readonly number[] }[], width: number, cache: KvCache | null): Promise<{ logits: Float32Array[]; k: Float32Array; v: Float32Array }> {
    const { engine, model } = this.graphs;
    const b = Math.max(2, cache ? rows.length : bucket(LANES, rows.length));
    const ids = new Int32Array(b * width);
    const positions = new Int32Array(b * width);
    const lengths = new Int32Array(b);
    const last = new Int32Array(b);
    rows.forEach((row, i) => {
      ids.set(row.ids, i * width);
      lengths[i] = cache ? cache.lengths[row.lane] : 0;
      last[i] = Math.max(0, row.ids.length - 1);
      for (let t = 0; t < width; t++) positions[i * width + t] = Math.min(lengths[i] + t, model.rotary.cos.shape[0] - 1);
    });
    const args: tf.Tensor[] = [tf.tensor2d(ids, [b, width], 'int32'), tf.tensor2d(positions, [b, width], 'int32'), tf.tensor1d(lengths, 'int32'), tf.tensor1d(last, 'int32')];
    if (cache) args.push(engine.alias(cache.k, cache.shape), engine.alias(cache.v, cache.shape));
    const out = (cache ? this.graphs.step : this.graphs.prefill)(...args);
    const [logits, k, v] = (await Promise.all(out.map((t) => t.data()))) as Float32Array[];
    tf.dispose([...args, ...out]);
    const vocab = model.config.vocabSize;
    // prefill pads rows up to b; the cache takes [layers, rows, …] with b rows, so callers pass as many lanes as rows
    return { logits: rows.map((_, i) => logits.subarray(i * vocab, (i + 1) * vocab)), k: cropRows(k, model.config.layers, b, rows.length), v: cropRows(v, model.config.layers, b, rows.length) };
  }
}

/** [layers, b, …] -> [layers, rows, …] */
function cropRows(data: Float32Array, layers: number, b: number, rows: number): Float32Array {
  if (b === rows) return data;
  const each = data.length / layers / b;
  const out = new Float32Array(layers * rows * each);
  for (let l = 0; l < layers; l++) out.set(data.subarray(l * b * each, (l * b + rows) * each), l * rows * each);
  return out;
}
