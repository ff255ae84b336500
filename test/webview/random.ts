/** A small seeded generator (mulberry32), so that the fixture is the same everywhere. */
export interface Random {
  /** [0, 1) */
  next(): number;
}

export function random(seed: number): Random {
  let state = seed >>> 0;
  return {
    next() {
      state = (state + 0x6d2b79f5) >>> 0;
      let x = Math.imul(state ^ (state >>> 15), 1 | state);
      x = (x + Math.imul(x ^ (x >>> 7), 61 | x)) ^ x;
      return ((x ^ (x >>> 14)) >>> 0) / 4_294_967_296;
    },
  };
}
