import * as tf from '@tensorflow/tfjs';
import assert from 'node:assert/strict';
import { openEngine, type Engine, type EngineName } from '../../trainer/engine/engine';
import { dequantise4, matMulNBits, quantise4, type Weights4 } from '../../trainer/engine/matMulNBits';

const numbers = (count: number, seed: number): Float32Array => {
  let state = seed;
  return Float32Array.from({ length: count }, () => (state = (state * 16807) % 2147483647) / 2147483647 - 0.5);
};
/** The largest distance, relative to the largest number expected. */
const distance = (found: ArrayLike<number>, expected: ArrayLike<number>): number => {
  const largest = Math.max(...Array.from(expected, Math.abs));
  return Math.max(...Array.from(found, (x, i) => Math.abs(x - expected[i]!))) / largest;
};

describe('products with weights of 4 bits', () => {
  let engine: Engine;
  const close = (w: Weights4): void => tf.dispose([w.packed, w.scales]);
  afterEach(() => engine.dispose());

  it('quantise4: the greatest weight of a block is exact, the others are off by at most half a step', async () => {
    engine = await openEngine({ engine: 'cpu' });
    const weights = Float32Array.from({ length: 32 }, (_, i) => (i < 16 ? i / 10 : -(i - 15) / 100)); // greatest of the blocks of 16: 1.5 and -0.16
    const four = quantise4(weights, [1, 32], 16);
    // steps of 1.5 / -8 and -0.16 / -8
    assert.ok(distance(four.scales.dataSync(), [-0.1875, 0.02]) < 1e-6);
    const back = dequantise4(four).dataSync();
    assert.ok(Math.abs(back[15]! - 1.5) < 1e-6 && Math.abs(back[31]! + 0.16) < 1e-6 && back[0] === 0);
    weights.forEach((w, i) => assert.ok(Math.abs(w - back[i]!) <= (i < 16 ? 0.1875 : 0.02) / 2 + 1e-6, `weight ${i}: ${w}, back ${back[i]}`));
    assert.throws(() => quantise4(weights, [1, 32], 24), /power of 2/);
    assert.throws(() => quantise4(weights, [2, 16], 32), /16 inputs are no multiple of the block 32/);
    assert.throws(() => quantise4(weights, [2, 32], 32), /32 weights do not fill \[2, 32\]/);
    assert.ok(dequantise4(quantise4(new Float32Array(32), [1, 32])).dataSync().every((x) => x === 0));
  });

  for (const name of ['onnx', 'wasm', 'cpu'] as EngineName[]) {
    it(`${name}: equals dequantise, then matMul; alone, in a recorded function, and its gradient`, async () => {
      engine = await openEngine({ engine: name, threads: 1 });
      const before = tf.memory().numTensors;
      for (const [outputs, inputs, block] of [[48, 64, 16], [33, 128, 32], [200, 256, 64]] as const) {
        const [four, other] = [1, 2].map((seed) => quantise4(numbers(outputs * inputs, seed), [outputs, inputs], block)) as [Weights4, Weights4];
        const x = tf.tensor3d(numbers(2 * 3 * inputs, 7), [2, 3, inputs]);
        const expected = (w: Weights4): Float32Array => tf.tidy(() => tf.matMul(tf.reshape(x, [6, inputs]), dequantise4(w), false, true).dataSync() as Float32Array);
        const recorded = engine.jit((a: tf.Tensor) => matMulNBits(a, four));
        for (const [w, run] of [[four, (a: tf.Tensor) => matMulNBits(a, four)], [other, (a: tf.Tensor) => matMulNBits(a, other)], [four, recorded], [four, recorded]] as const) {
          const out = run(x);
          assert.deepEqual(out.shape, [2, 3, outputs]);
          assert.ok(distance(out.dataSync(), expected(w)) < 1e-5, `${outputs} x ${inputs}: off by ${distance(out.dataSync(), expected(w))}`);
          out.dispose();
        }
        const gradients = tf.tidy(() => [tf.grad((a) => tf.sum(tf.square(matMulNBits(a, four))))(x), tf.grad((a) => tf.sum(tf.square(tf.matMul(tf.reshape(a, [6, inputs]), dequantise4(four), false, true))))(x)].map((g) => g.dataSync()));
        assert.ok(distance(gradients[0]!, gradients[1]!) < 1e-5);
        x.dispose();
        [four, other].forEach(close);
      }
      assert.equal(tf.memory().numTensors, before);
    });
  }

  it('onnx with int8 inside: right to about 1 %; weights that are an argument are refused by name', async () => {
    engine = await openEngine({ engine: 'onnx', threads: 1 });
    const four = quantise4(numbers(64 * 256, 3), [64, 256]);
    const x = tf.tensor2d(numbers(2 * 256, 5), [2, 256]);
    const fast = engine.jit((a: tf.Tensor) => matMulNBits(a, four, 'int8'))(x);
    assert.ok(distance(fast.dataSync(), tf.tidy(() => matMulNBits(x, four).dataSync())) < 0.02);
    assert.throws(() => engine.jit((a: tf.Tensor, packed: tf.Tensor) => matMulNBits(a, { ...four, packed: packed as tf.Tensor2D }))(x, four.packed), /MatMulNBits.*packed weights must be a tensor from outside/);
    assert.throws(() => matMulNBits(tf.zeros([2, 32]), four), /must end in the weights' 256 inputs/);
    tf.dispose([fast, x]);
    close(four);
  });
});
