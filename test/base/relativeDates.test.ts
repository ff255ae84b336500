import assert from 'node:assert/strict';
import { Random } from '../../trainer/base/random';
import { datesFromToday, fromToday, todaySaid } from '../../trainer/base/relativeDates';
import { saysValue } from '../../trainer/base/saysValue';

describe('days from a stated today', () => {
  it('are counted from it, whatever form it has', () => {
    for (const [text, days] of [
      ['Today is 2026-05-04. Which hours can you offer tomorrow?', ['2026-05-05']],
      ['Today is Monday, May 4, 2026. Anything free on Friday?', ['2026-05-08']],
      ["It's 2026-05-04 today. And in two weeks?", ['2026-05-18']],
      ['today is the 4th of May 2026; the day after tomorrow', ['2026-05-06']],
      ['Today: 2026-05-04. What was there yesterday, and last Friday?', ['2026-05-03', '2026-05-01']],
      ['Today is 2026-12-31, and I come in 3 days', ['2027-01-03']],
      ['Today is 2026-05-04. Next Monday?', ['2026-05-11']],
    ] as const)
      assert.deepEqual(datesFromToday(text), days, text);
  });

  it('a request that states none names none', () => {
    for (const text of ['Come tomorrow', 'today or 2026-05-05, as you like', 'Today is a good day. Tomorrow?'])
      assert.deepEqual([todaySaid(text), datesFromToday(text)], [null, []], text);
  });

  it('what is said from a today says the day', () => {
    for (let seed = 0; seed < 200; seed++) {
      const { said, stated } = fromToday('2026-03-01', Random.fromSeed(seed));
      assert.ok(saysValue(`${stated} Book it for ${said}.`, '2026-03-01'), `${stated} ${said}`);
    }
  });
});
