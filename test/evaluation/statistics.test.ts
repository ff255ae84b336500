import assert from 'node:assert/strict';
import { successOf } from '../../trainer/evaluation/evaluate';
import { wilson } from '../../trainer/protocol/interval';
import { sampleTrace } from '../runs/sample';

describe('statistics of an evaluation', () => {
  it('wilson ends exactly at 0 and 1, and is the textbook value between', () => {
    for (const n of [1, 7, 20, 24, 240]) {
      assert.equal(wilson(0, n)![0], 0, `0 of ${n}`);
      assert.equal(wilson(n, n)![1], 1, `${n} of ${n}`);
      assert.ok(wilson(0, n)![1] > 0 && wilson(n, n)![0] < 1);
    }
    // Newcombe 1998, table I: 15 of 148 gives 0.0624 to 0.1605.
    assert.deepEqual(wilson(15, 148)!.map((x) => x.toFixed(4)), ['0.0624', '0.1605']);
    assert.equal(wilson(0, 0), null);
  });

  it('counts by the tags that people read, not by phrasing families', () => {
    const tags = [['oneCall', 'search', 'family:couldYou', 'difficulty:easy'], ['oneCall', 'search', 'family:terse', 'content:9f', 'newPhrasing']];
    const result = successOf(tags.map((of, i) => ({ id: `${i}`, prompt: 'p', tags: of })), tags.map((_, i) => sampleTrace(`${i}`, { solved: i === 0 })));
    assert.deepEqual(result.byTag, { oneCall: { n: 2, success: 0.5 }, search: { n: 2, success: 0.5 }, 'difficulty:easy': { n: 1, success: 1 }, newPhrasing: { n: 1, success: 0 } });
  });
});
