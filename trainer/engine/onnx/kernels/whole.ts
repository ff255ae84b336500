import { matMul } from '../ops';
import { leaf, node, type Value } from '../value';
import { kernel } from './register';

/** Not tfjs' own, see engine/whole.ts. */
export function registerWhole(): void {
  /** x / sqrt(mean(x^2) + epsilon) * weight over the last axis */
  kernel<{ epsilon: number }>('RmsNorm', (on) => node('SimplifiedLayerNormalization', [on('x'), on('weight')], on('x').shape, 'float32', { axis: -1, epsilon: { float: on.attrs.epsilon } }));
  /** x w^T + onto */
  kernel<{ isFrozen: boolean }>('Product', (on) => {
    const [x, w] = [on('x'), on.attrs.isFrozen ? frozen(on('w')) : on('w')];
    return on.has('onto') ? node('Gemm', [x, w, on('onto')], on('onto').shape, 'float32', { transB: 1 }) : matMul(x, w, false, true);
  });
  kernel('Silu', (on) => node('QuickGelu', [on('x')], on('x').shape, 'float32', { alpha: { float: 1 } }, 'com.microsoft'));
  /** x [B, n, T, d], the halves of each vector turned against each other: cos, sin [B * T, d / 2], a row for each token */
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
/** 0, 1, …: [b, t] */
function rowNumbers(table: Value, b: number, t: number): Value {
  const known = knownRows.get(table) ?? leaf(BigInt64Array.from({ length: b * t }, (_, i) => BigInt(i)), [b, t], 'int64');
  knownRows.set(table, known);
  return known;
}
