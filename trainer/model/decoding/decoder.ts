import * as tf from '@tensorflow/tfjs';
import { KvCache } from './kvCache';
import { tokensAtOnce } from '../network/memoryPlan';
import { MANY, SharedRows, type Job, type LaneFeed } from './sharedRows';
import { type DecoderGraphs, bucket, WIDTHS, LANES, CAPACITY, rowsFor, TOKENS } from './decoderGraphs';
import { placesOf, unusedCache, cropRows } from './decoderInputs';

/**
 * A batch of sequences that grow together: each call feeds some tokens to some lanes and gives back the logits after
 * each lane's last one. Lanes that have read
 * the same are computed once (sharedRows.ts). A lane that waits for a tool keeps its cache.
 */
export class Decoder {
  private cache: KvCache | null = null;
  private shared: SharedRows | null = null;
  /**
   * of what all lanes begin with: once for all of them, [layers, kvHeads, tokens, headDim] each; their caches hold
   * what comes after
   */
  private common: { k: tf.Tensor; v: tf.Tensor; tokens: number } | null = null;

  /**
   * @param prefix ids that prompts begin with, such as a file's tools: computed, kept and read once for all lanes of a
   * batch whose prompts all do
   */
  constructor(
    private readonly graphs: DecoderGraphs,
    private readonly prefix: readonly number[] = [],
  ) {}

  /**
   * Starts lanes from prompts, beside those that there are; lanes with the same prompt share its computation.
   * @param prompts ids per lane; where lanes share a prefix, those that come later must begin with it
   * @returns logits per lane, [vocab] each
   */
  async start(prompts: readonly (readonly number[])[]): Promise<Float32Array[]> {
    const unique = new Map<string, number>();
    const distinct: (readonly number[])[] = [];
    const source = prompts.map((p) => {
      const key = p.join();
      if (!unique.has(key)) unique.set(key, distinct.push(p) - 1);
      return unique.get(key)!;
    });
    if (!this.cache) this.common = await this.computedPrefix(distinct);
    const n = this.common?.tokens ?? 0;
    const own = distinct.map((p) => p.slice(n));
    const longest = Math.max(...own.map((p) => p.length));
    const { cache, rows } = this.rowsOf(own, source, longest);
    const width = bucket(WIDTHS, longest);
    const logits: Float32Array[] = [];
    const atOnce = Math.max(2, ...LANES.filter((n) => n * width <= tokensAtOnce(this.graphs.model.config)));
    for (let from = 0; from < own.length; from += atOnce) {
      const part = own.slice(from, from + atOnce).map((ids, i) => ({ lane: i, ids }));
      const out = await this.forward(part, width, null);
      cache.append(
        out.k,
        out.v,
        width,
        part.map((p) => p.ids.length),
        part.map((p) => rows[from + p.lane]!),
      );
      logits.push(...out.logits);
    }
    return source.map((s) => logits[s]!);
  }

  /** Empty rows for prompts: of a new cache, or of the one that there is. */
  private rowsOf(
    own: readonly (readonly number[])[],
    source: number[],
    longest: number,
  ): { cache: KvCache; rows: readonly number[] } {
    if (this.shared) {
      const rows = this.shared.join(own, source);
      const cache = this.roomFor(this.shared.rows, longest);
      for (const row of rows) cache.lengths[row] = 0;
      return { cache, rows };
    }
    this.cache = new KvCache(
      this.graphs.model.config,
      this.graphs.rowsFor(own.length),
      bucket(CAPACITY, longest + 32),
      this.graphs.spare,
      this.graphs.rowsFor(source.length),
    );
    this.graphs.spare = null;
    this.shared = new SharedRows(own, source);
    return { cache: this.cache, rows: own.map((_, row) => row) };
  }

  /** One more lane that has read what this one has. */
  fork(lane: number): void {
    this.shared!.fork(lane);
  }

  /** Null where some prompt does not go on from it. */
  private async computedPrefix(prompts: readonly (readonly number[])[]): Promise<Decoder['common']> {
    const n = this.prefix.length;
    if (n === 0 || !prompts.every((p) => p.length > n && this.prefix.every((id, i) => p[i] === id))) return null;
    const { layers, kvHeads, headDim } = this.graphs.model.config;
    const out = await this.forward([{ lane: 0, ids: this.prefix }], n, null);
    const [k, v] = [out.k, out.v].map((rows) => this.graphs.engine.alias(rows, [layers, kvHeads, n, headDim])) as [
      tf.Tensor,
      tf.Tensor,
    ];
    return { k, v, tokens: n };
  }

  get isParted(): boolean {
    return this.graphs.isParted;
  }

  /**
   * @param feeds lane and the ids to append (at least one); @returns logits after the last of each, in the same order
   */
  async step(feeds: readonly LaneFeed[]): Promise<Float32Array[]> {
    const { jobs, copies, answers } = this.shared!.plan(feeds);
    const cache = this.roomFor(
      this.shared!.rows,
      Math.max(...jobs.map(({ start, ids }) => start + ids.length), ...answers.map(({ start }) => start)),
    );
    for (const copy of copies) cache.copy(copy);
    for (const { row, start } of [...jobs, ...answers]) cache.lengths[row] = start;
    const logits: Float32Array[] = [];
    for (const { feeds, logits: known } of answers) for (const feed of feeds) logits[feed] = known;
    const isOfFew = ({ of }: Job): boolean => !this.isParted || of < MANY;
    for (const isFew of [true, false]) {
      const part = jobs.filter((job) => isOfFew(job) === isFew);
      if (part.length === 0) continue;
      // a step of one token each has the products of few
      const width = bucket(WIDTHS, Math.max(isFew ? 1 : 2, ...part.map(({ ids }) => ids.length)));
      const computed = await (width > 1 && this.graphs.rowsFor(part.length) <= cache.lanes / 2
        ? this.computeApart(part, width, isFew, cache)
        : this.compute(part, width, isFew, cache));
      part.forEach((job, i) => job.feeds.forEach((feed) => (logits[feed] = computed[i]!)));
    }
    this.shared!.done(
      jobs,
      jobs.map(({ feeds }) => logits[feeds[0]!]!),
    );
    return logits;
  }

  /**
   * How much of each feed need not be computed, since other lanes have read it: all or nothing; null where an earlier
   * one of these feeds brings the same.
   */
  known(feeds: readonly LaneFeed[]): (number | null)[] {
    return this.shared!.known(feeds);
  }

  /** The cache, larger where it is too small. */
  private roomFor(rows: number, tokens: number): KvCache {
    const cache = this.cache!;
    if (rows <= cache.lanes && tokens <= cache.capacity) return cache;
    return (this.cache = cache.keep(
      Array.from({ length: cache.lanes }, (_, i) => i),
      Math.max(cache.lanes, this.graphs.rowsFor(rows)),
      Math.max(cache.capacity, bucket(CAPACITY, tokens)),
    ));
  }

  private async compute(jobs: readonly Job[], width: number, isFew: boolean, cache: KvCache): Promise<Float32Array[]> {
    const byRow: { lane: number; ids: readonly number[] }[] = Array.from({ length: cache.lanes }, (_, lane) => ({
      lane,
      ids: [],
    }));
    for (const { row, ids } of jobs) byRow[row] = { lane: row, ids };
    const out = await this.forward(byRow, width, cache, isFew);
    cache.append(
      out.k,
      out.v,
      width,
      byRow.map((f) => f.ids.length),
      byRow.map((f) => f.lane),
    );
    return jobs.map(({ row }) => out.logits[row]!);
  }

  /**
   * A few rows that have much to read, such as a tool's result: computed beside the others, on a copy of their caches.
   */
  private async computeApart(
    jobs: readonly Job[],
    width: number,
    isFew: boolean,
    cache: KvCache,
  ): Promise<Float32Array[]> {
    const rows = jobs.map(({ row }) => row);
    const part = cache.select(
      rows,
      this.graphs.rowsFor(rows.length),
      bucket(CAPACITY, Math.max(...jobs.map(({ start }) => start))),
    );
    const out = await this.forward(
      jobs.map(({ ids }, lane) => ({ lane, ids })),
      width,
      part,
      isFew,
    );
    cache.append(
      out.k,
      out.v,
      width,
      jobs.map(({ ids }) => ids.length),
      rows,
    );
    return out.logits;
  }

  /** Lanes that ended; once half of the rows are free, the batch shrinks. */
  release(lanes: readonly number[]): void {
    const { cache, shared } = this;
    if (!cache || !shared) return;
    shared.release(lanes);
    const size = rowsFor(shared.readRows);
    if (shared.readRows > 0 && size <= cache.lanes / 2) this.cache = cache.keep(shared.compact(), size, cache.capacity);
  }

  /** No more steps: its memory is the next batch's. */
  close(): void {
    if (this.cache) this.graphs.spare = this.cache.memory;
    if (this.common) tf.dispose([this.common.k, this.common.v]);
    this.cache = this.common = this.shared = null;
  }

  private async forward(
    rows: readonly { lane: number; ids: readonly number[] }[],
    width: number,
    cache: KvCache | null,
    isFew = false,
  ): Promise<{ logits: Float32Array[]; k: Float32Array; v: Float32Array }> {
    const { engine, model } = this.graphs;
    const before = this.common?.tokens ?? 0;
    const b = cache ? cache.lanes : this.graphs.rowsFor(rows.length);
    const n =
      width === 1
        ? b
        : bucket(
            TOKENS,
            rows.reduce((sum, row) => sum + row.ids.length, 0),
          );
    const ids = new Int32Array(n);
    const positions = new Int32Array(b * width);
    const lengths = new Int32Array(b);
    const first = new Int32Array(b); // of each row's tokens
    let next = 0;
    rows.forEach((row, i) => {
      lengths[i] = cache ? cache.lengths[row.lane]! : 0;
      first[i] = width === 1 ? i : next;
      ids.set(row.ids, first[i]);
      next += row.ids.length;
      for (let t = 0; t < width; t++)
        positions[i * width + t] = Math.min(before + lengths[i]! + t, model.rotary.cos.shape[0] - 1);
    });
    const places =
      cache && this.graphs.isOneEach(width)
        ? []
        : placesOf(
            model.config,
            rows.map((row) => row.ids.length),
            first,
            n,
            width,
          );
    const inputs: tf.Tensor[] = [
      tf.tensor1d(ids, 'int32'),
      tf.tensor2d(positions, [b, width], 'int32'),
      tf.tensor4d(lengths, [b, 1, 1, 1], 'int32'),
      ...places,
    ];
    const cached = cache
      ? [engine.alias(cache.k, cache.shape), engine.alias(cache.v, cache.shape)]
      : model.packed
        ? unusedCache(model.config, b)
        : [];
    const out = this.graphs.run(width, isFew, inputs, cached, this.common ? [this.common.k, this.common.v] : []);
    const [logits, k, v] = (await Promise.all(out.map((t) => t.data()))) as [Float32Array, Float32Array, Float32Array];
    tf.dispose([...inputs, ...cached, ...out]);
    const vocab = model.config.vocabSize;
    return {
      logits: rows.map((_, i) => logits.subarray(i * vocab, (i + 1) * vocab)),
      k: cropRows(k, model.config.layers, b, rows.length),
      v: cropRows(v, model.config.layers, b, rows.length),
    };
  }
}
