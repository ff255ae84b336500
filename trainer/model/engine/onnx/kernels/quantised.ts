import { cast, mul, reduce, reshape, shapedAfter, sub, unary } from '../ops';
import { bytesOf, leaf, node, scalar, sizeOf, type Data, type DType, type Value } from '../value';
import { kernel } from './register';

interface Format {
  bits: 4 | 8;
  blockSize: number;
}
/** Rows of the weights. */
interface Part extends Format {
  from: number;
  count: number;
}

/**
 * Frozen weights of 4 or 8 bits, see engine/matMulNBits.ts; their codes are read as bytes [outputs, inputs * bits /
 * 8].
 */
export function registerQuantised(): void {
  /**
   * com.microsoft.MatMulNBits without zero points (so half of the range is zero), x rounded to 8 bits: A [rows,
   * inputs], B uint8 [outputs, blocks, bytes], scales [outputs * blocks]. Its
   * zero points can't be floats on the fast path, so offsets are a product of their own, with each block's sum.
   */
  kernel<Format>('MatMulNBits', (on) => {
    const [x, packed, scales] = [on('x'), codesOf(on('packed')), on('scales')];
    const { bits, blockSize } = on.attrs;
    const [outputs, blocks] = scales.shape as [number, number];
    const codes = leaf(packed, [outputs, blocks, (blockSize * bits) / 8], 'uint8');
    const steps = leaf(scales.data!, [sizeOf(scales.shape)], 'float32');
    codes.isPacked = steps.isPacked = true;
    const attributes = { K: blocks * blockSize, N: outputs, bits, block_size: blockSize, accuracy_level: 4 };
    const y = node('MatMulNBits', [x, codes, steps], [x.shape[0]!, outputs], 'float32', attributes, 'com.microsoft');
    if (!on.has('offsets')) return y;
    const offsets = leaf(on('offsets').data!, [outputs, blocks], 'float32');
    offsets.isPacked = true;
    return node('Gemm', [sumsOf(x, blocks, blockSize), offsets, y], y.shape, 'float32', { transB: 1 });
  });
  /** The same op where the codes are an input: it dequantises them all at each use, and computes in float32. */
  kernel<Part>('MatMulDequantized', (on) => {
    const { bits, blockSize, count } = on.attrs;
    const x = on('x');
    const { codes, steps } = partOf(on('packed'), on('scales'), on.attrs);
    return node(
      'MatMulNBits',
      [x, codes, steps],
      [x.shape[0]!, count],
      'float32',
      { K: x.shape[1]!, N: count, bits, block_size: blockSize, accuracy_level: 1 },
      'com.microsoft',
    );
  });
  kernel<Part>('DequantizeNBits', (on) => {
    const { codes, steps } = partOf(on('packed'), on('scales'), on.attrs);
    const rows = shapedAfter(codes, on('after'), [on.attrs.count, sizeOf(codes.shape) / on.attrs.count]);
    return numbers(rows, column(steps), [on.attrs.count, on('scales').shape[1]! * on.attrs.blockSize], on.attrs);
  });
  kernel<Format>('GatherNBits', (on) => {
    const [packed, scales, indices] = [codesOf(on('packed')), on('scales'), on('indices')];
    const [outputs, blocks] = scales.shape as [number, number];
    const bytes = packed.length / outputs;
    const count = indices.shape[0]!;
    const rows = (table: Value, width: number): Value =>
      node('Gather', [table, indices], [count, width], table.dtype, { axis: 0 });
    return numbers(
      rows(held(packed, [outputs, bytes], 'uint8'), bytes),
      column(rows(scales, blocks)),
      [count, blocks * on.attrs.blockSize],
      on.attrs,
    );
  });
}

function held(data: Data, shape: readonly number[], dtype: DType): Value {
  const value = leaf(data, shape, dtype);
  value.isHeld = true;
  return value;
}

/** codes uint8 [count, blocks, bytes of a block], steps [count * blocks] */
interface PartLeaves {
  scales: Value;
  codes: Value;
  steps: Value;
}
/** By the weights' codes, and which rows: what a training step reads several times is one input. */
const knownParts = new WeakMap<Value, Map<string, PartLeaves>>();

function partOf(packed: Value, scales: Value, { bits, blockSize, from, count }: Part): PartLeaves {
  const parts = knownParts.get(packed) ?? new Map<string, PartLeaves>();
  knownParts.set(packed, parts);
  const key = `${from} ${count}`;
  const known = parts.get(key);
  if (known?.scales === scales) return known;
  const [outputs, blocks] = scales.shape as [number, number];
  const all = codesOf(packed);
  const bytes = all.length / outputs;
  const steps = scales.data!.subarray(from * blocks, (from + count) * blocks);
  const part = {
    scales,
    codes: held(all.subarray(from * bytes, (from + count) * bytes), [count, blocks, (blockSize * bits) / 8], 'uint8'),
    steps: held(steps, [steps.length], 'float32'),
  };
  parts.set(key, part);
  return part;
}

/** By what they are sums of: the projections of one layer share them. */
const knownSums = new WeakMap<Value, Value>();

/** Each block of x [rows, inputs] summed up, [rows, blocks]. */
function sumsOf(x: Value, blocks: number, blockSize: number): Value {
  const known = x.kind === 'node' ? knownSums.get(x) : undefined;
  if (known !== undefined && known.shape[1] === blocks) return known;
  const sums = reduce('ReduceSum', reshape(x, [x.shape[0]!, blocks, blockSize]), 2, false);
  knownSums.set(x, sums);
  return sums;
}

const column = (v: Value): Value => reshape(v, [sizeOf(v.shape), 1]);

/**
 * (q - zero) * scale: codes [rows, bytes], scales [blocks, 1] -> float32 of a shape. As rows: on columns ONNX
 * Runtime's elementwise ops take twice the time.
 */
function numbers(codes: Value, scales: Value, shape: readonly number[], { bits, blockSize }: Format): Value {
  const bytes = cast(codes, 'float32');
  const shifted = sub(bits === 8 ? bytes : halves(bytes), scalar(bits === 8 ? 128 : 8));
  return reshape(mul(reshape(shifted, [scales.shape[0]!, blockSize]), scales), shape);
}

/**
 * The low and the high half of each byte side by side, [bytes, 2]: in floats, which opset 17 has fast ops for and no
 * shifts of bytes that can mask.
 */
function halves(bytes: Value): Value {
  const high = unary('Floor', mul(bytes, scalar(1 / 16)));
  return node(
    'Concat',
    [column(sub(bytes, mul(high, scalar(16)))), column(high)],
    [sizeOf(bytes.shape), 2],
    'float32',
    { axis: 1 },
  );
}

function codesOf(value: Value): Uint8Array {
  if (value.kind !== 'leaf')
    throw new Error(
      'packed weights must be a tensor from outside of the recorded function, not an argument, a variable or a result',
    );
  return bytesOf(value.data!);
}
