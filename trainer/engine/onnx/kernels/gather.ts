import * as tf from '@tensorflow/tfjs';
import { binary, cast, reshape, scatterAdd } from '../ops';
import { fill, int64, leaf, node, scalar, sizeOf, type DType } from '../value';
import { kernel } from './register';

export function registerGather(): void {
  kernel<{ axis: number; batchDims?: number }>('GatherV2', (on) => {
    const [x, indices] = [on('x'), on('indices')];
    const axis = tf.util.parseAxisParam(on.attrs.axis, [...x.shape])[0]!;
    const { batchDims = 0 } = on.attrs;
    if (batchDims === 0) return node('Gather', [x, indices], [...x.shape.slice(0, axis), ...indices.shape, ...x.shape.slice(axis + 1)], x.dtype, { axis });
    if (batchDims !== axis) throw new Error(`gather with batchDims ${batchDims} along axis ${axis} is not supported (they must be equal)`);
    if (batchDims === indices.shape.length - 1 && batchDims + 1 === x.shape.length) return node('GatherElements', [x, indices], indices.shape, x.dtype, { axis });
    return node('GatherND', [x, cast(reshape(indices, [...indices.shape, 1]), 'int64')], [...indices.shape, ...x.shape.slice(axis + 1)], x.dtype, { batch_dims: batchDims });
  });
  kernel('GatherNd', (on) => {
    const [x, indices] = [on('params'), on('indices')];
    const depth = indices.shape.at(-1)!;
    return node('GatherND', [x, cast(indices, 'int64')], [...indices.shape.slice(0, -1), ...x.shape.slice(depth)], x.dtype);
  });
  kernel<{ depth: number; onValue?: number; offValue?: number; dtype?: DType }>('OneHot', (on) => {
    const indices = on('indices');
    const { depth, onValue = 1, offValue = 0, dtype = 'int32' } = on.attrs;
    const shape = [...indices.shape, depth];
    const isHot = node('Equal', [reshape(indices, [...indices.shape, 1]), leaf(Int32Array.from({ length: depth }, (_, i) => i), [depth], 'int32')], shape, 'bool');
    return onValue === 1 && offValue === 0 ? cast(isHot, dtype) : node('Where', [isHot, scalar(onValue, dtype), scalar(offValue, dtype)], shape, dtype);
  });
}

export function registerScatter(): void {
  kernel<{ shape: number[] }>('ScatterNd', (on) => {
    const [indices, updates, { shape }] = [cast(on('indices'), 'int64'), on('updates'), on.attrs];
    const depth = indices.shape.at(-1)!;
    const strides = shape.slice(0, depth).map((_, i) => sizeOf(shape.slice(i + 1, depth)));
    const rowOf = depth === 1 ? indices : node('ReduceSum', [binary('Mul', indices, leaf(BigInt64Array.from(strides, BigInt), [depth], 'int64'), 'int64'), int64([-1])], [...indices.shape.slice(0, -1), 1], 'int64', { keepdims: 1 });
    return scatterAdd(fill(shape, 0, updates.dtype), { indices: rowOf, updates, outer: sizeOf(shape.slice(0, depth)), row: sizeOf(shape.slice(depth)) }, shape);
  });
  kernel('TensorScatterUpdate', (on) => {
    const x = on('tensor');
    return node('ScatterND', [x, cast(on('indices'), 'int64'), on('updates')], x.shape, x.dtype);
  });
  kernel<{ numSegments: number }>('UnsortedSegmentSum', (on) => {
    const [x, segments] = [on('x'), on('segmentIds')];
    const shape = [on.attrs.numSegments, ...x.shape.slice(segments.shape.length)];
    return scatterAdd(fill(shape, 0, x.dtype), { indices: cast(segments, 'int64'), updates: x, outer: on.attrs.numSegments, row: sizeOf(shape.slice(1)) }, shape);
  });
}
