import assert from 'node:assert/strict';
import { type AdvantageOptions, computeAdvantages } from '../../trainer/learning/advantages';
import { assertClose } from './helpers';

const options: AdvantageOptions = {
  weights: [1],
  groupSize: 4,
  scaleRewards: 'group',
  aggregation: 'sumThenNormalize',
};
const single = (...scores: (number | null)[]): (number | null)[][] => scores.map((score) => [score]);

describe('computeAdvantages', () => {
  it('divides by the standard deviation of the group with n - 1, plus 1e-4', () => {
    // 1 0 0 1: mean 0.5, squares 4 * 0.25 = 1, variance 1/3, std 0.57735; A = 0.5 / 0.57745 = 0.865875
    const { advantages, rewards, metrics } = computeAdvantages(single(1, 0, 0, 1), options);
    [1, -1, -1, 1].forEach((sign, row) => assertClose(advantages[row], sign * 0.865875));
    assert.deepEqual(rewards, [1, 0, 0, 1]);
    assert.equal(metrics['reward'], 0.5);
    assertClose(metrics['reward_std'] as number, 0.57735, 1e-5);
    assert.equal(metrics['frac_reward_zero_std'], 0);
  });

  it('scales by the batch, or not at all', () => {
    // groups (1 0) (3 0): means 0.5 and 1.5; all: mean 1, squares 0 + 1 + 4 + 1 = 6, variance 6/3 = 2, std 1.414214
    const rows = single(1, 0, 3, 0);
    const batch = computeAdvantages(rows, { ...options, groupSize: 2, scaleRewards: 'batch' });
    [0.5, -0.5, 1.5, -1.5].forEach((centred, row) => assertClose(batch.advantages[row], centred / (Math.SQRT2 + 1e-4)));
    const none = computeAdvantages(rows, { ...options, groupSize: 2, scaleRewards: 'none' });
    assert.deepEqual(none.advantages, [0.5, -0.5, 1.5, -1.5]);
  });

  it('sums the functions by weight before it normalises', () => {
    // weights 1 and 0.5: (1, 2) -> 2; (0, 2) -> 1; mean 1.5, centred +-0.5
    const { advantages, rewards } = computeAdvantages(
      [
        [1, 2],
        [0, 2],
      ],
      { ...options, weights: [1, 0.5], groupSize: 2, scaleRewards: 'none' },
    );
    assert.deepEqual(rewards, [2, 1]);
    assert.deepEqual(advantages, [0.5, -0.5]);
  });

  it('normalises each function first, then the batch, when asked to', () => {
    // f0: 1 0 -> mean 0.5, std 0.707107 -> +-0.5/0.707207 = +-0.707007; f1: 4 4 -> 0 and 0
    // sums +-0.707007: mean 0, std = 0.707007 * sqrt(2) = 0.999859; A = 0.707007 / 0.999959 = 0.707036
    const { advantages } = computeAdvantages(
      [
        [1, 4],
        [0, 4],
      ],
      { ...options, weights: [1, 1], groupSize: 2, aggregation: 'normalizeThenSum' },
    );
    assertClose(advantages[0], 0.707036);
    assertClose(advantages[1], -0.707036);
  });

  it('leaves out what was not scored', () => {
    // 1 null 0 null: mean 0.5 over two, std 0.707107; A = 0.5 / 0.707207 = 0.707007
    const { advantages, rewards, metrics, isDeadGroup } = computeAdvantages(single(1, null, 0, null), options);
    [0.707007, 0, -0.707007, 0].forEach((expected, row) => assertClose(advantages[row], expected));
    assert.deepEqual(rewards, [1, null, 0, null]);
    assert.equal(metrics['rewards/r0/mean'], 0.5);
    assert.deepEqual(isDeadGroup, [false]);
  });

  it('counts only the functions that scored a row', () => {
    const { rewards } = computeAdvantages(
      [
        [1, null],
        [null, 3],
      ],
      { ...options, weights: [2, 1], groupSize: 2 },
    );
    assert.deepEqual(rewards, [2, 3]);
  });

  it('gives a group with one scored row, or none, advantage 0 and calls it dead', () => {
    const result = computeAdvantages(single(0.7, null, null, null), { ...options, groupSize: 2 });
    assert.deepEqual(result.advantages, [0, 0, 0, 0]);
    assert.deepEqual(result.isDeadGroup, [true, true]);
    assert.equal(result.metrics['reward'], 0.7);
    assert.equal(result.metrics['reward_std'], null);
    const nothing = computeAdvantages(single(null, null), { ...options, groupSize: 2 });
    assert.deepEqual([nothing.metrics['reward'], nothing.rewards], [null, [null, null]]);
  });

  it('finds dead groups by exact equality and gives them exactly 0', () => {
    // 0.1 + 0.1 + 0.1 = 0.30000000000000004, so a computed mean differs from 0.1; 0.1 and 0.1 + 2^-56 are not equal
    const almost = 0.1 + 2 ** -56;
    const { advantages, isDeadGroup } = computeAdvantages(single(0.1, 0.1, 0.1, 0.1, 0.1, almost), {
      ...options,
      groupSize: 3,
    });
    assert.deepEqual(isDeadGroup, [true, false]);
    assert.deepEqual(advantages.slice(0, 3), [0, 0, 0]);
  });

  it('calls a group dead under normalizeThenSum only when every function is constant in it', () => {
    const rows = [
      [1, 0],
      [0, 1],
      [1, 2],
      [1, 2],
    ]; // the first group's sums are equal, its scores are not
    const { isDeadGroup } = computeAdvantages(rows, {
      ...options,
      weights: [1, 1],
      groupSize: 2,
      aggregation: 'normalizeThenSum',
    });
    assert.deepEqual(isDeadGroup, [false, true]);
  });

  it('reports the share of groups without spread and names the functions', () => {
    const { metrics } = computeAdvantages(single(1, 1, 0, 1), { ...options, groupSize: 2, names: ['correctness'] });
    assert.equal(metrics['frac_reward_zero_std'], 0.5);
    assert.equal(metrics['rewards/correctness/mean'], 0.75);
  });

  it('refuses ragged input', () => {
    assert.throws(() => computeAdvantages(single(1, 0, 1), options), /multiple of groupSize 4, got 3/);
    assert.throws(
      () => computeAdvantages([[1, 2], [1]], { ...options, weights: [1, 1], groupSize: 2 }),
      /row 1 must have 2 scores, got 1/,
    );
  });
});
