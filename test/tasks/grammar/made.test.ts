import assert from 'node:assert/strict';
import { saidWith, share, tool } from './saying';

const say = saidWith('made');
const text = (description = '') => ({ type: 'string', description });

describe('what a tool makes', () => {
  it('has no number yet: the id beside it is of another thing', () => {
    const book = tool('book_charter', 'Book a boat for a customer.', { boat_id: text('Boat id'), customer: text() });
    const said = say(book, { boat_id: 'BT-02', customer: 'Lindholm' });
    assert.equal(share(said, /charter (?:called|named|titled) BT-02/i), 0);
    assert.ok(share(said, /boat (?:number )?BT-02/i) > 0.2);
    const cancel = tool('cancel_charter', 'Cancel a charter.', { charter_id: text('Charter id') });
    assert.ok(share(say(cancel, { charter_id: 'CH-900' }), /charter (?:number )?CH-900/i) > 0.2);
  });

  it('is opened as a record and not as a door', () => {
    const open = tool('openWorkOrder', 'Opens a maintenance work order.', { unitId: text('Unit id'), note: text() });
    const said = say(open, { unitId: 'U-101', note: 'no heat' });
    assert.equal(share(said, /unlock|let me into|locked/i), 0);
    assert.equal(share(said, /openrecord/i), 0);
    assert.ok(share(said, /(?:log|raise|put in|create|file|open|start|set up|make) a work order/i) > 0.25);
    const door = tool('openDoor', 'Opens a door.', { door: text() });
    assert.ok(share(say(door, { door: 'garage' }), /unlock|let me into/i) > 0.1);
  });
});
