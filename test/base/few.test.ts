import assert from 'node:assert/strict';
import { few } from '../../trainer/base/few';

describe('few', () => {
  it('says the first words and how many more there are', () => {
    assert.equal(few(['a', 'b'], 2), 'a; b');
    assert.equal(few(['a', 'b', 'c', 'd'], 2, ', '), 'a, b, and 2 more');
    assert.equal(few([], 2), '');
  });
});
