/**
 * GGML's quantisations of 32 values: one scale (and minimum) each. Layouts: ggml-common.h (block_q4_0 …), arithmetic:
 * ggml-quants.c (dequantize_row_*) of
 * ggml-org/llama.cpp; scales are halves, little-endian. Every product below is exact in float64 and rounded once, when
 * it is stored: bit for bit as gguf-py.
 */
import { halfValues } from './halfFloat';

/** Whole blocks of bytes -> as many values as they hold, written to the start of `out`. */
export type Dequantise = (bytes: Uint8Array, out: Float32Array) => void;

const half = (bytes: Uint8Array, at: number): number => halfValues()[bytes[at]! | (bytes[at + 1]! << 8)]!;

/** d, 16 bytes: low nibbles are values 0-15, high ones 16-31; d (q - 8) */
export const dequantiseQ4_0: Dequantise = (bytes, out) => {
  for (let at = 0, to = 0; at < bytes.length; at += 18, to += 32) {
    const d = half(bytes, at);
    for (let i = 0; i < 16; i++) {
      const b = bytes[at + 2 + i]!;
      out[to + i] = d * ((b & 15) - 8);
      out[to + 16 + i] = d * ((b >> 4) - 8);
    }
  }
};

/** d, m, 16 bytes; d q + m */
export const dequantiseQ4_1: Dequantise = (bytes, out) => {
  for (let at = 0, to = 0; at < bytes.length; at += 20, to += 32) {
    const d = half(bytes, at);
    const m = half(bytes, at + 2);
    for (let i = 0; i < 16; i++) {
      const b = bytes[at + 4 + i]!;
      out[to + i] = d * (b & 15) + m;
      out[to + 16 + i] = d * (b >> 4) + m;
    }
  }
};

/** d, 32 fifth bits, 16 bytes; d (q - 16) */
export const dequantiseQ5_0: Dequantise = (bytes, out) => {
  for (let at = 0, to = 0; at < bytes.length; at += 22, to += 32) {
    const d = half(bytes, at);
    for (let i = 0; i < 32; i++) out[to + i] = d * (fiveBits(bytes, at + 2, i) - 16);
  }
};

/** d, m, 32 fifth bits, 16 bytes; d q + m */
export const dequantiseQ5_1: Dequantise = (bytes, out) => {
  for (let at = 0, to = 0; at < bytes.length; at += 24, to += 32) {
    const d = half(bytes, at);
    const m = half(bytes, at + 2);
    for (let i = 0; i < 32; i++) out[to + i] = d * fiveBits(bytes, at + 4, i) + m;
  }
};

/** Value i of 32: bit i of the 4 bytes at `at`, above its nibble in the 16 bytes behind them. */
function fiveBits(bytes: Uint8Array, at: number, i: number): number {
  const high = (bytes[at + (i >> 3)]! >> (i & 7)) & 1;
  const b = bytes[at + 4 + (i & 15)]!;
  return (high << 4) | (i < 16 ? b & 15 : b >> 4);
}

/** d, 32 signed bytes; d q */
export const dequantiseQ8_0: Dequantise = (bytes, out) => {
  for (let at = 0, to = 0; at < bytes.length; at += 34, to += 32) {
    const d = half(bytes, at);
    for (let i = 0; i < 32; i++) out[to + i] = d * ((bytes[at + 2 + i]! << 24) >> 24);
  }
};
