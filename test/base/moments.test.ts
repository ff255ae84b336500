import assert from 'node:assert/strict';
import { momentsSaid, partsOfMoment, sayMoments } from '../../trainer/base/moments';
import { Random } from '../../trainer/base/random';
import { saysValue } from '../../trainer/base/saysValue';

describe('days with a time', () => {
  it('are said by a stated today, by the calendar, or in digits', () => {
    for (const [text, moments] of [
      ['Today is 2026-05-04. Come tomorrow at 3 pm', ['2026-05-05T15:00']],
      ['Today is 2026-05-04. Come this afternoon at 3 pm', ['2026-05-04T15:00']],
      ['Today is 2026-05-04. Come today or tomorrow at 3 pm', ['2026-05-04T15:00', '2026-05-05T15:00']],
      ['on May 5, 2026 at half past nine in the evening', ['2026-05-05T21:30']],
      ['2026-05-05 at 14:15', ['2026-05-05T14:15']],
      ['tomorrow at 3 pm', []],
      ['on May 5, 2026', []],
    ] as const)
      assert.deepEqual(momentsSaid(text), moments, text);
    assert.ok(saysValue('Today is 2026-05-04. Come tomorrow at 3 pm', '2026-05-05T15:00:00Z'));
    assert.ok(saysValue('from 2026-05-05 15:00', '2026-05-05T15:00'));
    assert.ok(!saysValue('Today is 2026-05-04. Come tomorrow at 3 pm', '2026-05-05T16:00'));
    assert.ok(!saysValue('Today is 2026-05-04. Come tomorrow at 3 pm', '2026-05-06T15:00'));
  });

  it('a text says the same moments once they are in words', () => {
    const values = ['2026-02-28T09:45:00Z', '2026-02-28T18:00:00Z'];
    const stated = new Set<boolean>();
    for (let seed = 0; seed < 300; seed++) {
      const isFromToday = seed % 2 === 0;
      const words = sayMoments(`Book it from ${values[0]} to ${values[1]}`, Random.fromSeed(seed), isFromToday)!;
      const text = `${words.stated ?? ''} ${words.said}`;
      for (const value of values) assert.ok(saysValue(text, value), `${value}: ${text}`);
      assert.doesNotMatch(words.said, /T\d\d:/);
      stated.add(words.stated !== null);
    }
    assert.deepEqual([...stated], [true, false]);
  });

  it('one today does not say two days; no words are made of what is no moment', () => {
    const random = Random.fromSeed('moments');
    const text = 'from 2026-02-28T09:45 to 2026-03-01T09:45';
    assert.equal(sayMoments(text, random, true), null);
    assert.match(sayMoments(text, random, false)!.said, /2026.*2026/);
    for (const none of ['2026-02-28', '2026-13-40T10:00', 'build 2026-02-28T09:45:07.123-x', 'at 09:45'])
      assert.equal(sayMoments(none, random, false), null, none);
    assert.equal(partsOfMoment('2026-02-28T09:45:30Z'), null, 'nobody says seconds');
  });
});
