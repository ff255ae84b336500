import { add, matMul, mul, reduce, unary } from '../ops';
import { laterOutput, leaf, node, sameShape, scalar, type Value } from '../value';
import { kernel } from './register';

/** Not tfjs' own, see engine/whole.ts. */
export function registerWhole(): void {
  /** x / sqrt(mean(x^2) + epsilon) * weight over the last axis, and the inverse of that root */
  kernel<{ epsilon: number }>('RmsNorm', (on) => {
    const x = on('x');
    const { epsilon } = on.attrs;
    const y = node('SimplifiedLayerNormalization', [x, on('weight')], x.shape, 'float32', { axis: -1, epsilon: { float: epsilon } });
    // on WebGPU its second output has other numbers (ONNX Runtime 1.30)
    const inverse = on.backend.devices.includes('webgpu')
      ? unary('Reciprocal', unary('Sqrt', add(reduce('ReduceMean', mul(x, x), x.shape.length - 1, true), scalar(epsilon))))
      : laterOutput(y, 1, [...x.shape.slice(0, -1), 1], 'float32');
    return [y, inverse];
  });
  /** x w^T + onto */
  kernel<{ isFrozen: boolean }>('Product', (on) => {
    const [x, w] = [on('x'), on.attrs.isFrozen ? frozen(on('w')) : on('w')];
    return on.has('onto') ? node('Gemm', [x, w, on('onto')], on('onto').shape, 'float32', { transB: 1 }) : matMul(x, w, false, true);
  });
  kernel('Silu', (on) => node('QuickGelu', [on('x')], on('x').shape, 'float32', { alpha: { float: 1 } }, 'com.microsoft'));
  /** x [B, n, T, d], the halves of each vector turned against each other: cos, sin [B * T, d / 2], a row for each token, or [T, d / 2] */
  kernel('RotaryEmbedding', (on) => {
    const [x, cos] = [on('x'), on('cos')];
    return node('RotaryEmbedding', [x, rowNumbers(cos, x.shape[0]!, x.shape[2]!), cos, on('sin')], x.shape, 'float32', null, 'com.microsoft');
  });
}

/** The same memory, held by the graph. @throws where it is no tensor from outside */
function frozen(w: Value): Value {
  if (w.kind !== 'leaf') throw new Error('frozen weights must be a tensor from outside of the recorded function, not an argument, a variable or a result');
  return Object.assign(leaf(w.data!, w.shape, w.dtype), { isPacked: true });
}

/** By the table that they count: all layers share it. */
const knownRows = new WeakMap<Value, Value>();
/** 0, 1, …, again from 0 behind the table's last row: [b, t] */
function rowNumbers(table: Value, b: number, t: number): Value {
  const rows = table.shape[0]!;
  const known = knownRows.get(table);
  if (known && sameShape(known.shape, [b, t])) return known;
  const made = leaf(BigInt64Array.from({ length: b * t }, (_, i) => BigInt(i % rows)), [b, t], 'int64');
  knownRows.set(table, made);
  return made;
}
