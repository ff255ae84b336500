/** Code that Coach offers to a user's file, made of what others wrote: a run folder, a maker's reply. */
import assert from 'node:assert/strict';
import { checkCode } from '../../trainer/app/maketool/checkCode';
import { Refused } from '../../trainer/app/maketool/refusals';
import { compositeOf } from '../../trainer/app/composites/compositeCode';
import type { ToolSchema } from '../../trainer/protocol/task';

describe('attacks: code that is offered', () => {
  const pair = { first: 'who', second: 'ring', path: [], parameter: 'name', linked: 5, calls: 5 };
  const method = (name: string, member: string, parameter: string, description = name): ToolSchema => ({
    name,
    description,
    parameters: { type: 'object', properties: { [parameter]: { type: 'string' } }, required: [parameter] },
    source: { file: '/ws/desk.ts', line: 1 },
    binding: { exportName: 'Desk', member, positional: [{ name: parameter }] },
    changesWorld: false,
  });
  const INJECTED = "x(); require('node:child_process').exec('touch pwned'); this.x";
  const made = (first: ToolSchema, second: ToolSchema) =>
    compositeOf({ ...pair, first: first.name, second: second.name }, first, second, new Set());

  it('a composite holds no code that stands in the names of a tools.json', () => {
    const ring = method('ring', 'ring', 'name');
    assert.ok('code' in made(method('who', 'who', 'room'), ring));
    for (const bad of [method('who', INJECTED, 'room'), method(`who: 1 }; ${INJECTED}; ({ a`, 'who', 'room')]) {
      const composite = made(bad, ring);
      assert.ok('why' in composite && /has a name that is no word of code/.test(composite.why));
    }
    assert.ok('why' in made(method('who', 'who', `room: string) { ${INJECTED} } y(`), ring));
  });

  it('nor code that stands in a description', () => {
    const composite = made(method('who', 'who', 'room', `Who. */ ${INJECTED}; /**`), method('ring', 'ring', 'name'));
    assert.ok('code' in composite);
    assert.equal(composite.code.split('*/').length, 2, composite.code);
  });

  it('a made tool reads as it runs: what steers how text is shown is refused', () => {
    const text = (body: string): string =>
      `/** Sort.\n *  @param words what\n *  @pure\n *  @tool */\nexport function sort(words: string): string { ${body} }`;
    assert.equal(checkCode(text('return words;'), '/ws/made.ts', new Set()).name, 'sort');
    for (const body of [
      'return words; /*\u202e } \u2066*/',
      'return "\u001b[2K" + words;',
      'return words; //\u2028 x()',
    ])
      assert.throws(
        () => checkCode(text(body), '/ws/made.ts', new Set()),
        (error) => error instanceof Refused && error.refusal === 'unseen',
      );
  });
});
