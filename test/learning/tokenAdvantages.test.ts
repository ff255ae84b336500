/** Advantages of tokens: those of turns from the trace to the loss, and one for a whole trace as the special case. */
import assert from 'node:assert/strict';
import * as tf from '@tensorflow/tfjs';
import {
  tokenAdvantages,
  advantageColumns,
  makeBatch,
  type Advantage,
  type TrainedTrace,
} from '../../trainer/learning/batch';
import { GRPO_DEFAULTS, GRPO_LOSS_TYPES, grpoLoss, type GrpoConfig } from '../../trainer/learning/losses/grpo';
import type { Trace } from '../../trainer/protocol/trace';
import { assertNoLeak } from './helpers';

type Fake = Pick<Trace, 'advantage' | 'turns' | 'tokens'>;

/** Two tokens of prompt, a turn of two, a result, a turn of two. */
function trace(advantage: number | null, ofTurns: (number | undefined)[]): Fake {
  const turn = (start: number, end: number, own: number | undefined): Trace['turns'][number] => ({
    ...{ start, end, text: '', calls: [], sampleMs: 0 },
    ...(own === undefined ? {} : { advantage: own }),
  });
  return {
    advantage,
    turns: [turn(2, 4, ofTurns[0]), turn(5, 7, ofTurns[1])],
    tokens: {
      ids: [1, 2, 3, 4, 5, 6, 7],
      logprobs: [null, null, -1, -1, null, -1, -1],
      completionMask: [0, 0, 1, 1, 0, 1, 1],
      writer: 'ppsstss',
    },
  };
}
const sequence = (of: Fake): TrainedTrace => ({ trace: of, allowed: new Map() });

/** The loss and its gradient to each of the trained tokens, with the ratio to the policy that sampled. */
function trained(traces: readonly Fake[], advantages: readonly Advantage[], ratios: readonly number[][], more = {}) {
  const config: GrpoConfig = { ...GRPO_DEFAULTS, ...more };
  return tf.tidy(() => {
    const batch = makeBatch([traces.map(sequence)], 16);
    const { columns, sequences, completionMask } = batch;
    const weights = advantageColumns([traces.map(sequence)], advantages, columns);
    const padded = ratios.map((row) => [...row.map(Math.log), ...Array<number>(columns - row.length).fill(0)]);
    const loss = (logRatios: tf.Tensor): tf.Scalar => {
      const made = grpoLoss(
        {
          logprobs: logRatios as tf.Tensor2D,
          oldLogprobs: tf.zeros([sequences, columns]),
          referenceLogprobs: null,
          entropies: null,
          completionMask,
          advantages: weights,
          itemsInBatch: 4 * sequences,
          rowsInBatch: sequences,
        },
        config,
      );
      tf.dispose(made.statistics);
      return made.loss;
    };
    const { value, grad } = tf.valueAndGrad(loss)(tf.tensor2d(padded));
    const rows = (grad.arraySync() as number[][]).map((row, i) => row.slice(0, ratios[i]!.length));
    batch.dispose();
    return { loss: value.dataSync()[0]!, gradient: rows, shape: weights.shape };
  });
}

const close = (actual: readonly number[], expected: readonly number[]): void =>
  assert.deepEqual(
    actual.map((x) => x.toFixed(6)),
    expected.map((x) => x.toFixed(6)),
  );

describe('advantages of tokens', () => {
  before(async () => {
    await tf.setBackend('cpu');
  });

  it('a turn that has one keeps it, the others take the trace’s; where no turn has one it stays one number', () => {
    assert.equal(tokenAdvantages(trace(0.5, [])), 0.5);
    assert.equal(tokenAdvantages(trace(null, [])), 0);
    assert.deepEqual([...(tokenAdvantages(trace(0.5, [2])) as Float32Array)], [0.5, 0.5, 2, 2, 0.5, 0.5, 0.5]);
    assert.deepEqual([...(tokenAdvantages(trace(null, [2, -1])) as Float32Array)], [0, 0, 2, 2, 0, -1, -1]);
  });

  it('by hand: turns of one trace are pushed to different sides, clipped each by its own sign', () => {
    const traces = [trace(1, [2, -0.5]), trace(1, [])];
    // first trace, ratios 1.5 1 | 0.5 1 with A 2 2 | -0.5 -0.5 and clip 0.8 to 1.2:
    //   min(3, 2.4) = 2.4, 2 | min(-0.25, -0.4) = -0.4, -0.5: 3.5; the second, ratios 1, A 1: 4
    // loss -(3.5 + 4) / 8; where the clipped one is taken there is no gradient, else -A ratio / 8
    const ratios = [
      [1.5, 1, 0.5, 1],
      [1, 1, 1, 1],
    ];
    assertNoLeak(() => {
      const { loss, gradient, shape } = trained(traces, traces.map(tokenAdvantages), ratios);
      close([loss], [-0.9375]);
      close(gradient[0]!, [0, -0.25, 0, 0.0625]);
      close(gradient[1]!, [-0.125, -0.125, -0.125, -0.125]);
      assert.deepEqual(shape, [2, 32]);
    });
  });

  it('one number for a sequence is the same to the bit as that number for each of its tokens', () => {
    const traces = [trace(0.8, []), trace(-1.1, [])];
    const each = traces.map(({ advantage, tokens }) => Float32Array.from(tokens.ids, () => advantage!));
    const ratios = [
      [1.5, 1.07, 0.5, 0.93],
      [0.6, 1.01, 1.3, 0.98],
    ];
    for (const lossType of GRPO_LOSS_TYPES)
      for (const importanceSamplingLevel of ['token', 'sequence'] as const) {
        const settings = { lossType, importanceSamplingLevel };
        const single = trained(traces, [0.8, -1.1], ratios, settings);
        const tokens = trained(traces, each, ratios, settings);
        assert.deepEqual(
          [single.shape, tokens.shape],
          [
            [2, 1],
            [2, 32],
          ],
        );
        assert.equal(tokens.loss, single.loss, `${lossType}, ${importanceSamplingLevel}`);
        assert.deepEqual(tokens.gradient, single.gradient, `${lossType}, ${importanceSamplingLevel}`);
      }
  });

  it('a shape that fits neither rows nor tokens is refused', () => {
    const inputs = (advantages: tf.Tensor2D) => ({
      ...{ logprobs: tf.zeros([2, 4]) as tf.Tensor2D, oldLogprobs: null, referenceLogprobs: null, entropies: null },
      ...{ completionMask: tf.ones([2, 4]) as tf.Tensor2D, itemsInBatch: 8, advantages },
    });
    assert.throws(() => tf.tidy(() => grpoLoss(inputs(tf.zeros([2, 3])), GRPO_DEFAULTS).loss), /advantages/);
    assert.throws(() => tf.tidy(() => grpoLoss(inputs(tf.zeros([3, 1])), GRPO_DEFAULTS).loss), /advantages/);
  });
});
