import assert from 'node:assert/strict';
import * as tf from '@tensorflow/tfjs';
import {
  type GrpoConfig,
  type GrpoInputs,
  GRPO_DEFAULTS,
  GRPO_LOSS_TYPES,
  grpoLoss,
} from '../../trainer/learning/losses/grpo';
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
  [1, 1, 1, 1],
  [1, 1, 0, 1],
  [0, 1, 1, 0],
];
const ADVANTAGES = [0.8, -0.6, -1.1];

/** log ratios away from every kink: log 0.8 = -0.223, log 1.2 = 0.182, log 1.5 = 0.405, log 0.9 and 1.1 = -+0.1. */
const LOG_RATIOS = [
  [0.05, 0.3, -0.15, -0.4],
  [-0.3, 0.06, 9, 0.27],
  [9, 0.5, -0.05, 9],
];

function example(): { x: number[][]; old: number[][]; reference: number[][]; entropies: number[][] } {
  const random = seededRandom(7);
  const old = randomMatrix(3, 4, -2, -0.5, random);
  return {
    old,
    x: old.map((row, i) => row.map((value, t) => value + LOG_RATIOS[i][t])),
    reference: old.map((row) => row.map((value) => value + 0.6 * (random() - 0.5))),
    entropies: randomMatrix(3, 4, 0.2, 2, random),
  };
}

function inputsFor(logprobs: tf.Tensor, old: tf.Tensor | null, changes: Partial<GrpoInputs> = {}): GrpoInputs {
  const { reference, entropies } = example();
  return {
    logprobs: logprobs as tf.Tensor2D,
    oldLogprobs: old as tf.Tensor2D | null,
    referenceLogprobs: tf.tensor2d(reference),
    entropies: tf.tensor2d(entropies),
    advantages: tf.tensor1d(ADVANTAGES),
    completionMask: tf.tensor2d(MASK),
    itemsInBatch: 9,
    ...changes,
  };
}

const config = (changes: Partial<GrpoConfig>): GrpoConfig => ({ ...GRPO_DEFAULTS, maxCompletionLength: 8, ...changes });

/** cispo and vespo hold their weight, a function of logprobs - old, constant: moving old along freezes it. */
function checkGradient(name: string, settings: GrpoConfig, changes: Partial<GrpoInputs> = {}): void {
  const { x, old } = example();
  const before = (): tf.Tensor => tf.tensor2d(old);
  const loss = (input: tf.Tensor, oldLogprobs: tf.Tensor): tf.Scalar =>
    lossOnly(grpoLoss(inputsFor(input, oldLogprobs, changes), settings));
  const isFrozen = settings.lossType === 'cispo' || settings.lossType === 'vespo';
  assertNoLeak(() =>
    tf.tidy(() =>
      assertGradient(name, x, {
        loss: (input) => loss(input, before()),
        frozen: isFrozen ? (input, at) => loss(input, tf.add(before(), tf.sub(input, at))) : undefined,
      }),
    ),
  );
}

describe('grpoLoss', () => {
  before(async () => {
    await tf.setBackend('cpu');
  });

  describe('gradient against central differences', () => {
    for (const lossType of GRPO_LOSS_TYPES) {
      for (const importanceSamplingLevel of ['token', 'sequence'] as const) {
        it(`${lossType}, ${importanceSamplingLevel} level`, () =>
          checkGradient(lossType, config({ lossType, importanceSamplingLevel })));
      }
      it(`${lossType} with a KL term`, () =>
        checkGradient(lossType, config({ lossType, beta: 0.3, useBiasCorrectionKl: false })));
    }
    it('bias-corrected KL, token and sequence level', () => {
      checkGradient('token', config({ lossType: 'grpo', beta: 0.5 }));
      checkGradient('sequence', config({ lossType: 'dr_grpo', beta: 0.5, importanceSamplingLevel: 'sequence' }));
    });
    it('two-sided clip', () => checkGradient('delta', config({ delta: 1.5 })));
    it('off-policy mask', () =>
      checkGradient('off policy', config({ lossType: 'grpo', offPolicyMaskThreshold: 0.05 })));
    it('top-entropy quantile', () => checkGradient('quantile', config({ topEntropyQuantile: 0.5 })));
    it('an advantage per token', () => {
      const advantages = tf.tensor2d(randomMatrix(3, 4, -1, 1, seededRandom(3)));
      for (const lossType of GRPO_LOSS_TYPES) checkGradient(lossType, config({ lossType }), { advantages });
      advantages.dispose();
    });
    it('the entropy bonus, with respect to the entropies', () => {
      const { x, old, entropies } = example();
      for (const lossType of ['dapo', 'grpo'] as const) {
        assertNoLeak(() =>
          tf.tidy(() =>
            assertGradient(lossType, entropies, {
              loss: (input) =>
                lossOnly(
                  grpoLoss(
                    inputsFor(tf.tensor2d(x), tf.tensor2d(old), {
                      entropies: input as tf.Tensor2D,
                      entropyCoefficient: 0.4,
                      accumulationSteps: 2,
                    }),
                    config({ lossType, topEntropyQuantile: 0.5 }),
                  ),
                ),
            }),
          ),
        );
      }
    });
  });

  it('by hand: clipped ratio, token mean over the batch', () => {
    // ratio e^0.3 = 1.349859 clipped to 1.2, A = 1 -> -1.2; ratio 1, A = -2 -> 2; divisor 4 -> (-1.2 + 2) / 4 = 0.2
    assertNoLeak(() =>
      tf.tidy(() => {
        const { loss, statistics } = grpoLoss(
          {
            logprobs: tf.tensor2d([
              [-1, -5],
              [-2, -5],
            ]),
            oldLogprobs: tf.tensor2d([
              [-1.3, -5],
              [-2, -5],
            ]),
            referenceLogprobs: null,
            entropies: null,
            advantages: tf.tensor1d([1, -2]),
            completionMask: tf.tensor2d([
              [1, 0],
              [1, 0],
            ]),
            itemsInBatch: 4,
          },
          config({ lossType: 'dapo' }),
        );
        assertClose(loss.dataSync()[0], 0.2);
        assert.deepEqual(read(statistics), {
          'clip_ratio/low_mean': 0,
          'clip_ratio/high_mean': 0.5,
          'clip_ratio/region_mean': 0.5,
          'clip_ratio/low_min': 0,
          'clip_ratio/high_max': 1,
        });
      }),
    );
  });

  it('without old log-probs the ratio is 1 and the gradient is that of REINFORCE', () => {
    tf.tidy(() => {
      const { x } = example();
      const gradient = tf
        .grad((input) => lossOnly(grpoLoss(inputsFor(input, null), config({ lossType: 'dapo' }))))(tf.tensor2d(x))
        .dataSync();
      // d(-w A)/dlogp at w = 1 is -A, over the 9 items
      MASK.flat().forEach((one, i) => assertClose(gradient[i], one === 0 ? 0 : -ADVANTAGES[Math.floor(i / 4)] / 9));
    });
  });

  it('ignores what masked positions hold', () => {
    const { x, old, reference, entropies } = example();
    const poison = (values: number[][]): tf.Tensor2D =>
      tf.tensor2d(values.map((row, i) => row.map((value, t) => (MASK[i][t] === 0 ? [NaN, -Infinity][t % 2] : value))));
    for (const lossType of GRPO_LOSS_TYPES) {
      tf.tidy(() => {
        const run = (hold: (values: number[][]) => tf.Tensor2D): number[] => {
          const extra = { referenceLogprobs: hold(reference), entropies: hold(entropies), entropyCoefficient: 0.1 };
          const settings = config({ lossType, beta: 0.1, topEntropyQuantile: 0.6, offPolicyMaskThreshold: 0.1 });
          const { value, grad } = tf.valueAndGrad((input) =>
            lossOnly(grpoLoss(inputsFor(input, hold(old), extra), settings)),
          )(hold(x));
          return [value.dataSync()[0], ...grad.dataSync()];
        };
        assert.deepEqual(
          run(poison),
          run((values) => tf.tensor2d(values)),
        );
      });
    }
  });

  it('gives 0 and no NaN for a batch with no trained token', () => {
    const { x, old } = example();
    for (const lossType of GRPO_LOSS_TYPES) {
      for (const importanceSamplingLevel of ['token', 'sequence'] as const) {
        assertNoLeak(() =>
          tf.tidy(() => {
            let statistics: Record<string, tf.Scalar> = {};
            const empty = { completionMask: tf.zeros([3, 4]) as tf.Tensor2D, itemsInBatch: 0, entropyCoefficient: 0.1 };
            const { value, grad } = tf.valueAndGrad((input) => {
              const result = grpoLoss(
                inputsFor(input, tf.tensor2d(old), empty),
                config({ lossType, importanceSamplingLevel, beta: 0.1, topEntropyQuantile: 0.5 }),
              );
              statistics = result.statistics;
              return result.loss;
            })(tf.tensor2d(x));
            assert.ok(Math.abs(value.dataSync()[0]) === 0, `${lossType}: loss ${value.dataSync()[0]}`);
            assert.ok(grad.dataSync().every((entry) => Math.abs(entry) === 0));
            for (const [name, statistic] of Object.entries(read(statistics)))
              assert.ok(Number.isFinite(statistic), `${lossType}: ${name} is ${statistic}`);
          }),
        );
      }
    }
  });

  it('builds its graph and its gradient without reading a value', () => {
    const { x, old } = example();
    tf.tidy(() => {
      for (const lossType of GRPO_LOSS_TYPES) {
        const changes = {
          itemsInBatch: tf.scalar(9),
          accumulationSteps: tf.scalar(2),
          rowsInBatch: tf.scalar(3),
          entropyCoefficient: tf.scalar(0.1),
        };
        const settings = config({
          lossType,
          beta: 0.1,
          topEntropyQuantile: 0.5,
          offPolicyMaskThreshold: 0.1,
          delta: 1.5,
        });
        withoutReading(() =>
          tf.grad((input) => lossOnly(grpoLoss(inputsFor(input, tf.tensor2d(old), changes), settings)))(tf.tensor2d(x)),
        );
      }
    });
  });

  it('adds up over micro-batches of unequal size when given the rows of the whole step', () => {
    const { x, old } = example();
    for (const lossType of ['grpo', 'sapo', 'dr_grpo', 'luspo'] as const) {
      tf.tidy(() => {
        const part = (from: number, to: number, rowsInBatch?: number): number => {
          const rows = (values: number[][]): tf.Tensor2D => tf.tensor2d(values.slice(from, to));
          const inputs: GrpoInputs = {
            logprobs: rows(x),
            oldLogprobs: rows(old),
            referenceLogprobs: null,
            entropies: null,
            advantages: tf.tensor1d(ADVANTAGES.slice(from, to)),
            completionMask: rows(MASK),
            itemsInBatch: 9,
            rowsInBatch,
          };
          return lossOnly(grpoLoss(inputs, config({ lossType }))).dataSync()[0];
        };
        assertClose(part(0, 1, 3) + part(1, 3, 3), part(0, 3));
      });
    }
  });

  it('finds the entropy cut of torch.quantile, or takes a given one', () => {
    // trained entropies 1 2 3 4 5 (and a masked 9): keep 0.4 -> quantile 0.6 * 4 = 2.4 -> 3 + 0.4 * (4 - 3) = 3.4: 4
    // and 5 stay
    tf.tidy(() => {
      const kept = (changes: Partial<GrpoInputs>): number[] => {
        const inputs: GrpoInputs = {
          logprobs: tf.tensor2d([
            [-1, -1, -1],
            [-1, -1, -1],
          ]),
          oldLogprobs: null,
          referenceLogprobs: null,
          entropies: tf.tensor2d([
            [3, 9, 5],
            [1, 4, 2],
          ]),
          advantages: tf.tensor1d([1, 1]),
          completionMask: tf.tensor2d([
            [1, 0, 1],
            [1, 1, 1],
          ]),
          itemsInBatch: 5,
          ...changes,
        };
        const gradient = tf.grad((input) =>
          lossOnly(grpoLoss({ ...inputs, logprobs: input as tf.Tensor2D }, config({ topEntropyQuantile: 0.4 }))),
        )(inputs.logprobs);
        return [...gradient.dataSync()].map((entry) => (entry === 0 ? 0 : 1));
      };
      assert.deepEqual(kept({}), [0, 0, 1, 0, 1, 0]);
      assert.deepEqual(kept({ entropyThreshold: 3 }), [1, 0, 1, 0, 1, 0]);
    });
  });

  it('refuses wrong shapes and missing inputs', () => {
    tf.tidy(() => {
      const { x, old } = example();
      const good = inputsFor(tf.tensor2d(x), tf.tensor2d(old));
      assert.throws(
        () => grpoLoss({ ...good, advantages: tf.tensor1d([1, 2]) }, config({})),
        /advantages must be \[3\], got \[2\]/,
      );
      assert.throws(
        () => grpoLoss({ ...good, completionMask: tf.ones([3, 5]) }, config({})),
        /completionMask must be \[3, 4\], got \[3, 5\]/,
      );
      assert.throws(
        () => grpoLoss({ ...good, referenceLogprobs: null }, config({ beta: 0.1 })),
        /needs referenceLogprobs/,
      );
      assert.throws(
        () => grpoLoss({ ...good, entropies: null, entropyCoefficient: 0.1 }, config({})),
        /need entropies/,
      );
    });
  });
});
