import assert from 'node:assert/strict';
import * as tf from '@tensorflow/tfjs';
import { openEngine, type Engine } from '../../../trainer/model/engine/engine';
import { isAlikeAlone } from '../../../trainer/model/engine/oneRow';
import { frozen, wholeProduct } from '../../../trainer/model/engine/whole';

describe('whether a row of a product is the same alone', () => {
  const numbers = (n: number): Float32Array => Float32Array.from({ length: n }, (_, i) => Math.cos(i * i));
  let engine: Engine;
  afterEach(() => engine.dispose());

  it('onnx: is found out by computing it, and leaves nothing', async () => {
    engine = await openEngine({ engine: 'onnx', threads: 2 });
    const w = tf.tensor2d(numbers(24 * 300), [24, 300]);
    const { statistics } = tf.backend() as unknown as { statistics: { open: number } };
    const before = [tf.memory().numTensors, statistics.open];
    const times =
      (factor: (rows: number) => number) =>
      (x: tf.Tensor): tf.Tensor =>
        tf.mul(x, factor(x.shape[0]!));
    assert.equal(
      isAlikeAlone(
        engine,
        times(() => 3),
        5,
      ),
      true,
    );
    assert.equal(
      isAlikeAlone(
        engine,
        times((rows) => (rows === 1 ? 3 : 3.0000003)),
        5,
      ),
      false,
    );
    const products = [(x: tf.Tensor) => wholeProduct(x, frozen(w)), (x: tf.Tensor) => tf.matMul(x, w, false, true)];
    const answers = products.map((product) => isAlikeAlone(engine, product, 300));
    assert.deepEqual([tf.memory().numTensors, statistics.open], before);
    products.forEach((product, i) => {
      const run = engine.jit(product);
      const of = (row: number, rows: number): number[] =>
        tf.tidy(() => [...run(tf.tensor2d(numbers(600).slice(row * 300, (row + rows) * 300), [rows, 300])).dataSync()]);
      if (answers[i]) assert.deepEqual([...of(0, 1), ...of(1, 1)], of(0, 2)); // other numbers, the same answer
      run.forget();
    });
    w.dispose();
  });

  for (const name of ['wasm', 'cpu'] as const)
    it(`${name}: is not asked`, async () => {
      engine = await openEngine({ engine: name });
      assert.equal(
        isAlikeAlone(engine, (x) => x, 3),
        false,
      );
    });
});
