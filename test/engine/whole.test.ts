import * as tf from '@tensorflow/tfjs';
import assert from 'node:assert/strict';
import { openEngine, type Engine } from '../../trainer/engine/engine';
import { thinProduct, wholeProduct } from '../../trainer/engine/whole';
import { decodingRotary, rmsNorm, rotary, swiGlu } from '../../trainer/model/layers';

const numbers = (n: number, from: number): Float32Array => Float32Array.from({ length: n }, (_, i) => Math.sin(from + i * 1.7));
const close = (actual: tf.Tensor, expected: tf.Tensor): void => {
  assert.deepEqual(actual.shape, expected.shape);
  const [a, b] = [actual.dataSync(), expected.dataSync()];
  b.forEach((x, i) => assert.ok(Math.abs(x - a[i]!) < 1e-5, `${i}: ${a[i]} is not ${x}`));
};

for (const name of ['onnx', 'cpu'] as const) {
  describe(`ops of decoding on ${name}`, () => {
    let engine: Engine;
    let before: number;
    beforeEach(async () => {
      engine = await openEngine({ engine: name, threads: 1 });
      before = tf.memory().numTensors;
    });
    afterEach(() => {
      assert.equal(tf.memory().numTensors, before, 'tensors left over');
      engine.dispose();
    });

    it('are what training composes', () => tf.tidy(() => {
      const x = tf.tensor4d(numbers(2 * 3 * 5 * 8, 1), [2, 3, 5, 8]);
      const other = tf.tensor4d(numbers(x.size, 2), [2, 3, 5, 8]);
      const norm = tf.tensor1d(numbers(8, 3));
      close(rmsNorm(x, norm, 1e-5, true), rmsNorm(x, norm, 1e-5));
      close(swiGlu(x, other, true), swiGlu(x, other));
      // one angle for both halves, as rotaryTables makes them: the sine's sign is that of the half
      const angle = tf.reshape(tf.tensor1d(numbers(2 * 5 * 4, 4)), [2, 1, 5, 4]);
      const [cos, sin] = [tf.concat([tf.cos(angle), tf.cos(angle)], -1), tf.concat([tf.neg(tf.sin(angle)), tf.sin(angle)], -1)];
      for (const side of ['q', 'k'] as const) close(decodingRotary(cos, sin)[side](x), rotary(cos, sin)[side](x));
    }));

    for (const isFrozen of [false, true]) it(`a product, added to something, with weights that ${isFrozen ? 'the graph holds' : 'are given'}`, () => {
      const weights = tf.tensor2d(numbers(4 * 6, 5), [4, 6]);
      const run = engine.jit((x: tf.Tensor, onto: tf.Tensor) => [wholeProduct(x, weights, undefined, isFrozen), wholeProduct(x, weights, onto, isFrozen)], 'a step');
      for (const rows of [2, 7]) tf.tidy(() => {
        const [x, onto] = [tf.tensor2d(numbers(rows * 6, 6), [rows, 6]), tf.tensor2d(numbers(rows * 4, 7), [rows, 4])];
        const [plain, added] = run(x, onto) as [tf.Tensor, tf.Tensor];
        close(plain, tf.matMul(x, weights, false, true));
        close(added, tf.add(onto, tf.matMul(x, weights, false, true)));
      });
      run.forget();
      weights.dispose();
    });
  });
}

it('onnx: a product of few rows is the usual one, and each row is the same to the bit whatever rows are beside it', async () => {
  const engine = await openEngine({ engine: 'onnx', threads: 2 });
  for (const [out, inputs] of [[192, 576], [576, 1536], [512, 64]] as const) tf.tidy(() => {
    const w = tf.tensor2d(numbers(out * inputs, 1), [out, inputs]);
    const x = numbers(300 * inputs, 2);
    const of = (rows: number): Float32Array => thinProduct(tf.tensor2d(x.subarray(0, rows * inputs), [rows, inputs]), w).dataSync() as Float32Array;
    const all = of(300);
    const usual = tf.matMul(tf.tensor2d(x, [300, inputs]), w, false, true).dataSync();
    all.forEach((y, i) => assert.ok(Math.abs(y - usual[i]!) < 1e-5 * (1 + Math.abs(y)), `${i}: ${y} is not ${usual[i]}`));
    for (const rows of [2, 3, 8, 15, 16, 17, 32, 40, 64, 256]) assert.deepEqual(of(rows), all.subarray(0, rows * out), `${rows} rows of ${inputs}`);
  });
  engine.dispose();
});

it('onnx: weights that the graph is to hold must come from outside of it', async () => {
  const engine = await openEngine({ engine: 'onnx', threads: 1 });
  const run = engine.jit((x: tf.Tensor, w: tf.Tensor) => wholeProduct(x, w, undefined, true));
  tf.tidy(() => assert.throws(() => run(tf.zeros([2, 3]), tf.zeros([4, 3])), /Product.*must be a tensor from outside of the recorded function/));
  engine.dispose();
});
