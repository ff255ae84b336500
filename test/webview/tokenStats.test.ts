import assert from 'node:assert/strict';
import type { Trace } from '../../trainer/protocol/trace';
import { tokenStats } from '../../webview/derive/tokenStats';

const trace = (advantage: number | null): Trace =>
  ({
    advantage,
    turns: [],
    tokens: {
      ids: [1, 2, 3, 4, 5, 6],
      writer: 'pssfst',
      completionMask: [0, 1, 1, 0, 1, 0],
      logprobs: [null, -0.5, -2, 0, -0.5, null],
    },
  }) as unknown as Trace;

describe('webview: what a stretch of tokens taught', () => {
  it('counts trained and forced tokens, and finds the least likely choice', () => {
    // trained: 1, 2, 4 with log p −0.5, −2, −0.5: mean −1; forced: 3, whose log p of 0 does not count
    assert.deepEqual(tokenStats(trace(0.7), 1, 5), {
      tokens: 4,
      trained: 3,
      forced: 1,
      meanLogprob: -1,
      leastLikely: 2,
      advantage: 0.7,
    });
  });

  it('has no mean, no choice and no advantage where nothing was trained', () => {
    assert.deepEqual(tokenStats(trace(0.7), 5, 6), {
      tokens: 1,
      trained: 0,
      forced: 0,
      meanLogprob: null,
      leastLikely: null,
      advantage: null,
    });
    assert.equal(tokenStats(trace(null), 1, 5).advantage, null);
  });
});
