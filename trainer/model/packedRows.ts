/** A prompt and several continuations of it that do not see each other: a group of rollouts, or several requests to the same tools. */
export interface SharedPrefix {
  prefix: readonly number[];
  branches: readonly (readonly number[])[];
}

export interface PackedRows {
  rows: number;
  length: number;
  /** [rows * length], padded with 0 */
  ids: Int32Array;
  /** [rows * length], counted from the start of all; each branch goes on where its prefix ends */
  positions: Int32Array;
  /** [rows, 1, length, start + length]: 0 = may be seen, -1e9 = not; what stands before the rows is seen by all */
  mask: Float32Array;
  /** flat index of token t of a branch of a row's piece */
  place(row: number, piece: number, branch: number, t: number): number;
}

export const packedLength = (p: SharedPrefix): number => p.prefix.length + p.branches.reduce((n, b) => n + b.length, 0);

/**
 * A shared prefix is computed once for all its branches; the result for each token equals that of the branch alone (its mask hides the others,
 * its positions are its own), for fewer tokens: 8 rollouts of one prompt cost 1 prompt.
 * @param rows the pieces of each row, one behind the other; none sees another
 * @param length of each row, at least the longest sum of packedLength
 * @param start how many tokens, the same for all, stand before every row (Layout.prefix)
 */
export function packRows(rows: readonly (readonly SharedPrefix[])[], length: number, start = 0): PackedRows {
  const ids = new Int32Array(rows.length * length);
  const positions = new Int32Array(ids.length);
  const width = start + length;
  const mask = new Float32Array(rows.length * length * width).fill(-1e9);
  const starts = rows.map((pieces, row) => {
    const base = row * length;
    const see = (t: number, from: number, to: number): void => void mask.fill(0, (base + t) * width + from, (base + t) * width + to);
    /** tokens from `at`, which go on at `position`: they see what came before all, `seen`, and each other from the left */
    const write = (tokens: readonly number[], at: number, position: number, seen: readonly [number, number]): number => {
      ids.set(tokens, base + at);
      for (let t = at; t < at + tokens.length; t++) {
        positions[base + t] = position + t - at;
        see(t, 0, start);
        see(t, start + seen[0], start + seen[1]);
        see(t, start + at, start + t + 1);
      }
      return at + tokens.length;
    };
    let at = 0;
    const inRow = pieces.map(({ prefix, branches }) => {
      const own = at;
      at = write(prefix, at, start, [at, at]);
      const end = at;
      return branches.map((branch) => {
        const from = at;
        at = write(branch, at, start + prefix.length, [own, end]);
        return from;
      });
    });
    for (let t = at; t < length; t++) see(t, start + t, start + t + 1); // padding sees itself, so that its softmax is finite
    return inRow;
  });
  return { rows: rows.length, length, ids, positions, mask, place: (row, piece, branch, t) => row * length + starts[row][piece][branch] + t };
}

/** Where a branch lies in rows of pieces. */
export interface Place {
  row: number;
  piece: number;
  branch: number;
}

/**
 * Branches one after the other into the first row with room, beside others of their group where there are such, else behind the prefix again.
 * @param length of a row, at least the longest prefix with its longest branch
 * @returns the rows' pieces, and each group's branches' places
 */
export function fillRows(groups: readonly SharedPrefix[], length: number): { rows: SharedPrefix[][]; places: Place[][] } {
  const rows: { pieces: { prefix: readonly number[]; branches: (readonly number[])[] }[]; room: number }[] = [];
  const places = groups.map(({ prefix, branches }) => {
    const pieces = new Map<number, number>(); // of this group, by row
    return branches.map((branch): Place => {
      const cost = (row: number): number => branch.length + (pieces.has(row) ? 0 : prefix.length);
      let row = rows.findIndex((r, i) => r.room >= cost(i));
      if (row < 0) row = rows.push({ pieces: [], room: length }) - 1;
      const { pieces: all } = rows[row];
      rows[row].room -= cost(row);
      if (!pieces.has(row)) pieces.set(row, all.push({ prefix, branches: [] }) - 1);
      const piece = pieces.get(row)!;
      return { row, piece, branch: all[piece].branches.push(branch) - 1 };
    });
  });
  return { rows: rows.map((r) => r.pieces), places };
}
