import * as tf from '@tensorflow/tfjs';
import { binary, cast, reshape, scatterAdd, transpose } from '../ops';
import { fill, int64, leaf, node, scalar, sizeOf, type DType, type Value } from '../value';
import { kernel } from './register';

/** tfjs' checks ask for a tensor and look at its shape. */
const asTensor = ({ shape, dtype }: Value): tf.Tensor =>
  ({ shape: [...shape], dtype, rank: shape.length }) as unknown as tf.Tensor;

export function registerGather(): void {
  kernel<{ axis: number; batchDims?: number }>('GatherV2', (on) => {
    const [x, indices] = [on('x'), on('indices')];
    const axis = tf.util.parseAxisParam(on.attrs.axis, [...x.shape])[0]!;
    const rawBatchDims = on.attrs.batchDims ?? 0;
    const { batchSize, outerSize, dimSize, sliceSize, outputShape } =
      tf.backend_util.segment_util.collectGatherOpShapeInfo(asTensor(x), asTensor(indices), axis, rawBatchDims);
    const batchDims = rawBatchDims < 0 ? rawBatchDims + indices.shape.length : rawBatchDims;
    if (batchDims === 0)
      return node(
        'Gather',
        [x, indices],
        [...x.shape.slice(0, axis), ...indices.shape, ...x.shape.slice(axis + 1)],
        x.dtype,
        { axis },
      );
    if (batchDims !== axis) {
      const count = sizeOf(indices.shape) / batchSize;
      const rows = transpose(reshape(x, [batchSize, outerSize, dimSize, sliceSize]), [0, 2, 1, 3]);
      const found = node(
        'GatherND',
        [rows, cast(reshape(indices, [batchSize, count, 1]), 'int64')],
        [batchSize, count, outerSize, sliceSize],
        x.dtype,
        { batch_dims: 1 },
      );
      return reshape(transpose(found, [0, 2, 1, 3]), outputShape);
    }
    if (batchDims === indices.shape.length - 1 && batchDims + 1 === x.shape.length)
      return node('GatherElements', [x, indices], indices.shape, x.dtype, { axis });
    return node(
      'GatherND',
      [x, cast(reshape(indices, [...indices.shape, 1]), 'int64')],
      [...indices.shape, ...x.shape.slice(axis + 1)],
      x.dtype,
      { batch_dims: batchDims },
    );
  });
  kernel('GatherNd', (on) => {
    const [x, indices] = [on('params'), on('indices')];
    tf.backend_util.prepareAndValidate(asTensor(x), asTensor(indices));
    const depth = indices.shape.at(-1)!;
    return node(
      'GatherND',
      [x, cast(indices, 'int64')],
      [...indices.shape.slice(0, -1), ...x.shape.slice(depth)],
      x.dtype,
    );
  });
  kernel<{ depth: number; onValue?: number; offValue?: number; dtype?: DType }>('OneHot', (on) => {
    const indices = on('indices');
    const { depth, onValue = 1, offValue = 0, dtype = 'int32' } = on.attrs;
    const shape = [...indices.shape, depth];
    const isHot = node(
      'Equal',
      [
        reshape(indices, [...indices.shape, 1]),
        leaf(
          Int32Array.from({ length: depth }, (_, i) => i),
          [depth],
          'int32',
        ),
      ],
      shape,
      'bool',
    );
    return onValue === 1 && offValue === 0
      ? cast(isHot, dtype)
      : node('Where', [isHot, scalar(onValue, dtype), scalar(offValue, dtype)], shape, dtype);
  });
}

export function registerScatter(): void {
  kernel<{ shape: number[] }>('ScatterNd', (on) => {
    const [given, updates, { shape }] = [on('indices'), on('updates'), on.attrs];
    const indices = cast(given.shape.length === 1 ? reshape(given, [given.shape[0]!, 1]) : given, 'int64');
    const depth = indices.shape.at(-1)!;
    const strides = shape.slice(0, depth).map((_, i) => sizeOf(shape.slice(i + 1, depth)));
    const rowOf =
      depth === 1
        ? indices
        : node(
            'ReduceSum',
            [binary('Mul', indices, leaf(BigInt64Array.from(strides, BigInt), [depth], 'int64'), 'int64'), int64([-1])],
            [...indices.shape.slice(0, -1), 1],
            'int64',
            { keepdims: 1 },
          );
    return scatterAdd(
      fill(shape, 0, updates.dtype),
      { indices: rowOf, updates, outer: sizeOf(shape.slice(0, depth)), row: sizeOf(shape.slice(depth)) },
      shape,
    );
  });
  kernel('TensorScatterUpdate', (on) => {
    const x = on('tensor');
    return node('ScatterND', [x, cast(on('indices'), 'int64'), on('updates')], x.shape, x.dtype);
  });
  kernel<{ numSegments: number }>('UnsortedSegmentSum', (on) => {
    const [x, segments] = [on('x'), on('segmentIds')];
    const shape = [on.attrs.numSegments, ...x.shape.slice(segments.shape.length)];
    return scatterAdd(
      fill(shape, 0, x.dtype),
      { indices: cast(segments, 'int64'), updates: x, outer: on.attrs.numSegments, row: sizeOf(shape.slice(1)) },
      shape,
    );
  });
}
