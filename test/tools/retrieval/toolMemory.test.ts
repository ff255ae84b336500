/** Tools in the prompt of a long conversation. */
import assert from 'node:assert/strict';
import type { ToolSchema } from '../../../trainer/protocol/task';
import { removalRatio, ToolMemory, type MemoryMode } from '../../../trainer/tools/retrieval/toolMemory';
import { sampleTool } from '../../store/runs/sample';

const NAMES = [...'abcdefghij'];
const tools: ToolSchema[] = NAMES.map((name) => ({ ...sampleTool, name, description: `Does ${name}. And more.` }));
/** Tools by the letters of a text, in their order. */
const find = (text: string, most: number) =>
  [...text]
    .filter((letter) => NAMES.includes(letter))
    .slice(0, most)
    .map((name) => ({ name }));
const memory = (mode: MemoryMode, bar: number): ToolMemory => new ToolMemory({ tools, mode, bar, find });
const shown = (of: ToolMemory): string => of.shown.map(({ name }) => name).join(' ');
const lookUp = (of: ToolMemory, query: string) => of.answer('find_tools', { query }, 0)!;

describe('a memory of tools', () => {
  it('workflow: each request removes what it is not about, and adds what it is about', () => {
    const of = memory('workflow', 4);
    assert.equal(shown(of), '');
    of.ask('cba');
    assert.equal(shown(of), 'a b c');
    assert.equal(of.shown, of.shown, 'the same set is the same array');
    of.ask('bd');
    assert.equal(shown(of), 'b d');
    of.ask('fghij');
    assert.equal(shown(of), 'f g h i', 'the best, up to the bar');
    assert.equal(of.answer('find_tools', { query: 'a' }, 0), null, 'the model looks nothing up');
    assert.deepEqual(of.changes, [
      { added: 3, removed: 0, held: 3 },
      { added: 1, removed: 2, held: 2 },
      { added: 4, removed: 2, held: 4 },
    ]);
  });

  it('hybrid: the model adds; where there is no room the one goes that was of use longest ago', () => {
    const of = memory('hybrid', 3);
    of.ask('ab');
    assert.equal(shown(of), 'find_tools', 'nothing is added for it');
    assert.equal(lookUp(of, 'ba').content, '[{"name":"b","description":"Does b"},{"name":"a","description":"Does a"}]');
    assert.equal(shown(of), 'find_tools a b');
    assert.equal(lookUp(of, 'abc').content, '[{"name":"c","description":"Does c"}]', 'further ones');
    of.used('a');
    lookUp(of, 'd');
    assert.equal(shown(of), 'find_tools a c d', 'b was found first of those that were not called');
    of.ask('xdy');
    assert.equal(shown(of), 'find_tools d', 'and the next request removes');
  });

  it('autonomous: nothing leaves but by the model, and at the bar it has to', () => {
    const of = memory('autonomous', 2);
    of.ask('abc');
    assert.equal(shown(of), 'find_tools', 'and nothing is there to remove');
    lookUp(of, 'abc');
    of.ask('xyz');
    assert.equal(shown(of), 'find_tools remove_tool a b');
    const { kind, content } = lookUp(of, 'c');
    assert.deepEqual(
      [kind, content],
      ['refused', '{"error":"2 tools are loaded, and no more may be: remove_tool first"}'],
    );
    assert.deepEqual(of.shown[1]!.parameters['properties'], {
      name: { enum: ['a', 'b'], description: 'of the tool' },
    });
    assert.equal(of.answer('remove_tool', { name: 'c' }, 0)!.kind, 'invalidArguments');
    assert.equal(of.answer('remove_tool', { name: 'a' }, 0)!.kind, 'ok');
    lookUp(of, 'c');
    assert.equal(shown(of), 'find_tools remove_tool b c');
    assert.equal(
      memory('hybrid', 2).answer('remove_tool', { name: 'a' }, 0),
      null,
      'a tool of that name is the user’s',
    );
  });

  it('a copy goes its own way', () => {
    const of = memory('hybrid', 3);
    of.ask('a');
    const other = of.copy();
    lookUp(other, 'a');
    assert.deepEqual([shown(of), shown(other)], ['find_tools', 'find_tools a']);
    assert.equal(of.changes[0]!.added, 0);
  });

  it('what is removed of what was added, over three requests', () => {
    const change = (added: number, removed: number) => ({ added, removed, held: 0 });
    // 0/4; 2/4; 4/6; 4/2, which is 1
    const changes = [change(4, 0), change(0, 2), change(2, 2), change(0, 0)];
    const ratios = [0, 0.5, 4 / 6, 1];
    assert.equal(removalRatio(changes), ratios.reduce((a, b) => a + b, 0) / 4);
    assert.equal(removalRatio([change(0, 1)]), null);
  });
});
