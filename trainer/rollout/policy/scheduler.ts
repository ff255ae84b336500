import { chooseFeed } from '../../model/decoding/chooseFeed';
import { PIECE, type LaneFeed } from '../../model/decoding/sharedRows';

/**
 * Sequences that a model reads and continues together. `start` opens lanes, numbered on in the order in which they
 * come, forks among them; `step` appends ids that were not sampled (prompt, forced text, tool results), or were; both
 * answer with the logits after the last id of each.
 */
export interface LaneBatch {
  /** a step computes lanes that read few ids apart from those that read many (chooseFeed.ts) */
  readonly isParted?: boolean;
  start(prompts: readonly (readonly number[])[]): Promise<Float32Array[]>;
  step(feeds: readonly LaneFeed[]): Promise<Float32Array[]>;
  /**
   * how many ids of each feed cost nothing, all or none, since other lanes have read the same; null: all, since an
   * earlier one of these feeds is the same
   */
  known(feeds: readonly LaneFeed[]): (number | null)[];
  /** Opens a lane that has read what this one has. */
  fork(lane: number): void;
  release(lanes: readonly number[]): void;
  close(): void;
}

/** One conversation, as the scheduler sees it. */
export interface Lane {
  /** to be read by the model before anything can be chosen */
  readonly pending: number[];
  /** somebody waits for its turn */
  readonly isAsked: boolean;
  /** Writes until the model is needed again, or ends the turn. @param logits after all that was pending */
  next(logits: Float32Array): void;
  /** Ends the turn where whoever waits for it has cancelled. */
  endIfCancelled(): void;
  fail(error: unknown): void;
}

/** A lane's place at the scheduler. */
export interface Slot {
  ask(): void;
  /** A slot for another lane that has read the same. */
  fork(lane: Lane): Slot;
  close(): void;
}

interface Entry {
  lane: Lane;
  /** its number in the batch; null: not started */
  place: number | null;
  /** how many of the pending ids were written together; 0: none is pending */
  together: number;
}

/**
 * Continuous batching: whoever asks while a step is under way joins the next one, and a lane whose tools are at work
 * keeps its place and its cache while the others go on. What is computed of a token does not depend on who else is in
 * the step, so neither does what a conversation says.
 */
export class Scheduler {
  private entries: Entry[] = [];
  private batch: LaneBatch | null = null;
  private released: number[] = [];
  /** lanes that the batch has opened so far */
  private opened = 0;
  private isRunning = false;
  private isComputing = false;
  /** why the batch can't go on, until all of its lanes are closed */
  private failure: { error: unknown } | null = null;

  /** @param startTokens of a prompt at once; the rest is fed like what is appended */
  constructor(
    private readonly openBatch: () => LaneBatch,
    private readonly startTokens = Infinity,
  ) {}

  enter(lane: Lane): Slot {
    return this.slotFor({ lane, place: null, together: 0 });
  }

  private slotFor(entry: Entry): Slot {
    this.entries.push(entry);
    return {
      ask: () => void this.run(),
      fork: (lane) => {
        if (entry.place === null || this.failure) return this.slotFor({ lane, place: null, together: 0 });
        this.batch!.fork(entry.place);
        return this.slotFor({ lane, place: this.opened++, together: 0 });
      },
      close: () => this.leave(entry),
    };
  }

  private leave(entry: Entry): void {
    if (!this.entries.includes(entry)) return;
    this.entries = this.entries.filter((other) => other !== entry);
    if (entry.place !== null) this.released.push(entry.place);
    this.closeIfEmpty();
  }

  /** A new batch for whoever comes next: the weights may be others by then. */
  private closeIfEmpty(): void {
    if (this.isComputing || this.entries.some(({ place }) => place !== null)) return;
    this.batch?.close();
    this.batch = this.failure = null;
    this.released = [];
    this.opened = 0;
  }

  private async run(): Promise<void> {
    if (this.isRunning) return;
    this.isRunning = true;
    try {
      do {
        // lets tool results, stop requests and sockets through; and who asks at the same time is answered together
        await new Promise((resolve) => setImmediate(resolve));
      } while (await this.goOn());
    } finally {
      this.isRunning = false;
    }
  }

  /** One step for all who ask. @returns false: nobody does */
  private async goOn(): Promise<boolean> {
    for (const { lane } of this.entries) lane.endIfCancelled();
    const asked = this.entries.filter(({ lane }) => lane.isAsked);
    if (asked.length === 0) return false;
    this.isComputing = true;
    try {
      if (this.failure) throw this.failure.error;
      this.batch ??= this.openBatch();
      this.batch.release(this.released.splice(0));
      const newcomers = asked.filter(({ place }) => place === null);
      await (newcomers.length > 0 ? this.start(newcomers, this.batch) : this.feed(asked, this.batch));
    } catch (error) {
      this.failure = { error };
      for (const { lane } of asked) if (lane.isAsked) lane.fail(error);
    } finally {
      this.isComputing = false;
      this.closeIfEmpty();
    }
    return true;
  }

  private async start(newcomers: readonly Entry[], batch: LaneBatch): Promise<void> {
    const logits = await batch.start(newcomers.map(({ lane }) => lane.pending.splice(0, this.startTokens)));
    newcomers.forEach((entry) => (entry.place = this.opened++));
    newcomers.forEach(({ lane }, i) => lane.isAsked && lane.pending.length === 0 && lane.next(logits[i]!));
  }

  /** What was written together is fed at once, by PIECE: how a token is computed does not depend on the other lanes. */
  private async feed(ready: readonly Entry[], batch: LaneBatch): Promise<void> {
    for (const entry of ready) entry.together ||= entry.lane.pending.length;
    const feeds = ready.map(({ lane, place, together }) => ({
      lane: place!,
      ids: lane.pending.slice(0, PIECE),
      of: together,
    }));
    const known = feeds.some(({ ids }) => ids.length > 1) ? batch.known(feeds) : feeds.map(() => 0);
    const chosen = chooseFeed(
      known.map((n, i) => ({ ids: feeds[i]!.ids.length, known: n, of: feeds[i]!.of })),
      batch.isParted,
    );
    const logits = await batch.step(chosen.map((i) => feeds[i]!));
    chosen.forEach((i, n) => {
      const { lane } = ready[i]!;
      lane.pending.splice(0, PIECE);
      if (lane.pending.length > 0) return;
      ready[i]!.together = 0;
      if (lane.isAsked) lane.next(logits[n]!);
    });
  }
}
