import * as tf from '@tensorflow/tfjs';
import { firstRowsOf, tensorOver } from './tensorOver';

/**
 * Weights [outputs, inputs] in blocks along the inputs: value = (q - zero) * scale + offset of its block; q from 0 to
 * 2^bits - 1, zero is 2^(bits - 1).
 */
export interface PackedWeights {
  readonly bits: 4 | 8;
  readonly shape: readonly [outputs: number, inputs: number];
  /** Weights that share a scale: a power of 2, 16 or more. */
  readonly blockSize: number;
  /**
   * The codes as bytes, of 4 bits the earlier one in the low half, four bytes a number: int32 [outputs, inputs * bits
   * / 32].
   */
  readonly packed: tf.Tensor2D;
  /** [outputs, inputs / blockSize] */
  readonly scales: tf.Tensor2D;
  /** [outputs, inputs / blockSize]; null: all 0 */
  readonly offsets: tf.Tensor2D | null;
}
export type Accuracy = 'float32' | 'int8';

/**
 * Rounds to the nearest of 15 (or 255) steps, symmetric: the greatest weight of a block becomes -8 (-128) steps. Normal
 * weights in blocks of 32 are off by 8.6 %
 * of their standard deviation (root of the mean square; test/model/engine/matMulNBits.test.ts), of 8 bits by 0.5 %.
 * Caller disposes (tensorsOf).
 * @param weights [outputs, inputs], row by row
 * @throws when inputs is no multiple of the block, or the block no power of 2 of 16 or more
 */
export function quantise(
  weights: Float32Array,
  [outputs, inputs]: readonly [number, number],
  bits: 4 | 8 = 4,
  blockSize = 32,
): PackedWeights {
  if (weights.length !== outputs * inputs)
    throw new Error(`quantise: ${weights.length} weights do not fill [${outputs}, ${inputs}]`);
  const codes = new Uint8Array((weights.length * bits) / 8);
  const scales = new Float32Array(Math.floor(weights.length / blockSize));
  const zero = 1 << (bits - 1);
  for (let block = 0; block < scales.length; block++) {
    const from = block * blockSize;
    let greatest = 0; // with its sign: it becomes -zero, so that all steps of its side are used
    for (let i = from; i < from + blockSize; i++)
      if (Math.abs(weights[i]!) > Math.abs(greatest)) greatest = weights[i]!;
    const scale = Math.fround(greatest / -zero);
    scales[block] = scale;
    for (let i = from; i < from + blockSize; i++) {
      const q = scale === 0 ? zero : Math.min(2 * zero - 1, Math.max(0, Math.round(weights[i]! / scale) + zero));
      if (bits === 8) codes[i] = q;
      else codes[i >> 1]! |= q << ((i & 1) * 4);
    }
  }
  return packedWeights({ bits, shape: [outputs, inputs], blockSize, codes, scales, offsets: null });
}

/** What a file of quantised weights holds: the codes in the order of the weights, scale and offset of each block. */
export interface Codes extends Pick<PackedWeights, 'bits' | 'shape' | 'blockSize'> {
  codes: Uint8Array;
  scales: Float32Array;
  offsets: Float32Array | null;
}

/** As tensors, which take the arrays over. Caller disposes (tensorsOf). @throws where sizes do not fit */
export function packedWeights({ bits, shape, blockSize, codes, scales, offsets }: Codes): PackedWeights {
  const [outputs, inputs] = shape;
  if (blockSize < 16 || (blockSize & (blockSize - 1)) !== 0)
    throw new Error(`packedWeights: the block must be a power of 2 of 16 or more, got ${blockSize}`);
  if (inputs % blockSize !== 0)
    throw new Error(`packedWeights: ${inputs} inputs are no multiple of the block ${blockSize}`);
  if (codes.byteLength * 8 !== outputs * inputs * bits)
    throw new Error(`packedWeights: ${codes.byteLength} bytes do not fill [${outputs}, ${inputs}] of ${bits} bits`);
  const blocks = inputs / blockSize;
  const ofBlocks = (values: Float32Array): tf.Tensor2D => tensorOver(values, [outputs, blocks]) as tf.Tensor2D;
  return {
    bits,
    shape,
    blockSize,
    packed: tensorOver(new Int32Array(codes.buffer, codes.byteOffset, codes.byteLength / 4), [
      outputs,
      (inputs * bits) / 32,
    ]) as tf.Tensor2D,
    scales: ofBlocks(scales),
    offsets: offsets && ofBlocks(offsets),
  };
}

/**
 * Weights of the same inputs, one below the other, as one matrix, for one product instead of several. The parts take
 * its memory in the place of their own, which
 * is freed. Null where they are not of one format, or where tensors can't share memory (other engines than onnx): then
 * nothing has changed. Caller disposes all of them.
 */
export function joinPacked(parts: readonly PackedWeights[]): { all: PackedWeights; parts: PackedWeights[] } | null {
  const {
    bits,
    blockSize,
    offsets,
    shape: [, inputs],
  } = parts[0]!;
  const isAlike = (p: PackedWeights): boolean =>
    p.bits === bits &&
    p.blockSize === blockSize &&
    p.shape[1] === inputs &&
    (p.offsets === null) === (offsets === null);
  if (!isOnnx() || !parts.every(isAlike)) return null;
  const codes = joinRows(parts.map(({ packed }) => packed));
  const scales = joinRows(parts.map((p) => p.scales));
  const added = offsets && joinRows(parts.map((p) => p.offsets!));
  return {
    all: {
      bits,
      blockSize,
      shape: [codes.all.shape[0], inputs],
      packed: codes.all,
      scales: scales.all,
      offsets: added?.all ?? null,
    },
    parts: parts.map((p, i) => ({
      ...p,
      packed: codes.parts[i]!,
      scales: scales.parts[i]!,
      offsets: added && added.parts[i]!,
    })),
  };
}
function joinRows(tensors: readonly tf.Tensor2D[]): { all: tf.Tensor2D; parts: tf.Tensor2D[] } {
  const sources = tensors.map((t) => t.dataSync());
  const size = sources.reduce((n, { length }) => n + length, 0);
  const memory = tensors[0]!.dtype === 'int32' ? new Int32Array(size) : new Float32Array(size);
  let at = 0;
  const parts = sources.map((source, i) => {
    memory.set(source, at);
    return tensorOver(memory.subarray(at, (at += source.length)), tensors[i]!.shape) as tf.Tensor2D;
  });
  const rows = tensors.reduce((n, { shape }) => n + shape[0], 0);
  tf.dispose([...tensors]);
  return { all: tensorOver(memory, [rows, size / rows]) as tf.Tensor2D, parts };
}

/** A copy of the first rows. Caller disposes (tensorsOf). */
export function firstRows(
  { bits, blockSize, shape: [outputs, inputs], packed, scales, offsets }: PackedWeights,
  count: number,
): PackedWeights {
  const first = (t: tf.Tensor2D): tf.Tensor2D => firstRowsOf(t, count);
  return {
    bits,
    blockSize,
    shape: [Math.min(count, outputs), inputs],
    packed: first(packed),
    scales: first(scales),
    offsets: offsets && first(offsets),
  };
}

/** What the caller disposes. */
export const tensorsOf = ({ packed, scales, offsets }: PackedWeights): tf.Tensor[] => [
  packed,
  scales,
  ...(offsets ? [offsets] : []),
];

/** The weights as numbers, [count, inputs], from row `from` on. Caller disposes. */
export function dequantise(
  { bits, shape, blockSize, packed, scales, offsets }: PackedWeights,
  from = 0,
  count = shape[0],
): tf.Tensor2D {
  const inputs = shape[1];
  const [codes, steps, added] = [
    packed.dataSync() as Int32Array,
    scales.dataSync() as Float32Array,
    offsets?.dataSync() as Float32Array | undefined,
  ];
  const bytes = new Uint8Array(codes.buffer, codes.byteOffset, codes.byteLength);
  const out = new Float32Array(count * inputs);
  for (let o = 0, i = from * inputs; o < out.length; o++, i++) {
    const block = Math.floor(i / blockSize);
    const q = bits === 8 ? bytes[i]! - 128 : ((bytes[i >> 1]! >> ((i & 1) * 4)) & 15) - 8;
    out[o] = q * steps[block]! + (added?.[block] ?? 0);
  }
  return tf.tensor2d(out, [count, inputs]);
}

export const isOnnx = (): boolean => tf.getBackend() === 'onnx';
