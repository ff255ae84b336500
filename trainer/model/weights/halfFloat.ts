/** IEEE 754 binary16 and bfloat16 as bit patterns, since Node 20 has no Float16Array. */

/** Bits of a half -> number; exact. */
export function halfToNumber(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 31) return fraction ? NaN : sign * Infinity;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}

const scratch = new DataView(new ArrayBuffer(4));

/** Float32 -> bits of the nearest half, ties to even; beyond 65504 it rounds to infinity. */
export function numberToHalf(value: number): number {
  scratch.setFloat32(0, value);
  const bits = scratch.getUint32(0);
  const sign = (bits >>> 16) & 0x8000;
  const exponent = (bits >>> 23) & 0xff;
  const fraction = bits & 0x7fffff;
  if (exponent === 0xff) return sign | 0x7c00 | (fraction ? 0x200 : 0);
  const shifted = exponent - 112; // bias 127 -> 15
  if (shifted >= 31) return sign | 0x7c00;
  if (shifted > 0) return sign | roundShift((shifted << 23) | fraction, 13);
  if (shifted < -10) return sign;
  return sign | roundShift(fraction | 0x800000, 14 - shifted); // subnormal
}

/** Float32 -> bits of the nearest bfloat16, ties to even; NaN stays NaN. */
export function numberToBfloat(value: number): number {
  scratch.setFloat32(0, value);
  const bits = scratch.getUint32(0);
  if (Number.isNaN(value)) return (bits >>> 16) | 0x40;
  return ((bits + 0x7fff + ((bits >>> 16) & 1)) >>> 16) & 0xffff;
}

/** x >> n, to nearest, ties to even. A carry runs into the exponent, which is what rounding up means. */
function roundShift(x: number, n: number): number {
  const half = 1 << (n - 1);
  const rest = x & ((1 << n) - 1);
  const kept = x >>> n;
  return rest > half || (rest === half && kept & 1) ? kept + 1 : kept;
}

let halfTable: Float32Array | null = null;

/** Every half's value, by its bits; made at the first use, shared, not to be changed. */
export const halfValues = (): Float32Array =>
  (halfTable ??= Float32Array.from({ length: 0x10000 }, (_, bits) => halfToNumber(bits)));

/** Halves (little-endian) -> Float32Array. */
export function decodeHalves(bytes: Uint8Array): Float32Array {
  const halfTable = halfValues();
  const out = new Float32Array(bytes.length / 2);
  for (let i = 0; i < out.length; i++) out[i] = halfTable[bytes[2 * i]! | (bytes[2 * i + 1]! << 8)]!;
  return out;
}

/** bfloat16 (little-endian) -> Float32Array: the upper half of a float32, exact. */
export function decodeBfloats(bytes: Uint8Array): Float32Array {
  const words = new Uint32Array(bytes.length / 2);
  for (let i = 0; i < words.length; i++) words[i] = ((bytes[2 * i]! | (bytes[2 * i + 1]! << 8)) << 16) >>> 0;
  return new Float32Array(words.buffer);
}
