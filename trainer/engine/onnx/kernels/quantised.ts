import { add, cast, matMul, mul, reduce, reshape, shapedAfter, sub, unary } from '../ops';
import { int64, leaf, node, scalar, sizeOf, type Value } from '../value';
import { kernel } from './register';

interface Format { bits: 4 | 8; blockSize: number }

/** Frozen weights of 4 or 8 bits, see engine/matMulNBits.ts; their codes are read as bytes [outputs, inputs * bits / 8]. */
export function registerQuantised(): void {
  /** com.microsoft.MatMulNBits without zero points (so half of the range is zero), x rounded to 8 bits: A [rows, inputs], B uint8 [outputs, blocks, bytes], scales [outputs * blocks]. Its
   * zero points can't be floats on the fast path, so offsets are a product of their own, with each block's sum. */
  kernel<Format>('MatMulNBits', (on) => {
    const [x, packed, scales] = [on('x'), bytesOf(on('packed')), on('scales')];
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
    return add(y, matMul(sumsOf(x, blocks, blockSize), offsets, false, true));
  });
  kernel<Format & { from: number; count: number }>('DequantizeNBits', (on) => {
    const { bits, blockSize, from, count } = on.attrs;
    const [packed, scales] = [bytesOf(on('packed')), on('scales')];
    const [outputs, blocks] = scales.shape as [number, number];
    const bytes = packed.length / outputs;
    const codes = leaf(packed.subarray(from * bytes, (from + count) * bytes), [count, bytes], 'uint8');
    const steps = leaf(scales.data!.subarray(from * blocks, (from + count) * blocks), [count, blocks], 'float32');
    return numbers(shapedAfter(codes, on('after')), steps, bits, blockSize);
  });
  kernel<Format>('GatherNBits', (on) => {
    const { bits, blockSize } = on.attrs;
    const [packed, scales, indices] = [bytesOf(on('packed')), on('scales'), on('indices')];
    const [outputs, blocks] = scales.shape as [number, number];
    const bytes = packed.length / outputs;
    const count = indices.shape[0]!;
    const rows = (table: Value, width: number): Value => node('Gather', [table, indices], [count, width], table.dtype, { axis: 0 });
    return numbers(rows(leaf(packed, [outputs, bytes], 'uint8'), bytes), rows(scales, blocks), bits, blockSize);
  });
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

/** (q - zero) * scale: codes [count, inputs * bits / 8] -> float32 [count, inputs]. */
function numbers(codes: Value, scales: Value, bits: 4 | 8, blockSize: number): Value {
  const [count, blocks] = scales.shape as [number, number];
  const inputs = blocks * blockSize;
  const bytes = cast(codes, 'float32');
  const shifted = sub(bits === 8 ? bytes : halves(bytes, count * inputs), scalar(bits === 8 ? 128 : 8));
  return reshape(mul(reshape(shifted, [count * blocks, blockSize]), reshape(scales, [count * blocks, 1])), [count, inputs]);
}

/** The low and the high half of each byte, one behind the other: in floats, which opset 17 has fast ops for and no shifts of bytes that can mask. */
function halves(bytes: Value, count: number): Value {
  const high = unary('Floor', mul(bytes, scalar(1 / 16)));
  const low = sub(bytes, mul(high, scalar(16)));
  const column = (v: Value): Value => node('Reshape', [v, int64([count / 2, 1])], [count / 2, 1], 'float32');
  return node('Concat', [column(low), column(high)], [count / 2, 2], 'float32', { axis: 1 });
}

function bytesOf(value: Value): Uint8Array {
  if (value.kind !== 'leaf') throw new Error('packed weights must be a tensor from outside of the recorded function, not an argument, a variable or a result');
  return new Uint8Array(value.data!.buffer, value.data!.byteOffset, value.data!.byteLength);
}
