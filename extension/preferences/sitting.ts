/** The pairs that a person is asked about in one go: their number only falls while they are marked. Pure. */
import type { QueuedPair } from '../../trainer/protocol/preferenceState';

export class Sitting {
  tool: string | null = null;
  private pairs: QueuedPair[] = [];
  private readonly settledIds = new Set<string>();

  /** @param queue best first @param tool only pairs whose differing step calls it */
  start(queue: readonly QueuedPair[], tool: string | null): void {
    this.tool = tool;
    this.pairs = tool === null ? [...queue] : queue.filter(({ tools }) => tools.includes(tool));
    this.settledIds.clear();
  }

  /** One that was chosen in a list: the others of the list come behind it, where nobody was marking yet. */
  begin(queued: QueuedPair, queue: readonly QueuedPair[]): void {
    if (this.left === 0) this.start(queue, null);
    this.put(queued);
  }

  /** One that was asked for by itself, or whose mark was taken back: it waits (again), before the others. */
  put(queued: QueuedPair): void {
    const { id } = queued.pair;
    this.settledIds.delete(id);
    this.pairs = [queued, ...this.pairs.filter(({ pair }) => pair.id !== id)];
  }

  settle({ pair }: QueuedPair): void {
    this.settledIds.add(pair.id);
  }

  first(): QueuedPair | undefined {
    return this.waiting[0];
  }

  get left(): number {
    return this.waiting.length;
  }

  get total(): number {
    return this.pairs.length;
  }

  private get waiting(): QueuedPair[] {
    return this.pairs.filter(({ pair }) => !this.settledIds.has(pair.id));
  }
}
