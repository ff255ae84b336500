import assert from 'node:assert/strict';
import type { Success } from '../../trainer/protocol/messages';
import { wilson } from '../../trainer/protocol/interval';
import { change, gainChange, judge, hasInterval } from '../../webview/derive/noise';
import { gainSentence } from '../../webview/views/run/runResultWords';

const success = (k: number, n: number): Success => ({ n, success: n ? k / n : null, ci95: n ? wilson(k, n) : null });
const near = (actual: number, expected: number, tolerance = 5e-4): void =>
  assert.ok(Math.abs(actual - expected) < tolerance, `${actual} is not near ${expected}`);

describe('webview: noise is called noise', () => {
  it('calls a change only what leaves 0 outside its interval', () => {
    assert.equal(judge(0.31, [0.249, 0.376]), 'gain');
    assert.equal(judge(0.2, [-0.001, 0.4]), 'chance'); // large, and still chance
    assert.equal(judge(-0.2, [-0.4, 0]), 'chance'); // 0 itself is inside
    assert.equal(judge(-0.2, [-0.3, -0.1]), 'loss');
    assert.equal(judge(NaN, [NaN, NaN]), 'unmeasured');
  });

  it('has the Wilson interval', () => {
    // 15 of 148: Wilson 0.0624..0.1605 (Newcombe 1998, table I, method 3: 81/263, 15/148, 0/20, 1/29)
    const [lo, hi] = wilson(15, 148)!;
    near(lo, 0.0624);
    near(hi, 0.1605);
    const [zero, top] = wilson(0, 20)!;
    near(zero, 0);
    near(top, 0.1611);
    assert.equal(wilson(0, 0), null);
  });

  it('has Newcombe’s hybrid interval of a difference', () => {
    // 56/70 - 48/80 = +0.2, interval 0.0524..0.3339 (Newcombe 1998b, table II, contrast (a), method 10)
    const { difference, ci95, verdict } = change(success(48, 80), success(56, 70));
    near(difference!, 0.2, 1e-9);
    near(ci95![0], 0.0524);
    near(ci95![1], 0.3339);
    assert.equal(verdict, 'gain');
  });

  it('says that nothing was measured, rather than 0', () => {
    assert.deepEqual(change(success(0, 0), success(3, 4)), { verdict: 'unmeasured', difference: null, ci95: null });
    assert.equal(gainChange({ mean: 0, ci95: [0, 0] }, 0).verdict, 'unmeasured');
    assert.match(gainSentence(gainChange({ mean: 0, ci95: [0, 0] }, 0), 0), /no held-out task/);
  });

  it('says it in words, with few tasks named as few', () => {
    assert.match(
      gainSentence(gainChange({ mean: 0.1, ci95: [-0.02, 0.22] }, 240), 240),
      /holds 0.*240 tasks cannot tell/,
    );
    assert.match(gainSentence(gainChange({ mean: 0.3, ci95: [0.1, 0.5] }, 12), 12), /above 0.*Only 12 tasks/);
    assert.match(gainSentence(gainChange({ mean: -0.3, ci95: [-0.5, -0.1] }, 240), 240), /got worse/);
  });
});

describe('rows of few tasks', () => {
  it('below five tasks there is no interval, from five on there is', () => {
    assert.ok(!hasInterval(4) && !hasInterval(1) && hasInterval(5));
  });
});
