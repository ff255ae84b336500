import { strict as assert } from 'node:assert';
import { gerund, participle } from '../../../trainer/tasks/generate/grammar/passive';
import { saidWith, share, tool } from './saying';
import { toolTalk } from '../../../trainer/tasks/generate/grammar/toolTalk';

const said = saidWith('p');
const text = { type: 'string' };

describe('requests from the side of the thing', () => {
  it('know the forms of verbs', () => {
    const verbs = 'cancel pay renew stop apply check clean submit lock unfreeze rebuild fix play refer ship reopen';
    assert.equal(
      verbs.split(' ').map(participle).join(' '),
      'cancelled paid renewed stopped applied checked cleaned submitted locked unfrozen rebuilt fixed played referred ' +
        'shipped reopened',
    );
    assert.equal(
      'cancel stop make free clean pay'.split(' ').map(gerund).join(' '),
      ['cancelling stopping making freeing cleaning paying'][0],
    );
  });

  it('say now and then what should be done to it, and never of what is looked up or made anew', () => {
    const cancel = tool('cancelBooking', 'Cancels a booking.', { bookingId: text });
    const PASSIVE = /BK-17\)? (should|has to|needs to|must|can|could)? ?(be )?cancelled/;
    const done = share(said(cancel, { bookingId: 'BK-17' }), PASSIVE);
    assert.ok(done > 0.02 && done < 0.2, `${done}`);
    const reads = tool('checkBooking', 'Checks a booking.', { bookingId: text }, false);
    assert.equal(share(said(reads, { bookingId: 'BK-17' }), /be checked|needs checking/), 0);
    const makes = tool('createBooking', 'Creates a booking.', { guest: text });
    assert.equal(share(said(makes, { guest: 'Ann Lund' }), /be created|needs creating/), 0);
  });

  it('say of a guest who checks in that he is here, and of a book that it is back', () => {
    const guest = said(tool('checkIn', 'Checks a guest in.', { guestId: text }), { guestId: 'G-101' });
    assert.ok(share(guest, /\bsign (it|G-101|guest).* in|is here|arrived|check in|checked in/i) > 0.3);
    assert.equal(share(guest, /bring .* back|give .* back|return/i), 0);
    const book = said(tool('checkInBook', 'Checks a book in.', { title: text }), { title: 'Dune' });
    assert.ok(share(book, /back\b/i) > 0.3);
  });

  it('say of what is put into a state that it is so', () => {
    const absent = tool('markAbsent', 'Marks a pupil absent.', { pupilId: text });
    const texts = said(absent, { pupilId: '3101' });
    assert.ok(share(texts, /3101 is absent/i) > 0.03);
    assert.ok(share(texts, /mark (the |pupil |the pupil )?3101 (as )?absent/i) > 0.1);
    assert.equal(share(texts, /label|put a mark|flag on|the absent\b/i), 0);
    const { nouns } = toolTalk(tool('set_active', 'Sets a user account to active', { id: text }));
    assert.equal(nouns[0], 'user account');
    const temperature = toolTalk(tool('setTemperature', 'Sets the room temperature.', { degrees: text }));
    assert.equal(temperature.nouns[0], 'temperature');
    assert.equal(toolTalk(tool('flagComment', 'Flags a user comment.', { id: text })).nouns[0], 'comment');
    assert.equal(toolTalk(tool('setAlarm', 'Sets an alarm.', { time: text })).nouns[0], 'alarm');
  });

  it('add a comment to an issue, and no issue to one', () => {
    const body = { ...text, description: 'Comment text' };
    const add = tool('add_comment', 'Add a comment to an issue.', { key: { ...text, description: 'Issue key' }, body });
    const texts = said(add, { key: 'WEB-120', body: 'see you at the gate' });
    assert.deepEqual(
      texts.filter((one) => /add (issue )?WEB-120 to|WEB-120 to an issue/i.test(one)),
      [],
    );
    assert.ok(share(texts, /to (the )?(issue )?WEB-120/i) > 0.02);
  });

  it('take a description for what is done where the name is what it is done to', () => {
    const { verb, nouns } = toolTalk(tool('wakeUpCall', 'Arranges a wake-up call.', { room: { type: 'integer' } }));
    assert.deepEqual([verb, nouns[0]], ['arrange', 'wake up call']);
    const visits = tool('groupVisits', 'Group visits, optionally of one day.', { date: text }, false);
    assert.deepEqual([toolTalk(visits).verb, toolTalk(visits).nouns[0]], [null, 'group visit']);
    const groups = tool('groupVisits', 'Groups the visits of a day.', { date: text }, false);
    assert.equal(toolTalk(groups).verb, 'group');
    const nodes = tool('open_nodes', 'Open specific nodes in the graph by their names', { names: text }, false);
    assert.deepEqual([toolTalk(nodes).verb, toolTalk(nodes).nouns[0]], ['open', 'node']);
    const ring = said(tool('ringUp', 'Puts drinks on a tab.', { tab: text }), { tab: 'T1' });
    assert.equal(share(ring, /\b(dial|on the line|speak to)\b/i), 0);
    const off = said(tool('eightySix', 'Takes a drink off the menu for tonight.', { drink: text }), {
      drink: 'Pale Ale',
    });
    assert.ok(share(off, /take .*Pale Ale.* off the menu/i) > 0.4);
    assert.ok(share(off, /tell me|how much is|what is|what's/i) < 0.02); // small talk beside it
    const tabs = toolTalk(tool('openTabs', 'Tabs that are still open.', {}, false));
    assert.deepEqual([tabs.verb, tabs.request], [null, 'get the tabs that are still open']);
    const list = toolTalk(tool('vanList', 'All vans, or only those in a certain state.', { status: text }, false));
    assert.deepEqual([list.verb, list.nouns[0], list.isPlural, list.acts[0]!.verbs[0]], [null, 'van', true, 'list']);
    const send = said(tool('sendToWorkshop', 'Takes a van to the workshop.', { plate: text }), { plate: 'B-KL 204' });
    assert.ok(share(send, /workshop/i) > 0.7);
    assert.equal(share(send, /drop a|fire off|shoot over/i), 0);
    const slack = said(tool('postToSlack', 'Posts a message to Slack.', { text }), { text: 'we are late' });
    assert.deepEqual(
      slack.filter((one) => /the slack/i.test(one)),
      [],
    );
    const schedule = tool('classSchedule', 'Get the classes of a day', { day: text }, false);
    assert.equal(share(said(schedule, { day: '2026-07-06' }), /\b(book|reserve|save|pencil|schedule a)\b/i), 0);
    const called = said(tool('callOff', 'Call a group visit off.', { code: text }), { code: 'V7K2' });
    assert.ok(share(called, /\b(cancel|call.* off|scrap|drop|get out of)\b/i) > 0.3);
    assert.deepEqual(
      off.filter((one) => /\b(ring|dial)\b/i.test(one)),
      [],
    );
    assert.equal(toolTalk(tool('waterLevel', 'Water level of a tank.', { tank: text }, false)).verb, null);
    assert.equal(toolTalk(tool('waterPlants', 'Waters the plants.', { bed: text })).verb, 'water');
  });
});
