import assert from 'node:assert/strict';
import { numbersSaid, numberWords } from '../../trainer/base/numbersSaid';
import { datesSaid, monthsSaid, restate, timesSaid } from '../../trainer/base/restate';
import { saysValue } from '../../trainer/base/saysValue';
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

  it('times as they are spoken: both readings where the half of the day is not said', () => {
    const said: Record<string, string[]> = {
      'half past two': ['14:30', '02:30'],
      "9 o'clock": ['09:00', '21:00'],
      'quarter to one': ['12:45', '00:45'],
      'ten past eight': ['08:10', '20:10'],
      'come at 9:15': ['09:15', '21:15'],
      'from 2 pm to 6 pm': ['14:00', '18:00'],
      'ten to 6 pm': ['17:50'],
      'between 2 and 4:30 pm, or 10-6 pm': ['16:30', '14:00', '10:00', '18:00'],
      'from 9 to 11 in the morning': ['11:00', '09:00'],
      'quarter to ten to 6 pm': ['18:00', '09:45', '21:45'],
      'half past seven in the evening': ['19:30'],
      '4:30 in the afternoon': ['16:30'],
      'nine forty five am': ['09:45'],
      midnight: ['00:00'],
      'at 14:30, on 2026-05-08, for 5 days, 3.5 kg': [],
    };
    for (const [text, times] of Object.entries(said)) assert.deepEqual(timesSaid(text), times, text);
    assert.deepEqual(timesSaid('half past two or 3 pm', true), ['15:00']);
    const random = Random.fromSeed('times');
    for (let hour = 0; hour < 24; hour++)
      for (const minute of ['00', '05', '15', '30', '45'])
        for (let i = 0; i < 12; i++) {
          const value = `${String(hour).padStart(2, '0')}:${minute}`;
          const words = restate(value, random);
          assert.ok(saysValue(`please come at ${words}, thanks`, value), `${value}: ${words}`);
        }
  });

  it('months with their name and a year', () => {
    assert.deepEqual(monthsSaid('in June 2025, Sep. of 2026 or 2027'), ['2025-06', '2026-09']);
    assert.equal(restate('2025-06', Random.fromSeed(1)), 'June 2025');
    assert.ok(saysValue('the money for December 2024', '2024-12') && !saysValue('in december', '2024-12'));
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
