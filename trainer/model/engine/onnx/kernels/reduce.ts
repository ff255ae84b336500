import * as tf from '@tensorflow/tfjs';
import { cast, mul, reduce, sliceAxis } from '../ops';
import { fill, int64, laterOutput, node, type Value } from '../value';
import { kernel } from './register';

interface Axes {
  axis: number | number[];
  keepDims: boolean;
}

export function registerReduce(): void {
  kernel<Axes>('Sum', (on) => {
    const x = on('x');
    return reduce('ReduceSum', x.dtype === 'bool' ? cast(x, 'int32') : x, on.attrs.axis, on.attrs.keepDims);
  });
  kernel<Axes>('Mean', (on) => reduce('ReduceMean', cast(on('x'), 'float32'), on.attrs.axis, on.attrs.keepDims));
  kernel<Omit<Axes, 'axis'> & { reductionIndices: number | number[] }>('Max', (on) =>
    reduce('ReduceMax', on('x'), on.attrs.reductionIndices, on.attrs.keepDims),
  );
  kernel<Axes>('Min', (on) => reduce('ReduceMin', on('x'), on.attrs.axis, on.attrs.keepDims));
  kernel<Axes>('Prod', (on) =>
    reduce('ReduceProd', on('x').dtype === 'bool' ? cast(on('x'), 'int32') : on('x'), on.attrs.axis, on.attrs.keepDims),
  );
  kernel<Axes>('All', (on) =>
    cast(reduce('ReduceMin', cast(on('x'), 'int32'), on.attrs.axis, on.attrs.keepDims), 'bool'),
  );
  kernel<Axes>('Any', (on) =>
    cast(reduce('ReduceMax', cast(on('x'), 'int32'), on.attrs.axis, on.attrs.keepDims), 'bool'),
  );

  for (const name of ['ArgMax', 'ArgMin']) {
    kernel<{ axis: number | number[] }>(name, (on) => {
      const x = on('x').dtype === 'bool' ? cast(on('x'), 'int32') : on('x');
      const axis = tf.util.parseAxisParam(on.attrs.axis, [...x.shape])[0]!;
      return cast(
        node(
          name,
          [x],
          x.shape.filter((_, i) => i !== axis),
          'int64',
          { axis, keepdims: 0 },
        ),
        'int32',
      );
    });
  }
  kernel<{ k: number; sorted: boolean }>('TopK', (on) => {
    const x = on('x');
    const shape = [...x.shape.slice(0, -1), on.attrs.k];
    const values = node('TopK', [x, int64([on.attrs.k])], shape, x.dtype, {
      axis: -1,
      sorted: on.attrs.sorted ? 1 : 0,
    });
    return [values, cast(laterOutput(values, 1, shape, 'int64'), 'int32')];
  });
  kernel<{ axis: number; exclusive: boolean; reverse: boolean }>('Cumsum', (on) => {
    const x = on('x');
    return node('CumSum', [x, int64([on.attrs.axis])], x.shape, x.dtype, {
      exclusive: on.attrs.exclusive ? 1 : 0,
      reverse: on.attrs.reverse ? 1 : 0,
    });
  });
  // ONNX has no product scan: unrolled, for the short axes on which tf.prod's gradient uses it
  kernel<{ axis: number; exclusive: boolean; reverse: boolean }>('Cumprod', (on) => {
    const x = on('x');
    const { axis, exclusive, reverse } = on.attrs;
    const n = x.shape[axis]!;
    const parts: Value[] = [];
    let product: Value | null = null;
    for (let i = 0; i < n; i++) {
      const at = sliceAxis(x, axis, reverse ? n - 1 - i : i, 1);
      const before: Value = product ?? fill(at.shape, 1, x.dtype);
      product = mul(before, at);
      parts.push(exclusive ? before : product);
    }
    return parts.length === 1
      ? parts[0]!
      : node('Concat', reverse ? parts.reverse() : parts, x.shape, x.dtype, { axis });
  });
}
