import * as tf from '@tensorflow/tfjs';
import { cast, mul, reshape, scatterAdd } from '../ops';
import { fill, laterOutput, leaf, node, scalar, sizeOf, type Value } from '../value';
import { channelsFirst, channelsLast, padsOf, transposed, windowOf, type Window } from './conv';
import { kernel } from './register';

interface Attributes {
  filterSize: number | number[];
  strides: number | number[];
  pad: 'valid' | 'same' | number;
  dimRoundingMode?: 'floor' | 'round' | 'ceil';
}
function poolWindow({ filterSize, strides, pad, dimRoundingMode }: Attributes, shape: readonly number[]): Window {
  return windowOf(
    shape.length === 5
      ? tf.backend_util.computePool3DInfo(
          [...shape] as [number, number, number, number, number],
          filterSize as number,
          strides as number,
          1,
          pad,
          dimRoundingMode,
        )
      : tf.backend_util.computePool2DInfo(
          [...shape] as [number, number, number, number],
          filterSize as number,
          strides as number,
          1,
          pad,
          dimRoundingMode,
        ),
  );
}
const attributesOf = (w: Window) => ({ kernel_shape: w.filter, strides: w.strides, pads: padsOf(w) });
const outShape = (w: Window): number[] => [w.outShape[0]!, w.outShape.at(-1)!, ...w.outShape.slice(1, -1)];

function maxPool(x: Value, w: Window): Value {
  return node('MaxPool', [channelsFirst(x)], outShape(w), 'float32', attributesOf(w));
}
/** ONNX refuses windows that may lie in the padding alone. */
const hasEmptyWindows = (w: Window): boolean => padsOf(w).some((p, i) => p >= w.filter[i % w.filter.length]!);

/** The gradient goes to the first greatest cell of each window. */
function maxPoolGrad(dy: Value, x: Value, w: Window): Value {
  const pooled = maxPool(x, w);
  const place = laterOutput(pooled, 1, pooled.shape, 'int64');
  const count = sizeOf(x.shape);
  const flat = scatterAdd(
    fill([count], 0, 'float32'),
    {
      indices: reshape(place, [sizeOf(pooled.shape)]),
      updates: reshape(channelsFirst(dy), [sizeOf(dy.shape)]),
      outer: count,
      row: 1,
    },
    [count],
  );
  return channelsLast(reshape(flat, [x.shape[0]!, x.shape.at(-1)!, ...x.shape.slice(1, -1)]));
}
/** tfjs divides by the whole window here, also where a part of it lies in the padding. */
function avgPoolGrad(dy: Value, w: Window): Value {
  const channels = w.inShape.at(-1)!;
  const ones = leaf(new Float32Array(channels * sizeOf(w.filter)).fill(1), [channels, 1, ...w.filter], 'float32');
  return channelsLast(mul(transposed(channelsFirst(dy), ones, w, channels), scalar(1 / sizeOf(w.filter))));
}

export function registerPool(): void {
  for (const rank of ['', '3D']) {
    kernel<Attributes>(`MaxPool${rank}`, (on) => {
      const x = cast(on('x'), 'float32');
      const w = poolWindow(on.attrs, x.shape);
      if (hasEmptyWindows(w)) return on.host();
      return cast(channelsLast(maxPool(x, w)), on('x').dtype);
    });
    kernel<Attributes>(`AvgPool${rank}`, (on) => {
      const x = cast(on('x'), 'float32');
      const w = poolWindow(on.attrs, x.shape);
      if (hasEmptyWindows(w)) return on.host();
      return channelsLast(
        node('AveragePool', [channelsFirst(x)], outShape(w), 'float32', { ...attributesOf(w), count_include_pad: 0 }),
      );
    });
    kernel<Attributes>(`MaxPool${rank}Grad`, (on) => {
      const w = poolWindow(on.attrs, on('input').shape);
      return hasEmptyWindows(w) ? on.host() : maxPoolGrad(on('dy'), on('input'), w);
    });
    kernel<Attributes>(`AvgPool${rank}Grad`, (on) => avgPoolGrad(on('dy'), poolWindow(on.attrs, on('input').shape)));
  }
}
