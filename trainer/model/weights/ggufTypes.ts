import {
  dequantiseQ4_0,
  dequantiseQ4_1,
  dequantiseQ5_0,
  dequantiseQ5_1,
  dequantiseQ8_0,
  type Dequantise,
} from './ggufBlocks';
import { dequantiseQ4_K, dequantiseQ5_K, dequantiseQ6_K } from './ggufSuperBlocks';
import { decodeBfloats, decodeHalves } from './halfFloat';

export type GgufValue = number | bigint | boolean | string | GgufValue[];

export interface GgufTensor {
  name: string;
  /** its quantisation, as llama.cpp calls it */
  type: string;
  /** outermost first, as in Hugging Face's files (GGUF itself counts from the innermost) */
  shape: number[];
  /** bytes of the file */
  begin: number;
  end: number;
}

export interface Quantisation {
  name: string;
  /** values and bytes of a block */
  values: number;
  bytes: number;
  dequantise: Dequantise;
}

export const quantisations = new Map<number, Quantisation>([
  [
    0,
    {
      name: 'F32',
      values: 1,
      bytes: 4,
      dequantise: (bytes, out) => new Uint8Array(out.buffer, out.byteOffset, bytes.length).set(bytes),
    },
  ],
  [1, { name: 'F16', values: 1, bytes: 2, dequantise: (bytes, out) => out.set(decodeHalves(bytes)) }],
  [30, { name: 'BF16', values: 1, bytes: 2, dequantise: (bytes, out) => out.set(decodeBfloats(bytes)) }],
  [8, { name: 'Q8_0', values: 32, bytes: 34, dequantise: dequantiseQ8_0 }],
  [2, { name: 'Q4_0', values: 32, bytes: 18, dequantise: dequantiseQ4_0 }],
  [3, { name: 'Q4_1', values: 32, bytes: 20, dequantise: dequantiseQ4_1 }],
  [6, { name: 'Q5_0', values: 32, bytes: 22, dequantise: dequantiseQ5_0 }],
  [7, { name: 'Q5_1', values: 32, bytes: 24, dequantise: dequantiseQ5_1 }],
  [12, { name: 'Q4_K', values: 256, bytes: 144, dequantise: dequantiseQ4_K }],
  [13, { name: 'Q5_K', values: 256, bytes: 176, dequantise: dequantiseQ5_K }],
  [14, { name: 'Q6_K', values: 256, bytes: 210, dequantise: dequantiseQ6_K }],
]);
export const byName = new Map([...quantisations.values()].map((q) => [q.name, q]));
/** By which GGUF names a tensor's type, one that is read. */
export const typeNumber = (name: string): number => [...quantisations].find(([, q]) => q.name === name)![0];
/** Those that exist but are not read, so that the message can call them by name. */
export const otherNames: Record<number, string> = {
  9: 'Q8_1',
  10: 'Q2_K',
  11: 'Q3_K',
  15: 'Q8_K',
  16: 'IQ2_XXS',
  17: 'IQ2_XS',
  18: 'IQ3_XXS',
  19: 'IQ1_S',
  20: 'IQ4_NL',
  21: 'IQ3_S',
  22: 'IQ2_S',
  23: 'IQ4_XS',
  24: 'I8',
  25: 'I16',
  26: 'I32',
  27: 'I64',
  28: 'F64',
  29: 'IQ1_M',
  34: 'TQ1_0',
  35: 'TQ2_0',
  39: 'MXFP4',
};
