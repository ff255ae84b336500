import assert from 'node:assert/strict';
import { calibrate, type JudgedPair } from '../../trainer/rewards/judge/calibration';

const pair = (
  people: JudgedPair['people'],
  aFirst: number | null,
  bFirst: number | null,
  lengthA = 10,
  lengthB = 10,
): JudgedPair => ({ people, aFirst, bFirst, lengthA, lengthB });
const near = (actual: number, expected: number) =>
  assert.ok(Math.abs(actual - expected) < 1e-3, `${actual} is not ${expected}`);

describe('calibrate', () => {
  it('accuracy and kappa, with n and interval', () => {
    // judge a a a b b b, people a a b b b a: 4 of 6 agree; each says a half the time: chance 1/2, kappa (4/6 - 1/2) /
    // (1/2) = 1/3
    const { accuracy, kappa, notJudged } = calibrate([
      pair('a', 1, 1),
      pair('a', 1, 1),
      pair('b', 1, 1),
      pair('b', -1, -1),
      pair('b', -1, -1),
      pair('a', -1, -1),
      pair('a', null, 1),
    ]);
    near(accuracy!.value, 4 / 6);
    // Wilson for 4 of 6
    near(accuracy!.ci95[0], 0.3);
    near(accuracy!.ci95[1], 0.9032);
    near(kappa!.value, 1 / 3);
    // error sqrt(4/6 x 2/6 / 6) / (1/2) = 0.3849; 1/3 +- 0.7544
    near(kappa!.ci95[0], 1 / 3 - 0.7544);
    assert.deepEqual([accuracy!.n, kappa!.n, notJudged], [6, 6, 1]);
  });
  it('order bias: who contradicts itself, and for which place', () => {
    // two that always prefer the first (a when a is first, b when b is), one steady, one tie
    const { contradictions, firstWins } = calibrate([
      pair('a', 1, -1),
      pair('a', 0.5, -0.5),
      pair('a', 1, 1),
      pair('tie', 0, 0),
    ]);
    near(contradictions!.value, 2 / 4);
    assert.deepEqual([firstWins!.value, firstWins!.n], [1, 2]);
  });
  it('length bias: the longer side, for the judge and for people', () => {
    const { longerWins } = calibrate([
      pair('a', -1, -1, 10, 20),
      pair('b', -1, -1, 10, 20),
      pair('a', 1, 1, 30, 20),
      pair('tie', 0, 0, 1, 2),
      pair('a', 1, 1),
    ]);
    assert.deepEqual([longerWins.judge!.value, longerWins.judge!.n], [1, 3]);
    near(longerWins.people!.value, 2 / 3);
  });
  it('says nothing of what was not measured', () => {
    assert.deepEqual(calibrate([]), {
      accuracy: null,
      kappa: null,
      firstWins: null,
      contradictions: null,
      longerWins: { judge: null, people: null },
      notJudged: 0,
    });
    assert.equal(
      calibrate([pair('a', 1, 1), pair('a', 1, 1)]).kappa,
      null,
      'both say a throughout: no agreement beyond chance to be told',
    );
  });
});
