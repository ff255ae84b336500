import assert from 'node:assert/strict';
import * as tf from '@tensorflow/tfjs';
import { estimateKl } from '../../trainer/learning/losses/kl';
import { sftLoss, sftLossFromLogits } from '../../trainer/learning/losses/sft';
import { entropies, logprobsAndEntropies, selectedLogprobs } from '../../trainer/model/network/logprobs';
import {
  assertClose,
  assertGradient,
  assertNoLeak,
  lossOnly,
  randomMatrix,
  read,
  seededRandom,
  withoutReading,
} from './helpers';

const MASK = [
  [1, 0, 1],
  [1, 1, 0],
];
const LOGPROBS = randomMatrix(2, 3, -1.5, -0.2, seededRandom(5));
const labelMask = (): tf.Tensor2D => tf.tensor2d(MASK);

describe('sftLoss', () => {
  before(async () => {
    await tf.setBackend('cpu');
  });

  it('gradient of nll against central differences', () => {
    assertNoLeak(() =>
      tf.tidy(() =>
        assertGradient('nll', LOGPROBS, {
          loss: (input) => lossOnly(sftLoss({ logprobs: input as tf.Tensor2D, labelMask: labelMask() }, 'nll')),
        }),
      ),
    );
  });

  it('gradient of dft against central differences of -p, whose derivative in log p is -p too', () => {
    assertNoLeak(() =>
      tf.tidy(() =>
        assertGradient('dft', LOGPROBS, {
          loss: (input) =>
            lossOnly(sftLoss({ logprobs: input as tf.Tensor2D, labelMask: labelMask(), itemsInBatch: 4 }, 'dft')),
          frozen: (input) => tf.neg(tf.div(tf.sum(tf.mul(tf.exp(input), labelMask())), 4)) as tf.Scalar,
        }),
      ),
    );
  });

  it('gradients from logits against central differences, nll and dft', () => {
    // 1 row, 3 positions, 4 ids; labels shift: the logits of position 0 predict label 2, those of position 1 nothing
    const labels = (): tf.Tensor2D => tf.tensor2d([[1, 2, -100]], [1, 3], 'int32');
    const logits = randomMatrix(3, 4, -1, 1, seededRandom(6));
    const shaped = (input: tf.Tensor): tf.Tensor3D => tf.reshape(input, [1, 3, 4]);
    assertNoLeak(() =>
      tf.tidy(() =>
        assertGradient('nll', logits, { loss: (input) => lossOnly(sftLossFromLogits(shaped(input), labels(), 'nll')) }),
      ),
    );
    assertNoLeak(() =>
      tf.tidy(() =>
        assertGradient('dft', logits, {
          loss: (input) => lossOnly(sftLossFromLogits(shaped(input), labels(), 'dft')),
          frozen: (input) =>
            tf.neg(tf.slice(tf.softmax(tf.slice(input, [0, 0], [1, 4])), [0, 2], [1, 1]).sum()) as tf.Scalar,
        }),
      ),
    );
  });

  it('by hand: a uniform model', () => {
    // 4 ids, all logits equal: -log(1/4) = 1.386294 nats for each of the 2 labels, entropy the same; 8 items in the
    // step
    tf.tidy(() => {
      const labels = tf.tensor2d([[3, 1, -100, 0]], [1, 4], 'int32');
      const { loss, statistics } = sftLossFromLogits(tf.zeros([1, 4, 4]), labels, 'nll', 8);
      assertClose(loss.dataSync()[0], (2 * Math.log(4)) / 8);
      const values = read(statistics);
      assertClose(values['entropy'], Math.log(4));
      assert.equal(values['mean_token_accuracy'], 0.5); // ties go to id 0: right for label 0, wrong for label 1
    });
  });

  it('gives 0 and no NaN without labels, whatever the log-probs are', () => {
    tf.tidy(() => {
      for (const lossType of ['nll', 'dft'] as const) {
        const inputs = {
          labelMask: tf.zeros([2, 3]) as tf.Tensor2D,
          entropies: tf.fill([2, 3], NaN) as tf.Tensor2D,
          isCorrect: tf.zeros([2, 3]) as tf.Tensor2D,
        };
        let statistics: Record<string, tf.Scalar> = {};
        const { value, grad } = tf.valueAndGrad((input) => {
          const result = sftLoss({ logprobs: input as tf.Tensor2D, ...inputs }, lossType);
          statistics = result.statistics;
          return result.loss;
        })(tf.fill([2, 3], -Infinity));
        assert.ok(Math.abs(value.dataSync()[0]) === 0);
        assert.ok(grad.dataSync().every((entry) => Math.abs(entry) === 0));
        assert.deepEqual(read(statistics), { entropy: 0, mean_token_accuracy: 0 });
      }
    });
  });

  it('builds its graph and its gradient without reading a value', () => {
    tf.tidy(() => {
      const labels = tf.tensor2d([[1, 2, -100]], [1, 3], 'int32');
      for (const lossType of ['nll', 'dft'] as const) {
        withoutReading(() =>
          tf.grad((input) => lossOnly(sftLossFromLogits(input as tf.Tensor3D, labels, lossType, tf.scalar(2))))(
            tf.zeros([1, 3, 4]),
          ),
        );
      }
    });
  });

  it('refuses a mask of another shape', () => {
    tf.tidy(() =>
      assert.throws(
        () => sftLoss({ logprobs: tf.tensor2d(LOGPROBS), labelMask: tf.ones([2, 4]) }, 'nll'),
        /labelMask must be \[2, 3\], got \[2, 4\]/,
      ),
    );
  });
});

describe('selectedLogprobs and entropies, which the losses take', () => {
  it('gradients against central differences (the entropy bonus needs that of the entropies)', () => {
    const logits = randomMatrix(2, 5, -1, 1, seededRandom(8));
    const weighted = (values: tf.Tensor): tf.Scalar => tf.sum(tf.mul(values, tf.tensor1d([1, -0.5])));
    assertNoLeak(() =>
      tf.tidy(() =>
        assertGradient('logprobs', logits, {
          loss: (input) => weighted(selectedLogprobs(input as tf.Tensor2D, tf.tensor1d([4, 0], 'int32'))),
        }),
      ),
    );
    assertNoLeak(() =>
      tf.tidy(() =>
        assertGradient('entropies', logits, { loss: (input) => weighted(entropies(input as tf.Tensor2D)) }),
      ),
    );
  });

  it('together: the same numbers, also where places are masked, and of the logprobs alone a gradient', () => {
    const targets = (): tf.Tensor1D => tf.tensor1d([4, 0], 'int32');
    tf.tidy(() => {
      const masked = tf.tensor2d([
        [1, -1e9, 0.5, -1e9, 2],
        [30, 29, -1e9, 12, 0],
      ]);
      const columns = logprobsAndEntropies(masked, targets());
      assert.deepEqual(columns.shape, [2, 2]);
      const [[p0, h0], [p1, h1]] = columns.arraySync() as [[number, number], [number, number]];
      [...selectedLogprobs(masked, targets()).dataSync()].forEach((x, i) => assertClose([p0, p1][i]!, x));
      [...entropies(masked).dataSync()].forEach((x, i) => assertClose([h0, h1][i]!, x, 2e-6));
    });
    const logits = randomMatrix(2, 5, -1, 1, seededRandom(8));
    const first = (values: tf.Tensor2D): tf.Scalar =>
      tf.sum(tf.mul(tf.slice2d(values, [0, 0], [2, 1]), tf.tensor2d([[1], [-0.5]])));
    assertNoLeak(() =>
      tf.tidy(() =>
        assertGradient('logprobs', logits, {
          loss: (input) => first(logprobsAndEntropies(input as tf.Tensor2D, targets())),
        }),
      ),
    );
    tf.tidy(() => {
      const gradient = tf.grad((z) =>
        tf.sum(tf.slice2d(logprobsAndEntropies(z as tf.Tensor2D, targets()), [0, 1], [2, 1])),
      )(tf.tensor2d(logits));
      assert.ok(gradient.dataSync().every((x) => x === 0));
    });
  });

  it('by hand: two ids, odds 3 to 1', () => {
    // p = 0.75, 0.25: log 0.25 = -1.386294; H = -(0.75 log 0.75 + 0.25 log 0.25) = 0.562335
    tf.tidy(() => {
      const logits = tf.tensor2d([[Math.log(3), 0]]);
      assertClose(selectedLogprobs(logits, tf.tensor1d([1], 'int32')).dataSync()[0], -1.386294);
      assertClose(entropies(logits).dataSync()[0], 0.562335);
    });
  });
});

describe('estimateKl', () => {
  const at = (estimator: 'k1' | 'k2' | 'k3'): number =>
    tf.tidy(() => estimateKl(estimator, tf.scalar(Math.log(0.5)), tf.scalar(Math.log(0.25))).dataSync()[0]);

  it('by hand: the policy gives 0.5, the reference 0.25', () => {
    // r = 0.5, log r = -0.693147: k1 = 0.693147, k2 = 0.240227, k3 = 0.5 - 1 + 0.693147 = 0.193147
    assertClose(at('k1'), 0.693147);
    assertClose(at('k2'), 0.240227);
    assertClose(at('k3'), 0.193147);
  });

  it('gradients against central differences', () => {
    for (const estimator of ['k1', 'k2', 'k3'] as const) {
      assertNoLeak(() =>
        tf.tidy(() =>
          assertGradient(estimator, LOGPROBS, {
            loss: (input) =>
              tf.sum(
                tf.mul(
                  estimateKl(estimator, input, tf.fill([2, 3], -0.8)),
                  tf.tensor2d([
                    [1, -2, 0.5],
                    [0.3, 1, 2],
                  ]),
                ),
              ) as tf.Scalar,
          }),
        ),
      );
    }
  });
});
