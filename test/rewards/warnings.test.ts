import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { newWarnings, noteOf, rewardWarnings, toldIn, type RecordedSteps } from '../../trainer/rewards/warnings';

type Point = Partial<Record<'reward' | 'std' | 'dead' | 'length' | 'calls' | 'solved', number>> & {
  a?: number;
  b?: number;
};

/** A run of n steps; `at(t)` with t from 0 to 1. */
function run(
  n: number,
  at: (t: number) => Point,
  success: (t: number) => number = () => 0.3,
  weights: Record<string, number> = { a: 1, b: 1 },
): RecordedSteps {
  const steps = Array.from({ length: n }, (_, i) => i + 1);
  return {
    weights,
    curve: steps.map((step) => {
      const {
        reward = 0.5,
        std = 0.3,
        dead = 0.2,
        length = 30,
        calls = 1,
        solved = 0.3,
        a = 0.3,
        b = 0.3,
      } = at((step - 1) / Math.max(1, n - 1));
      return {
        step,
        metrics: {
          reward,
          reward_std: std,
          frac_reward_zero_std: dead,
          'completions/mean_length': length,
          'tools/call_frequency': calls,
          'coach/solved': solved,
          'rewards/a/std': a,
          'rewards/b/std': b,
        },
      };
    }),
    validation: steps
      .filter((step) => step % 10 === 0)
      .map((step) => ({ step, success: success((step - 1) / Math.max(1, n - 1)) })),
  };
}
const kinds = (steps: RecordedSteps) => rewardWarnings(steps).map((warning) => warning.kind);

describe('rewardWarnings', () => {
  it('a healthy run gives none, at no step', () => {
    // reward and success rise together, lengths wobble
    const healthy = run(
      60,
      (t) => ({
        reward: 0.4 + 0.3 * t,
        solved: 0.2 + 0.3 * t,
        length: 30 + 6 * Math.sin(9 * t),
        calls: 1 + 0.3 * t,
        dead: 0.2 + 0.3 * t,
      }),
      (t) => 0.2 + 0.3 * t,
    );
    for (let n = 1; n <= 60; n++)
      assert.deepEqual(
        kinds({
          ...healthy,
          curve: healthy.curve.slice(0, n),
          validation: healthy.validation.filter((point) => point.step <= n),
        }),
        [],
        `step ${n}`,
      );
  });

  it('a component that dominates, by weight and spread', () => {
    // 5 x 0.3 = 1.5 against 0.3: 2.25 / (2.25 + 0.09) = 96 %
    const [warning] = rewardWarnings(run(5, () => ({}), undefined, { a: 5, b: 1 }));
    assert.deepEqual([warning.kind, warning.step], ['dominatingComponent', 5]);
    assert.match(warning.message, /the reward a makes up 96 % /);
    assert.deepEqual(kinds(run(5, () => ({}), undefined, { a: 4, b: 1 })), []); // 1.44 / 1.53 = 94 %
    assert.deepEqual(kinds(run(5, () => ({}), undefined, { a: 5, b: 0 })), [], 'alone it does not dominate');
    assert.deepEqual(
      kinds({ ...run(5, () => ({ b: 0.1 }), undefined, { a: 5, b: 1 }), ranges: { a: 1, b: 1 } }),
      [],
      'the other is hardly ever earned: no fault of the weights',
    );
    assert.deepEqual(kinds({ ...run(5, () => ({ b: 0.1 }), undefined, { a: 5, b: 1 }), ranges: { a: 1, b: 0.2 } }), [
      'dominatingComponent',
    ]);
    assert.deepEqual(kinds(run(4, () => ({}), undefined, { a: 5, b: 1 })), [], 'not before a window is full');
  });

  it('a variance that collapsed, unless all is solved', () => {
    const [warning] = rewardWarnings(run(20, () => ({ dead: 0.95, solved: 0.1 })));
    assert.equal(warning.kind, 'collapsedVariance');
    assert.match(warning.message, /in 95 % of the groups .* with 10 % solved/);
    assert.deepEqual(kinds(run(20, () => ({ dead: 0.95, solved: 0.97 }))), []);
  });

  it('length and call drift, unless success rises with them', () => {
    const longer = (t: number): Point => ({ length: 30 + 90 * t, calls: 1 + t });
    // tokens per turn: 34.6 / 2.05 = 16.9 to 115 / 2.95 = 39; calls 1.05 to 1.95
    assert.deepEqual(kinds(run(40, longer)), ['lengthDrift', 'callDrift']);
    assert.deepEqual(kinds(run(40, longer, (t) => 0.2 + 0.3 * t)), []);
    assert.deepEqual(
      kinds({ ...run(40, longer), neededCalls: 1.5 }),
      ['lengthDrift'],
      'as many calls as the tasks want',
    );
    assert.deepEqual(
      kinds({ ...run(40, (t) => ({ length: 30 + 40 * t, calls: 0.2 + 1.2 * t })), neededCalls: 1 }),
      [],
      'longer by the calls that the tasks want',
    );
    assert.deepEqual(
      kinds({ ...run(40, longer), validation: [{ step: 10, success: 0.3 }] }),
      [],
      'whether success follows is not known yet',
    );
    assert.deepEqual(
      kinds(run(40, (t) => ({ length: 2 + 3 * t, calls: 0.1 + 0.3 * t }))),
      [],
      'twice as much of next to nothing',
    );
    // means of the first and the last five
    assert.match(rewardWarnings(run(40, longer))[0].message, /rollouts grew from 34\.6 to 115 tokens/);
  });

  it('a score that rises while validation success falls, before it fell by ten points', () => {
    // pays for length: the reward climbs all the way, success 30 % -> 10 % over 100 steps, so -10 points at about step
    // 50
    const hacked = run(
      100,
      (t) => ({ reward: 0.3 + 0.6 * t, length: 30 + 60 * t }),
      (t) => 0.3 - 0.2 * t,
    );
    const first = Array.from({ length: 100 }, (_, i) => i + 1).find((n) =>
      kinds({
        ...hacked,
        curve: hacked.curve.slice(0, n),
        validation: hacked.validation.filter((point) => point.step <= n),
      }).includes('scoreWithoutSuccess'),
    );
    assert.equal(first, 40); // validations at 10 (28.2 %), 20, 30 (24.1 %), 40 (22.1 %): 6 points below the best
    const told = rewardWarnings(hacked).find((warning) => warning.kind === 'scoreWithoutSuccess')!;
    assert.match(told.message, /validation success fell from 28 % \(step 10\) to 10 %/);
    assert.deepEqual(
      kinds(
        run(
          100,
          (t) => ({ reward: 0.6 - 0.3 * t }),
          (t) => 0.3 - 0.2 * t,
        ),
      ),
      [],
      'the score falls too: that is no hacking',
    );
    assert.deepEqual(
      kinds(
        run(
          100,
          () => ({ reward: 0.5 }),
          (t) => 0.3 - 0.04 * t,
        ),
      ),
      [],
      'within the noise of a validation',
    );
  });

  it('says each kind once, where the caller keeps what it told', () => {
    const now = rewardWarnings(run(40, (t) => ({ length: 30 + 90 * t, calls: 1 + t })));
    assert.deepEqual(
      newWarnings(new Set(['lengthDrift']), now).map((warning) => warning.kind),
      ['callDrift'],
    );
  });

  it('stays silent on recorded runs of the embedded model with the default rewards, step by step', () => {
    const recorded = JSON.parse(readFileSync(join(__dirname, 'healthyRuns.json'), 'utf8')) as Record<
      string,
      RecordedSteps
    >;
    for (const [name, healthy] of Object.entries(recorded)) {
      for (let n = 1; n <= healthy.curve.length; n++) {
        const curve = healthy.curve.slice(0, n);
        assert.deepEqual(
          kinds({
            ...healthy,
            curve,
            validation: healthy.validation.filter((point) => point.step <= curve.at(-1)!.step),
          }),
          [],
          `${name}, step ${n}`,
        );
      }
    }
  });

  it('a note names its kind, so that a resumed run does not say it again', () => {
    const warnings = rewardWarnings(run(40, (t) => ({ length: 30 + 90 * t, calls: 1 + t })));
    assert.match(noteOf(warnings[0]).message, /^Reward check \(longer and longer\), step 40: rollouts grew/);
    const others = [{ code: 'judgeLost' as const }, { message: 'Reward check (reward without success), step 1: old' }];
    assert.deepEqual(toldIn([...warnings.map(noteOf), ...others]), ['lengthDrift', 'callDrift']);
  });

  it('says nothing where nothing was measured', () => {
    assert.deepEqual(rewardWarnings({ curve: [], validation: [], weights: {} }), []);
    const blank = {
      curve: Array.from({ length: 30 }, (_, step) => ({ step, metrics: {} })),
      validation: [
        { step: 10, success: null },
        { step: 20, success: null },
      ],
      weights: { a: 1, b: 1 },
    };
    assert.deepEqual(rewardWarnings(blank), []);
  });
});
