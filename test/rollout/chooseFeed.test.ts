import assert from 'node:assert/strict';
import { chooseFeed } from '../../trainer/rollout/chooseFeed';

const lanes = (count: number, ids: number, known: number | null = 0): { ids: number; known: number | null }[] => Array.from({ length: count }, () => ({ ids, known }));

describe('what is fed next', () => {
  it('is one id each, where each has one', () => {
    assert.deepEqual(chooseFeed(lanes(3, 1)), { chosen: [0, 1, 2], width: 1 });
  });

  it('is a long result alone, beside many lanes that have one id, or those first', () => {
    const { chosen, width } = chooseFeed([...lanes(7, 1), ...lanes(1, 120)]);
    assert.ok(width === 1 ? chosen.length === 8 : chosen.join() === '7', `${chosen.join()} by ${width}`);
  });

  it('is the whole result at once, where one lane reads it for all', () => {
    assert.deepEqual(chooseFeed([...lanes(1, 120), ...lanes(7, 120, null)]), { chosen: [0, 1, 2, 3, 4, 5, 6, 7], width: 256 });
    assert.equal(chooseFeed([...lanes(1, 1), ...lanes(7, 120, 119)]).width, 256);
  });
});
