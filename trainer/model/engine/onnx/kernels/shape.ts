import * as tf from '@tensorflow/tfjs';
import { cast, expand, reshape, shapedAfter, slice, sliceAxis, split, transpose } from '../ops';
import { fill, int64, node, scalar, sizeOf, type DType, type Value } from '../value';
import { backendName, kernel } from './register';
import type { OnnxBackend } from '../backend';

const axisOf = (axis: number | number[], v: Value): number => tf.util.parseAxisParam(axis, [...v.shape])[0]!;
/** Below every index: "to the very start" for a slice that runs backwards. */
const start = -(2 ** 31);

export function registerShape(): void {
  tf.registerKernel({
    kernelName: 'Identity',
    backendName,
    kernelFunc: ({ inputs, backend }) => {
      const x = inputs['x']!;
      (backend as OnnxBackend).incRef(x.dataId);
      return { dataId: x.dataId, shape: x.shape, dtype: x.dtype };
    },
  });
  kernel('After', (on) => shapedAfter(on('x'), on('first'))); // engine/checkpointed.ts
  kernel<{ dtype: DType }>('Cast', (on) =>
    on.attrs.dtype === 'complex64' ? on.host() : cast(on('x'), on.attrs.dtype),
  );
  kernel<{ shape: number[] }>('Reshape', (on) =>
    reshape(on('x'), tf.util.inferFromImplicitShape(on.attrs.shape, sizeOf(on('x').shape))),
  );
  kernel<{ dim: number }>('ExpandDims', (on) => {
    const shape = [...on('input').shape];
    tf.util.assert(
      -(shape.length + 1) <= on.attrs.dim,
      () => `axis must be in [${-(shape.length + 1)}, ${shape.length}], got ${on.attrs.dim}`,
    );
    shape.splice(on.attrs.dim < 0 ? shape.length + 1 + on.attrs.dim : on.attrs.dim, 0, 1);
    return reshape(on('input'), shape);
  });
  kernel<{ perm: number[] }>('Transpose', (on) => transpose(on('x'), on.attrs.perm));
  kernel<{ shape: number[] }>('BroadcastTo', (on) => expand(on('x'), on.attrs.shape));
  kernel<{ reps: number[] }>('Tile', (on) => {
    const [x, { reps }] = [on('x'), on.attrs];
    const shape = x.shape.map((d, i) => d * reps[i]!);
    return reps.every((r, i) => r === 1 || x.shape[i] === 1)
      ? expand(x, shape)
      : node('Tile', [x, int64(reps)], shape, x.dtype);
  });

  kernel<{ axis: number }>('Concat', (on) => {
    const all = on.list();
    const axis = axisOf(on.attrs.axis, all[0]!);
    tf.backend_util.assertParamsConsistent(
      all.map((v) => [...v.shape]),
      axis,
    );
    const parts = all.filter((v) => sizeOf(v.shape) > 0);
    if (parts.length === 0)
      return fill(
        tf.backend_util.computeOutShape(
          all.map((v) => [...v.shape]),
          axis,
        ),
        0,
        all[0]!.dtype,
      );
    if (parts.length === 1) return parts[0]!;
    return node(
      'Concat',
      parts,
      parts[0]!.shape.map((d, i) => (i === axis ? parts.reduce((n, p) => n + p.shape[axis]!, 0) : d)),
      parts[0]!.dtype,
      { axis },
    );
  });
  kernel<{ axis: number }>('Pack', (on) => {
    const parts = on.list();
    const { axis } = on.attrs;
    for (const p of parts) {
      tf.util.assertShapesMatch(
        [...parts[0]!.shape],
        [...p.shape],
        'All tensors passed to stack must have matching shapes: ',
      );
      tf.util.assert(
        p.dtype === parts[0]!.dtype,
        () => `All tensors passed to stack must have matching dtypes, got ${parts[0]!.dtype} and ${p.dtype}`,
      );
    }
    const withAxis = (n: number): number[] => [...parts[0]!.shape.slice(0, axis), n, ...parts[0]!.shape.slice(axis)];
    if (parts.length === 1) return reshape(parts[0]!, withAxis(1));
    return node(
      'Concat',
      parts.map((p) => reshape(p, withAxis(1))),
      withAxis(parts.length),
      parts[0]!.dtype,
      { axis },
    );
  });
  kernel<{ axis: number }>('Unpack', (on) => {
    const x = on('value');
    const axis = axisOf(on.attrs.axis, x);
    return Array.from({ length: x.shape[axis]! }, (_, i) =>
      reshape(
        sliceAxis(x, axis, i, 1),
        x.shape.filter((_, j) => j !== axis),
      ),
    );
  });
  kernel<{ axis: number; numOrSizeSplits: number | number[] }>('SplitV', (on) => {
    const x = on('x');
    const axis = axisOf(on.attrs.axis, x);
    const sizes = tf.backend_util.prepareSplitSize(
      { shape: [...x.shape] } as tf.Tensor,
      on.attrs.numOrSizeSplits,
      axis,
    );
    return split(x, axis, sizes);
  });
  kernel<{ begin: number | number[]; size: number | number[] }>('Slice', (on) => {
    const x = on('x');
    const [begin, size] = tf.slice_util.parseSliceParams(
      { shape: [...x.shape] } as tf.Tensor,
      on.attrs.begin,
      on.attrs.size,
    );
    tf.slice_util.assertParamsValid({ shape: [...x.shape] } as tf.Tensor, begin!, size!);
    return slice(x, begin!, size!);
  });
  kernel<{
    begin: number[];
    end: number[];
    strides: number[];
    beginMask: number;
    endMask: number;
    ellipsisMask: number;
    newAxisMask: number;
    shrinkAxisMask: number;
  }>('StridedSlice', (on) => {
    const { attrs: a } = on;
    const x = on('x');
    const { finalShape, isIdentity, begin, end, strides } = tf.slice_util.sliceInfo(
      [...x.shape],
      a.begin,
      a.end,
      a.strides,
      a.beginMask,
      a.endMask,
      a.ellipsisMask,
      a.newAxisMask,
      a.shrinkAxisMask,
    );
    if (isIdentity) return reshape(x, finalShape);
    const shape = begin.map((b, i) => Math.max(0, Math.ceil((end[i]! - b) / strides[i]!)));
    const ends = end.map((e, i) => (strides[i]! < 0 && e < 0 ? start : e));
    return reshape(
      node('Slice', [x, int64(begin), int64(ends), int64(begin.map((_, i) => i)), int64(strides)], shape, x.dtype),
      finalShape,
    );
  });
  kernel<{ dims: number | number[] }>('Reverse', (on) => {
    const x = on('x');
    const axes = tf.util.parseAxisParam(on.attrs.dims, [...x.shape]);
    const each = (n: number) => int64(axes.map(() => n));
    return node('Slice', [x, each(-1), each(start), int64(axes), each(-1)], x.shape, x.dtype);
  });
  kernel<{ paddings: [number, number][]; constantValue: number }>('PadV2', (on) => {
    const x = on('x');
    const { paddings, constantValue = 0 } = on.attrs;
    const padded = paddings.map((_, i) => i).filter((i) => paddings[i]![0] !== 0 || paddings[i]![1] !== 0);
    if (padded.length === 0) return x;
    const shape = x.shape.map((d, i) => d + paddings[i]![0] + paddings[i]![1]);
    if (x.kind === 'fill' && x.fill === constantValue) return fill(shape, constantValue, x.dtype);
    const out = node(
      'Pad',
      [x, int64([...paddings.map((p) => p[0]), ...paddings.map((p) => p[1])]), scalar(constantValue, x.dtype)],
      shape,
      x.dtype,
    );
    const axis = padded[0]!;
    if (padded.length === 1 && constantValue === 0)
      out.hint = { type: 'pad', axis, before: paddings[axis]![0], after: paddings[axis]![1], source: x };
    return out;
  });
}
