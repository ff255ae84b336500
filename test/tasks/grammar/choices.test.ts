import assert from 'node:assert/strict';
import { saidWith, share, tool } from './saying';

const say = saidWith('choices');
const TEXT = { type: 'string' };
const choice = (...values: string[]) => ({ type: 'string', enum: values });

describe('one of several choices', () => {
  it('stands behind a small word that is its name, and what is filled is many', () => {
    const pack = tool('pack', 'Package a ready batch.', { batch: TEXT, into: choice('keg', 'can', 'bottle') });
    const said = say(pack, { batch: 'B040', into: 'bottle' });
    assert.ok(share(said, /\b(?:into|in) bottles?\b/i) > 0.4);
    assert.equal(share(said, /the bottle one|make it bottle|as bottle/i), 0);
  });

  it('of a reason is because of it', () => {
    const cancel = tool('cancelCharter', 'Cancel a booked charter.', { charterId: TEXT, reason: choice('weather') });
    const said = say(cancel, { charterId: 'CH-900', reason: 'weather' });
    assert.ok(share(said, /(?:because of|due to|on account of) weather/i) > 0.25);
    assert.equal(share(said, /the weather one|in weather/i), 0);
  });

  it('of an urgency is how urgent it is', () => {
    const open = tool('openOrder', 'Opens a work order.', { unitId: TEXT, urgency: choice('low', 'high') });
    const said = say(open, { unitId: 'U-101', urgency: 'low' });
    assert.ok(share(said, /low urgency|it's low/i) > 0.3);
    assert.equal(share(said, /the low one/i), 0);
  });

  it('things that have two counts are said as people write them', () => {
    const number = { type: 'integer' };
    const log = tool('logWorkout', 'Saves a workout.', {
      exercises: {
        type: 'array',
        items: { type: 'object', properties: { name: TEXT, sets: number, reps: number }, required: ['name'] },
      },
    });
    const said = say(log, { exercises: [{ name: 'squats', sets: 5, reps: 8 }] });
    assert.ok(share(said, /5x8 squats|squats 5 ?x ?8/i) > 0.15);
    assert.ok(share(said, /5 sets of 8/i) > 0.1);
    assert.equal(share(said, /\(8 reps\)/i), 0);
  });
});
