import assert from 'node:assert/strict';
import { datesSaid, numbersSaid, numberWords, restate, saysValue, timesSaid } from '../../trainer/base/restate';
import { Random } from '../../trainer/base/random';

describe('values said in other words', () => {
  it('numbers in words and back, from 0 to 999', () => {
    for (let n = 0; n <= 999; n++) assert.deepEqual(numbersSaid(`give me ${numberWords(n)} of them`), [n]);
    assert.equal(numberWords(1000), null);
    assert.equal(numberWords(2.5), null);
  });

  it('several numbers in one text stay apart', () => {
    assert.deepEqual(numbersSaid('one two three'), [1, 2, 3]);
    assert.deepEqual(numbersSaid('twenty one-way tickets for a couple'), [21, 2]);
    assert.deepEqual(numbersSaid('two hundred and five, then sixty'), [205, 60]);
    assert.deepEqual(numbersSaid('no number in here, someone'), []);
  });

  it('dates with the name of the month and a year', () => {
    for (const text of [
      'on March 4, 2026',
      '4 March 2026 please',
      'the 4th of March 2026',
      'Mar 4th 2026',
      'MARCH 4 2026',
    ])
      assert.deepEqual(datesSaid(text), ['2026-03-04'], text);
    assert.deepEqual(datesSaid('may 40, 2026 and Smarch 4, 2026'), []);
  });

  it('times with am, pm and noon', () => {
    assert.deepEqual(timesSaid('at 3pm, 9:30 am or 12 am'), ['15:00', '09:30', '00:00']);
    assert.deepEqual(timesSaid('13pm'), []);
    assert.deepEqual(timesSaid('at noon'), ['12:00']);
  });

  it('what is restated says the value', () => {
    const random = Random.fromSeed('restate');
    const values = ['2026-03-04', '1999-12-31', '14:30', '09:00', '12:00', '00:15', 0, 7, 42, 100];
    for (const value of values) {
      for (let i = 0; i < 40; i++) assert.ok(saysValue(`it is ${restate(value, random)} then`, value), `${value}`);
    }
    assert.equal(restate('Dune', random), null);
    assert.equal(restate(2.5, random), null);
    assert.equal(saysValue('room 14', 1), false);
  });
});
