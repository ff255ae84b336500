/** Patterns of a tool's own schema that backtrack: the trainer checks each argument against them, and must not hang. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { Random } from '../../trainer/base/random';
import { boundedPattern } from '../../trainer/base/boundedPattern';
import type { ToolSchema } from '../../trainer/protocol/task';
import { checkTask } from '../../trainer/tasks/readTasks';
import { argumentValidator } from '../../trainer/tools/schema/validateArguments';
import { samplePattern } from '../../trainer/tools/schema/pattern';
import { FIXTURES, fixtureTool, openFixtureHosts } from '../tools/hostsFixture';

const EVIL = ['^(a+)+$', '^(a|a)*$', '^(a|aa)+$', '^(.*a){12}$', '(x+x+)+y', '^(([a-z])+.)+[A-Z]([a-z])+$', '\\s+$'];
const LOOKING = '^(?=a)(a+)+$';
const text = `${'a'.repeat(40)}${' '.repeat(50_000)}!`;
const toolOf = (pattern: string): ToolSchema =>
  fixtureTool('harmless.ts', 'greet', {
    takes: ['name'],
    parameters: { type: 'object', properties: { name: { type: 'string', pattern } }, required: ['name'] },
  });

/** Milliseconds that `work` took. */
function timed(work: () => void): number {
  const from = performance.now();
  work();
  return performance.now() - from;
}

describe('attacks: patterns that backtrack', function () {
  this.timeout(20_000);

  for (const pattern of EVIL)
    it(`an argument is checked against ${pattern} at once`, () => {
      const validate = argumentValidator(toolOf(pattern));
      for (const name of [text, `${'a'.repeat(100_000)}!`, 'x'.repeat(5000)]) {
        let outcome = '';
        const ms = timed(() => (outcome = JSON.stringify(validate({ name }))));
        assert.ok(ms < 1000, `${ms} ms`);
        assert.match(outcome, /must match pattern/);
      }
    });

  it('tells patterns of one schema apart', () => {
    const parameters = {
      type: 'object',
      properties: { a: { type: 'string', pattern: '^a+$' }, b: { type: 'string', pattern: '^b+$' } },
    } as ToolSchema['parameters'];
    const validate = argumentValidator({ ...toolOf('x'), parameters });
    assert.equal(validate({ a: 'aa', b: 'bb' }).ok, true);
    assert.equal(validate({ a: 'bb', b: 'bb' }).ok, false);
    assert.equal(validate({ a: 'aa', b: 'aa' }).ok, false);
  });

  it('one that only JavaScript reads is ended after 100 ms, and not tried a fourth time', () => {
    const pattern = boundedPattern(LOOKING);
    assert.equal(pattern.isLinear, false);
    assert.equal(pattern.test('aaa'), true);
    const times = Array.from({ length: 5 }, () => timed(() => assert.equal(pattern.test(`${'a'.repeat(60)}!`), false)));
    assert.ok(
      times.every((ms) => ms < 1000),
      String(times),
    );
    assert.ok(Math.max(...times.slice(3)) < 50, String(times));
  });

  it('a gold call of a task is checked at once', () => {
    const task = { id: 'a', prompt: 'p', calls: [{ name: 'greet', arguments: { name: text } }] };
    const ms = timed(() => assert.throws(() => checkTask(task, [toolOf('^(a+)+$')], 'x:1'), /must match pattern/));
    assert.ok(ms < 1000, `${ms} ms`);
  });

  it('no text is drawn that would fill the memory', () => {
    for (const pattern of ['(a{1000}){1000}', '((a{100}){100}){100}', '(^){900000000}']) {
      let drawn: string | null = '';
      const ms = timed(() => (drawn = samplePattern(pattern, Random.fromSeed('x'))));
      assert.ok(ms < 1000, `${pattern}: ${ms} ms`);
      assert.ok(drawn === null || (drawn as string).length <= 1_000_000);
    }
  });

  it('a call with such an argument is answered, and the next one too', async () => {
    const { hosts } = await openFixtureHosts([toolOf('^(a+)+$') as never], { workspace: join(FIXTURES) });
    const session = hosts.open('pattern');
    const from = performance.now();
    assert.equal((await session.call('greet', { name: text })).kind, 'invalidArguments');
    assert.equal((await session.call('greet', { name: 'aaa' })).kind, 'ok');
    assert.ok(performance.now() - from < 3000);
    await hosts.close();
  });
});
