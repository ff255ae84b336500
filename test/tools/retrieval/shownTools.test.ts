/** Which few of many tools a request is shown. */
import assert from 'node:assert/strict';
import type { ToolSchema } from '../../../trainer/protocol/task';
import { longestTools, ShownTools } from '../../../trainer/tools/retrieval/shownTools';
import { sampleTool } from '../../store/runs/sample';

const NAMES = ['ask', 'book', 'cancel', 'delete', 'edit', 'finish'];
const tools: ToolSchema[] = NAMES.map((name, i) => ({ ...sampleTool, name, description: 'x'.repeat(i) }));
const names = (set: readonly ToolSchema[]): string => set.map(({ name }) => name).join(' ');
/** Finds tools by their names' first letters, in the order of the request. */
const byLetter = (asked: string[] = []) => ({
  asked,
  find: (request: string, most: number) => {
    asked.push(request);
    const found = [...request].flatMap((letter) => NAMES.filter((name) => name.startsWith(letter)));
    return found.slice(0, most).map((name) => ({ name }));
  },
});
const call = (name: string) => ({ name, arguments: {} });

describe('ShownTools', () => {
  it('a set is of one size, in the order of all tools; the same set is the same array', () => {
    const shown = new ShownTools({ tools, most: 2, ...byLetter() });
    assert.equal(names(shown.of({ prompt: 'eb' })), 'book edit');
    assert.equal(shown.of({ prompt: 'be' }), shown.of({ prompt: 'eb' }));
    assert.equal(names(shown.of({ prompt: 'edcb' })), 'delete edit', 'the best two');
    assert.equal(names(shown.of({ prompt: 'e' })), 'ask edit', 'the first of the others fills the room');
    assert.equal(names(shown.of({ prompt: '!' })), 'ask book');
  });

  it('what ends a conversation is never left out, and counts', () => {
    const shown = new ShownTools({ tools, most: 2, always: ['finish'], ...byLetter() });
    assert.equal(names(shown.of({ prompt: 'edcb' })), 'edit finish');
    assert.equal(names(shown.of({ prompt: 'f' })), 'ask finish');
  });

  it('in training a gold tool that was not found takes the place of the last that was', () => {
    const shown = new ShownTools({ tools, most: 2, ...byLetter() });
    const task = { prompt: 'ed', calls: [call('cancel')] };
    assert.equal(names(shown.of(task)), 'delete edit', 'where it is measured the gold calls are not looked at');
    assert.equal(names(shown.withGold(task)), 'cancel edit');
    assert.equal(shown.withGold({ prompt: 'ed', calls: [call('edit')] }), shown.of(task), 'it was found');
    assert.equal(
      names(shown.withGold({ prompt: 'ed', calls: ['ask', 'book', 'ask', 'cancel'].map(call) })),
      'ask book cancel',
    );
    assert.equal(names(shown.withGold({ prompt: 'ed', calls: [call('unknown')] })), 'delete edit');
  });

  it('find_tools stands beside them, does not count, and in training nothing is told but by it', () => {
    const shown = new ShownTools({ tools, most: 2, looksUp: true, ...byLetter() });
    const task = { prompt: 'ed', calls: [call('cancel')] };
    assert.equal(names(shown.of(task)), 'find_tools delete edit');
    assert.equal(shown.training.of(task), shown.of(task));
    const prompt = shown.begin!(task);
    assert.equal(prompt.answer('edit', {}, 0), null);
    prompt.used('edit');
    prompt.answer('find_tools', { query: 'c' }, 0);
    assert.equal(names(prompt.shown), 'find_tools cancel edit', 'what was called stays');
    assert.equal(names(shown.longest), 'find_tools delete finish', 'room for the longest');
    const without = new ShownTools({ tools, most: 2, ...byLetter() });
    assert.equal(names(without.training.of(task)), 'cancel edit');
    assert.ok(!without.begin && !without.training.begin);
  });

  it('a request is looked up once', () => {
    const { asked, find } = byLetter();
    const shown = new ShownTools({ tools, most: 2, find });
    for (let i = 0; i < 3; i++) shown.of({ prompt: 'eb' });
    shown.withGold({ prompt: 'eb', calls: [call('ask')] });
    assert.deepEqual(asked, ['eb']);
  });

  it('the shortest and the longest set bound what there has to be room for', () => {
    const shown = new ShownTools({ tools, most: 2, ...byLetter() });
    assert.equal(names(shown.shortest), 'ask book');
    assert.equal(names(shown.longest), 'delete finish', 'a name counts, too');
    assert.equal(names(longestTools(tools, 9, () => 0)), NAMES.join(' '));
  });
});
