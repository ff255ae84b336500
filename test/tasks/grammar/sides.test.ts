import assert from 'node:assert/strict';
import type { ToolSchema } from '../../../trainer/protocol/task';
import { requestWith } from '../../../trainer/tasks/generate/grammar/sides';
import { saidWith, share, tool } from './saying';

const say = saidWith('sides');
const TEXT = { type: 'string' };
/** All of its parameters are needed. */
const needing = (schema: ToolSchema): ToolSchema => ({
  ...schema,
  parameters: { ...schema.parameters, required: Object.keys(schema.parameters.properties as object) },
});

describe('acts that a yes or a no turns round', () => {
  const freeze = needing(
    tool('set_freeze', 'Freeze or unfreeze a membership. A frozen member cannot book.', {
      memberId: TEXT,
      frozen: { type: 'boolean' },
    }),
  );

  it('are asked for by the verb of the side, and by no flag', () => {
    const [on, off] = [true, false].map((frozen) => say(freeze, { memberId: 'm_1001', frozen }));
    assert.ok(on!.length > 250 && off!.length > 250);
    assert.ok(share(on!, /\bfr(?:eeze|ozen)\b/i) > 0.4);
    assert.ok(share(off!, /\bunfr(?:eeze|ozen)\b/i) > 0.4);
    assert.equal(share(on!, /unfreeze|unfrozen/i), 0);
    assert.equal(share([...on!, ...off!], /or unfreeze|set freeze|without frozen|no frozen/i), 0);
    assert.ok(share(on!, /freeze (?:the )?(?:member )?m_1001/i) > 0.05);
    assert.ok(share(on!, /membership/i) > 0.1);
  });

  it('the description of the parameter has its own verbs for both', () => {
    const hold = needing(
      tool('setSubscription', 'Changes the state of a subscription.', {
        subscriptionId: TEXT,
        running: { type: 'boolean', description: 'true to resume, false to pause' },
      }),
    );
    assert.ok(share(say(hold, { subscriptionId: 'S-4', running: true }), /resume/i) > 0.2);
    assert.ok(share(say(hold, { subscriptionId: 'S-4', running: false }), /pause/i) > 0.2);
  });

  it('a state is what a thing is put into, and out of', () => {
    const service = needing(
      tool('set_service', 'Put boat in/out of service.', { boat_id: TEXT, in_service: { type: 'boolean' } }),
    );
    const out = say(service, { boat_id: 'BT-01', in_service: false });
    assert.ok(share(out, /out of service|can't be used/i) > 0.85);
    assert.ok(share(say(service, { boat_id: 'BT-01', in_service: true }), /\bin service/i) > 0.85);
  });

  it('the name of the parameter tells where nothing else does; one that makes a thing, or may be left out, stays', () => {
    const publish = needing(tool('updatePage', 'Changes a page.', { pageId: TEXT, published: { type: 'boolean' } }));
    assert.ok(share(say(publish, { pageId: 'P-7', published: false }), /unpublish/i) > 0.4);
    const create = needing(tool('createPage', 'Creates a page.', { title: TEXT, published: { type: 'boolean' } }));
    assert.equal(share(say(create, { title: 'Prices', published: false }), /unpublish/i), 0);
    const left = tool('updatePage', 'Changes a page.', { pageId: TEXT, published: { type: 'boolean' } });
    assert.equal(share(say(left, { pageId: 'P-7', published: false }), /unpublish/i), 0);
  });

  it('a description that speaks of two acts of which none undoes the other is left alone', () => {
    assert.equal(requestWith('add or update a note', 'value', true), null);
    assert.equal(requestWith('freezes/unfreezes a card', 'frozen', false), 'unfreeze a card');
    assert.equal(requestWith('put a boat out of or into service', 'in service', true), 'put a boat in service');
    assert.equal(requestWith('unlock or lock a door', 'locked', true), 'lock a door');
  });
});
