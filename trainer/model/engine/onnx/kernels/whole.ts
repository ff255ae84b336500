import { add, cast, matMul, mul, reduce, split, unary } from '../ops';
import { filled, laterOutput, leaf, node, sameShape, scalar, sizeOf, type Data, type Value } from '../value';
import { kernel } from './register';

/** Not tfjs' own, see engine/whole.ts. */
export function registerWhole(): void {
  /** x / sqrt(mean(x^2) + epsilon) * weight over the last axis, and, where it is asked for, the inverse of that root */
  kernel<{ epsilon: number; hasInverse: boolean }>('RmsNorm', (on) => {
    const x = on('x');
    const { epsilon, hasInverse } = on.attrs;
    const y = node('SimplifiedLayerNormalization', [x, on('weight')], x.shape, 'float32', {
      axis: -1,
      epsilon: { float: epsilon },
    });
    if (!hasInverse) return [y];
    // on WebGPU its second output has other numbers (ONNX Runtime 1.30)
    const inverse = on.backend.devices.includes('webgpu')
      ? unary(
          'Reciprocal',
          unary('Sqrt', add(reduce('ReduceMean', mul(x, x), x.shape.length - 1, true), scalar(epsilon))),
        )
      : laterOutput(y, 1, [...x.shape.slice(0, -1), 1], 'float32');
    return [y, inverse];
  });
  kernel('Frozen', (on) => frozen(on('x')));
  /** scale x w^T + onto */
  kernel<{ scale: number }>('Product', (on) => {
    const [x, w, { scale }] = [on('x'), on('w'), on.attrs];
    if (!on.has('onto')) return mul(matMul(x, w, false, true), scalar(scale));
    return node('Gemm', [x, w, on('onto')], on('onto').shape, 'float32', {
      transB: 1,
      ...(scale === 1 ? {} : { alpha: { float: scale } }),
    });
  });
  /** x by each w^T, all frozen */
  kernel('Products', (on) => {
    const [x, ...ws] = on.list() as [Value, ...Value[]];
    return split(
      matMul(x, frozen(stacked(ws)), false, true),
      1,
      ws.map((w) => w.shape[0]!),
    );
  });
  kernel('Silu', (on) =>
    node('QuickGelu', [on('x')], on('x').shape, 'float32', { alpha: { float: 1 } }, 'com.microsoft'),
  );
  /**
   * x [B, n, T, d], the halves of each vector turned against each other: cos, sin [B * T, d / 2], a row for each
   * token, or [T, d / 2]
   */
  kernel('RotaryEmbedding', (on) => {
    const [x, cos] = [on('x'), on('cos')];
    return node(
      'RotaryEmbedding',
      [x, rowNumbers(cos, x.shape[0]!, x.shape[2]!), cos, on('sin')],
      x.shape,
      'float32',
      null,
      'com.microsoft',
    );
  });
  /**
   * The same by positions [B, T], from tables [positions, d] from outside whose sines have their sign in the first
   * half; scaled
   */
  kernel<{ scale: number; isFrozen: boolean }>('RotaryAt', (on) => {
    const [x, positions, { scale, isFrozen }] = [on('x'), on('positions'), on.attrs];
    const [, , t, d] = x.shape as [number, number, number, number];
    const tables = [scaledHalf(on('cos'), 0, scale, t), scaledHalf(on('sin'), d / 2, scale, t)];
    return node(
      'RotaryEmbedding',
      [x, int64Of(positions), ...(isFrozen ? tables.map(frozen) : tables)],
      x.shape,
      'float32',
      null,
      'com.microsoft',
    );
  });
}

/** By the table of cosines or sines [positions, d], and scale and rows. */
const knownHalves = new WeakMap<Data, Map<string, Value>>();
/**
 * A half of each row, from column `from` on, scaled: [rows, d / 2]. As many rows as a power of 2, `least` or more:
 * ONNX Runtime refuses more tokens than rows. @throws where it is no tensor from outside
 */
function scaledHalf(table: Value, from: number, scale: number, least: number): Value {
  const data = heldData(table) as Float32Array;
  const [positions, d] = table.shape as [number, number];
  const rows = 2 ** Math.ceil(Math.log2(Math.max(positions, least)));
  const known = knownHalves.get(data) ?? new Map<string, Value>();
  knownHalves.set(data, known);
  const key = `${scale} ${rows}`;
  const found = known.get(key);
  if (found) return found;
  const factor = Math.fround(scale); // as a tensor would have it
  const half = new Float32Array((rows * d) / 2);
  for (let row = 0; row < positions; row++)
    for (let i = 0; i < d / 2; i++) half[(row * d) / 2 + i] = data[row * d + from + i]! * factor;
  const made = leaf(half, [rows, d / 2], 'float32');
  known.set(key, made);
  return made;
}

/** The same memory, held by the graph. @throws where it is no tensor from outside */
const frozen = (w: Value): Value => Object.assign(leaf(heldData(w), w.shape, w.dtype), { isPacked: true });
function heldData(w: Value): Data {
  // of another back end, all numbers alike, and moved here while recording
  if (w.kind === 'fill') return filled(w.dtype, sizeOf(w.shape), w.fill);
  if (w.kind !== 'leaf')
    throw new Error(
      'frozen weights must be a tensor from outside of the recorded function, not an argument, a variable or a result',
    );
  return w.data!;
}

/** By the first of them: all graphs hold one copy. */
const knownStacks = new WeakMap<Data, { parts: readonly Data[]; stack: Value }>();
/** Matrices [out, in] on top of each other. @throws where one is no tensor from outside */
function stacked(ws: readonly Value[]): Value {
  const parts = ws.map(heldData);
  const known = knownStacks.get(parts[0]!);
  if (known?.parts.length === parts.length && known.parts.every((part, i) => part === parts[i])) return known.stack;
  const data = new Float32Array(parts.reduce((n, { length }) => n + length, 0));
  let at = 0;
  for (const part of parts) data.set(part as Float32Array, (at += part.length) - part.length);
  const inputs = ws[0]!.shape[1]!;
  const stack = leaf(data, [data.length / inputs, inputs], 'float32');
  knownStacks.set(parts[0]!, { parts, stack });
  return stack;
}

/** By what was cast: all layers share it. */
const knownCasts = new WeakMap<Value, Value>();
function int64Of(v: Value): Value {
  const known = knownCasts.get(v) ?? cast(v, 'int64');
  knownCasts.set(v, known);
  return known;
}

/** By the table that they count: all layers share it. */
const knownRows = new WeakMap<Value, Value>();
/** 0, 1, …, again from 0 behind the table's last row: [b, t] */
function rowNumbers(table: Value, b: number, t: number): Value {
  const rows = table.shape[0]!;
  const known = knownRows.get(table);
  if (known && sameShape(known.shape, [b, t])) return known;
  const made = leaf(
    BigInt64Array.from({ length: b * t }, (_, i) => BigInt(i % rows)),
    [b, t],
    'int64',
  );
  knownRows.set(table, made);
  return made;
}
