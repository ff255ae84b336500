import assert from 'node:assert/strict';
import { Random } from '../../trainer/base/random';
import { fitEarlyStop, fitLogistic, type Sampled } from '../../trainer/recipes/distill/earlyStop';
import {
  attemptsOf,
  makespan,
  makespanStopping,
  savingOf,
  type Attempts,
} from '../../trainer/recipes/distill/makespan';

const attempts: Attempts = { p: 0.25, success: 12, failure: 9, stopped: 2, reset: 1, tpr: 0.8, fpr: 0.1 };

describe('stopping attempts that are expected to fail', () => {
  it('the formula by hand', () => {
    // 12 + (0.75 / 0.25) * (9 + 1)
    assert.equal(makespan(attempts), 42);
    // [0.225 * 12 + (0.025 + 0.6) * 3 + 0.15 * 10] / 0.225 = (2.7 + 1.875 + 1.5) / 0.225
    assert.ok(Math.abs(makespanStopping(attempts) - 27) < 1e-9);
    assert.ok(Math.abs(makespanStopping({ ...attempts, tpr: 0, fpr: 0 }) - makespan(attempts)) < 1e-9);
    assert.equal(makespan({ ...attempts, p: 0 }), Infinity);
    assert.equal(makespanStopping({ ...attempts, fpr: 1 }), Infinity);
  });

  it('is what a simulation takes', () => {
    const random = Random.fromSeed(11);
    const { p, success, failure, stopped, reset, tpr, fpr } = attempts;
    const search = (stops: boolean): number => {
      for (let took = 0; ; ) {
        const succeeds = random.next() < p;
        const isStopped = stops && random.next() < (succeeds ? fpr : tpr);
        if (succeeds && !isStopped) return took + success;
        took += (isStopped ? stopped : failure) + reset;
      }
    };
    for (const [stops, expected] of [
      [false, 42],
      [true, 27],
    ] as const) {
      const runs = Array.from({ length: 40_000 }, () => search(stops));
      const mean = runs.reduce((a, b) => a + b, 0) / runs.length;
      const error = Math.sqrt(runs.reduce((sum, one) => sum + (one - mean) ** 2, 0)) / runs.length;
      assert.ok(Math.abs(mean - expected) < 4 * error, `${mean} for ${expected}`);
    }
  });

  it('does not pay where failures are short, or successes are stopped', () => {
    const short = { ...attempts, failure: 2 };
    assert.ok(makespanStopping(short) > makespan(short));
    const blind = { ...attempts, tpr: 0.5, fpr: 0.5 };
    assert.ok(makespanStopping(blind) > makespan(blind));
  });

  it('reads means and rates from what was seen', () => {
    const seen = [
      { passed: true, length: 10, stoppedAt: null },
      { passed: true, length: 14, stoppedAt: 4 },
      { passed: false, length: 20, stoppedAt: 6 },
      { passed: false, length: 30, stoppedAt: null },
    ];
    assert.deepEqual(attemptsOf(seen, 3), {
      p: 0.5,
      success: 12,
      failure: 25,
      stopped: 5,
      reset: 3,
      tpr: 0.5,
      fpr: 0.5,
    });
    assert.equal(savingOf(seen.slice(2), 0, Random.fromSeed(1)).saving, -Infinity, 'nothing succeeds');
  });

  it('a predictor finds the sign of failure', () => {
    const rows = Array.from({ length: 40 }, (_, i) => ({ features: [i % 2, (i % 5) / 5], failed: i % 2 === 1 }));
    const [bias, sign, noise] = fitLogistic(rows) as [number, number, number];
    assert.ok(sign > 2 && bias < -1 && Math.abs(noise) < 1, [bias, sign, noise].join());
  });

  /** Failures write `failure` characters, and show after 10 that they fail, with `noise` of wrong signs. */
  const sampled = (count: number, { failure = 100, noise = 0.05, passing = 0.4 } = {}): Sampled[][] => {
    const random = Random.fromSeed(3);
    return Array.from({ length: count }, () => {
      const passed = random.next() < passing;
      const sign = (random.next() < noise ? passed : !passed) ? 1 : 0;
      return [{ passed, length: passed ? 40 : failure, moments: [{ features: [sign, random.next()], length: 10 }] }];
    });
  };

  it('is taken where it pays for sure, and abstains where it does not', () => {
    const random = Random.fromSeed(5);
    const stop = fitEarlyStop(sampled(120), random)!;
    // M0 = 40 + 1.5 * 100 = 190; with 5 % wrong signs M1 is near 40 + 1.5 * 15 = 60 and a little for what is stopped
    assert.ok(stop.lower > 0.4 && stop.saving > stop.lower, JSON.stringify(stop));
    assert.deepEqual([stop.expectsFailure([1, 0.5]), stop.expectsFailure([0, 0.5])], [true, false]);
    assert.equal(fitEarlyStop(sampled(120, { noise: 0.5 }), random), null, 'a sign of nothing');
    assert.equal(fitEarlyStop(sampled(120, { failure: 10 }), random), null, 'failures are short');
    assert.equal(fitEarlyStop(sampled(20), random), null, 'too few');
    assert.equal(fitEarlyStop(sampled(120, { passing: 1 }), random), null, 'nothing fails');
    assert.equal(fitEarlyStop(sampled(120, { passing: 0 }), random), null, 'nothing passes');
    assert.equal(
      fitEarlyStop(
        sampled(120).map(([one]) => [{ ...one!, moments: [] }]),
        random,
      ),
      null,
      'one turn each',
    );
  });
});
