/**
 * Products with frozen weights of 4 or 8 bits: one op on the onnx engine (com.microsoft.MatMulNBits), dequantised at
 * use on the others. No float copy of the
 * weights stays anywhere.
 */
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

/** Dequantised weights that exist at one time, at most: 4 MB. */
const LARGEST_PIECE = 1 << 20;

/**
 * Rounds to the nearest of 15 (or 255) steps, symmetric: the greatest weight of a block becomes -8 (-128) steps. Normal
 * weights in blocks of 32 are off by 8.6 %
 * of their standard deviation (root of the mean square; test/model/engine/matMulNBits.test.ts), of 8 bits by 0.5 %. Caller
 * disposes (tensorsOf).
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

/**
 * x [..., inputs] times the weights' transpose: [..., outputs]. The weights are frozen: there is a gradient to x alone,
 * and inside of a recorded function they
 * must be plain tensors from outside of it, not arguments or variables.
 * @param accuracy float32: the weights are dequantised piece by piece at each use, from the one copy that all graphs
 * share: for training, where that is a small
 * part of the work. int8: x is rounded to 8 bits, too, right to about 1 %, and the weights are packed for the processor
 * once more, in each graph, though
 * once for all sizes: for decoding, whose time is that of reading weights. Only the onnx engine knows it, the others
 * compute in float32.
 */
export function matMulNBits(x: tf.Tensor, weights: PackedWeights, accuracy: Accuracy = 'float32'): tf.Tensor {
  const inputs = weights.shape[1];
  if (x.shape.at(-1) !== inputs)
    throw new Error(`matMulNBits: x [${x.shape.join(', ')}] must end in the weights' ${inputs} inputs`);
  const op = tf.customGrad((a) => ({
    value: product(a as tf.Tensor, weights, accuracy),
    gradFunc: (dy) => productOfGradient(dy as tf.Tensor, weights),
  }));
  return op(x) as tf.Tensor;
}

/** Rows of the weights, [count, inputs]: an embedding. No gradient. @param indices int32 [count] */
export function gatherNBits(weights: PackedWeights, indices: tf.Tensor): tf.Tensor2D {
  return tf.tidy(() => {
    const {
      bits,
      packed,
      scales,
      offsets,
      blockSize,
      shape: [, inputs],
    } = weights;
    const flat = tf.reshape(indices, [-1]);
    const count = flat.shape[0]!;
    const rows = isOnnx()
      ? (tf.engine().runKernel('GatherNBits', { packed, scales, indices: flat }, { bits, blockSize }) as tf.Tensor2D)
      : dequantise({
          ...weights,
          shape: [count, inputs],
          packed: tf.gather(packed, flat),
          scales: tf.gather(scales, flat),
          offsets: null,
        });
    return offsets === null ? rows : addToBlocks(rows, tf.gather(offsets, flat), weights);
  });
}

const isOnnx = (): boolean => tf.getBackend() === 'onnx';

function product(x: tf.Tensor, weights: PackedWeights, accuracy: Accuracy): tf.Tensor {
  const {
    bits,
    blockSize,
    packed,
    scales,
    offsets,
    shape: [outputs, inputs],
  } = weights;
  return tf.tidy(() => {
    const rows = tf.reshape(x, [-1, inputs]) as tf.Tensor2D;
    const isOneOp = accuracy === 'int8' && isOnnx();
    const y = isOneOp
      ? (tf
          .engine()
          .runKernel(
            'MatMulNBits',
            { x: rows, packed, scales, ...(offsets && { offsets }) },
            { bits, blockSize },
          ) as tf.Tensor2D)
      : tf.concat2d(
          pieces(weights).map((part) => productOfPart(rows, weights, part)),
          1,
        );
    const all =
      isOneOp || offsets === null
        ? y
        : tf.add(
            y,
            tf.matMul(
              tf.sum<tf.Tensor2D>(tf.reshape(rows, [-1, inputs / blockSize, blockSize]), 2),
              offsets,
              false,
              true,
            ),
          );
    return tf.reshape(all, [...x.shape.slice(0, -1), outputs]);
  });
}

/** rows [n, inputs] times some of the weights, their offsets left out: [n, count]. */
function productOfPart(rows: tf.Tensor2D, weights: PackedWeights, { from, count }: Rows): tf.Tensor2D {
  const { bits, blockSize, packed, scales } = weights;
  if (isOnnx())
    return tf
      .engine()
      .runKernel('MatMulDequantized', { x: rows, packed, scales }, { bits, blockSize, from, count }) as tf.Tensor2D;
  return tf.matMul(rows, piece(weights, { from, count }, rows), false, true);
}

/** dy [..., outputs] times the weights: [..., inputs]. */
export function productOfGradient(dy: tf.Tensor, weights: PackedWeights): tf.Tensor {
  const {
    offsets,
    shape: [outputs, inputs],
  } = weights;
  return tf.tidy(() => {
    const rows = tf.reshape(dy, [-1, outputs]) as tf.Tensor2D;
    const parts = pieces(weights).map(({ from, count }) => {
      const own = count === outputs ? rows : tf.slice2d(rows, [0, from], [rows.shape[0], count]);
      return tf.matMul(own, piece(weights, { from, count }, own));
    });
    const dx = parts.reduce((sum, part) => tf.add(sum, part)) as tf.Tensor2D;
    return tf.reshape(offsets === null ? dx : addToBlocks(dx, tf.matMul(rows, offsets), weights), [
      ...dy.shape.slice(0, -1),
      inputs,
    ]);
  });
}

interface Rows {
  from: number;
  count: number;
}

/** Rows of the weights that are dequantised together. */
function pieces({ shape: [outputs, inputs] }: PackedWeights): Rows[] {
  const most = Math.max(1, Math.floor(LARGEST_PIECE / inputs));
  return Array.from({ length: Math.ceil(outputs / most) }, (_, i) => ({
    from: i * most,
    count: Math.min(most, outputs - i * most),
  }));
}

/**
 * (q - zero) * scale of some rows, [count, inputs], computed once `after` is there: else a graph may compute all
 * weights first, and hold them.
 */
function piece(weights: PackedWeights, { from, count }: Rows, after: tf.Tensor2D): tf.Tensor2D {
  const { bits, blockSize, packed, scales } = weights;
  if (!isOnnx()) return dequantise({ ...weights, offsets: null }, from, count);
  return tf
    .engine()
    .runKernel('DequantizeNBits', { packed, scales, after }, { bits, blockSize, from, count }) as tf.Tensor2D;
}

/** x [rows, inputs] plus one number for each of its blocks [rows, inputs / blockSize]. */
function addToBlocks(
  x: tf.Tensor2D,
  perBlock: tf.Tensor,
  { blockSize, shape: [, inputs] }: PackedWeights,
): tf.Tensor2D {
  const blocks = inputs / blockSize;
  return tf.reshape(tf.add(tf.reshape(x, [-1, blocks, blockSize]), tf.reshape(perBlock, [-1, blocks, 1])), [
    -1,
    inputs,
  ]);
}
