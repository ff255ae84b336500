import type { ModelConfig } from './config';

/**
 * Keys and values of a batch of sequences, on the host: [layers, lanes, kvHeads, capacity, headDim] float32. A decode step reads them as graph inputs
 * without a copy and returns only the new rows, which are written here in place (engine.md 8: fastest or tied everywhere).
 */
export class KvCache {
  k: Float32Array;
  v: Float32Array;
  readonly lengths: Int32Array;
  private readonly heads: number;
  private readonly dim: number;

  constructor(private readonly config: ModelConfig, readonly lanes: number, public capacity: number) {
    this.heads = config.kvHeads;
    this.dim = config.headDim;
    this.k = new Float32Array(config.layers * lanes * this.heads * capacity * this.dim);
    this.v = new Float32Array(this.k.length);
    this.lengths = new Int32Array(lanes);
  }

  get shape(): [number, number, number, number, number] {
    return [this.config.layers, this.lanes, this.heads, this.capacity, this.dim];
  }

  private at(layer: number, lane: number, head: number): number {
    return ((layer * this.lanes + lane) * this.heads + head) * this.capacity * this.dim;
  }

  /** Appends the first `counts[row]` of T new rows of each row's lane. @param k, v [layers, rows, kvHeads, T, headDim]; lanes[row] = where it belongs */
  append(k: Float32Array, v: Float32Array, t: number, counts: readonly number[], lanes: readonly number[]): void {
    const rows = lanes.length;
    for (let layer = 0; layer < this.config.layers; layer++) {
      for (let row = 0; row < rows; row++) {
        if (counts[row] === 0) continue;
        for (let head = 0; head < this.heads; head++) {
          const from = ((layer * rows + row) * this.heads + head) * t * this.dim;
          const to = this.at(layer, lanes[row], head) + this.lengths[lanes[row]] * this.dim;
          const n = counts[row] * this.dim;
          if (n === this.dim) {
            for (let i = 0; i < n; i++) {
              this.k[to + i] = k[from + i];
              this.v[to + i] = v[from + i];
            }
          } else {
            this.k.set(k.subarray(from, from + n), to);
            this.v.set(v.subarray(from, from + n), to);
          }
        }
      }
    }
    for (let row = 0; row < rows; row++) this.lengths[lanes[row]] += counts[row];
  }

  /** A copy with these lanes and this capacity: a prompt's rows shared by its group, finished lanes dropped, or more room. */
  select(lanes: readonly number[], capacity: number): KvCache {
    const out = new KvCache(this.config, lanes.length, capacity);
    lanes.forEach((lane, i) => {
      const n = Math.min(this.lengths[lane], capacity) * this.dim;
      out.lengths[i] = this.lengths[lane];
      for (let layer = 0; layer < this.config.layers; layer++) {
        for (let head = 0; head < this.heads; head++) {
          const from = this.at(layer, lane, head);
          out.k.set(this.k.subarray(from, from + n), out.at(layer, i, head));
          out.v.set(this.v.subarray(from, from + n), out.at(layer, i, head));
        }
      }
    });
    return out;
  }
}
