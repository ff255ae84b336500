import assert from 'node:assert/strict';
import { exampleCall, exampleEdit, typedValue } from '../../extension/tools/writeExample';
import type { ToolSchema } from '../../trainer/protocol/task';
import { Harvest } from '../../trainer/tasks/generate/harvest';
import { ok, STRING, tool } from '../tasks/fixtures';

const written = (text: string, line: number, call = "show('a-1')"): string => {
  const edit = exampleEdit(text, line, call)!;
  return text.slice(0, edit.at) + edit.insert + text.slice(edit.at);
};

describe('an @example written by a quick fix', () => {
  it('goes to the end of the JSDoc, whatever its form, and makes one where there is none', () => {
    assert.equal(
      written('/**\n * Shows it.\n * @tool\n */\nexport function show(id) {}\n', 5),
      "/**\n * Shows it.\n * @tool\n * @example show('a-1')\n */\nexport function show(id) {}\n",
    );
    assert.equal(
      written('/** Shows it. @tool */\nexport function show(id) {}\n', 2),
      "/** Shows it. @tool \n * @example show('a-1')\n */\nexport function show(id) {}\n",
    );
    assert.equal(
      written('/** Shows it.\n * @tool */\nexport function show(id) {}\n', 3),
      "/** Shows it.\n * @tool \n * @example show('a-1')\n */\nexport function show(id) {}\n",
    );
    assert.equal(
      written('export function show(id) {}\n', 1),
      "/** @example show('a-1') */\nexport function show(id) {}\n",
    );
    assert.equal(
      written('/* no JSDoc */\nexport function show(id) {}\n', 2),
      "/* no JSDoc */\n/** @example show('a-1') */\nexport function show(id) {}\n",
    );
  });

  it('goes before the decorators of a method, with its indent and line ends', () => {
    const text =
      'class A {\r\n  /** Shows it.\r\n   * @param id which */\r\n  @tool()\r\n  show(id: string) {}\r\n}\r\n';
    assert.equal(
      written(text, 5),
      "class A {\r\n  /** Shows it.\r\n   * @param id which \r\n   * @example show('a-1')\r\n   */\r\n  @tool()\r\n  show(id: string) {}\r\n}\r\n",
    );
    assert.equal(
      written('class A {\n  @tool({ name: "x" })\n  show() {}\n}\n', 3, 'show()'),
      'class A {\n  /** @example show() */\n  @tool({ name: "x" })\n  show() {}\n}\n',
    );
  });

  it('is a call that the pool reads back', () => {
    const positional = [{ name: 'id' }, { name: 'limit' }, { name: 'tags', isRest: true }];
    assert.equal(
      exampleCall('show', { id: "it's", tags: ['a', 'b'] }, positional),
      "show('it\\'s', undefined, 'a', 'b')",
    );
    assert.equal(
      exampleCall('place', { to: { city: 'Kiel' }, 'x-y': [1, true] }, 'object'),
      'place({ to: { city: \'Kiel\' }, "x-y": [1, true] })',
    );
    assert.ok(!exampleCall('show', { id: 'a*/b' }, positional).includes('*/'));
    const show: ToolSchema = tool(
      'show',
      'Shows it.',
      { id: STRING },
      { examples: [exampleCall('show', { id: 'a-1' }, [{ name: 'id' }])] },
    );
    assert.deepEqual(new Harvest([show], async () => ok(1)).known(show, 'id', 'string'), ['a-1']);
  });

  it('takes what was typed for what the schema wants, and nothing else', () => {
    assert.deepEqual(
      [
        typedValue('12', 'integer'),
        typedValue('1.5', 'integer'),
        typedValue('true', 'boolean'),
        typedValue(' x ', 'string'),
        typedValue('', 'string'),
        typedValue('[1]', 'array'),
        typedValue('[1', 'array'),
      ],
      [{ value: 12 }, null, { value: true }, { value: 'x' }, null, { value: [1] }, null],
    );
  });
});
