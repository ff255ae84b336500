/**
 * Op cases: a function over its inputs, run on two back ends. Gradients are compared where all inputs are float32 and
 * the cpu back end has them.
 */
import * as tf from '@tensorflow/tfjs';

export interface OpCase {
  name: string;
  run: (...inputs: tf.Tensor[]) => tf.Tensor;
  inputs: (() => tf.Tensor)[];
}
// biome-ignore lint/suspicious/noExplicitAny: the cases hand tfjs' overloads whatever rank they need
type Run = (...inputs: any[]) => tf.Tensor;
const sizeOf = (shape: number[]): number => shape.reduce((n, d) => n * d, 1);

/** Reproducible numbers in (offset - scale, offset + scale), the same for the same shape. */
export function numbers(shape: number[], offset = 0, scale = 1): Float32Array {
  let state = 7 + shape.reduce((a, b) => a * 3 + b, 1);
  return Float32Array.from(
    { length: sizeOf(shape) },
    () => ((state = (state * 16807) % 2147483647) / 2147483647 - 0.5) * 2 * scale + offset,
  );
}
const floats = (shape: number[], offset?: number, scale?: number) => () =>
  tf.tensor(numbers(shape, offset, scale), shape);
const ints =
  (values: number[], shape = [values.length]) =>
  () =>
    tf.tensor(Int32Array.from(values), shape, 'int32');
const index = (values: number[], shape = [values.length]): tf.Tensor => ints(values, shape)();
const m = floats([3, 4]);

export const opCases: OpCase[] = [];
/** For the onnx engine alone: wasm lacks some of their gradients. */
export const imageCases: OpCase[] = [];
const add = (name: string, run: Run, ...inputs: (() => tf.Tensor)[]): void => void opCases.push({ name, run, inputs });
const addImage = (name: string, run: Run, ...inputs: (() => tf.Tensor)[]): void =>
  void imageCases.push({ name, run, inputs });
const named = (name: string): Run => (tf as unknown as Record<string, Run>)[name]!;

for (const n of [
  'abs',
  'neg',
  'exp',
  'sigmoid',
  'tanh',
  'sin',
  'cos',
  'tan',
  'relu',
  'relu6',
  'elu',
  'selu',
  'softplus',
  'square',
  'sign',
  'floor',
  'ceil',
  'erf',
  'leakyRelu',
  'expm1',
  'atan',
  'asinh',
  'sinh',
  'cosh',
  'step',
  'isFinite',
])
  add(n, named(n), m);
for (const n of ['log', 'sqrt', 'rsqrt', 'reciprocal', 'log1p', 'acosh']) add(n, named(n), floats([3, 4], 2, 0.9));
for (const n of ['acos', 'asin', 'atanh', 'round']) add(n, named(n), floats([3, 4], 0, 0.9));
add(
  'round half to even',
  (x) => tf.round(x),
  () => tf.tensor1d([0.5, 1.5, -0.5, -2.5]),
);
for (const n of ['add', 'sub', 'mul', 'maximum', 'minimum', 'squaredDifference']) {
  add(n, named(n), m, floats([3, 4], 0.3));
  add(`${n} broadcast`, named(n), floats([2, 3, 4]), floats([3, 1], 0.1));
  add(`${n} int32`, named(n), ints([1, 2, 3, -4]), ints([3, 2, 1, 5]));
}
add('div', (a, b) => tf.div(a, b), m, floats([4], 2));
add('div int32', (a, b) => tf.div(a, b), ints([1, 2, 3]), ints([2, 2, 2]));
add('pow', (a, b) => tf.pow(a, b), floats([3, 4], 2), floats([4], 1.5));
add('mod', (a, b) => tf.mod(a, b), m, floats([4], 2));
add('mod int32', (a, b) => tf.mod(a, b), ints([7, -7, 8]), ints([2, 2, 3]));
add('floorDiv', (a, b) => tf.floorDiv(a, b), floats([3, 4], 0, 9), floats([4], 3));
add('floorDiv int32', (a, b) => tf.floorDiv(a, b), ints([7, -7, 8]), ints([2, 2, 3]));
add('prelu', (a, b) => tf.prelu(a, b), m, floats([4]));
for (const n of ['greater', 'less', 'greaterEqual', 'lessEqual', 'equal', 'notEqual']) {
  add(n, named(n), ints([1, 2, 3, 4]), ints([3, 2, 1, 5]));
  add(`${n} float`, named(n), m, floats([4]));
}
add(
  'and, or, not',
  (a, b) => tf.logicalOr(tf.logicalAnd(tf.greater(a, 0), tf.less(b, 0)), tf.logicalNot(tf.greater(a, 0.5))),
  m,
  floats([3, 4], 0.1),
);
add('xor', (a, b) => tf.logicalXor(tf.greater(a, 0), tf.less(b, 0)), m, floats([3, 4], 0.3));
add('where', (a, b) => tf.where(tf.greater(a, 0), a, b), m, floats([3, 4], 0.1));
add(
  'where, column condition',
  (a, b) => tf.where(tf.greater(tf.slice(a, [0, 0], [3, 1]), 0), a, b),
  m,
  floats([3, 4], 0.1),
);
add('where on fills', (a) => tf.where(tf.greater(a, 0), tf.onesLike(a), tf.zerosLike(a)), m);
add('where on bools', (a, b) => tf.where(tf.greater(a, 0), tf.greater(b, 0), tf.less(b, 0.5)), m, floats([3, 4], 0.1));
add(
  'where, column condition on fills',
  (a) => tf.where(tf.greater(tf.slice(a, [0, 0], [3, 1]), 0), tf.onesLike(a), tf.zerosLike(a)),
  m,
);
add('where, fill and value', (a) => tf.where(tf.greater(a, 0), a, tf.zerosLike(a)), m);
add('clipByValue', (x) => tf.clipByValue(x, -0.3, 0.4), m);
add('clipByValue int32', (x) => tf.clipByValue(x, 0, 2), ints([-1, 1, 5]));
add(
  'isNaN',
  (x) => tf.isNaN(tf.div(x, 0)),
  () => tf.tensor1d([0, 1]),
);
add('isInf', (x) => tf.isInf(tf.div(x, 0)), floats([3]));

for (const ta of [false, true]) {
  for (const tb of [false, true]) {
    const t = `matMul ${ta ? 'T' : 'N'}${tb ? 'T' : 'N'}`;
    const [a, b] = [ta ? [4, 3] : [3, 4], tb ? [5, 4] : [4, 5]];
    add(t, (x, y) => tf.matMul(x, y, ta, tb), floats(a), floats(b));
    add(`${t} batch`, (x, y) => tf.matMul(x, y, ta, tb), floats([2, 3, ...a]), floats([2, 3, ...b]));
  }
}
add('einsum', (a, b) => tf.einsum('bij,bjk->bik', a, b), floats([2, 3, 4]), floats([2, 4, 5]));
add('einsum transposed output', (a, b) => tf.einsum('ij,kj->ki', a, b), floats([3, 4]), floats([5, 4]));
add('dot', (a, b) => tf.dot(a, b), floats([4]), floats([4], 0.2));

add('sum', (x) => tf.sum(x, 1), floats([3, 4, 2]));
add('sum keepDims', (x) => tf.sum(x, [0, 2], true), floats([3, 4, 2]));
add('sum all', (x) => tf.sum(x), m);
add('sum int32', (x) => tf.sum(x), ints([1, 2, 3]));
add('sum bool', (x) => tf.sum(tf.greater(x, 0)), m);
add('mean', (x) => tf.mean(x, -1, true), m);
add('mean all', (x) => tf.mean(x), m);
add('mean of one', (x) => tf.mean(x, 1), floats([3, 1]));
add('max', (x) => tf.max(x, 1), m);
add('max int32', (x) => tf.max(x), ints([3, 9, 2]));
add('min', (x) => tf.min(x, 0), m);
add('prod', (x) => tf.prod(x, 1), m);
add('any', (x) => tf.any(tf.greater(x, 0.5), 1), m);
add('all', (x) => tf.all(tf.greater(x, -0.5), 1), m);
add('argMax', (x) => tf.argMax(x, 1), m);
add('argMax -1', (x) => tf.argMax(x, -1), floats([2, 3, 4]));
add('argMin', (x) => tf.argMin(x, 0), m);
add('logSumExp', (x) => tf.logSumExp(x, -1), m);
add(
  'moments',
  (x) => {
    const { mean, variance } = tf.moments(x, -1, true);
    return tf.div(tf.sub(x, mean), tf.sqrt(tf.add(variance, 1e-5)));
  },
  m,
);
add('norm', (x) => tf.norm(x), m);
add('topk values', (x) => tf.topk(x, 2).values, m);
add('topk indices', (x) => tf.topk(x, 2).indices, m);
add('topk indices alone, later', (x) => tf.add(tf.topk(x, 3).indices, tf.scalar(1, 'int32')), m);
add('cumsum', (x) => tf.cumsum(x, 1), m);
add('cumsum exclusive reverse', (x) => tf.cumsum(x, 0, true, true), m);
add('cumprod', (x) => tf.cumprod(x, 1), m);
add('cumprod exclusive reverse', (x) => tf.cumprod(x, 0, true, true), m);
add('cumsum int32', (x) => tf.cumsum(x), ints([1, 2, 3]));

add('softmax', (x) => tf.softmax(x), m);
add('softmax 4-D', (x) => tf.softmax(x), floats([2, 3, 2, 5], 0, 4));
add('logSoftmax', (x) => tf.logSoftmax(x), m);
add('softmaxCrossEntropy', (x, y) => tf.losses.softmaxCrossEntropy(y, x), m, floats([3, 4], 1, 0.1));
add('gelu', (x) => tf.mul(x, tf.mul(0.5, tf.add(1, tf.erf(tf.div(x, Math.SQRT2))))), m);
add('dropout 0', (x) => tf.dropout(x, 0), m);

add('reshape', (x) => tf.reshape(x, [4, -1]), m);
add('transpose', (x) => tf.transpose(x, [2, 0, 1]), floats([3, 4, 2]));
add('transpose 4-D', (x) => tf.transpose(x, [0, 2, 1, 3]), floats([2, 3, 4, 2]));
add('expandDims', (x) => tf.expandDims(x, -1), m);
add('squeeze', (x) => tf.squeeze(x), floats([3, 1, 2]));
add('concat', (a, b) => tf.concat([a, b], 1), m, floats([3, 2]));
add('concat with an empty part', (a, b) => tf.concat([a, b], 1), m, floats([3, 0]));
add('stack', (a, b) => tf.stack([a, b], 1), m, floats([3, 4], 0.2));
add('unstack', (a) => tf.add(tf.unstack(a, 1)[0]!, tf.unstack(a, 1)[1]!), floats([3, 2]));
add('split', (a) => tf.split(a, [1, 3], 1)[1]!, m);
add('slice', (a) => tf.slice(a, [1, 1], [2, -1]), m);
add('slice of slice', (a) => tf.slice(tf.slice(a, [0, 1], [3, 3]), [1, 1], [1, 2]), m);
add('stridedSlice', (a) => tf.stridedSlice(a, [0, 1], [3, 4], [2, 2]), m);
add('stridedSlice backwards', (a) => tf.stridedSlice(a, [3], [0], [-1]), floats([5]));
add('reverse', (a) => tf.reverse(a, [1]), m);
add(
  'pad',
  (a) =>
    tf.pad(
      a,
      [
        [1, 0],
        [2, 1],
      ],
      0,
    ),
  m,
);
add(
  'pad with a value',
  (a) =>
    tf.pad(
      a,
      [
        [1, 0],
        [0, 0],
      ],
      7,
    ),
  m,
);
add('tile', (a) => tf.tile(a, [2, 3]), m);
add('tile of ones', (a) => tf.tile(a, [1, 3]), floats([3, 1]));
add('broadcastTo', (a) => tf.broadcastTo(a, [2, 3, 4]), floats([3, 1]));
add(
  'rotary by split',
  (x) => {
    const [a, b] = tf.split(x, 2, 1);
    return tf.add(tf.mul(x, 2), tf.concat([b!, a!], 1));
  },
  m,
);
add(
  'rotary by slice',
  (x) => tf.mul(x, tf.concat([tf.neg(tf.slice(x, [0, 2], [3, 2])), tf.slice(x, [0, 0], [3, 2])], 1)),
  m,
);
add(
  'three slices',
  (x) => tf.concat([tf.slice(x, [0, 2], [3, 2]), tf.slice(x, [0, 0], [3, 1]), tf.slice(x, [0, 1], [3, 1])], 1),
  m,
);
add('overlapping slices', (x) => tf.add(tf.slice(x, [0, 0], [3, 3]), tf.mul(2, tf.slice(x, [0, 1], [3, 3]))), m);

add('gather', (x) => tf.gather(x, index([2, 0, 2, 1, 2, 2])), m);
add('gather axis 1', (x) => tf.gather(x, index([2, 0, 2]), 1), m);
add('gather 2-D indices', (x) => tf.gather(x, index([2, 0, 1, 1], [2, 2])), m);
add('gather batch', (x) => tf.gather(x, index([2, 1, 0], [3, 1]), 1, 1), m);
add('gather batch of rows', (x) => tf.gather(x, index([1, 0, 2, 2], [2, 2]), 1, 1), floats([2, 3, 4]));
add('gather int32', (x) => tf.gather(x, index([2, 0])), ints([5, 6, 7]));
add('gatherND', (x) => tf.gatherND(x, index([0, 1, 2, 3], [2, 2])), m);
add('gatherND rows', (x) => tf.gatherND(x, index([2, 0, 2], [3, 1])), m);
add('scatterND duplicates', (x) => tf.scatterND(index([0, 2, 0], [3, 1]), x, [5, 4]), m);
add('scatterND pairs', (x) => tf.scatterND(index([0, 1, 2, 0, 0, 1], [3, 2]), x, [3, 4]), floats([3]));
add(
  'scatterND into a sum',
  (x, y) => tf.add(y, tf.scatterND(index([0, 2, 0], [3, 1]), x, [3, 4])),
  m,
  floats([3, 4], 0.5),
);
add('tensorScatterUpdate', (x) => tf.tensorScatterUpdate(x, index([1], [1, 1]), tf.ones([1, 4])), m);
add('unsortedSegmentSum', (x) => tf.unsortedSegmentSum(x, index([0, 1, 0]) as tf.Tensor1D, 3), m);
add('two gathers of one table', (x) => tf.add(tf.gather(x, index([0, 0, 1])), tf.gather(x, index([2, 1, 1]))), m);
add('tied: gather and matMul', (x) => tf.matMul(tf.gather(x, index([0, 2])), x, false, true), m);
add('oneHot', (x) => tf.add(x, tf.oneHot(index([1, 0, 3]), 4)), floats([1]));
add('oneHot on, off', (x) => tf.add(x, tf.oneHot(index([1, 0, 3]), 4, 5, -2)), floats([1]));
add('oneHot out of range', (x) => tf.mul(x, tf.oneHot(index([1, -1, 4]), 4)), m);

add('cast', (x) => tf.cast(tf.cast(tf.mul(x, 5), 'int32'), 'float32'), m);
add(
  'cast to bool',
  (x) => tf.cast(x, 'bool'),
  () => tf.tensor1d([0, 1.5, -2]),
);
add('range', (x) => tf.add(x, tf.range(0, 4, 1)), m);
add('linspace', (x) => tf.add(x, tf.linspace(0, 1, 4)), m);
add('fill', (x) => tf.mul(tf.add(x, tf.ones([3, 4])), tf.fill([4], 2)), m);
add('large fill', (x) => tf.sum(tf.mul(tf.fill([2000], 3), x)), floats([1]));
add('onesLike', (x) => tf.mul(x, tf.onesLike(x)), m);
add('zerosLike of int32', (x) => tf.zerosLike(x), ints([1, 2]));
add('addN', (a, b) => tf.addN([a, b, a]), m, floats([3, 4], 0.1));
add(
  'rank 0',
  (x) => tf.sub(1, tf.mul(x, x)),
  () => tf.scalar(3),
);

const image = floats([2, 6, 5, 3]);
for (const [strides, pad] of [
  [1, 'same'],
  [2, 'same'],
  [2, 'valid'],
  [1, 1],
] as const) {
  addImage(`conv2d, stride ${strides}, ${pad}`, (x, w) => tf.conv2d(x, w, strides, pad), image, floats([3, 2, 3, 4]));
  addImage(
    `depthwiseConv2d, stride ${strides}, ${pad}`,
    (x, w) => tf.depthwiseConv2d(x, w, strides, pad),
    image,
    floats([3, 3, 3, 2]),
  );
  addImage(`maxPool, stride ${strides}, ${pad}`, (x) => tf.maxPool(x, 2, strides, pad), image);
  addImage(`avgPool, stride ${strides}, ${pad}`, (x) => tf.avgPool(x, 2, strides, pad), image);
}
addImage('conv3d', (x, w) => tf.conv3d(x, w, 2, 'same'), floats([1, 4, 5, 3, 2]), floats([2, 3, 2, 2, 3]));
addImage('conv2dTranspose', (x, w) => tf.conv2dTranspose(x, w, [2, 12, 10, 4], 2, 'same'), image, floats([3, 3, 4, 3]));
addImage(
  'batchNorm',
  (x, mean, variance, offset, scale) => tf.batchNorm(x, mean, variance, offset, scale),
  image,
  floats([3]),
  floats([3], 2),
  floats([3], 0.1),
  floats([3], 1),
);
addImage(
  'localResponseNormalization',
  (x) => tf.cast(tf.localResponseNormalization(tf.cast(x, 'float32'), 1), 'int32'),
  ints([1, 5, 9, 2, 3, 4], [1, 1, 2, 3]),
);
// one square image: tfjs' cpu gradients of these are wrong for batches and for unequal sides
const square = floats([1, 5, 5, 3]);
for (const isAligned of [false, true]) {
  addImage(
    `resizeBilinear${isAligned ? ' aligned' : ''}`,
    (x) => tf.image.resizeBilinear(x, [4, 9], isAligned),
    square,
  );
  addImage(
    `resizeNearestNeighbor${isAligned ? ' aligned' : ''}`,
    (x) => tf.image.resizeNearestNeighbor(x, [4, 9], isAligned),
    square,
  );
}
addImage('atan2', (y, x) => tf.atan2(y, x), floats([3, 4]), floats([4], 0.1));
addImage(
  'mirrorPad',
  (x) =>
    tf.mirrorPad(
      x,
      [
        [1, 2],
        [0, 3],
      ],
      'reflect',
    ),
  m,
);
addImage(
  'spaceToBatchND and back',
  (x) =>
    tf.mul(
      tf.batchToSpaceND(
        tf.spaceToBatchND(
          x,
          [2, 2],
          [
            [0, 0],
            [1, 2],
          ],
        ),
        [2, 2],
        [
          [0, 1],
          [0, 0],
        ],
      ),
      2,
    ),
  image,
);
addImage('depthToSpace', (x) => tf.depthToSpace(x, 2, 'NHWC'), floats([1, 2, 3, 8]));
addImage(
  'diag',
  (x) => tf.mul(tf.diag(x), 2),
  () => tf.tensor1d([1, NaN, 3], 'float32'),
);
addImage(
  'fused matMul',
  (a, b, bias) => tf.fused.matMul({ a, b, bias, activation: 'relu', transposeB: true }),
  m,
  floats([5, 4]),
  floats([5]),
);
