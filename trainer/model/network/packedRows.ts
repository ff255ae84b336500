/**
 * Sequences that begin alike, as one tree: what several have in common stands once. The rollouts of a group share their
 * prompt, often their first call
 * and its result, and some are equal altogether.
 */
export class TokenTree {
  /** by place, in the order in which they came: a token stands behind the one before it */
  readonly ids: number[] = [];
  /** place of the token before; -1 where a sequence begins */
  readonly parents: number[] = [];
  /** how many tokens stand before it in its sequence */
  readonly depths: number[] = [];
  /** place of the token before, and id -> place */
  private readonly known = new Map<number, number>();

  get size(): number {
    return this.ids.length;
  }

  /** How many tokens of a sequence would be new. */
  missing(sequence: readonly number[]): number {
    let place = -1;
    for (let t = 0; t < sequence.length; t++) {
      const next = this.known.get(keyOf(place, sequence[t]!));
      if (next === undefined) return sequence.length - t;
      place = next;
    }
    return 0;
  }

  /** @param behind the place that it goes on from; -1: it begins a sequence @returns the place of each of its tokens */
  add(sequence: readonly number[], behind = -1): Int32Array {
    let before = behind;
    return Int32Array.from(sequence, (id) => (before = this.known.get(keyOf(before, id)) ?? this.grow(id, before)));
  }

  private grow(id: number, parent: number): number {
    const place = this.ids.push(id) - 1;
    this.parents.push(parent);
    this.depths.push(parent < 0 ? 0 : this.depths[parent]! + 1);
    this.known.set(keyOf(parent, id), place);
    return place;
  }
}

/** Of a pair as one number: no vocabulary has 2^24 tokens, no row 2^28. */
const keyOf = (before: number, id: number): number => (before + 1) * 2 ** 24 + id;

export interface PackedRows {
  rows: number;
  length: number;
  /** [rows * length], padded with 0 */
  ids: Int32Array;
  /** [rows * length], counted from the start of all */
  positions: Int32Array;
  /**
   * [rows, 1, length, before + length]: 0 = may be seen, -1e9 = not; what stands before the rows is seen by all, its
   * padding by none
   */
  mask: Float32Array;
}

/**
 * One tree a row. Each token sees what stands before the rows, its own ancestors and itself, so its result equals that
 * of its sequence alone, and so does
 * the sum of the gradients, for fewer tokens: 8 rollouts of one prompt cost 1 prompt, two equal ones cost one.
 * @param length of each row, at least the largest tree's size
 * @param start how many tokens, the same for all, stand before every row (Layout.prefix) @param before places that
 * these take; those behind them are padding
 */
export function packRows(rows: readonly TokenTree[], length: number, start = 0, before = start): PackedRows {
  const ids = new Int32Array(rows.length * length);
  const positions = new Int32Array(ids.length);
  const width = before + length;
  const mask = new Float32Array(rows.length * length * width).fill(-1e9);
  rows.forEach((tree, row) => {
    const base = row * length;
    ids.set(tree.ids, base);
    for (let t = 0; t < length; t++) {
      const at = (base + t) * width;
      const parent = tree.parents[t] ?? -1;
      if (parent >= 0) mask.copyWithin(at, (base + parent) * width, (base + parent + 1) * width);
      else if (t < tree.size) mask.fill(0, at, at + start);
      mask[at + before + t] = 0; // padding sees itself alone, so that its softmax is finite
      positions[base + t] = t < tree.size ? start + tree.depths[t]! : 0;
    }
  });
  return { rows: rows.length, length, ids, positions, mask };
}

/** Where a sequence lies: its row, and there the place of each of its tokens. */
export interface Place {
  row: number;
  places: Int32Array;
}

/**
 * Each sequence goes into the row where it has the fewest tokens to add, of those with room; the first of equals.
 * @param length of a row, at least the longest sequence
 */
export function fillRows(
  sequences: readonly (readonly number[])[],
  length: number,
): { rows: TokenTree[]; places: Place[] } {
  const rows: TokenTree[] = [];
  const places = sequences.map((sequence): Place => {
    let row = -1;
    let fewest = Infinity;
    rows.forEach((tree, i) => {
      const missing = tree.missing(sequence);
      if (missing < fewest && tree.size + missing <= length) [row, fewest] = [i, missing];
    });
    if (row < 0) row = rows.push(new TokenTree()) - 1;
    return { row, places: rows[row]!.add(sequence) };
  });
  return { rows, places };
}
