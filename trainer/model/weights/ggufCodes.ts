/**
 * GGML's quantisations of 4 and 8 bits as engine/matMulNBits.ts computes with them: the same codes in another order,
 * the same numbers. Layouts and
 * arithmetic: ggufBlocks.ts, ggufSuperBlocks.ts. An offset is rounded once, to float32.
 */
import type { Codes } from '../engine/packedWeights';
import { halfValues } from './halfFloat';
import { unpackScales } from './ggufSuperBlocks';

/** Where a run of whole blocks of a file goes: from block `at` of 32 values on. */
export type ToCodes = (bytes: Uint8Array, out: Omit<Codes, 'shape'>, at: number) => void;

const half = (bytes: Uint8Array, at: number): number => halfValues()[bytes[at]! | (bytes[at + 1]! << 8)]!;

/** Low halves of 16 bytes are values 0 to 15, high ones 16 to 31 -> neighbours in a byte. */
function halvesApart(bytes: Uint8Array, from: number, codes: Uint8Array, to: number): void {
  for (let i = 0; i < 8; i++) {
    const [a, b] = [bytes[from + 2 * i]!, bytes[from + 2 * i + 1]!];
    codes[to + i] = (a & 15) | ((b & 15) << 4);
    codes[to + 8 + i] = (a >> 4) | (b & 240);
  }
}

/** d, 16 bytes; d (q - 8) */
const fromQ4_0: ToCodes = (bytes, { codes, scales }, at) => {
  for (let from = 0; from < bytes.length; from += 18, at++) {
    scales[at] = half(bytes, from);
    halvesApart(bytes, from + 2, codes, at * 16);
  }
};

/** d, m, 16 bytes; d q + m = d (q - 8) + (m + 8 d) */
const fromQ4_1: ToCodes = (bytes, { codes, scales, offsets }, at) => {
  for (let from = 0; from < bytes.length; from += 20, at++) {
    scales[at] = half(bytes, from);
    offsets![at] = half(bytes, from + 2) + 8 * scales[at]!;
    halvesApart(bytes, from + 4, codes, at * 16);
  }
};

/** d, 32 signed bytes; d q = d ((q + 128) - 128) */
const fromQ8_0: ToCodes = (bytes, { codes, scales }, at) => {
  for (let from = 0; from < bytes.length; from += 34, at++) {
    scales[at] = half(bytes, from);
    for (let i = 0; i < 32; i++) codes[at * 32 + i] = bytes[from + 2 + i]! ^ 128;
  }
};

/** d, dmin, 12 bytes of scales, 128 of nibbles: 32 bytes hold two sub-blocks of 32; d sc q - dmin m */
const fromQ4_K: ToCodes = (bytes, { codes, scales, offsets }, at) => {
  for (let from = 0; from < bytes.length; from += 144) {
    const [d, dmin] = [half(bytes, from), half(bytes, from + 2)];
    const parts = unpackScales(bytes, from + 4);
    for (let j = 0; j < 8; j++, at++) {
      scales[at] = d * parts.scales[j]!;
      offsets![at] = 8 * scales[at]! - dmin * parts.mins[j]!;
      const [shift, of] = [4 * (j & 1), from + 16 + 32 * (j >> 1)];
      for (let i = 0; i < 16; i++)
        codes[at * 16 + i] = ((bytes[of + 2 * i]! >> shift) & 15) | (((bytes[of + 2 * i + 1]! >> shift) & 15) << 4);
    }
  }
};

/** Quantisations whose values can stay as they lie: their bits, whether blocks have an offset. */
export const codeFormats: Readonly<Record<string, { bits: 4 | 8; hasOffsets: boolean; read: ToCodes }>> = {
  Q4_0: { bits: 4, hasOffsets: false, read: fromQ4_0 },
  Q4_1: { bits: 4, hasOffsets: true, read: fromQ4_1 },
  Q4_K: { bits: 4, hasOffsets: true, read: fromQ4_K },
  Q8_0: { bits: 8, hasOffsets: false, read: fromQ8_0 },
};
