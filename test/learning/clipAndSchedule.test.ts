import assert from 'node:assert/strict';
import { clipGradients } from '../../trainer/learning/optimizer/clipGradients';
import { type ScheduleConfig, learningRateAt } from '../../trainer/learning/optimizer/schedule';
import { assertClose } from './helpers';

describe('clipGradients', () => {
  const gradients = { a: Float32Array.of(3, 0), b: Float32Array.of(4) };

  it('scales by maxNorm / (norm + 1e-6) over all gradients together', () => {
    // norm sqrt(9 + 16) = 5; 1 / 5.000001 = 0.19999996
    const { norm, scale } = clipGradients(gradients, 1);
    assert.equal(norm, 5);
    assertClose(scale, 0.19999996);
  });

  it('leaves small gradients as they are', () => assert.deepEqual(clipGradients(gradients, 6), { norm: 5, scale: 1 }));

  it('keeps zeros zero', () => assert.deepEqual(clipGradients({ a: new Float32Array(2) }, 1), { norm: 0, scale: 1 }));

  it('adds up every number, whatever the length', () => {
    for (const length of [1, 2, 3, 4, 5, 8, 1001]) {
      const x = Float32Array.from({ length }, (_, i) => Math.sin(i + 1));
      const expected = Math.sqrt(x.reduce((sum, v) => sum + v * v, 0));
      assert.ok(Math.abs(clipGradients({ x }, 1).norm - expected) <= 1e-12 * expected, String(length));
    }
  });

  it('says when there is nothing to clip', () => assert.throws(() => clipGradients({}, 1), /at least one gradient/));
});

describe('learningRateAt', () => {
  const rates = (schedule: ScheduleConfig['schedule'], steps: number[], totalSteps = 10, warmupSteps = 2): number[] =>
    steps.map((step) => learningRateAt(step, { schedule, learningRate: 2, warmupSteps, totalSteps }));

  it('warms up from 0 in each schedule: 0/2, 1/2, then the peak', () => {
    for (const schedule of ['constant', 'linear', 'cosine'] as const)
      assert.deepEqual(rates(schedule, [0, 1, 2]), [0, 1, 2]);
  });

  it('constant stays', () => assert.deepEqual(rates('constant', [3, 9, 50]), [2, 2, 2]));

  it('linear falls to 0 at the end and stays there', () => {
    // (10 - 6) / 8 = 0.5; (10 - 9) / 8 = 0.125
    assert.deepEqual(rates('linear', [6, 9, 10, 11]), [1, 0.25, 0, 0]);
  });

  it('cosine is half way at the middle', () => {
    // progress 4/8: (1 + cos(pi/2)) / 2 = 0.5; progress 2/8: (1 + cos(pi/4)) / 2 = 0.853553
    const [quarter, half, end] = rates('cosine', [4, 6, 10]);
    assertClose(quarter, 2 * 0.853553, 2e-6);
    assertClose(half, 1);
    assertClose(end, 0);
  });

  it('works without warm-up and with nothing but warm-up', () => {
    assert.deepEqual(rates('linear', [0, 5], 10, 0), [2, 1]);
    assert.deepEqual(rates('linear', [1, 2], 2, 2), [1, 0]);
  });
});
