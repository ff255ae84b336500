import assert from 'node:assert/strict';
import * as tf from '@tensorflow/tfjs';
import { loraScaling } from '../../trainer/model/network/loraShape';
import { addDelta } from '../../trainer/model/weights/exportMerged';
import { loraLayer } from '../fixtures/loraLayer';
import { assertClose, assertGradient, assertNoLeak, randomMatrix, seededRandom } from './helpers';

const random = seededRandom(21);
const X = randomMatrix(2, 3, -1, 1, random);
const A = randomMatrix(2, 3, -1, 1, random);
const B = randomMatrix(4, 2, -1, 1, random);
const WEIGHT = randomMatrix(4, 3, -1, 1, random);
const COTANGENT = randomMatrix(2, 4, -1, 1, random);
const dotCotangent = (y: tf.Tensor): tf.Scalar => tf.sum(tf.mul(y, tf.tensor2d(COTANGENT)));

describe('LoRA', () => {
  before(async () => {
    await tf.setBackend('cpu');
  });

  it('by hand: rank 1', () => {
    // x = (1, 2), A = (3, 4): 11; B = (1, -1) -> (11, -11); scaling 0.5 -> (5.5, -5.5)
    tf.tidy(() => {
      const [weight, a, b] = [tf.zeros([2, 2]), tf.tensor2d([[3, 4]]), tf.tensor2d([[1], [-1]])];
      const y = loraLayer(tf.tensor2d([[1, 2]]), { weight, a, b, scaling: 0.5 });
      assert.deepEqual(y.shape, [1, 2]);
      assert.deepEqual([...y.dataSync()], [5.5, -5.5]);
    });
    assert.equal(loraScaling({ rank: 16, alpha: 32 }), 2);
    assert.equal(loraScaling({ rank: 16, alpha: 32, rslora: true }), 8);
  });

  it('gradients of x, A and B against central differences', () => {
    const delta = (x: tf.Tensor, a: tf.Tensor, b: tf.Tensor): tf.Scalar =>
      dotCotangent(loraLayer(x, { weight: tf.tensor2d(WEIGHT), a, b, scaling: 2 }));
    assertNoLeak(() =>
      tf.tidy(() => assertGradient('x', X, { loss: (input) => delta(input, tf.tensor2d(A), tf.tensor2d(B)) })),
    );
    assertNoLeak(() =>
      tf.tidy(() => assertGradient('A', A, { loss: (input) => delta(tf.tensor2d(X), input, tf.tensor2d(B)) })),
    );
    assertNoLeak(() =>
      tf.tidy(() => assertGradient('B', B, { loss: (input) => delta(tf.tensor2d(X), tf.tensor2d(A), input) })),
    );
  });

  it('the merged weight gives what base and adapter give together', () => {
    tf.tidy(() => {
      const [x, weight, a, b] = [X, WEIGHT, A, B].map((values) => tf.tensor2d(values));
      const together = loraLayer(x, { weight, a, b, scaling: 2 }).dataSync();
      const pair = {
        layer: 0,
        target: 'q_proj' as const,
        a: { shape: [2, 3], data: Float32Array.from(A.flat()) },
        b: { shape: [4, 2], data: Float32Array.from(B.flat()) },
      };
      const merged = tf.tensor2d(addDelta(Float32Array.from(WEIGHT.flat()), [4, 3], pair, 2), [4, 3]);
      tf.matMul(x, merged, false, true)
        .dataSync()
        .forEach((value, i) => assertClose(value, together[i]));
    });
  });
});
