import assert from 'node:assert/strict';
import { chooseFeed, type Pending } from '../../trainer/model/decoding/chooseFeed';

const lanes = (count: number, ids: number, known: number | null = 0): Pending[] =>
  Array.from({ length: count }, () => ({ ids, known, of: ids }));

describe('what is fed next', () => {
  it('is one id each, where each has one', () => assert.deepEqual(chooseFeed(lanes(3, 1)), [0, 1, 2]));

  it('is a long result alone, beside many lanes that have one id, or those first', () => {
    assert.deepEqual(chooseFeed([...lanes(7, 1), ...lanes(1, 120)]), [7]);
    assert.deepEqual(
      chooseFeed([...lanes(64, 1), ...lanes(1, 40)]),
      Array.from({ length: 64 }, (_, i) => i),
    );
  });

  it('is all at once, where little is forced behind some ids', () =>
    assert.equal(chooseFeed([...lanes(7, 1), ...lanes(1, 3)]).length, 8));

  it('is the whole result at once, where one lane reads it for all or it costs nothing', () => {
    assert.equal(chooseFeed([...lanes(1, 120), ...lanes(7, 120, null)]).length, 8);
    assert.deepEqual(chooseFeed([...lanes(1, 1), ...lanes(7, 120, 120)]), [1, 2, 3, 4, 5, 6, 7]);
  });

  it('never brings together those whose ids came few at a time and those of a result, where they are computed apart', () => {
    assert.deepEqual(chooseFeed([...lanes(7, 1), ...lanes(1, 120)], true), [7]);
    const last = [...lanes(7, 1), { ids: 1, known: 0, of: 257 }];
    assert.deepEqual(chooseFeed(last, true), [0, 1, 2, 3, 4, 5, 6]);
    assert.equal(chooseFeed(last).length, 8);
    assert.equal(chooseFeed(lanes(7, 1), true).length, 7);
    assert.equal(chooseFeed(lanes(7, 120), true).length, 7);
  });
});
