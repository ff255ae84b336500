import * as tf from '@tensorflow/tfjs';
import { reshape, slice, transpose } from '../ops';
import { fill, int64, leaf, node, scalar, sizeOf, type Value } from '../value';
import { kernel } from './register';

const product = (shape: number[]): number => shape.reduce((n, d) => n * d, 1);

export function registerSpace(): void {
  kernel<{ blockShape: number[]; paddings: [number, number][] }>('SpaceToBatchND', (on) => {
    const x = on('x');
    const { blockShape, paddings } = on.attrs;
    const all = x.shape.map((_, i): [number, number] => paddings[i - 1] ?? [0, 0]);
    const shape = x.shape.map((d, i) => d + all[i]![0] + all[i]![1]);
    const padded = all.every(([a, b]) => a === 0 && b === 0)
      ? x
      : node('Pad', [x, int64([...all.map((p) => p[0]), ...all.map((p) => p[1])]), scalar(0, x.dtype)], shape, x.dtype);
    const count = product(blockShape);
    const parts = tf.backend_util.getReshaped(shape, blockShape, count, false);
    const moved = transpose(
      reshape(padded, parts),
      tf.backend_util.getPermuted(parts.length, blockShape.length, false),
    );
    return reshape(moved, tf.backend_util.getReshapedPermuted(shape, blockShape, count, false));
  });
  kernel<{ blockShape: number[]; crops: [number, number][] }>('BatchToSpaceND', (on) => {
    const x = on('x');
    const { blockShape, crops } = on.attrs;
    const count = product(blockShape);
    const parts = tf.backend_util.getReshaped([...x.shape], blockShape, count);
    const whole = tf.backend_util.getReshapedPermuted([...x.shape], blockShape, count);
    const moved = reshape(
      transpose(reshape(x, parts), tf.backend_util.getPermuted(parts.length, blockShape.length)),
      whole,
    );
    const begin = tf.backend_util.getSliceBeginCoords(crops, blockShape.length);
    const size = tf.backend_util.getSliceSize(whole, crops, blockShape.length);
    return slice(
      moved,
      whole.map((_, i) => begin[i] ?? 0),
      whole.map((d, i) => size[i] ?? d),
    );
  });
  kernel<{ paddings: [number, number][]; mode: 'reflect' | 'symmetric' }>('MirrorPad', (on) => {
    const { paddings, mode } = on.attrs;
    const offset = mode === 'reflect' ? 0 : 1;
    return paddings.reduce((v: Value, [before, after], axis) => {
      if (before === 0 && after === 0) return v;
      const n = v.shape[axis]!;
      const mirrored = (i: number): number => (i < 0 ? -i - offset : i >= n ? 2 * (n - 1) - i + offset : i);
      const index = leaf(
        Int32Array.from({ length: n + before + after }, (_, i) => mirrored(i - before)),
        [n + before + after],
        'int32',
      );
      return node(
        'Gather',
        [v, index],
        v.shape.map((d, i) => (i === axis ? index.shape[0]! : d)),
        v.dtype,
        { axis },
      );
    }, on('x'));
  });
  kernel('Diag', (on) => {
    const x = on('x');
    const n = sizeOf(x.shape);
    const column = leaf(
      BigInt64Array.from({ length: n }, (_, i) => BigInt(i)),
      [n, 1],
      'int64',
    );
    const square = node('ScatterElements', [fill([n, n], 0, x.dtype), column, reshape(x, [n, 1])], [n, n], x.dtype, {
      axis: 1,
    });
    return reshape(square, [...x.shape, ...x.shape]);
  });
}
