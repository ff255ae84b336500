import assert from 'node:assert/strict';
import { durationsSaid, durationWords, ROUND_DURATIONS, timeUnitOf, type TimeUnit } from '../../trainer/base/durations';
import { Random } from '../../trainer/base/random';
import { saysValue } from '../../trainer/base/saysValue';

describe('spans of time in another unit', () => {
  it('say the number of the unit that is asked for, and are no number of it as they stand', () => {
    const said = (text: string, unit: TimeUnit): string => JSON.stringify(durationsSaid(text, unit));
    assert.equal(said("I'd like B118 for six weeks.", 'day'), '{"in":[42],"other":[6]}');
    assert.equal(said('a timer of 2 hours', 'minute'), '{"in":[120],"other":[2]}');
    for (const [text, unit, days] of [
      ['for a week', 'day', 7],
      ['another week', 'day', 7],
      ['two more weeks', 'day', 14],
      ['a fortnight', 'day', 14],
      ['a couple of weeks', 'day', 14],
      ['twenty-one days', 'day', 21],
      ['three nights', 'day', 3],
      ['half an hour', 'minute', 30],
      ['an hour and a half', 'minute', 90],
      ['one and a half hours', 'minute', 90],
      ['a quarter of an hour', 'minute', 15],
      ['2.5 hours', 'minute', 150],
      ['a year', 'month', 12],
      ['30 minutes', 'hour', 0.5],
    ] as const)
      assert.deepEqual(durationsSaid(`keep it ${text}, please`, unit).in, [days], text);
  });

  it('how often is no span; what comes out uneven is none', () => {
    for (const text of ['once a week', '8 a day', 'twice a month', 'per week', 'next week', 'weekly'])
      assert.deepEqual(durationsSaid(text, 'day'), { in: [], other: [] }, text);
    assert.deepEqual(durationsSaid('100 days', 'week').in, []);
  });

  it('what is said of a span says its value', () => {
    for (const [unit, values] of Object.entries(ROUND_DURATIONS))
      for (const value of values)
        for (let seed = 0; seed < 12; seed++) {
          const words = durationWords(value, unit as TimeUnit, Random.fromSeed(seed));
          if (words === null) continue;
          assert.ok(
            durationsSaid(`for ${words} then`, unit as TimeUnit).in.includes(value),
            `${value} ${unit}: ${words}`,
          );
          assert.ok(saysValue(`for ${words} then`, value), words);
        }
    assert.equal(durationWords(13, 'day', Random.fromSeed(1)), null, 'people say 13 days');
  });

  it('the unit stands in the name, else in the description', () => {
    for (const [name, description, unit] of [
      ['days', '', 'day'],
      ['durationMinutes', '', 'minute'],
      ['timeout_seconds', '', 'second'],
      ['loan', 'for how many days', 'day'],
      ['length', 'in minutes, 1 to 90', 'minute'],
      ['day', 'the day, YYYY-MM-DD', null],
      ['minute', 'of the hour', null],
      ['monthDay', '', null],
      ['amount', 'what it costs', null],
      ['quantity', 'how many hours or pieces', null],
      ['stay', 'how many days or weeks', 'day'],
    ] as const)
      assert.equal(timeUnitOf(name, description), unit, name);
  });
});
