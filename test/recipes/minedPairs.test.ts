import assert from 'node:assert/strict';
import type { Trace } from '../../trainer/protocol/trace';
import { MinedSoFar, minedMetrics, minedPairs } from '../../trainer/recipes/steps/minedPairs';
import { sampleTrace } from '../store/runs/sample';

const group = (rewards: (number | null)[]): Trace[] =>
  rewards.map((reward, indexInGroup) => sampleTrace(`t${indexInGroup}`, { reward, indexInGroup }));
const ids = (pairs: [Trace, Trace][]) => pairs.map(([a, b]) => [a.indexInGroup, b.indexInGroup]);

describe('the self-critic', () => {
  const traces = [...group([0.5, 1, 0, 0.75]), ...group([1, 1, 1, 1]), ...group([0.5, 0.6, 0.5, 0.5])];

  it('pairs the best of a group with the worst, then the second, up to as many as asked', () => {
    const { pairs, margins, dropped } = minedPairs(traces, { groupSize: 4, most: 1, margin: 0 });
    assert.deepEqual(ids(pairs), [
      [1, 2],
      [1, 3],
    ]);
    assert.deepEqual(
      margins.map((m) => Number(m.toFixed(6))),
      [1, 0.1],
    );
    assert.deepEqual(dropped, { unscored: 0, tied: 1, belowMargin: 0 });
    const two = minedPairs(traces, { groupSize: 4, most: 8, margin: 0 });
    assert.deepEqual(ids(two.pairs), [
      [1, 2],
      [3, 0],
      [1, 3],
    ]);
  });

  it('drops what is nearer than the margin, and what has no two scores; a score that is absent is no 0', () => {
    const near = minedPairs(traces, { groupSize: 4, most: 2, margin: 0.2 });
    assert.deepEqual(ids(near.pairs), [
      [1, 2],
      [3, 0],
    ]);
    assert.deepEqual(near.dropped, { unscored: 0, tied: 1, belowMargin: 1 });
    const few = minedPairs(group([1, null, null, null]), { groupSize: 4, most: 1, margin: 0 });
    assert.deepEqual([few.pairs, few.dropped.unscored, minedMetrics(few)['coach/pair_margin']], [[], 1, null]);
    const forced = group([1, 0]).map((trace) => ({
      ...trace,
      tokens: { ...trace.tokens, completionMask: trace.tokens.completionMask.map(() => 0 as const) },
    }));
    assert.equal(minedPairs(forced, { groupSize: 2, most: 1, margin: 0 }).dropped.unscored, 1, 'nothing was chosen');
  });

  it('says at its end how many pairs there were, how far apart, and what was dropped', () => {
    const soFar = new MinedSoFar();
    for (const margin of [0, 0.2]) soFar.add(minedPairs(traces, { groupSize: 4, most: 1, margin }), 3);
    assert.equal(
      soFar.note(0.2).message,
      'Self-critic: 3 pairs of its own samples in 2 steps, whose rewards differ by 0.700 on average; ' +
        'of 6 groups 2 are tied, 1 differ by less than 0.2, and gave none',
    );
    const none = new MinedSoFar();
    none.add(minedPairs(group([1, 1]), { groupSize: 2, most: 1, margin: 0 }), 1);
    assert.equal(none.note(0).level, 'warning');
  });
});
