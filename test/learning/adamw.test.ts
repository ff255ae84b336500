import assert from 'node:assert/strict';
import * as tf from '@tensorflow/tfjs';
import { eager } from '../../trainer/model/engine/eager';
import { openEngine, type Engine } from '../../trainer/model/engine/engine';
import { type AdamWConfig, ADAMW_DEFAULTS, createAdamW } from '../../trainer/learning/optimizer/adamw';
import { assertClose, assertNoLeak } from './helpers';

/** torch.optim.AdamW's single-tensor step in float64, one number. */
function torchSteps(
  start: number,
  gradients: number[],
  lr: number,
  { beta1, beta2, epsilon, weightDecay }: AdamWConfig,
): number {
  let [p, m, v] = [start, 0, 0];
  gradients.forEach((g, index) => {
    p *= 1 - lr * weightDecay;
    m += (1 - beta1) * (g - m);
    v = beta2 * v + (1 - beta2) * g * g;
    const step = index + 1;
    p -= ((lr / (1 - beta1 ** step)) * m) / (Math.sqrt(v) / Math.sqrt(1 - beta2 ** step) + epsilon);
  });
  return p;
}

const CONFIG: AdamWConfig = { ...ADAMW_DEFAULTS, weightDecay: 0.01 };
const one = (...numbers: number[]): { p: Float32Array } => ({ p: Float32Array.from(numbers) });

describe('createAdamW', () => {
  let engine: Pick<Engine, 'alias'> = eager;
  before(async () => {
    await tf.setBackend('cpu');
  });

  it('by hand: two steps with decay', () => {
    // lr 0.1, decay 0.01. Step 1, g = 0.5: m/(1-b1) = 0.5, v/(1-b2) = 0.25, so p = 1 * 0.999 - 0.1 * 0.5 / 0.5 = 0.899.
    // Step 2, g = -0.25: m = 0.9 * 0.05 - 0.025 = 0.02, /0.19 = 0.1052632; v = 0.999 * 0.00025 + 0.0000625 =
    // 0.00031225,
    // /0.001999 = 0.1562031, root 0.3952254; p = 0.899 * 0.999 - 0.1 * 0.1052632 / 0.3952254 = 0.898101 - 0.0266337 =
    // 0.8714673
    const p = tf.variable(tf.scalar(1));
    const optimizer = createAdamW(engine, { p }, CONFIG);
    const step = (gradient: number, count: number): number => {
      optimizer.update(one(gradient), 0.1, count);
      return p.dataSync()[0]!;
    };
    assertClose(step(0.5, 1), 0.899);
    assertClose(step(-0.25, 2), 0.8714673);
    p.dispose();
  });

  for (const name of ['cpu', 'wasm', 'onnx'] as const) {
    it(`follows torch over 50 steps, each entry for itself, and changes nothing that it shared memory with: ${name}`, async () => {
      const opened = await openEngine({ engine: name, threads: 1 });
      engine = opened;
      const start = [1, -0.3];
      const gradients = Array.from({ length: 50 }, (_, i) => [Math.sin(i) * 0.1, 3 * Math.cos(0.5 * i) + 1]);
      const before = tf.memory().numTensors;
      const given = tf.tensor1d(start);
      const p = tf.tidy(() => tf.variable(given));
      const optimizer = createAdamW(engine, { p }, CONFIG);
      const follows = (column: number, to: number): void =>
        assertClose(
          p.dataSync()[column]!,
          torchSteps(
            start[column]!,
            gradients.slice(0, to).map((g) => g[column]!),
            0.01,
            CONFIG,
          ),
          2e-6,
        );
      gradients.forEach((gradient, i) => {
        optimizer.update(one(...gradient.map((g) => g / 2)), 0.01, i + 1, 2);
        start.forEach((_, column) => follows(column, i + 1));
      });
      // what is computed with it sees what it is now
      const doubled = tf.tidy(() => tf.mul(p, 2).dataSync());
      assert.deepEqual(
        [...doubled],
        [...p.dataSync()].map((x) => 2 * x),
      );
      assert.deepEqual([...given.dataSync()], [...Float32Array.from(start)]);
      // numbers that are assigned from outside are where it goes on, and stay as they are
      const loaded = tf.tensor1d([5, 6]);
      p.assign(loaded);
      optimizer.update(one(0, 0), 0, 51);
      assert.deepEqual([...p.dataSync()], [5, 6]);
      optimizer.update(one(1, 1), 0.1, 52);
      assert.ok(p.dataSync()[0]! < 5);
      assert.deepEqual([...loaded.dataSync()], [5, 6]);
      tf.dispose([given, loaded, p]);
      assert.equal(tf.memory().numTensors, before);
      opened.dispose();
      engine = eager;
      await tf.setBackend('cpu');
    });
  }

  it('keeps seven digits of the bias correction at step 1, where 1 - 0.999 in float32 would have five', () => {
    // with g tiny against epsilon's scale the step is lr * g / (|g| + eps): g = 1e-4 -> 1e-3 * 1e-4 / (1e-4 + 1e-8) =
    // 9.999e-4
    const p = tf.variable(tf.scalar(0));
    createAdamW(engine, { p }, ADAMW_DEFAULTS).update(one(1e-4), 1e-3, 1);
    assertClose(p.dataSync()[0]!, -1e-7 / (1e-4 + 1e-8), 1e-9);
    p.dispose();
  });

  it('decays only what isDecayed names', () => {
    const parameters = { weight: tf.variable(tf.scalar(1)), bias: tf.variable(tf.scalar(1)) };
    const optimizer = createAdamW(engine, parameters, { ...CONFIG, isDecayed: (name) => name === 'weight' });
    optimizer.update({ weight: Float32Array.of(0), bias: Float32Array.of(0) }, 0.1, 1);
    assertClose(parameters.weight.dataSync()[0]!, 0.999); // 1 - 0.1 * 0.01
    assert.equal(parameters.bias.dataSync()[0], 1);
    tf.dispose(parameters);
  });

  it('goes on from saved moments to the bit as if it had not stopped', () => {
    assertNoLeak(() => {
      const gradients = [0.4, -0.2, 0.7, 0.1];
      const run = (optimizer: ReturnType<typeof createAdamW>, from: number, to: number): void => {
        for (let i = from; i < to; i++) optimizer.update(one(gradients[i]!), 0.05, i + 1);
      };
      const [p, whole] = tf.tidy(() => [tf.variable(tf.scalar(2)), tf.variable(tf.scalar(2))]) as [
        tf.Variable,
        tf.Variable,
      ];
      run(createAdamW(engine, { p: whole }, CONFIG), 0, 4);
      const first = createAdamW(engine, { p }, CONFIG);
      run(first, 0, 2);
      const saved = first.read();
      assert.deepEqual([...saved.keys()], ['p.exp_avg', 'p.exp_avg_sq']);
      const kept = [...saved.values()].map(({ data }) => data[0]);
      const second = createAdamW(engine, { p }, CONFIG);
      second.load(saved);
      run(second, 2, 4);
      assert.equal(p.dataSync()[0], whole.dataSync()[0]);
      assertClose(p.dataSync()[0]!, torchSteps(2, gradients, 0.05, CONFIG));
      assert.deepEqual(
        [...saved.values()].map(({ data }) => data[0]),
        kept,
        'what was read is a copy',
      );
      tf.dispose([p, whole]);
    });
  });

  it('names the gradient or the moment that does not fit, and changes nothing', () => {
    const p = tf.variable(tf.ones([2]));
    const optimizer = createAdamW(engine, { p }, CONFIG);
    assert.throws(() => optimizer.update({}, 0.1, 1), /no gradient for "p"/);
    assert.throws(() => optimizer.update({ ...one(1, 1), q: Float32Array.of(1, 1) }, 0.1, 1), /no parameter named "q"/);
    assert.throws(() => optimizer.update(one(1, 1, 1), 0.1, 1), /p must have the 2 numbers of \[2\], got 3/);
    assert.throws(
      () => optimizer.load(new Map([['p.exp_avg', { data: Float32Array.of(7, 7), shape: [2] }]])),
      /"p.exp_avg_sq" is missing/,
    );
    assert.throws(
      () =>
        optimizer.load(
          new Map([
            ['p.exp_avg', { data: Float32Array.of(7, 7), shape: [2] }],
            ['p.exp_avg_sq', { data: Float32Array.of(7), shape: [1] }],
          ]),
        ),
      /p.exp_avg_sq must be \[2\], got \[1\]/,
    );
    assert.deepEqual(
      [...optimizer.read().values()].map(({ data }) => [...data]),
      [
        [0, 0],
        [0, 0],
      ],
    );
    assert.deepEqual([...p.dataSync()], [1, 1]);
    p.dispose();
  });
});
