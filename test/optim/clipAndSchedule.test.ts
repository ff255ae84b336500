import assert from 'node:assert/strict';
import * as tf from '@tensorflow/tfjs';
import { clipGradients } from '../../trainer/optim/clipGradients';
import { type ScheduleConfig, learningRateAt } from '../../trainer/optim/schedule';
import { assertClose, assertNoLeak, withoutReading } from '../algorithms/helpers';

describe('clipGradients', () => {
  before(async () => {
    await tf.setBackend('cpu');
  });

  const clip = (maxNorm: number): { a: number[]; b: number[]; norm: number } =>
    tf.tidy(() => {
      const { gradients, norm } = withoutReading(() => clipGradients({ a: tf.tensor2d([[3, 0]]), b: tf.scalar(4) }, tf.scalar(maxNorm)));
      return { a: [...gradients['a'].dataSync()], b: [...gradients['b'].dataSync()], norm: norm.dataSync()[0] };
    }) as unknown as { a: number[]; b: number[]; norm: number };

  it('scales by maxNorm / (norm + 1e-6) over all gradients together', () => {
    // norm sqrt(9 + 16) = 5; 1 / 5.000001 = 0.19999996
    assertNoLeak(() => {
      const { a, b, norm } = clip(1);
      assert.equal(norm, 5);
      assertClose(a[0], 0.59999988);
      assertClose(b[0], 0.79999984);
    });
  });

  it('leaves small gradients as they are', () => {
    assert.deepEqual(clip(6), { a: [3, 0], b: [4], norm: 5 });
  });

  it('keeps zeros zero', () => {
    tf.tidy(() => {
      const { gradients, norm } = clipGradients({ a: tf.zeros([2]) }, 1);
      assert.deepEqual([...gradients['a'].dataSync(), norm.dataSync()[0]], [0, 0, 0]);
    });
  });
});

describe('learningRateAt', () => {
  const rates = (schedule: ScheduleConfig['schedule'], steps: number[], totalSteps = 10, warmupSteps = 2): number[] =>
    steps.map((step) => learningRateAt(step, { schedule, learningRate: 2, warmupSteps, totalSteps }));

  it('warms up from 0 in each schedule: 0/2, 1/2, then the peak', () => {
    for (const schedule of ['constant', 'linear', 'cosine'] as const) assert.deepEqual(rates(schedule, [0, 1, 2]), [0, 1, 2]);
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
