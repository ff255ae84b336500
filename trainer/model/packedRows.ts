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
  /** [rows * length]; each branch goes on where the prefix ends */
  positions: Int32Array;
  /** [rows, 1, length, length]: 0 = may be seen, -1e9 = not */
  mask: Float32Array;
  /** flat index of token t of a branch */
  place(row: number, branch: number, t: number): number;
}

export const packedLength = (p: SharedPrefix): number => p.prefix.length + p.branches.reduce((n, b) => n + b.length, 0);

/**
 * The shared prefix is computed once for all its branches; the result for each token equals that of the branch alone (its mask hides the others,
 * its positions are its own), for fewer tokens: 8 rollouts of one prompt cost 1 prompt.
 * @param length of each row, at least the longest packedLength
 */
export function packRows(groups: readonly SharedPrefix[], length: number): PackedRows {
  const ids = new Int32Array(groups.length * length);
  const positions = new Int32Array(ids.length);
  const mask = new Float32Array(groups.length * length * length).fill(-1e9);
  const starts: number[][] = [];
  groups.forEach((group, row) => {
    const base = row * length;
    const see = (t: number, from: number, to: number): void => void mask.fill(0, (base + t) * length + from, (base + t) * length + to);
    ids.set(group.prefix, base);
    const n = group.prefix.length;
    for (let t = 0; t < n; t++) {
      positions[base + t] = t;
      see(t, 0, t + 1);
    }
    let at = n;
    starts.push(group.branches.map((branch) => {
      const start = at;
      ids.set(branch, base + start);
      for (let t = start; t < start + branch.length; t++) {
        positions[base + t] = n + t - start;
        see(t, 0, n);
        see(t, start, t + 1);
      }
      at += branch.length;
      return start;
    }));
    // padding sees itself, so that its softmax is finite
    for (let t = at; t < length; t++) see(t, t, t + 1);
  });
  return { rows: groups.length, length, ids, positions, mask, place: (row, branch, t) => row * length + starts[row][branch] + t };
}
