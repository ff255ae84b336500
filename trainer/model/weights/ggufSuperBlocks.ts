/**
 * GGML's "K" quantisations: super-blocks of 256 values, whose sub-blocks have scales that are quantised themselves.
 * Layouts: ggml-common.h (block_q4_K, block_q5_K, block_q6_K), arithmetic: ggml-quants.c of ggml-org/llama.cpp.
 */
import type { Dequantise } from './ggufBlocks';
import { halfValues } from './halfFloat';

const half = (bytes: Uint8Array, at: number): number => halfValues()[bytes[at]! | (bytes[at + 1]! << 8)]!;
const scales = new Uint8Array(8);
const mins = new Uint8Array(8);

/**
 * 12 bytes -> 8 scales and 8 minimums of 6 bits: the first four of each are whole, the others' two upper bits lie
 * above those. @returns the same memory each time
 */
export function unpackScales(bytes: Uint8Array, at: number): { scales: Uint8Array; mins: Uint8Array } {
  for (let j = 0; j < 4; j++) {
    const d = bytes[at + j]!;
    const m = bytes[at + 4 + j]!;
    const low = bytes[at + 8 + j]!;
    scales[j] = d & 63;
    mins[j] = m & 63;
    scales[j + 4] = (low & 15) | ((d >> 2) & 48);
    mins[j + 4] = (low >> 4) | ((m >> 2) & 48);
  }
  return { scales, mins };
}

/** d, dmin, 12 bytes of scales, 128 of nibbles: 32 bytes hold two sub-blocks of 32; d sc q - dmin m */
export const dequantiseQ4_K: Dequantise = (bytes, out) => {
  for (let at = 0, to = 0; at < bytes.length; at += 144) {
    const d = half(bytes, at);
    const dmin = half(bytes, at + 2);
    unpackScales(bytes, at + 4);
    for (let j = 0; j < 8; j++, to += 32) {
      const scale = d * scales[j]!;
      const min = dmin * mins[j]!;
      const shift = 4 * (j & 1);
      const from = at + 16 + 32 * (j >> 1);
      for (let i = 0; i < 32; i++) out[to + i] = scale * ((bytes[from + i]! >> shift) & 15) - min;
    }
  }
};

/** d, dmin, 12 bytes of scales, 32 of fifth bits (bit j of byte i: sub-block j, value i), 128 of nibbles */
export const dequantiseQ5_K: Dequantise = (bytes, out) => {
  for (let at = 0, to = 0; at < bytes.length; at += 176) {
    const d = half(bytes, at);
    const dmin = half(bytes, at + 2);
    unpackScales(bytes, at + 4);
    for (let j = 0; j < 8; j++, to += 32) {
      const scale = d * scales[j]!;
      const min = dmin * mins[j]!;
      const shift = 4 * (j & 1);
      const from = at + 48 + 32 * (j >> 1);
      for (let i = 0; i < 32; i++)
        out[to + i] = scale * (((bytes[from + i]! >> shift) & 15) | (((bytes[at + 16 + i]! >> j) & 1) << 4)) - min;
    }
  }
};

/** 128 bytes of nibbles, 64 of upper bit pairs, 16 signed scales of 16 values each, d; d sc (q - 32) */
export const dequantiseQ6_K: Dequantise = (bytes, out) => {
  for (let at = 0, to = 0; at < bytes.length; at += 210) {
    const d = half(bytes, at + 208);
    for (let j = 0; j < 8; j++, to += 32) {
      // 128 values share 64 bytes of nibbles and 32 of bit pairs; sub-block j & 3 of them: which byte half, which
      // nibble, which pair
      const low = at + 64 * (j >> 2) + 32 * (j & 1);
      const high = at + 128 + 32 * (j >> 2);
      const shift = 4 * ((j >> 1) & 1);
      const pair = 2 * (j & 3);
      for (let i = 0; i < 32; i++) {
        const q = ((bytes[low + i]! >> shift) & 15) | (((bytes[high + i]! >> pair) & 3) << 4);
        const scale = (bytes[at + 192 + 2 * j + (i >> 4)]! << 24) >> 24;
        out[to + i] = d * scale * (q - 32);
      }
    }
  }
};
