import assert from 'node:assert/strict';
import * as tf from '@tensorflow/tfjs';
import { type AdamWConfig, ADAMW_DEFAULTS, createAdamW } from '../../trainer/optim/adamw';
import { assertClose, assertNoLeak, withoutReading } from '../algorithms/helpers';

/** torch.optim.AdamW's single-tensor step in float64, one number. */
function torchSteps(start: number, gradients: number[], lr: number, { beta1, beta2, epsilon, weightDecay }: AdamWConfig): number {
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

describe('createAdamW', () => {
  before(async () => {
    await tf.setBackend('cpu');
  });

  it('by hand: two steps with decay', () => {
    // lr 0.1, decay 0.01. Step 1, g = 0.5: m/(1-b1) = 0.5, v/(1-b2) = 0.25, so p = 1 * 0.999 - 0.1 * 0.5 / 0.5 = 0.899.
    // Step 2, g = -0.25: m = 0.9 * 0.05 - 0.025 = 0.02, /0.19 = 0.1052632; v = 0.999 * 0.00025 + 0.0000625 = 0.00031225,
    // /0.001999 = 0.1562031, root 0.3952254; p = 0.899 * 0.999 - 0.1 * 0.1052632 / 0.3952254 = 0.898101 - 0.0266337 = 0.8714673
    const p = tf.variable(tf.scalar(1));
    const optimizer = createAdamW({ p }, CONFIG);
    const step = (gradient: number, count: number): number => tf.tidy(() => {
      optimizer.applyGradients({ p: tf.scalar(gradient) }, tf.scalar(0.1), tf.scalar(count));
      return p.dataSync()[0];
    });
    assertClose(step(0.5, 1), 0.899);
    assertClose(step(-0.25, 2), 0.8714673);
    optimizer.dispose();
    p.dispose();
  });

  it('follows torch over 50 steps, each entry for itself', () => {
    assertNoLeak(() => {
      const start = [1, -0.3];
      const gradients = Array.from({ length: 50 }, (_, i) => [Math.sin(i) * 0.1, 3 * Math.cos(0.5 * i) + 1]);
      const p = tf.tidy(() => tf.variable(tf.tensor1d(start)));
      const optimizer = createAdamW({ p }, CONFIG);
      gradients.forEach((gradient, i) => tf.tidy(() => optimizer.applyGradients({ p: tf.tensor1d(gradient) }, tf.scalar(0.01), tf.scalar(i + 1))));
      const values = p.dataSync();
      start.forEach((value, column) => assertClose(values[column], torchSteps(value, gradients.map((g) => g[column]), 0.01, CONFIG), 2e-6));
      optimizer.dispose();
      optimizer.dispose();
      p.dispose();
    });
  });

  it('keeps seven digits of the bias correction at step 1, where 1 - 0.999 would have five', () => {
    // with g tiny against epsilon's scale the step is lr * g / (|g| + eps): g = 1e-4 -> 1e-3 * 1e-4 / (1e-4 + 1e-8) = 9.999e-4
    const p = tf.variable(tf.scalar(0));
    const optimizer = createAdamW({ p }, ADAMW_DEFAULTS);
    tf.tidy(() => optimizer.applyGradients({ p: tf.scalar(1e-4) }, tf.scalar(1e-3), tf.scalar(1)));
    assertClose(p.dataSync()[0], -1e-7 / (1e-4 + 1e-8), 1e-9);
    optimizer.dispose();
    p.dispose();
  });

  it('decays only what isDecayed names', () => {
    const parameters = { weight: tf.variable(tf.scalar(1)), bias: tf.variable(tf.scalar(1)) };
    const optimizer = createAdamW(parameters, { ...CONFIG, isDecayed: (name) => name === 'weight' });
    tf.tidy(() => optimizer.applyGradients({ weight: tf.scalar(0), bias: tf.scalar(0) }, tf.scalar(0.1), tf.scalar(1)));
    assertClose(parameters.weight.dataSync()[0], 0.999); // 1 - 0.1 * 0.01
    assert.equal(parameters.bias.dataSync()[0], 1);
    optimizer.dispose();
    tf.dispose(parameters);
  });

  it('goes on from saved moments as if it had not stopped', () => {
    assertNoLeak(() => {
      const gradients = [0.4, -0.2, 0.7, 0.1];
      const p = tf.tidy(() => tf.variable(tf.scalar(2)));
      const run = (optimizer: ReturnType<typeof createAdamW>, from: number, to: number): void => {
        for (let i = from; i < to; i++) tf.tidy(() => optimizer.applyGradients({ p: tf.scalar(gradients[i]) }, tf.scalar(0.05), tf.scalar(i + 1)));
      };
      const first = createAdamW({ p }, CONFIG);
      run(first, 0, 2);
      const saved = first.getWeights();
      assert.deepEqual(Object.keys(saved), ['p.exp_avg', 'p.exp_avg_sq']);
      first.dispose();
      const second = createAdamW({ p }, CONFIG);
      second.setWeights(saved);
      tf.dispose(saved);
      run(second, 2, 4);
      assertClose(p.dataSync()[0], torchSteps(2, gradients, 0.05, CONFIG));
      second.dispose();
      p.dispose();
    });
  });

  it('makes its variables at once, updates without reading a value, and makes none later', () => {
    const p = tf.variable(tf.ones([2, 3]));
    const optimizer = createAdamW({ p }, CONFIG);
    const before = tf.memory().numTensors;
    withoutReading(() => tf.tidy(() => optimizer.applyGradients({ p: tf.ones([2, 3]) }, tf.scalar(0.1), tf.scalar(1))));
    assert.equal(tf.memory().numTensors, before);
    optimizer.dispose();
    p.dispose();
  });

  it('names the gradient or the moment that does not fit', () => {
    tf.tidy(() => {
      const p = tf.variable(tf.ones([2]));
      const optimizer = createAdamW({ p }, CONFIG);
      const [lr, count] = [tf.scalar(0.1), tf.scalar(1)];
      assert.throws(() => optimizer.applyGradients({}, lr, count), /no gradient for "p"/);
      assert.throws(() => optimizer.applyGradients({ p: tf.ones([2]), q: tf.ones([2]) }, lr, count), /no parameter named "q"/);
      assert.throws(() => optimizer.applyGradients({ p: tf.ones([3]) }, lr, count), /p must be \[2\], got \[3\]/);
      assert.throws(() => optimizer.setWeights({ 'p.exp_avg': tf.ones([2]) }), /"p.exp_avg_sq" is missing/);
      optimizer.dispose();
      p.dispose();
    });
  });
});
