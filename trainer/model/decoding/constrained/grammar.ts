/**
 * A small non-deterministic automaton over token ids: what a turn may say next. States are made lazily, so a grammar of
 * any depth costs only the
 * part that is walked.
 */
export interface State {
  /** Leaves by one of these ids… */
  readonly edges: readonly { id: number; to: () => readonly State[] }[];
  /** …or by any id outside `except`. */
  readonly free?: { except: ReadonlySet<number>; to: () => readonly State[] };
}

export type Then = () => readonly State[];

/**
 * States behind a place that several ways lead to, made once for each key: a constraint takes them for one then, where
 * else n items that stand at three places of the text each have 3^n ways.
 */
export function madeOnce<A extends readonly unknown[]>(
  keyOf: (...of: A) => string,
  make: (...of: A) => readonly State[],
): (...of: A) => readonly State[] {
  const known = new Map<string, readonly State[]>();
  return (...of) => {
    const key = keyOf(...of);
    let states = known.get(key);
    if (!states) known.set(key, (states = make(...of)));
    return states;
  };
}

/** These ids, one after the other. */
export function literal(ids: readonly number[], then: Then): readonly State[] {
  const [id, ...rest] = ids;
  if (id === undefined) return then();
  return [{ edges: [{ id, to: () => literal(rest, then) }] }];
}

/** What one turn of the policy may say. */
export interface TurnConstraint {
  /** Ids that may follow, ascending; null: any. One id alone is forced: it is written without asking the policy. */
  allowed(): Int32Array | null;
  /** @returns false, and stays where it was, when the id may not follow */
  advance(id: number): boolean;
}

export interface Grammar {
  turn(source: SpanSource): TurnConstraint;
}

/** What the policy may copy from: the ids of the episode so far, and which of them users and tools wrote. */
export interface SpanSource {
  ids: readonly number[];
  ranges: readonly (readonly [start: number, end: number])[];
}

const complements = new WeakMap<ReadonlySet<number>, Map<string, Int32Array>>();

/** All ids outside `except`, and `more`; made once for each pair. */
function freeIds(except: ReadonlySet<number>, more: readonly number[], vocabSize: number): Int32Array {
  let byMore = complements.get(except);
  if (!byMore) complements.set(except, (byMore = new Map()));
  const key = more.join();
  let ids = byMore.get(key);
  if (!ids) {
    const kept = new Set(more);
    byMore.set(
      key,
      (ids = Int32Array.from({ length: vocabSize }, (_, id) => id).filter((id) => !except.has(id) || kept.has(id))),
    );
  }
  return ids;
}

let isSeen = new Uint8Array(0);

/** The ids of all edges, each once, ascending. */
function edgeIds(states: readonly State[], vocabSize: number): Int32Array {
  if (isSeen.length < vocabSize) isSeen = new Uint8Array(vocabSize);
  const ids: number[] = [];
  for (const { edges } of states) {
    for (const { id } of edges) {
      if (isSeen[id] === 1) continue;
      isSeen[id] = 1;
      ids.push(id);
    }
  }
  for (const id of ids) isSeen[id] = 0;
  return Int32Array.from(ids).sort();
}

/** Where a turn stands in its grammar. */
export class Constraint implements TurnConstraint {
  private states: readonly State[];
  constructor(
    start: readonly State[],
    private readonly vocabSize: number,
  ) {
    this.states = start;
  }

  /** Nothing may follow: the turn is over. */
  get isDone(): boolean {
    return this.states.length === 0;
  }

  allowed(): Int32Array {
    const except = this.states.find((s) => s.free)?.free?.except;
    const ids = edgeIds(this.states, this.vocabSize);
    return except
      ? freeIds(
          except,
          [...ids].filter((id) => except.has(id)),
          this.vocabSize,
        )
      : ids;
  }

  advance(id: number): boolean {
    // two ways to one state are one: else an answer of n words that stand in two lists has 2^n
    const next = new Set<State>();
    let accepted = false;
    for (const s of this.states) {
      const ways: Then[] = s.edges.filter((e) => e.id === id).map((e) => e.to);
      if (s.free && !s.free.except.has(id)) ways.push(s.free.to);
      for (const to of ways) for (const state of to()) next.add(state);
      accepted ||= ways.length > 0;
    }
    if (accepted) this.states = [...next];
    return accepted;
  }
}
