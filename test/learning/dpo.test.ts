import assert from 'node:assert/strict';
import * as tf from '@tensorflow/tfjs';
import {
  type DpoConfig,
  type DpoInputs,
  DPO_DEFAULTS,
  DPO_LOSS_TYPES,
  dpoLoss,
  sequenceLogprobs,
} from '../../trainer/learning/losses/dpo';
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

// three pairs; chosen rows first
const MASK = [
  [1, 1, 1, 0],
  [0, 1, 1, 0],
  [1, 0, 0, 0],
  [1, 1, 0, 0],
  [0, 1, 1, 1],
  [1, 1, 1, 1],
];
const LOGPROBS = randomMatrix(6, 4, -1.5, -0.2, seededRandom(11));
const LOG_SQUARES = randomMatrix(6, 4, -1.2, -0.1, seededRandom(12));

function inputsFor(logprobs: tf.Tensor, changes: Partial<DpoInputs> = {}): DpoInputs {
  return {
    logprobs: logprobs as tf.Tensor2D,
    completionMask: tf.tensor2d(MASK),
    referenceChosen: tf.tensor1d([-2.4, -1.3, -0.9]),
    referenceRejected: tf.tensor1d([-1.4, -2.9, -2.6]),
    ...changes,
  };
}

const config = (changes: Partial<DpoConfig>): DpoConfig => ({ ...DPO_DEFAULTS, beta: 0.5, ...changes });

function checkGradient(name: string, settings: DpoConfig): void {
  assertNoLeak(() =>
    tf.tidy(() =>
      assertGradient(name, LOGPROBS, {
        loss: (input) =>
          lossOnly(dpoLoss(inputsFor(input, { logSumSquaredProbs: tf.tensor2d(LOG_SQUARES) }), settings)),
        // WPO's weight is a function of logprobs - logSumSquaredProbs, held constant: move both
        frozen: (input, at) =>
          lossOnly(
            dpoLoss(
              inputsFor(input, {
                logSumSquaredProbs: tf.add<tf.Tensor2D>(tf.tensor2d(LOG_SQUARES), tf.sub(input, at)),
              }),
              settings,
            ),
          ),
      }),
    ),
  );
}

describe('dpoLoss', () => {
  before(async () => {
    await tf.setBackend('cpu');
  });

  describe('gradient against central differences', () => {
    for (const lossType of DPO_LOSS_TYPES) {
      it(lossType, () => checkGradient(lossType, config({ lossTypes: [lossType], labelSmoothing: 0.1 })));
      it(`${lossType}, weighted (WPO)`, () =>
        checkGradient(lossType, config({ lossTypes: [lossType], labelSmoothing: 0.1, useWeighting: true })));
    }
    for (const fDivergence of ['forward_kl', 'js_divergence', 'alpha_divergence'] as const) {
      it(fDivergence, () => {
        for (const lossType of ['sigmoid', 'ipo', 'bco_pair'] as const)
          checkGradient(lossType, config({ lossTypes: [lossType], fDivergence }));
      });
    }
    it('ldAlpha', () => checkGradient('ldAlpha', config({ ldAlpha: 0.3 })));
    it('several losses', () =>
      checkGradient('MPO', config({ lossTypes: ['sigmoid', 'bco_pair', 'sft'], lossWeights: [0.8, 0.2, 1] })));
  });

  it('by hand: sigmoid, implicit rewards and accuracy', () => {
    // chosen -1 against -2 (log-ratio 1), rejected -3 against -2 (log-ratio -1); beta 0.5: margin 1, loss log(1 + e^-1)
    // = 0.313262
    assertNoLeak(() =>
      tf.tidy(() => {
        const { loss, statistics } = dpoLoss(
          {
            logprobs: tf.tensor2d([
              [-0.4, -0.6],
              [-3, -7],
            ]),
            completionMask: tf.tensor2d([
              [1, 1],
              [1, 0],
            ]),
            referenceChosen: tf.tensor1d([-2]),
            referenceRejected: tf.tensor1d([-2]),
            entropies: tf.tensor2d([
              [1, 2],
              [3, 100],
            ]),
            isCorrect: tf.tensor2d([
              [1, 0],
              [1, 1],
            ]),
          },
          config({}),
        );
        assertClose(loss.dataSync()[0], 0.313262);
        const values = read(statistics);
        assertClose(values['rewards/chosen'], 0.5);
        assertClose(values['rewards/rejected'], -0.5);
        assertClose(values['rewards/margins'], 1);
        assert.equal(values['rewards/accuracies'], 1);
        assertClose(values['logps/chosen'], -1);
        assertClose(values['logps/rejected'], -3);
        assertClose(values['entropy'], 2); // (1 + 2 + 3) / 3
        assert.equal(values['mean_token_accuracy'], 0.5); // of the two chosen tokens
      }),
    );
  });

  it('by hand: ldAlpha weighs the tokens beyond the shorter completion', () => {
    // lengths 3 and 2: chosen -1 -2 -4 * 0.25 = -4, rejected -1 -1 = -2
    tf.tidy(() => {
      const sums = sequenceLogprobs(
        tf.tensor2d([
          [9, -1, -2, -4],
          [-1, -1, 9, 9],
        ]),
        tf.tensor2d([
          [0, 1, 1, 1],
          [1, 1, 0, 0],
        ]),
        0.25,
      );
      assert.deepEqual([...sums.dataSync()], [-4, -2]);
    });
  });

  it('ignores what positions outside the completions hold, and gives them no gradient', () => {
    for (const lossType of DPO_LOSS_TYPES) {
      tf.tidy(() => {
        const poisoned = LOGPROBS.map((row, i) =>
          row.map((value, t) => (MASK[i][t] === 0 ? [NaN, -Infinity][t % 2] : value)),
        );
        const settings = config({ lossTypes: [lossType], labelSmoothing: 0.1 });
        const run = (values: number[][]): number[] => {
          const { value, grad } = tf.valueAndGrad((input) => lossOnly(dpoLoss(inputsFor(input), settings)))(
            tf.tensor2d(values),
          );
          return [value.dataSync()[0], ...grad.dataSync()];
        };
        assert.deepEqual(run(poisoned), run(LOGPROBS));
        run(poisoned)
          .slice(1)
          .forEach((entry, i) => assert.ok(MASK.flat()[i] === 1 || Math.abs(entry) === 0));
      });
    }
  });

  it('stays finite when no completion has a token', () => {
    for (const lossType of DPO_LOSS_TYPES) {
      tf.tidy(() => {
        const { loss, statistics } = dpoLoss(
          inputsFor(tf.tensor2d(LOGPROBS), { completionMask: tf.zeros([6, 4]) }),
          config({ lossTypes: [lossType], labelSmoothing: 0.1 }),
        );
        assert.ok(Number.isFinite(loss.dataSync()[0]), lossType);
        assert.ok(Object.values(read(statistics)).every(Number.isFinite), lossType);
      });
    }
  });

  it('builds its graph and its gradient without reading a value', () => {
    tf.tidy(() => {
      for (const lossType of DPO_LOSS_TYPES) {
        const settings = config({ lossTypes: [lossType], labelSmoothing: 0.1, ldAlpha: 0.5, useWeighting: true });
        withoutReading(() =>
          tf.grad((input) =>
            lossOnly(dpoLoss(inputsFor(input, { logSumSquaredProbs: tf.tensor2d(LOG_SQUARES) }), settings)),
          )(tf.tensor2d(LOGPROBS)),
        );
      }
    });
  });

  it('refuses configurations without a meaning', () => {
    tf.tidy(() => {
      const inputs = inputsFor(tf.tensor2d(LOGPROBS));
      assert.throws(() => dpoLoss(inputs, config({ lossTypes: ['exo_pair'] })), /exo_pair needs labelSmoothing > 0/);
      assert.throws(
        () => dpoLoss(inputs, config({ lossTypes: ['robust'], labelSmoothing: 0.5 })),
        /robust needs labelSmoothing < 0.5/,
      );
      assert.throws(() => dpoLoss(inputs, config({ lossTypes: ['sigmoid', 'sft'] })), /got 2 and 1/);
      assert.throws(() => dpoLoss(inputs, config({ useWeighting: true })), /needs logSumSquaredProbs/);
      assert.throws(
        () => dpoLoss({ ...inputs, referenceChosen: tf.tensor1d([1]) }, config({})),
        /referenceChosen must be \[3\], got \[1\]/,
      );
    });
  });
});
