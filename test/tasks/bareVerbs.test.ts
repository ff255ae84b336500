/** Methods of a class that are called find, water and repot: what they are about stands in their descriptions. */
import assert from 'node:assert/strict';
import { feeds } from '../../trainer/tasks/generate/feeds';
import { toolTalk } from '../../trainer/tasks/generate/grammar/toolTalk';
import { toolWords } from '../../trainer/tools/schema/words';
import { tool } from './grammar/saying';

const text = { type: 'string' };
const id = (description = '') => ({ id: { ...text, description } });
const find = tool('find', 'Find plants by name.', { name: text }, false);
const property = (from: typeof find, name: string) => ({ tool: from, property: name, value: 'G01' });

describe('tools that are named by a verb alone', () => {
  it('take the id of what another gives by its description, or as the parameter says', () => {
    assert.ok(feeds(property(find, 'id'), tool('water', 'Water a plant.', id()), 'id'));
    assert.ok(feeds(property(find, 'id'), tool('repot', 'Schedule repotting.', id('plant id')), 'id'));
    assert.ok(feeds(property(find, 'id'), tool('info', 'Details of a plant.', id(), false), 'id'));
    assert.ok(!feeds(property(find, 'id'), tool('pay', 'Pay an invoice.', id()), 'id'));
    assert.ok(!feeds(property(find, 'id'), tool('water', 'Water a plant.', id('tank id')), 'id'));
  });

  it('give their ids to what is called after the thing, and not after what it is found by', () => {
    const batches = tool('find', "Find batches by the beer's name.", { beer: text }, false);
    assert.ok(feeds(property(batches, 'id'), tool('move', 'Transfer a batch.', { batch: text }), 'batch'));
    assert.ok(!feeds(property(batches, 'id'), tool('brew', 'Start a batch of beer.', { label: text }), 'label'));
    assert.ok(!feeds(property(batches, 'id'), tool('order', 'Orders a beer.', { beer: text }), 'beer'));
  });

  it('or stand behind what their service is about', () => {
    const notes = tool('notes_find', 'Searches.', { words: text }, false);
    assert.ok(feeds(property(notes, 'id'), tool('notes_delete', 'Deletes one.', id()), 'id'));
    assert.ok(!feeds(property(notes, 'id'), tool('tags_delete', 'Deletes one.', id()), 'id'));
    const get = toolTalk(tool('notes_get', 'Reads one of them.', id(), false));
    assert.deepEqual([get.verb, get.nouns[0]], ['get', 'note']);
  });

  it('a description that begins with what is done says so where the tool does it', () => {
    assert.equal(toolWords(tool('repot', 'Schedule repotting.', id())).request, 'schedule repotting');
    assert.notEqual(toolWords(tool('moisture', 'Average moisture of a week.', id(), false)).thing, null);
  });

  it('a word for how things are is no act', () => {
    const dry = toolTalk(tool('dry', 'Plants with moisture below 30 %.', {}, false));
    assert.deepEqual([dry.nouns[0], dry.isPlural, dry.verb], ['dry plant', true, null]);
    assert.equal(toolTalk(tool('dry', 'Dry a herb.', id())).verb, 'dry');
  });
});
