import { TokenTree } from '../network/packedRows';

/** `count` tokens of row `from`, the first of them at `start`, belong into row `to` at the same places. */
export interface Copy {
  from: number;
  to: number;
  start: number;
  count: number;
}

/**
 * So many tokens that come together, such as a tool's result, are many (hasThinProducts), whatever is fed of them at
 * once.
 */
export const MANY = 16;
/** So many tokens of what came together are read at once; a place in it always stands in the same piece. */
export const PIECE = 256;
/** What is remembered of logits, bytes. */
const MEMORY = 32 * 2 ** 20;

/** Tokens that a lane reads: all that came together, or the next PIECE of these, `of` in all. */
export interface LaneFeed {
  lane: number;
  ids: readonly number[];
  of?: number;
}
/**
 * What is to be computed of some lanes' feed: `ids` behind the first `start` tokens of a row. `feeds` are those that
 * it answers.
 */
export interface Job {
  row: number;
  start: number;
  ids: readonly number[];
  feeds: number[];
  /** how many came together, these and those before and behind them */
  of: number;
}
/**
 * What needs no computing: the row holds `start` tokens, those of the feeds among them, with these logits behind the
 * last.
 */
export interface Answer {
  row: number;
  start: number;
  feeds: number[];
  logits: Float32Array;
}

/** Lanes that will have read the same; ids and their places are those of the first one's feed. */
interface Alike {
  lanes: number[];
  feeds: number[];
  ids: readonly number[];
  of: number;
  added: Int32Array;
}

/**
 * Which rows of a cache hold what sequences, and which lanes read them. Lanes that have read the same tokens share a
 * row until they part, and what one has read
 * another does not compute again: the rollouts of a group agree for long, above all once the policy is sure of itself.
 * (SGLang's RadixAttention,
 * arXiv:2312.07104, keeps shared prefixes; here lanes that are wholly alike decode as one, too.) What came together is
 * taken whole or not at all: a token's
 * sums round by what it is computed with, which must not depend on what other lanes have read.
 */
export class SharedRows {
  private readonly tree = new TokenTree();
  /** by row: the tree's place of each token that it holds; of a row that lanes read, exactly what they have read */
  private paths: number[][];
  private readonly readers: number[];
  /** behind several tokens that were read at once: by the place of the last one */
  private readonly remembered = new Map<number, Float32Array>();

  /** @param prompts what each row holds @param rowOf lane -> row */
  constructor(
    prompts: readonly (readonly number[])[],
    private rowOf: number[],
  ) {
    this.paths = prompts.map((ids) => [...this.tree.add(ids)]);
    this.readers = prompts.map((_, row) => rowOf.filter((r) => r === row).length);
  }

  /**
   * Lanes that come later, numbered on. @param prompts what they have read, each once @param source lane -> prompt
   * @returns the row of each prompt
   */
  join(prompts: readonly (readonly number[])[], source: readonly number[]): number[] {
    const rows = prompts.map((ids, prompt) => {
      const free = this.readers.indexOf(0);
      const row = free >= 0 ? free : this.paths.push([]) - 1;
      this.paths[row] = [...this.tree.add(ids)];
      this.readers[row] = source.filter((s) => s === prompt).length;
      return row;
    });
    this.rowOf.push(...source.map((prompt) => rows[prompt]!));
    return rows;
  }

  /** One more lane that has read what this one has. */
  fork(lane: number): void {
    const row = this.rowOf[lane]!;
    this.readers[row]!++;
    this.rowOf.push(row);
  }

  get rows(): number {
    return this.paths.length;
  }

  /**
   * Feeds of several lanes -> what is known and what is to be computed and, before it, copied, in this order; the rows
   * may have become more. `done` has to follow.
   */
  plan(feeds: readonly LaneFeed[]): { jobs: Job[]; copies: Copy[]; answers: Answer[] } {
    const byEnd = new Map<number, Alike>();
    feeds.forEach(({ lane, ids, of = ids.length }, i) => {
      const added = this.tree.add(ids, this.paths[this.rowOf[lane]!]!.at(-1));
      const known = byEnd.get(added.at(-1)!);
      if (known) {
        known.lanes.push(lane);
        known.feeds.push(i);
      } else byEnd.set(added.at(-1)!, { lanes: [lane], feeds: [i], ids, of, added });
    });
    const copies: Copy[] = [];
    const jobs: Job[] = [];
    const answers: Answer[] = [];
    for (const alike of byEnd.values()) {
      const { row, start, logits } = this.placeOf(alike, copies);
      const { ids, feeds, of } = alike;
      if (logits) answers.push({ row, start, feeds, logits });
      else jobs.push({ row, start, ids, feeds, of });
    }
    return { jobs, copies, answers };
  }

  /** A row for the lanes, and how much of it is there before anything is computed: all, where the logits are. */
  private placeOf({ lanes, ids, added }: Alike, copies: Copy[]): { row: number; start: number; logits?: Float32Array } {
    const own = this.rowOf[lanes[0]!]!;
    const read = this.paths[own]!;
    if (ids.length === 1 && this.readers[own] === lanes.length && lanes.every((lane) => this.rowOf[lane] === own))
      return { row: own, start: read.length };
    const held = this.holding(read.length, added);
    const from = held?.row ?? own;
    const start = read.length + (held ? ids.length : 0);
    const row = this.rowFor(lanes, from);
    const kept = lanes.some((lane) => this.rowOf[lane] === row)
      ? Math.min(this.paths[row]!.length, start)
      : row === from
        ? start
        : 0;
    if (kept < start) copies.push({ from, to: row, start: kept, count: start - kept });
    this.paths[row] = held ? [...read, ...added] : [...read];
    this.move(lanes, row);
    return { row, start, logits: held?.logits };
  }

  /**
   * The row that holds what is added behind so many tokens, where what comes behind it is remembered. A place in the
   * tree says all that stands before it.
   */
  private holding(read: number, added: Int32Array): { row: number; logits: Float32Array } | null {
    const end = added.at(-1)!;
    const logits = this.remembered.get(end);
    const row = logits ? this.paths.findIndex((path) => path[read + added.length - 1] === end) : -1;
    return logits && row >= 0 ? { row, logits } : null;
  }

  /**
   * How much of each feed need not be computed: nothing, or all of it; null where an earlier feed of these brings the
   * same.
   */
  known(feeds: readonly LaneFeed[]): (number | null)[] {
    const ends = new Set<number>();
    return feeds.map(({ lane, ids }) => {
      const read = this.paths[this.rowOf[lane]!]!;
      const added = this.tree.add(ids, read.at(-1));
      if (ends.size === ends.add(added.at(-1)!).size) return null;
      return this.holding(read.length, added) ? ids.length : 0;
    });
  }

  /** The jobs are computed: their rows hold what was fed. @param logits of each job */
  done(jobs: readonly Job[], logits: readonly Float32Array[]): void {
    for (const [i, { row, ids }] of jobs.entries()) {
      const path = this.paths[row]!;
      path.push(...this.tree.add(ids, path.at(-1)));
      if (ids.length > 1) this.remember(path.at(-1)!, logits[i]!);
    }
  }

  private remember(place: number, logits: Float32Array): void {
    const most = Math.floor(MEMORY / logits.byteLength);
    if (this.remembered.size >= most) this.remembered.delete(this.remembered.keys().next().value!);
    this.remembered.set(place, logits.slice());
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

  /** A row that only these lanes read, if any do, else one that nobody reads, if possible `from`, else a new one. */
  private rowFor(lanes: readonly number[], from: number): number {
    const own = lanes
      .map((lane) => this.rowOf[lane]!)
      .find((row) => this.readers[row] === lanes.filter((lane) => this.rowOf[lane] === row).length);
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
