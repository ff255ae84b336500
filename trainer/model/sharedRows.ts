import { TokenTree } from './packedRows';

/** `count` tokens of row `from`, the first of them at `start`, belong into row `to` at the same places. */
export interface Copy {
  from: number;
  to: number;
  start: number;
  count: number;
}

/** What is left to compute of some lanes' feed: `ids` behind the first `start` tokens of a row. `feeds` are those that it answers. */
export interface Job {
  row: number;
  start: number;
  ids: readonly number[];
  feeds: number[];
}

/** Lanes that will have read the same; ids and their places are those of the first one's feed. */
interface Alike {
  lanes: number[];
  feeds: number[];
  ids: readonly number[];
  added: Int32Array;
}

/**
 * Which rows of a cache hold what sequences, and which lanes read them. Lanes that have read the same tokens share a row until they part, and what one has read
 * another does not compute again: the rollouts of a group agree for long, above all once the policy is sure of itself. (SGLang's RadixAttention,
 * arXiv:2312.07104, keeps shared prefixes; here lanes that are wholly alike decode as one, too.)
 */
export class SharedRows {
  private readonly tree = new TokenTree();
  /** by row: the tree's place of each token that it holds; of a row that lanes read, exactly what they have read */
  private paths: number[][];
  private readonly readers: number[];

  /** @param prompts what each row holds @param rowOf lane -> row */
  constructor(prompts: readonly (readonly number[])[], private rowOf: number[]) {
    this.paths = prompts.map((ids) => [...this.tree.add(ids)]);
    this.readers = prompts.map((_, row) => rowOf.filter((r) => r === row).length);
  }

  get rows(): number {
    return this.paths.length;
  }

  /**
   * Feeds of several lanes -> what is to be computed and, before it, copied, in this order; the rows may have become more. `done` has to follow.
   * Each job computes one token at least, since what comes after its last one is asked for.
   */
  plan(feeds: readonly { lane: number; ids: readonly number[] }[]): { jobs: Job[]; copies: Copy[] } {
    const byEnd = new Map<number, Alike>();
    feeds.forEach(({ lane, ids }, i) => {
      const added = this.tree.add(ids, this.paths[this.rowOf[lane]!]!.at(-1));
      const known = byEnd.get(added.at(-1)!);
      if (known) {
        known.lanes.push(lane);
        known.feeds.push(i);
      } else byEnd.set(added.at(-1)!, { lanes: [lane], feeds: [i], ids, added });
    });
    const copies: Copy[] = [];
    return { jobs: [...byEnd.values()].map((alike) => this.jobOf(alike, copies)), copies };
  }

  private jobOf({ lanes, feeds, ids, added }: Alike, copies: Copy[]): Job {
    const own = this.rowOf[lanes[0]!]!;
    const read = this.paths[own]!;
    if (ids.length === 1 && this.readers[own] === lanes.length && lanes.every((lane) => this.rowOf[lane] === own)) return { row: own, start: read.length, ids, feeds };
    const { row: from = own, count } = this.held(read.length, added);
    const start = read.length + count;
    const row = this.rowFor(lanes, from);
    const kept = lanes.some((lane) => this.rowOf[lane] === row) ? Math.min(this.paths[row]!.length, start) : row === from ? start : 0;
    if (kept < start) copies.push({ from, to: row, start: kept, count: start - kept });
    this.paths[row] = [...read, ...added.subarray(0, count)];
    this.move(lanes, row);
    return { row, start, ids: ids.slice(count), feeds };
  }

  /** How much of each feed stands in a row already, without its last token; null where an earlier feed of these brings the same. */
  known(feeds: readonly { lane: number; ids: readonly number[] }[]): (number | null)[] {
    const ends = new Set<number>();
    return feeds.map(({ lane, ids }) => {
      const read = this.paths[this.rowOf[lane]!]!;
      const added = this.tree.add(ids, read.at(-1));
      if (ends.size === ends.add(added.at(-1)!).size) return null;
      return this.held(read.length, added).count;
    });
  }

  /** The jobs are computed: their rows hold what was fed. */
  done(jobs: readonly Job[]): void {
    for (const { row, ids } of jobs) {
      const path = this.paths[row]!;
      path.push(...this.tree.add(ids, path.at(-1)));
    }
  }

  release(lanes: readonly number[]): void {
    for (const lane of lanes) {
      if (this.rowOf[lane]! >= 0) this.readers[this.rowOf[lane]!]!--;
      this.rowOf[lane] = -1;
    }
  }

  /** How many rows are read. */
  get readRows(): number {
    return this.readers.filter((n) => n > 0).length;
  }

  /** Only rows that are read stay. @returns which, in ascending order: they are now numbered by their place in it */
  compact(): number[] {
    const kept = this.readers.flatMap((n, row) => (n > 0 ? [row] : []));
    const renamed = new Map(kept.map((row, i) => [row, i]));
    this.rowOf = this.rowOf.map((row) => (row < 0 ? -1 : renamed.get(row)!));
    this.paths = kept.map((row) => this.paths[row]!);
    this.readers.splice(0, Infinity, ...kept.map((row) => this.readers[row]!));
    return kept;
  }

  /** The row that holds most of what is added behind so many tokens, but for the last, and how much. A place in the tree says all that stands before it. */
  private held(read: number, added: Int32Array): { row?: number; count: number } {
    let best: { row?: number; count: number } = { count: 0 };
    for (const [row, path] of this.paths.entries()) {
      const most = Math.min(path.length - read, added.length - 1);
      if (most <= best.count || path[read + best.count] !== added[best.count]) continue;
      let count = best.count + 1;
      while (count < most && path[read + count] === added[count]) count++;
      best = { row, count };
    }
    return best;
  }

  /** A row that only these lanes read, if any do, else one that nobody reads, if possible `from`, else a new one. */
  private rowFor(lanes: readonly number[], from: number): number {
    const own = lanes.map((lane) => this.rowOf[lane]!).find((row) => this.readers[row] === lanes.filter((lane) => this.rowOf[lane] === row).length);
    if (own !== undefined) return own;
    if (this.readers[from] === 0) return from;
    const free = this.readers.indexOf(0);
    return free >= 0 ? free : this.paths.push([]) - 1;
  }

  private move(lanes: readonly number[], row: number): void {
    this.readers[row] ??= 0;
    for (const lane of lanes) {
      this.readers[this.rowOf[lane]!]!--;
      this.rowOf[lane] = row;
      this.readers[row]!++;
    }
  }
}
