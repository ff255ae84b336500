import assert from 'node:assert/strict';
import * as tf from '@tensorflow/tfjs';
import { doraLinear, loraDelta, mergeDora, mergeLora } from '../../trainer/model/network/lora';
import { loraScaling } from '../../trainer/model/network/loraShape';
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
      const y = loraDelta(tf.tensor3d([[[1, 2]]]), tf.tensor2d([[3, 4]]), tf.tensor2d([[1], [-1]]), 0.5);
      assert.deepEqual(y.shape, [1, 1, 2]);
      assert.deepEqual([...y.dataSync()], [5.5, -5.5]);
    });
    assert.equal(loraScaling({ rank: 16, alpha: 32 }), 2);
    assert.equal(loraScaling({ rank: 16, alpha: 32, rslora: true }), 8);
  });

  it('gradients of x, A and B against central differences', () => {
    const delta = (x: tf.Tensor, a: tf.Tensor, b: tf.Tensor): tf.Scalar =>
      dotCotangent(loraDelta(x, a as tf.Tensor2D, b as tf.Tensor2D, 2));
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

  it('DoRA: gradients with the weight norm held constant', () => {
    const magnitude = [0.5, 1, 1.5, 2];
    const layer = (x: tf.Tensor, a: tf.Tensor, b: tf.Tensor, m: tf.Tensor1D = tf.tensor1d(magnitude)): tf.Scalar =>
      dotCotangent(
        doraLinear(x, tf.tensor2d(WEIGHT), tf.tensor1d([1, 2, 3, 4]), a as tf.Tensor2D, b as tf.Tensor2D, m, 2),
      );
    // magnitude' = magnitude * norm(now) / norm(at) undoes the change of the norm
    const norms = (a: tf.Tensor, b: tf.Tensor): tf.Tensor =>
      tf.norm(mergeLora(tf.tensor2d(WEIGHT), a as tf.Tensor2D, b as tf.Tensor2D, 2), 'euclidean', 1);
    const fixed = (now: tf.Tensor, at: tf.Tensor): tf.Tensor1D => tf.mul(tf.tensor1d(magnitude), tf.div(now, at));
    const [x, a, b] = [X, A, B].map((values) => () => tf.tensor2d(values));
    assertNoLeak(() => tf.tidy(() => assertGradient('x', X, { loss: (input) => layer(input, a(), b()) })));
    assertNoLeak(() =>
      tf.tidy(() =>
        assertGradient('A', A, {
          loss: (input) => layer(x(), input, b()),
          frozen: (input, at) => layer(x(), input, b(), fixed(norms(input, b()), norms(at, b()))),
        }),
      ),
    );
    assertNoLeak(() =>
      tf.tidy(() =>
        assertGradient('B', B, {
          loss: (input) => layer(x(), a(), input),
          frozen: (input, at) => layer(x(), a(), input, fixed(norms(a(), input), norms(a(), at))),
        }),
      ),
    );
    assertNoLeak(() =>
      tf.tidy(() =>
        assertGradient('magnitude', [magnitude], { loss: (input) => layer(x(), a(), b(), tf.reshape(input, [4])) }),
      ),
    );
  });

  it('the merged weight gives what base and adapter give together', () => {
    tf.tidy(() => {
      const [x, weight, a, b] = [X, WEIGHT, A, B].map((values) => tf.tensor2d(values));
      const magnitude = tf.tensor1d([0.5, 1, 1.5, 2]);
      const lora = tf.add(tf.matMul(x, weight, false, true), loraDelta(x, a, b, 2));
      const merged = tf.matMul(x, mergeLora(weight, a, b, 2), false, true);
      merged.dataSync().forEach((value, i) => assertClose(value, lora.dataSync()[i]));
      const dora = doraLinear(x, weight, null, a, b, magnitude, 2);
      const mergedDora = tf.matMul(x, mergeDora(weight, a, b, magnitude, 2), false, true);
      mergedDora.dataSync().forEach((value, i) => assertClose(value, dora.dataSync()[i]));
    });
  });

  it('refuses factors that do not fit', () => {
    tf.tidy(() => {
      const [x, a, b] = [X, A, B].map((values) => tf.tensor2d(values));
      assert.throws(() => loraDelta(x, tf.ones([2, 5]), b, 1), /A must be \[2, 3\], got \[2, 5\]/);
      assert.throws(() => loraDelta(x, a, tf.ones([4, 3]), 1), /B must be \[4, 2\], got \[4, 3\]/);
    });
  });
});
