import * as tf from '@tensorflow/tfjs';
import assert from 'node:assert/strict';
import { openEngine, type Engine } from '../../../trainer/model/engine/engine';
import { imageCases, numbers, opCases, type OpCase } from './opCases';

interface Outcome {
  values: number[];
  shape: number[];
  dtype: string;
  gradients: number[][];
  gradientError: boolean;
}

/** Value, and gradients of sum(value * weights) with respect to each input. */
function outcome({ run, inputs }: OpCase, jit: Wrap): Outcome {
  return tf.tidy(() => {
    const xs = inputs.map((i) => i());
    const y = jit((...x) => [run(...x)])(...xs)[0]!;
    const loss = (...x: tf.Tensor[]): tf.Scalar => {
      const r = tf.cast(run(...x), 'float32');
      return tf.sum(tf.mul(r, tf.tensor(numbers(r.shape, 0.2), r.shape)));
    };
    let gradients: number[][] = [];
    let gradientError = false;
    if (xs.every((x) => x.dtype === 'float32')) {
      try {
        gradients = jit((...x) => tf.grads(loss)(x))(...xs).map((g) => [...g.dataSync()]);
      } catch {
        gradientError = true;
      }
    }
    return { values: [...y.dataSync()], shape: y.shape, dtype: y.dtype, gradients, gradientError };
  });
}
function assertClose(actual: number[], expected: number[], what: string): void {
  assert.equal(actual.length, expected.length, `${what}: length`);
  actual.forEach((a, i) => {
    const e = expected[i]!;
    const isSame =
      Object.is(a, e) ||
      (Number.isNaN(a) && Number.isNaN(e)) ||
      a === e ||
      Math.abs(a - e) <= 1e-5 * Math.max(1, Math.abs(e));
    assert.ok(isSame, `${what}: element ${i} is ${a}, cpu says ${e}`);
  });
}

type Wrap = (fn: (...x: tf.Tensor[]) => tf.Tensor[]) => (...x: tf.Tensor[]) => tf.Tensor[];
/**
 * The same outcome as on the cpu back end, for each way to run. @returns the number of gradients compared, null where
 * tfjs has none
 */
function assertSame(op: OpCase, backend: string, ways: [string, Wrap][]): number | null {
  void tf.setBackend('cpu');
  const expected = outcome(op, (fn) => fn);
  void tf.setBackend(backend);
  for (const [how, wrap] of ways) {
    const actual = outcome(op, wrap);
    assert.deepEqual([actual.shape, actual.dtype], [expected.shape, expected.dtype], how);
    assertClose(actual.values, expected.values, `${how}, value`);
    assert.equal(actual.gradientError, expected.gradientError, `${how}: only one back end has a gradient`);
    expected.gradients.forEach((g, i) => assertClose(actual.gradients[i]!, g, `${how}, gradient ${i}`));
  }
  return expected.gradientError ? null : expected.gradients.length;
}

describe('onnx against the cpu back end', () => {
  let engine: Engine;
  before(async () => {
    await openEngine({ engine: 'cpu' });
    engine = await openEngine({ engine: 'onnx', threads: 1 });
  });
  after(() => engine.dispose());

  let withGradients = 0;
  for (const op of [...opCases, ...imageCases]) {
    it(op.name, () => {
      if (
        assertSame(op, 'onnx', [
          ['as ops', (fn) => fn],
          ['in jit', (fn) => engine.jit(fn)],
        ])
      )
        withGradients++;
    });
  }
  it('compared more than a hundred gradients', () => assert.ok(withGradients > 100, `only ${withGradients}`));
});

describe('wasm with our kernels against the cpu back end', () => {
  before(async () => {
    await openEngine({ engine: 'wasm' });
  });
  // missing, of another type, or wrong in tfjs-backend-wasm 4.22, and not needed by a model
  const left = ['einsum', 'einsum transposed output', 'floorDiv', 'clipByValue int32'];
  for (const op of opCases) {
    it(op.name, function () {
      if (left.includes(op.name)) this.skip();
      const dataIds = tf.backend().numDataIds();
      const gradients = assertSame(op, 'wasm', [['as ops', (fn) => fn]]);
      // tfjs leaks when it finds no gradient
      if (gradients !== null) assert.equal(tf.backend().numDataIds(), dataIds, 'memory left over');
    });
  }
  it('a wrong index is an error, not foreign memory', () => {
    void tf.setBackend('wasm');
    tf.tidy(() =>
      assert.throws(() => tf.gather(tf.tensor1d([1, 2]), tf.tensor1d([2], 'int32')), /index 2 is outside of 0\.\.1/),
    );
  });
  it('products of unequal batches, and of many rows by one shared side', () => {
    const [a, b, shared] = [numbers([4, 3, 5]), numbers([4, 5, 2], 0.1), numbers([5, 2], 0.2)];
    const run = (): number[][] =>
      tf.tidy(() => {
        const x = tf.tensor3d(a, [4, 3, 5]);
        const y = [
          tf.matMul(x, tf.tensor3d(b, [4, 5, 2])),
          tf.matMul(x, tf.tensor2d(shared, [5, 2])),
          tf.matMul(tf.tensor2d(shared, [5, 2]), tf.tensor3d(b, [4, 5, 2]), true),
        ];
        return y.map((t) => [t.shape.length, ...t.shape, ...t.dataSync()]);
      });
    void tf.setBackend('cpu');
    const expected = run();
    void tf.setBackend('wasm');
    run().forEach((y, i) => assertClose(y, expected[i]!, `product ${i}`));
  });
});
