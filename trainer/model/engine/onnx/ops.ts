/**
 * Constructors of graph values, with the shortcuts that pay: each one removes an op that autodiff makes and ONNX
 * Runtime would run.
 */
import * as tf from '@tensorflow/tfjs';
import { elementType } from './protobuf';
import {
  broadcast,
  fill,
  int64,
  isFill,
  isVector,
  laterOutput,
  node,
  placeholder,
  reshapedLeaf,
  sameShape,
  scalar,
  sizeOf,
  type DType,
  type Value,
} from './value';

export function reshape(v: Value, shape: readonly number[]): Value {
  if (sameShape(v.shape, shape)) return v;
  if (v.kind === 'leaf') return reshapedLeaf(v, shape);
  if (v.kind === 'fill') return fill(shape, v.fill, v.dtype);
  if (v.view)
    return viewOf(
      v,
      v.shape.map(() => 0),
      shape,
    );
  if (v.op === 'Reshape' && isVector(v.inputs[1]!)) return reshape(v.inputs[0] as Value, shape);
  return node('Reshape', [v, int64(shape)], shape, v.dtype);
}

/**
 * `v`, but no sooner than `first`, of rank 1 or more, has been computed: to its shape is added what of that one's
 * shape lies between 0 and 0, nothing.
 */
export function shapedAfter(v: Value, first: Value, shape: readonly number[] = v.shape): Value {
  const nothing = node('Shape', [first], [0], 'int64', { start: 0, end: 0 });
  return node(
    'Reshape',
    [v, node('Concat', [nothing, int64(shape)], [shape.length], 'int64', { axis: 0 })],
    shape,
    v.dtype,
  );
}

export function cast(v: Value, dtype: DType): Value {
  if (v.dtype === dtype) return v;
  if (v.kind === 'fill')
    return fill(
      v.shape,
      dtype === 'bool' ? Number(v.fill !== 0) : dtype === 'float32' ? v.fill : Math.trunc(v.fill),
      dtype,
    );
  return node('Cast', [v], v.shape, dtype, { to: elementType(dtype) });
}

export function transpose(v: Value, perm: readonly number[]): Value {
  const shape = perm.map((p) => v.shape[p]!);
  if (perm.every((p, i) => p === i)) return v;
  if (v.kind === 'fill') return fill(shape, v.fill, v.dtype);
  return node('Transpose', [v], shape, v.dtype, { perm: [...perm] });
}

export function expand(v: Value, shape: readonly number[]): Value {
  if (sameShape(v.shape, shape)) return v;
  if (v.kind === 'fill') return fill(shape, v.fill, v.dtype);
  return node('Expand', [v, int64(shape)], shape, v.dtype);
}

export const unary = (op: string, v: Value): Value => node(op, [v], v.shape, v.dtype);

/** A fill of full size broadcasts as well from a scalar. */
const slim = (v: Value, other: Value, shape: readonly number[]): Value =>
  v.kind === 'fill' && v.shape.length > 0 && sameShape(other.shape, shape) ? scalar(v.fill, v.dtype) : v;

export function binary(op: string, a: Value, b: Value, dtype: DType): Value {
  const shape = broadcast(a.shape, b.shape);
  return shortcut(op, a, b, shape) ?? node(op, [slim(a, b, shape), slim(b, a, shape)], shape, dtype);
}
export const add = (a: Value, b: Value): Value => binary('Add', a, b, a.dtype);
export const sub = (a: Value, b: Value): Value => binary('Sub', a, b, a.dtype);
export const mul = (a: Value, b: Value): Value => binary('Mul', a, b, a.dtype);

function shortcut(op: string, a: Value, b: Value, shape: readonly number[]): Value | null {
  const aFits = sameShape(a.shape, shape);
  const bFits = sameShape(b.shape, shape);
  if (op === 'Mul') return isFill(b, 1) && aFits ? a : isFill(a, 1) && bFits ? b : null;
  if (op === 'Div') return isFill(b, 1) && aFits ? a : null;
  if (op === 'Sub') return isFill(b, 0) && aFits ? a : null;
  if (op !== 'Add') return null;
  if (isFill(b, 0) && aFits) return a;
  if (isFill(a, 0) && bFits) return b;
  if (!aFits || !bFits) return null;
  if (b.hint?.type === 'scatter') return scatterAdd(a, b.hint, shape);
  if (a.hint?.type === 'scatter') return scatterAdd(b, a.hint, shape);
  return joinPads(a, b, shape);
}

/** The gradients of two neighbouring slices are two padded tensors; their sum is a concatenation. */
function joinPads(a: Value, b: Value, shape: readonly number[]): Value | null {
  if (a.hint?.type !== 'pad' || b.hint?.type !== 'pad' || a.hint.axis !== b.hint.axis) return null;
  const [low, high] = a.hint.before === 0 ? [a.hint, b.hint] : [b.hint, a.hint];
  const axis = low.axis;
  if (low.before !== 0 || high.after !== 0 || low.source.shape[axis] !== high.before) return null;
  return node('Concat', [low.source, high.source], shape, a.dtype, { axis });
}

/** Adds rows of `updates` [rows, row] into `base`, seen as [outer, row]; equal indices add up. */
export interface Scatter {
  /** int64, one row number for each row of updates */
  indices: Value;
  updates: Value;
  outer: number;
  row: number;
}
/**
 * ScatterElements, because ScatterND with reduction add loses sums on duplicates with two threads or more (ONNX
 * Runtime 1.30).
 */
export function scatterAdd(base: Value, { indices, updates, outer, row }: Scatter, shape: readonly number[]): Value {
  const rows = sizeOf(updates.shape) / row;
  const at = reshape(indices, [rows, 1]);
  const inputs = [reshape(base, [outer, row]), row > 1 ? expand(at, [rows, row]) : at, reshape(updates, [rows, row])];
  const out = node('ScatterElements', inputs, [outer, row], base.dtype, { axis: 0, reduction: 'add' });
  const shaped = reshape(out, shape);
  if (isFill(base, 0)) shaped.hint = { type: 'scatter', indices, updates, outer, row };
  return shaped;
}

export function reduce(op: string, v: Value, axis: number | number[], keepDims: boolean): Value {
  const axes = tf.util.parseAxisParam(axis, [...v.shape]);
  const shape = keepDims
    ? v.shape.map((d, i) => (axes.includes(i) ? 1 : d))
    : v.shape.filter((_, i) => !axes.includes(i));
  if (axes.every((a) => v.shape[a] === 1)) return reshape(v, shape);
  const keepdims = keepDims ? 1 : 0;
  // in opset 17 only ReduceSum takes its axes as an input
  return op === 'ReduceSum'
    ? node(op, [v, int64(axes)], shape, v.dtype, { keepdims })
    : node(op, [v], shape, v.dtype, { axes, keepdims });
}

/** What `begin` and `size` cut out. */
export function slice(v: Value, begin: readonly number[], size: readonly number[]): Value {
  if (sameShape(size, v.shape)) return v;
  if (v.kind === 'fill') return fill(size, v.fill, v.dtype);
  if (v.kind === 'placeholder' && isContiguous(v.shape, size)) return viewOf(v, begin, size);
  const axes = begin.map((_, i) => i).filter((i) => begin[i] !== 0 || size[i] !== v.shape[i]);
  return node(
    'Slice',
    [v, int64(axes.map((i) => begin[i]!)), int64(axes.map((i) => begin[i]! + size[i]!)), int64(axes)],
    size,
    v.dtype,
  );
}

/** The part lies in one piece: axes of 1, then one cut axis, then whole ones. */
function isContiguous(shape: readonly number[], size: readonly number[]): boolean {
  const cut = size.findIndex((n) => n !== 1);
  return sizeOf(size) > 0 && (cut < 0 || size.every((n, i) => i <= cut || n === shape[i]));
}
/**
 * One layer of a KV cache, rows of a table: a graph input of its own instead of a copy at every run. @param shape as
 * many numbers, from `begin` on, in any shape
 */
function viewOf(v: Value, begin: readonly number[], shape: readonly number[]): Value {
  const view = placeholder(shape, v.dtype);
  const offset = begin.reduce((at, b, i) => at + b * sizeOf(v.shape.slice(i + 1)), 0);
  view.view = v.view ? { of: v.view.of, offset: v.view.offset + offset } : { of: v, offset };
  return view;
}

/** `v` cut along an axis. Where it has to be computed first one op cuts it all. */
export function split(v: Value, axis: number, sizes: readonly number[]): Value[] {
  let begin = 0;
  if (v.kind !== 'node' || sizes.length < 2 || sizes.includes(0))
    return sizes.map((n) => sliceAxis(v, axis, (begin += n) - n, n));
  const shapeOf = (n: number): number[] => v.shape.map((d, i) => (i === axis ? n : d));
  const first = node('Split', [v, int64(sizes)], shapeOf(sizes[0]!), v.dtype, { axis });
  return sizes.map((n, i) => (i === 0 ? first : laterOutput(first, i, shapeOf(n), v.dtype)));
}

/** One of `v`'s axes, from `begin`, `count` long. */
export const sliceAxis = (v: Value, axis: number, begin: number, count: number): Value =>
  slice(
    v,
    v.shape.map((_, i) => (i === axis ? begin : 0)),
    v.shape.map((d, i) => (i === axis ? count : d)),
  );

export function matMul(a: Value, b: Value, transA: boolean, transB: boolean): Value {
  if (a.shape.length < 2 || b.shape.length < 2) throw new Error('matMul needs at least 2 dimensions');
  const m = a.shape.at(transA ? -1 : -2)!;
  const n = b.shape.at(transB ? -2 : -1)!;
  if (a.shape.at(transA ? -2 : -1) !== b.shape.at(transB ? -1 : -2)) throw new Error('inner dimensions disagree');
  const shape = [...broadcast(a.shape.slice(0, -2), b.shape.slice(0, -2)), m, n];
  if (a.dtype !== 'float32')
    return node('MatMul', [transA ? swapLast(a) : a, transB ? swapLast(b) : b], shape, a.dtype);
  if (!transA && !transB) return node('MatMul', [a, b], shape, 'float32');
  return node(
    'FusedMatMul',
    [a, b],
    shape,
    'float32',
    { ...(transA ? { transA: 1 } : {}), ...(transB ? { transB: 1 } : {}) },
    'com.microsoft',
  );
}
function swapLast(v: Value): Value {
  const n = v.shape.length;
  return transpose(
    v,
    v.shape.map((_, i) => (i < n - 2 ? i : i === n - 2 ? n - 1 : n - 2)),
  );
}
