import assert from 'node:assert/strict';
import { Random } from '../../../trainer/base/random';
import { toolTalk } from '../../../trainer/tasks/generate/grammar/toolTalk';
import { drawArguments } from '../../../trainer/tasks/generate/values';
import { saidWith, share, tool } from './saying';

const said = saidWith('f');
const text = { type: 'string' };
const number = { type: 'number' };

describe('what a request says of values', () => {
  it('what else is meant is included or left out, and is no word before the thing', () => {
    const list = tool('projectsOf', 'All projects of a client.', {
      client: text,
      includeArchived: { type: 'boolean' },
    });
    const reads = { ...list, changesWorld: false };
    const texts = said(reads, { client: 'Hollis Bikes', includeArchived: true });
    assert.ok(share(texts, /including archived ones|archived ones too|with archived ones/) > 0.3);
    assert.equal(share(texts, /it's include|include archived (projects|ones)/), 0);
    assert.ok(share(said(reads, { client: 'Hollis Bikes', includeArchived: false }), /archived/) > 0.9);
  });

  it('of those that are wanted alone a request says what they are', () => {
    const flag = { type: 'boolean' };
    const board = tool('tankBoard', 'What is in the tanks right now.', { onlyEmpty: flag }, false);
    const texts = said(board, { onlyEmpty: true });
    assert.ok(
      share(texts, /empty tanks|(the|just|only|that are|which are|if) (the )?empty|are (any of the tanks )?empty/i) >
        0.6,
    );
    assert.ok(share(texts, /which (of the )?tanks are empty|any empty tanks/i) > 0.05);
    assert.equal(share(texts, /only only|with only empty|be only empty/), 0);
    assert.ok(share(said(board, { onlyEmpty: false }), /empty( ones)?,? or not|not (only|just)|empty/) > 0.95);
    const find = tool('findTickets', 'Finds tickets.', { area: text, isUrgent: flag, inStockOnly: flag }, false);
    const urgent = said(find, { area: 'login', isUrgent: true });
    const verbatim = urgent.filter((one) => /is urgent/.test(one) && !/(that|which|it) is urgent/.test(one));
    assert.deepEqual(verbatim, []);
    assert.ok(share(urgent, /urgent/) > 0.95);
    assert.equal(share(said(find, { inStockOnly: true }), /the in stock ones|in stock only/), 0);
    const add = said(tool('addTask', 'Adds a task.', { title: text, isUrgent: flag }), {
      title: 'Oil',
      isUrgent: true,
    });
    assert.equal(share(add, /which are|ones only|is is/), 0, 'one that is made is none of many');
    assert.ok(share(add, /urgent/) > 0.95);
  });

  it('a day that is cut short is said whole, and no other value is one', () => {
    const list = tool('listSets', 'Lists the sets of a day.', { day: { ...text, enum: ['fri', 'sat'] } }, false);
    assert.ok(share(said(list, { day: 'fri' }), /friday/i) > 0.6);
    const find = tool('findMembers', 'Finds members of a class.', { kind: { ...text, enum: ['constructor'] } }, false);
    assert.ok(share(said(find, { kind: 'constructor' }), /constructor/) > 0.9);
  });

  it('by how much something changes is said with its direction, and drawn with both', () => {
    const change = { ...number, description: 'how many to add; negative to take away' };
    const adjust = tool('adjustStock', 'Corrects the stock of a product.', { sku: text, change });
    const down = said(adjust, { sku: 'CHS-01', change: -3 });
    assert.equal(share(down, /(3|three) (fewer|less|are gone)|(minus|by|remove) (3|three)|-3|take (3|three) off/i), 1);
    assert.equal(share(said(adjust, { sku: 'CHS-01', change: 3 }), /fewer|less|gone|minus|-3| off/i), 0);
    const schema = { ...adjust, parameters: { ...adjust.parameters, required: ['sku', 'change'] } };
    const drawn = Array.from({ length: 40 }, (_, i) =>
      Number(drawArguments(schema, Random.fromSeed(`change ${i}`), () => [])!.change),
    );
    assert.ok(drawn.some((by) => by < 0) && drawn.some((by) => by > 0) && !drawn.includes(0), drawn.join());
  });

  it('hours of work are said in hours, and are not a night or two days', () => {
    const log = tool('logHours', 'Logs hours on a project.', { project: text, hours: number });
    assert.equal(toolTalk(log).parameters[1]!.unit, null);
    assert.equal(toolTalk(tool('extendParking', 'Extends a stay.', { hours: number })).parameters[0]!.unit, 'hour');
    const schema = { ...log, parameters: { ...log.parameters, required: ['project', 'hours'] } };
    for (let i = 0; i < 40; i++)
      assert.ok(Number(drawArguments(schema, Random.fromSeed(`hours ${i}`), () => [])!.hours) < 10);
  });

  it('what is called new is mostly none of those that are known', () => {
    const phone = { ...text, description: 'new number' };
    const update = tool('updatePhone', "Changes a patient's phone number.", { phone });
    const schema = { ...update, parameters: { ...update.parameters, required: ['phone'] } };
    const drawn = Array.from({ length: 60 }, (_, i) =>
      String(drawArguments(schema, Random.fromSeed(`phone ${i}`), () => ['555-0141', '555-0158'])!.phone),
    );
    assert.ok(drawn.filter((one) => !one.startsWith('555-01')).length > 25, drawn.join());
  });
});
