import type { ModelConfig } from '../network/config';
import type { Copy } from './sharedRows';

/** Where a cache lies; used again by later batches, since fresh memory costs more than what is written into it. */
export interface KvMemory {
  k: Float32Array;
  v: Float32Array;
}

const allocate = (size: number): KvMemory => ({ k: new Float32Array(size), v: new Float32Array(size) });

/**
 * Keys and values of a batch of sequences, on the host: [layers, lanes, kvHeads, capacity, headDim] float32. A decode
 * step reads them as graph inputs
 * without a copy and returns only the new rows, which are written here in place (engine.md 8: fastest or tied
 * everywhere).
 */
export class KvCache {
  readonly lengths: Int32Array;
  readonly memory: KvMemory;
  private readonly heads: number;
  private readonly dim: number;

  /**
   * @param memory of any size and content: it is taken if it is large enough @param most lanes that it may have to
   * hold one day: memory is made for so many
   */
  constructor(
    private readonly config: ModelConfig,
    readonly lanes: number,
    readonly capacity: number,
    memory: KvMemory | null = null,
    private readonly most = lanes,
  ) {
    this.heads = config.kvHeads;
    this.dim = config.headDim;
    this.memory =
      memory && memory.k.length >= this.size ? memory : allocate((this.size / lanes) * Math.max(lanes, most));
    this.lengths = new Int32Array(lanes);
  }

  private get size(): number {
    return this.config.layers * this.lanes * this.heads * this.capacity * this.dim;
  }

  get k(): Float32Array {
    return this.memory.k.subarray(0, this.size);
  }

  get v(): Float32Array {
    return this.memory.v.subarray(0, this.size);
  }

  get shape(): [number, number, number, number, number] {
    return [this.config.layers, this.lanes, this.heads, this.capacity, this.dim];
  }

  private at(layer: number, lane: number, head: number): number {
    return ((layer * this.lanes + lane) * this.heads + head) * this.capacity * this.dim;
  }

  /**
   * Appends the first `counts[row]` of T new rows of each row's lane. @param k, v [layers, rows, kvHeads, T, headDim];
   * lanes[row] = where it belongs
   */
  append(k: Float32Array, v: Float32Array, t: number, counts: readonly number[], lanes: readonly number[]): void {
    const rows = lanes.length;
    const own = this.memory;
    for (let layer = 0; layer < this.config.layers; layer++) {
      for (const [row, lane] of lanes.entries()) {
        const n = counts[row]! * this.dim;
        if (n === 0) continue;
        for (let head = 0; head < this.heads; head++) {
          const from = ((layer * rows + row) * this.heads + head) * t * this.dim;
          const to = this.at(layer, lane, head) + this.lengths[lane]! * this.dim;
          if (n === this.dim) {
            for (let i = 0; i < n; i++) {
              own.k[to + i] = k[from + i]!;
              own.v[to + i] = v[from + i]!;
            }
          } else {
            own.k.set(k.subarray(from, from + n), to);
            own.v.set(v.subarray(from, from + n), to);
          }
        }
      }
    }
    for (const [row, lane] of lanes.entries()) this.lengths[lane]! += counts[row]!;
  }

  /** Some tokens of a lane into another lane, at the same places. The other one's length stays. */
  copy({ from, to, start, count }: Copy): void {
    for (let layer = 0; layer < this.config.layers; layer++) {
      for (let head = 0; head < this.heads; head++) {
        const source = this.at(layer, from, head) + start * this.dim;
        const target = this.at(layer, to, head) + start * this.dim;
        this.memory.k.copyWithin(target, source, source + count * this.dim);
        this.memory.v.copyWithin(target, source, source + count * this.dim);
      }
    }
  }

  /** A copy with these lanes, empty ones up to `count`, and this capacity: for what is computed apart. */
  select(lanes: readonly number[], count: number, capacity: number): KvCache {
    const out = new KvCache(this.config, count, capacity);
    this.copyTo(out, this.moves(lanes, out));
    return out;
  }

  /**
   * These lanes, in ascending order, with this capacity, and empty ones up to `count`; in this cache's own memory where
   * it is large enough. This cache
   * is not to be used any more.
   */
  keep(lanes: readonly number[], count: number, capacity: number): KvCache {
    const out = new KvCache(this.config, count, capacity, this.memory, count < this.lanes ? count : this.most);
    const moves = this.moves(lanes, out);
    // towards the front from the first, towards the back from the last: nothing is overwritten before it was moved
    if (moves.some(([from, to]) => to > from)) moves.reverse();
    this.copyTo(out, moves);
    return out;
  }

  /** One after the other; from and to may overlap. */
  private copyTo(out: KvCache, moves: readonly [number, number, number][]): void {
    for (const [from, to, n] of moves) {
      out.memory.k.set(this.memory.k.subarray(from, from + n), to);
      out.memory.v.set(this.memory.v.subarray(from, from + n), to);
    }
  }

  /** Runs of numbers to move: from, to, how many; in the order of memory. */
  private moves(lanes: readonly number[], out: KvCache): [number, number, number][] {
    const moves: [number, number, number][] = [];
    lanes.forEach((lane, i) => (out.lengths[i] = this.lengths[lane]!));
    for (let layer = 0; layer < this.config.layers; layer++) {
      for (const [i, lane] of lanes.entries()) {
        for (let head = 0; head < this.heads; head++)
          moves.push([this.at(layer, lane, head), out.at(layer, i, head), this.lengths[lane]! * this.dim]);
      }
    }
    return moves;
  }
}
