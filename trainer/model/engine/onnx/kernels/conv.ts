/**
 * Convolutions of any number of spatial axes. tfjs keeps channels last and filters [...spatial, in, out], ONNX
 * channels first and [out, in, ...spatial].
 */
import * as tf from '@tensorflow/tfjs';
import { reshape, slice, transpose } from '../ops';
import { node, type Value } from '../value';
import { kernel, type Call } from './register';

/** Sizes per spatial axis. */
export interface Window {
  /** channels last */
  inShape: readonly number[];
  outShape: readonly number[];
  filter: number[];
  strides: number[];
  dilations: number[];
  before: number[];
  after: number[];
  /** The input comes, and the output goes, with channels first. */
  isChannelsFirst: boolean;
}
type Info2D = tf.backend_util.Conv2DInfo;
type Info3D = tf.backend_util.Conv3DInfo;

export function windowOf(info: Info2D | Info3D): Window {
  const is3D = 'filterDepth' in info;
  const pad = info.padInfo as {
    top: number;
    bottom: number;
    left: number;
    right: number;
    front?: number;
    back?: number;
  };
  const both = (depth: () => number, height: number, width: number): number[] =>
    is3D ? [depth(), height, width] : [height, width];
  const three = info as Info3D;
  const [n, c] = [info.batchSize, info.inChannels];
  const isChannelsFirst = info.dataFormat === 'channelsFirst';
  return {
    inShape: [n, ...both(() => three.inDepth, info.inHeight, info.inWidth), c],
    outShape: [n, ...both(() => three.outDepth, info.outHeight, info.outWidth), info.outChannels],
    filter: both(() => three.filterDepth, info.filterHeight, info.filterWidth),
    strides: both(() => three.strideDepth, info.strideHeight, info.strideWidth),
    dilations: both(() => three.dilationDepth, info.dilationHeight, info.dilationWidth),
    before: both(() => pad.front!, pad.top, pad.left),
    after: both(() => pad.back!, pad.bottom, pad.right),
    isChannelsFirst,
  };
}
const extent = (w: Window, i: number): number => (w.filter[i]! - 1) * w.dilations[i]! + 1;
/** What the windows need behind the input, so that ONNX counts as many of them as tfjs does (which may round up). */
export const padsOf = (w: Window): number[] => [
  ...w.before,
  ...w.filter.map((_, i) =>
    Math.max(0, (w.outShape[i + 1]! - 1) * w.strides[i]! + extent(w, i) - w.inShape[i + 1]! - w.before[i]!),
  ),
];
export const channelsFirst = (v: Value): Value =>
  transpose(v, [0, v.shape.length - 1, ...v.shape.slice(2).map((_, i) => i + 1)]);
export const channelsLast = (v: Value): Value => transpose(v, [0, ...v.shape.slice(2).map((_, i) => i + 2), 1]);
const come = (v: Value, w: Window): Value => (w.isChannelsFirst ? v : channelsFirst(v));
const go = (v: Value, w: Window): Value => (w.isChannelsFirst ? v : channelsLast(v));
const firstShape = (shape: readonly number[]): number[] => [shape[0]!, shape.at(-1)!, ...shape.slice(1, -1)];

/**
 * Filter [...spatial, in, out] -> [out, in, ...spatial]; depthwise [...spatial, in, multiplier] -> [in * multiplier,
 * 1, ...spatial].
 */
function kernelFirst(filter: Value, groups: number): Value {
  const n = filter.shape.length - 2;
  const spatial = filter.shape.slice(0, n).map((_, i) => i);
  if (groups === 1) return transpose(filter, [n + 1, n, ...spatial]);
  return reshape(transpose(filter, [n, n + 1, ...spatial]), [
    filter.shape[n]! * filter.shape[n + 1]!,
    1,
    ...filter.shape.slice(0, n),
  ]);
}

export function conv(x: Value, filter: Value, w: Window, groups: number): Value {
  const attributes = { strides: w.strides, dilations: w.dilations, pads: padsOf(w), group: groups };
  return go(node('Conv', [come(x, w), kernelFirst(filter, groups)], firstShape(w.outShape), 'float32', attributes), w);
}

/**
 * What a window's input gets of its output: the transposed convolution, cut or filled to the input's size. `weights`
 * [channels of dy, in / groups, ...spatial].
 */
export function transposed(dy: Value, weights: Value, w: Window, groups: number): Value {
  const pads = padsOf(w);
  const n = w.filter.length;
  // the last input cells that no window reached
  const rest = w.filter.map(
    (_, i) => w.inShape[i + 1]! + pads[i]! + pads[n + i]! - ((w.outShape[i + 1]! - 1) * w.strides[i]! + extent(w, i)),
  );
  return node('ConvTranspose', [dy, weights], firstShape(w.inShape), 'float32', {
    strides: w.strides,
    dilations: w.dilations,
    pads,
    output_padding: rest,
    group: groups,
  });
}

/** dW as a convolution of x by dy, in which batch and channels change places and strides and dilations too. */
function filterGradient(x: Value, dy: Value, w: Window, groups: number): Value {
  const n = w.filter.length;
  const channels = w.inShape.at(-1)!;
  const outChannels = w.outShape.at(-1)!;
  const batch = w.inShape[0]!;
  const swap = [1, 0, ...w.filter.map((_, i) => i + 2)];
  const pads = padsOf(w);
  const [spatialIn, spatialOut] = [w.inShape.slice(1, -1), w.outShape.slice(1, -1)];
  const found = spatialIn.map(
    (d, i) =>
      Math.floor((d + pads[i]! + pads[n + i]! - (spatialOut[i]! - 1) * w.strides[i]! - 1) / w.dilations[i]!) + 1,
  );
  const attributes = { strides: w.dilations, dilations: w.strides, pads, group: groups };
  const kernels = transpose(come(dy, w), swap); // [out, batch, ...spatial]
  let image = transpose(come(x, w), swap); // [in, batch, ...spatial]
  if (groups > 1) image = reshape(image, [1, channels * batch, ...spatialIn]);
  const all = node('Conv', [image, kernels], [groups > 1 ? 1 : channels, outChannels, ...found], 'float32', attributes);
  const cut = slice(
    all,
    all.shape.map(() => 0),
    [...all.shape.slice(0, 2), ...w.filter],
  );
  const last = transpose(cut, [...w.filter.map((_, i) => i + 2), 0, 1]); // [...spatial, in, out]
  return groups > 1 ? reshape(last, [...w.filter, channels, outChannels / channels]) : last;
}
function inputGradient(dy: Value, filter: Value, w: Window, groups: number): Value {
  const used = slice(
    dy,
    dy.shape.map(() => 0),
    w.isChannelsFirst ? firstShape(w.outShape) : w.outShape,
  ); // tfjs takes a larger dy and ignores the rest
  return go(transposed(come(used, w), kernelFirst(filter, groups), w, groups), w);
}

type Sizes = number | number[];
interface Attributes {
  strides: Sizes;
  pad: 'valid' | 'same' | number;
  dilations?: Sizes;
  dataFormat?: 'NHWC' | 'NCHW' | 'NDHWC';
  dimRoundingMode?: 'floor' | 'round' | 'ceil';
  inputShape?: number[];
  filterShape?: number[];
}
type Four = [number, number, number, number];
type Five = [number, number, number, number, number];
function window2D(attrs: Attributes, x: readonly number[], filter: readonly number[], isDepthwise: boolean): Window {
  const format = tf.backend_util.convertConv2DDataFormat((attrs.dataFormat ?? 'NHWC') as 'NHWC');
  return windowOf(
    tf.backend_util.computeConv2DInfo(
      [...x] as Four,
      [...filter] as Four,
      attrs.strides as number,
      (attrs.dilations ?? 1) as number,
      attrs.pad,
      attrs.dimRoundingMode,
      isDepthwise,
      format,
    ),
  );
}
const window3D = (attrs: Attributes, x: readonly number[], filter: readonly number[]): Window =>
  windowOf(
    tf.backend_util.computeConv3DInfo(
      [...x] as Five,
      [...filter] as Five,
      attrs.strides as number,
      (attrs.dilations ?? 1) as number,
      attrs.pad as 'same',
    ),
  );

export function convKernel(on: Call<Attributes>, isDepthwise: boolean): Value {
  const [x, filter] = [on('x'), on('filter')];
  const w = window2D(on.attrs, x.shape, filter.shape, isDepthwise);
  return conv(x, filter, w, isDepthwise ? w.inShape.at(-1)! : 1);
}

export function registerConv(): void {
  kernel<Attributes>('Conv2D', (on) => convKernel(on, false));
  kernel<Attributes>('Conv2DBackpropInput', (on) =>
    inputGradient(on('dy'), on('filter'), window2D(on.attrs, on.attrs.inputShape!, on('filter').shape, false), 1),
  );
  kernel<Attributes>('Conv2DBackpropFilter', (on) =>
    filterGradient(on('x'), on('dy'), window2D(on.attrs, on('x').shape, on.attrs.filterShape!, false), 1),
  );
  kernel<Attributes>('DepthwiseConv2dNative', (on) => convKernel(on, true));
  kernel<Attributes>('DepthwiseConv2dNativeBackpropInput', (on) => {
    const w = window2D(on.attrs, on.attrs.inputShape!, on('filter').shape, true);
    return inputGradient(on('dy'), on('filter'), w, w.inShape.at(-1)!);
  });
  kernel<Attributes>('DepthwiseConv2dNativeBackpropFilter', (on) => {
    const w = window2D(on.attrs, on('x').shape, on.attrs.filterShape!, true);
    return filterGradient(on('x'), on('dy'), w, w.inShape.at(-1)!);
  });
  kernel<Attributes>('Conv3D', (on) =>
    conv(on('x'), on('filter'), window3D(on.attrs, on('x').shape, on('filter').shape), 1),
  );
  kernel<Attributes>('Conv3DBackpropInputV2', (on) =>
    inputGradient(on('dy'), on('filter'), window3D(on.attrs, on.attrs.inputShape!, on('filter').shape), 1),
  );
  kernel<Attributes>('Conv3DBackpropFilterV2', (on) =>
    filterGradient(on('x'), on('dy'), window3D(on.attrs, on('x').shape, on.attrs.filterShape!), 1),
  );
}
