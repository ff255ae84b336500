/**
 * Seeded random numbers, passed in and never global. sfc32 (Chris Doty-Humphrey, PractRand) with its state filled by a
 * 128-bit string hash.
 *
 * A stream knows its key (seed and labels), which drawing does not change. `fork(label)` depends on the key alone, so
 * what a rollout draws
 * does not depend on what was drawn before it, or on the batch it ran in. The footgun: the same label twice gives the
 * same stream twice.
 */
export class Random {
  private constructor(
    private readonly key: Words,
    private words: Words,
  ) {}

  static fromSeed(seed: number | string): Random {
    return Random.fromKey(hash128(String(seed), [0x9e3779b9, 0x243f6a88, 0xb7e15162, 0x6a09e667]));
  }

  private static fromKey(key: Words): Random {
    const random = new Random(key, [...key]);
    for (let i = 0; i < 12; i++) random.uint32();
    return random;
  }

  static restore(state: RandomState): Random {
    if (state.length !== 8 || !state.every((w) => Number.isInteger(w) && w >= 0 && w <= 0xffffffff)) {
      throw new RangeError(`Random.restore: the state must be 8 unsigned 32-bit words, got ${JSON.stringify(state)}`);
    }
    return new Random(state.slice(0, 4) as Words, state.slice(4) as Words);
  }

  /** A stream of its own; does not advance this one. */
  fork(label: string | number): Random {
    return Random.fromKey(hash128(String(label), this.key));
  }

  /** Uniform in [0, 1), 53 bits. */
  next(): number {
    const high = this.uint32() >>> 5; // 27 bits
    const low = this.uint32() >>> 6; // 26 bits
    return (high * 0x4000000 + low) / 0x20000000000000;
  }

  /** Uniform whole number in [0, n). */
  int(n: number): number {
    if (!Number.isInteger(n) || n < 1) throw new RangeError(`Random.int: n must be a whole number from 1, got ${n}`);
    return Math.floor(this.next() * n);
  }

  pick<T>(items: readonly T[]): T {
    if (items.length === 0) throw new RangeError('Random.pick: nothing to pick from');
    return items[this.int(items.length)] as T;
  }

  /** A shuffled copy (Fisher-Yates). */
  shuffle<T>(items: readonly T[]): T[] {
    const out = [...items];
    for (let i = out.length - 1; i > 0; i--) {
      const j = this.int(i + 1);
      [out[i], out[j]] = [out[j] as T, out[i] as T];
    }
    return out;
  }

  /** Standard normal (Box-Muller, one of the pair, so that the state is the words alone). */
  normal(): number {
    return Math.sqrt(-2 * Math.log(1 - this.next())) * Math.cos(2 * Math.PI * this.next());
  }

  /** JSON-safe; `Random.restore(random.state())` continues with the same numbers. */
  state(): RandomState {
    return [...this.key, ...this.words];
  }

  private uint32(): number {
    let [a, b, c, counter] = this.words;
    const out = (((a + b) | 0) + counter) >>> 0;
    counter = (counter + 1) >>> 0;
    a = (b ^ (b >>> 9)) >>> 0;
    b = (c + (c << 3)) >>> 0;
    c = (((c << 21) | (c >>> 11)) + out) >>> 0;
    this.words = [a, b, c, counter];
    return out;
  }
}

/** Key (4 words) and position (4 words). */
export type RandomState = number[];
type Words = [number, number, number, number];

/** Four interleaved multiply-xorshift lanes over the UTF-16 units; mixes well enough for seeds, no cryptography. */
function hash128(text: string, start: Words): Words {
  let [a, b, c, d] = start;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    a = b ^ Math.imul(a ^ unit, 0x23974f4d);
    b = c ^ Math.imul(b ^ unit, 0x5c82e1b5);
    c = d ^ Math.imul(c ^ unit, 0x1b873593);
    d = a ^ Math.imul(d ^ unit, 0x85ebca6b);
  }
  a = Math.imul(c ^ (a >>> 18) ^ text.length, 0x23974f4d);
  b = Math.imul(d ^ (b >>> 22), 0x5c82e1b5);
  c = Math.imul(a ^ (c >>> 17), 0x1b873593);
  d = Math.imul(b ^ (d >>> 19), 0x85ebca6b);
  return [(a ^ b ^ c ^ d) >>> 0, (b ^ a) >>> 0, (c ^ a) >>> 0, (d ^ a) >>> 0];
}
