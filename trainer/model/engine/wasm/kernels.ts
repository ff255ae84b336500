/**
 * Kernels that make tfjs-backend-wasm 4.22 bearable for training, all through tf.registerKernel:
 * - BatchMatMul: stock falls to a scalar loop (1.2 GFLOP/s instead of 18) for every transposed or batched product, that
 * is for all of the backward pass and attention;
 * - Identity: stock copies everything that autodiff saves, weights included;
 * - UnsortedSegmentSum: missing, so that gather has no gradient;
 * - GatherV2: stock copies element by element, and with batchDims reads beyond its memory;
 * - Cast to bool: stock keeps the low byte of the number;
 * - Select on bools: stock writes four bytes for each and runs over other tensors.
 * Known and left: no Einsum, no int32 matMul, clipByValue on int32 does nothing.
 */
import * as tf from '@tensorflow/tfjs';
import { guardMemory } from './memory';

/** What we use of tfjs' BackendWasm. */
interface WasmBackend {
  dataIdMap: { get(dataId: object): { id: number; memoryOffset: number } };
  dataIdNextNumber: number;
  wasm: {
    cwrap(name: string, result: null, types: string[]): (...args: (number | Uint8Array)[]) => void;
    tfjs: { registerTensor(id: number, size: number, memoryOffset: number): void; disposeData(id: number): void };
  };
  makeOutput(shape: number[], dtype: tf.DataType): tf.TensorInfo;
  typedArrayFromHeap(t: tf.TensorInfo): Float32Array | Int32Array | Uint8Array;
  incRef(dataId: object): void;
  disposeData(dataId: object): void;
}
type Call<A> = { inputs: Record<string, tf.TensorInfo>; backend: WasmBackend; attrs: A };
const sizeOf = (shape: readonly number[]): number => shape.reduce((n, d) => n * d, 1);
let isDone = false;

/** After the wasm package is loaded and before its back end is set. */
export function registerWasmKernels(): void {
  if (isDone) return;
  isDone = true;
  override('BatchMatMul', matMul, setupMatMul);
  override('Identity', ({ inputs: { x }, backend }) => {
    backend.incRef(x!.dataId);
    return { dataId: x!.dataId, shape: x!.shape, dtype: x!.dtype };
  });
  override<{ dtype: tf.DataType }>('Cast', (call, stock) => {
    const {
      inputs: { x },
      backend,
      attrs,
    } = call;
    if (attrs.dtype !== 'bool') return stock(call);
    const out = backend.makeOutput(x!.shape, 'bool');
    const to = backend.typedArrayFromHeap(out);
    backend.typedArrayFromHeap(x!).forEach((value, i) => (to[i] = Number(value !== 0)));
    return out;
  });
  override('Select', (call, stock) => {
    const {
      inputs: { condition, t, e },
      backend,
    } = call;
    if (t!.dtype !== 'bool') return stock(call);
    const out = backend.makeOutput(t!.shape, 'bool');
    const [c, x, y, to] = [condition!, t!, e!, out].map((v) => backend.typedArrayFromHeap(v)) as [
      Uint8Array,
      Uint8Array,
      Uint8Array,
      Uint8Array,
    ];
    const each = to.length / c.length; // a vector condition chooses whole rows
    for (let i = 0; i < to.length; i++) to[i] = c[Math.floor(i / each)] ? x[i]! : y[i]!;
    return out;
  });
  override('UnsortedSegmentSum', segmentSum);
  override('GatherV2', gather);
}

function override<A>(
  kernelName: string,
  run: (call: Call<A>, stock: (call: Call<A>) => tf.TensorInfo) => tf.TensorInfo,
  setupFunc?: (backend: WasmBackend) => void,
): void {
  const stock = tf.getKernel(kernelName, 'wasm');
  if (stock) tf.unregisterKernel(kernelName, 'wasm');
  tf.registerKernel({
    kernelName,
    backendName: 'wasm',
    setupFunc: (backend) => {
      stock?.setupFunc?.(backend);
      setupFunc?.(backend as WasmBackend);
    },
    kernelFunc: (call) => run(call as unknown as Call<A>, (c) => stock.kernelFunc(c as never) as tf.TensorInfo),
  });
}

let product: (...args: (number | Uint8Array)[]) => void;
function setupMatMul(backend: WasmBackend): void {
  guardMemory(backend);
  product = backend.wasm.cwrap('BatchMatMul', null, [
    'number',
    'array',
    'number',
    'number',
    'array',
    'number',
    'number',
    'number',
    'number',
  ]);
}

/** Each product of the batch as one untransposed 2-D product (XNNPACK), on parts of the operands' own memory. */
function matMul(
  call: Call<{ transposeA: boolean; transposeB: boolean }>,
  stock: (call: Call<{ transposeA: boolean; transposeB: boolean }>) => tf.TensorInfo,
): tf.TensorInfo {
  const { inputs, backend, attrs } = call;
  const [a0, b0] = [inputs['a']!, inputs['b']!];
  const [outerA, outerB] = [a0.shape.slice(0, -2), b0.shape.slice(0, -2)];
  const [batchA, batchB] = [sizeOf(outerA), sizeOf(outerB)];
  const isPlain = !attrs.transposeA && !attrs.transposeB && batchA === 1 && batchB === 1;
  const isOddBroadcast = batchA !== 1 && batchB !== 1 && String(outerA) !== String(outerB);
  if (isPlain || isOddBroadcast || sizeOf(a0.shape) === 0 || sizeOf(b0.shape) === 0) return stock(call);

  const a = attrs.transposeA ? swapLast(a0, backend) : a0;
  const b = attrs.transposeB ? swapLast(b0, backend) : b0;
  const [m, k] = a.shape.slice(-2) as [number, number];
  const [inner, n] = b.shape.slice(-2) as [number, number];
  if (k !== inner) return stock(call); // its message
  const outer = batchA >= batchB ? outerA : outerB;
  const out = backend.makeOutput([...outer, m, n], 'float32');
  // a batch that shares one right side is one taller product
  const isTall = batchB === 1;
  const [count, rows] = isTall ? [1, m * batchA] : [Math.max(batchA, batchB), m];
  const bytes = (...shape: number[]): Uint8Array => new Uint8Array(Int32Array.from(shape).buffer);
  const [left, right] = [bytes(1, rows, k), bytes(1, k, n)];
  for (let i = 0; i < count; i++) {
    const parts = [
      part(backend, a, batchA === 1 ? 0 : i, rows * k),
      part(backend, b, batchB === 1 ? 0 : i, k * n),
      part(backend, out, i, rows * n),
    ] as const;
    product(parts[0], left, 3, parts[1], right, 3, 0, 0, parts[2]);
    for (const id of parts) backend.wasm.tfjs.disposeData(id);
  }
  if (a !== a0) backend.disposeData(a.dataId);
  if (b !== b0) backend.disposeData(b.dataId);
  return out;
}
/** A tensor id of the wasm side for the `index`-th piece of `size` floats; it owns no memory. */
function part(backend: WasmBackend, t: tf.TensorInfo, index: number, size: number): number {
  const id = backend.dataIdNextNumber++;
  backend.wasm.tfjs.registerTensor(id, size, backend.dataIdMap.get(t.dataId).memoryOffset + index * size * 4);
  return id;
}
function swapLast(x: tf.TensorInfo, backend: WasmBackend): tf.TensorInfo {
  const [rows, columns] = x.shape.slice(-2) as [number, number];
  const flat = { dataId: x.dataId, dtype: x.dtype, shape: [sizeOf(x.shape.slice(0, -2)), rows, columns] };
  const swapped = tf
    .getKernel('Transpose', 'wasm')
    .kernelFunc({ inputs: { x: flat }, backend, attrs: { perm: [0, 2, 1] } }) as tf.TensorInfo;
  return { ...swapped, shape: [...x.shape.slice(0, -2), columns, rows] };
}

function segmentSum({ inputs, backend, attrs }: Call<{ numSegments: number }>): tf.TensorInfo {
  const [x, segments] = [inputs['x']!, inputs['segmentIds']!];
  const rest = x.shape.slice(segments.shape.length);
  const row = sizeOf(rest);
  const out = backend.makeOutput([attrs.numSegments, ...rest], x.dtype);
  const [from, ids, to] = [
    backend.typedArrayFromHeap(x),
    backend.typedArrayFromHeap(segments),
    backend.typedArrayFromHeap(out),
  ];
  to.fill(0);
  for (let i = 0; i < ids.length; i++) {
    const at = ids[i]!;
    if (at < 0 || at >= attrs.numSegments) continue;
    for (let j = 0; j < row; j++) to[at * row + j]! += from[i * row + j]!;
  }
  return out;
}

/** x [batch, outer, n, inner] by indices [batch, count] -> [batch, outer, count, inner]. */
function gather({ inputs, backend, attrs }: Call<{ axis: number; batchDims?: number }>): tf.TensorInfo {
  const [x, indices] = [inputs['x']!, inputs['indices']!];
  const batchDims = (attrs.batchDims ?? 0) < 0 ? attrs.batchDims! + indices.shape.length : (attrs.batchDims ?? 0);
  const axis = tf.util.parseAxisParam(attrs.axis, x.shape)[0]!;
  tf.backend_util.segment_util.collectGatherOpShapeInfo(
    x as tf.Tensor,
    indices as tf.Tensor,
    axis,
    attrs.batchDims ?? 0,
  ); // its checks
  const [batch, outer, n, inner] = [
    sizeOf(x.shape.slice(0, batchDims)),
    sizeOf(x.shape.slice(batchDims, axis)),
    x.shape[axis]!,
    sizeOf(x.shape.slice(axis + 1)),
  ];
  const count = sizeOf(indices.shape.slice(batchDims));
  const out = backend.makeOutput(
    [...x.shape.slice(0, axis), ...indices.shape.slice(batchDims), ...x.shape.slice(axis + 1)],
    x.dtype,
  );
  const [from, ids, to] = [
    backend.typedArrayFromHeap(x),
    backend.typedArrayFromHeap(indices),
    backend.typedArrayFromHeap(out),
  ];
  for (let block = 0; block < batch * outer; block++) {
    for (let i = 0; i < count; i++) {
      const at = ids[Math.floor(block / outer) * count + i]!;
      if (at < 0 || at >= n) {
        backend.disposeData(out.dataId);
        throw new Error(`gather: index ${at} is outside of 0..${n - 1} (axis ${axis} of x [${x.shape.join(', ')}])`);
      }
      to.set(from.subarray((block * n + at) * inner, (block * n + at + 1) * inner), (block * count + i) * inner);
    }
  }
  return out;
}
