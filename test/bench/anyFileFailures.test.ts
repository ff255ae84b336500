/** How `npm run bench anyFile` counts: success, and of a miss what went wrong first. */
import { strict as assert } from 'node:assert';
import type { GoldCall, Task, TypeScriptTool } from '../../trainer/protocol/task';
import type { Trace } from '../../trainer/protocol/trace';
import { sampleTool, sampleTrace } from '../store/runs/sample';
import { judge, wrongValues } from './anyFile/failures';
import { failureCounts, gainOf, pooledGain, type Measured } from './anyFile/report';

const tool = (name: string, changesWorld = false): TypeScriptTool => ({
  ...sampleTool,
  name,
  changesWorld,
  parameters: {
    type: 'object',
    properties: { name: { type: 'string' }, days: { type: 'number', default: 21 } },
    required: ['name'],
  },
});
const tools = [tool('find'), tool('lend'), tool('send', true)];
const task = (calls: GoldCall[], answer?: string): Task => ({
  id: 't',
  prompt: 'Lend it',
  calls,
  ...(answer === undefined ? {} : { answer }),
  tags: ['oneCall', 'plain'],
});
const call = (name: string, args: Record<string, unknown> = { name: 'Dune' }): GoldCall => ({ name, arguments: args });

function episode(calls: GoldCall[], rest: Partial<Trace> = {}, reply = 'Done.'): Trace {
  const result = { kind: 'ok' as const, content: '1', policy: 'real' as const, startedAt: 0, durationMs: 0 };
  return {
    ...sampleTrace('x'),
    taskId: 't',
    terminated: true,
    truncated: 'no',
    messages: [
      { role: 'user', content: 'Lend it' },
      { role: 'assistant', content: reply },
    ],
    turns: calls.map((each, i) => ({
      start: 0,
      end: 0,
      text: '',
      sampleMs: 0,
      calls: [{ ...each, id: `${i}`, result }],
    })),
    ...rest,
  };
}
const judged = (gold: GoldCall[], trace: Trace, answer?: string) => judge(task(gold, answer), trace, tools, ['lend']);
const failure = (gold: GoldCall[], trace: Trace): string | null => judged(gold, trace).failure;

describe('bench anyFile: what counts', () => {
  it('gold calls in order, with read-only calls between and defaults written out', () => {
    assert.equal(
      failure(
        [call('find'), call('lend')],
        episode([call('find'), call('find', { name: 'Emma' }), call('lend', { name: 'Dune', days: 21 })]),
      ),
      null,
    );
    assert.equal(failure([], episode([])), null);
  });

  it("a further change counts by what the bench knows, the product's own success by what the product knows", () => {
    const twice = episode([call('lend'), call('lend', { name: 'Emma' })]);
    assert.deepEqual(
      [judged([call('lend')], twice).success, judged([call('lend')], twice).strict, failure([call('lend')], twice)],
      [false, true, 'furtherChange'],
    );
  });

  it('the answer is reported beside', () => {
    const { success, strict, answered } = judged([call('find')], episode([call('find')], {}, 'It is here.'), 'B101');
    assert.deepEqual([success, strict, answered], [true, false, false]);
    assert.equal(judged([call('find')], episode([call('find')])).answered, null);
  });

  it('each miss has one name', () => {
    const cut: Partial<Trace> = { terminated: false, truncated: 'tokenLimit' };
    const unread = { start: 0, end: 0, text: '{', sampleMs: 0, calls: [], parseError: 'no JSON' };
    assert.equal(failure([], episode([call('find')])), 'calledForNothing');
    assert.equal(failure([], episode([], cut)), 'cutOff');
    assert.equal(failure([call('find')], episode([])), 'noCall');
    assert.equal(failure([call('find')], episode([], cut)), 'cutOff');
    assert.equal(failure([call('find')], episode([], { turns: [unread] })), 'parse');
    assert.equal(failure([call('find')], episode([call('send')])), 'wrongTool');
    assert.equal(failure([call('find')], episode([call('send'), call('find', { name: 'Emma' })])), 'wrongValue');
    assert.equal(failure([call('find'), call('lend')], episode([call('find')])), 'chainStopped');
    assert.equal(failure([call('find'), call('lend')], episode([call('find'), call('find')])), 'wrongTool');
    assert.equal(
      failure([call('find'), call('lend')], episode([call('find'), call('lend', { name: 'Emma' })])),
      'wrongValue',
    );
  });

  it('a wrong value is missing, extra or another one; a default is none', () => {
    const how = (gold: Record<string, unknown>, made: Record<string, unknown>): string[] =>
      wrongValues(call('lend', gold), call('lend', made), tools).map((each) => `${each.parameter} ${each.how}`);
    assert.deepEqual(how({ name: 'Dune', days: 7 }, { name: 'Dune' }), ['lend.days missing']);
    assert.deepEqual(how({ name: 'Dune' }, { name: 'Dune', days: 7 }), ['lend.days extra']);
    assert.deepEqual(how({ name: 'Dune' }, { name: 'dune', days: 21 }), ['lend.name wrong']);
  });
});

describe('bench anyFile: what is reported', () => {
  const right = judged([call('find')], episode([call('find')]));
  const wrong = judged([call('find')], episode([]));
  const one = (seed: number, after: Measured['after']): Measured => ({
    file: 'library',
    seed,
    before: [wrong, wrong],
    after,
    run: null,
    refused: null,
  });

  it('a gain per file, and over seeds with a request as one cluster; none where nothing was trained', () => {
    assert.equal(gainOf(one(0, null)), null);
    assert.equal(pooledGain([one(0, null)]), null);
    assert.equal(gainOf(one(0, [right, wrong]))!.mean, 0.5);
    const other = { ...right, task: { ...right.task, id: 'u' } };
    const seeds = [one(0, [right, other]), one(1, [wrong, other])].map((each) => ({
      ...each,
      before: [wrong, { ...wrong, task: other.task }],
    }));
    assert.equal(pooledGain(seeds)!.mean, 0.75);
  });

  it('a file that is refused counts as no change, and is not left out', () => {
    const refused = { ...one(0, null), file: 'geo', refused: 'no task could be made' };
    assert.equal(pooledGain([one(0, [right, right]), refused])!.mean, 0.5);
  });

  it('failures are counted out of all requests', () => {
    const { noCall, wrongTool } = failureCounts([right, wrong]);
    assert.deepEqual([noCall.n, noCall.ci95!.map((edge) => edge.toFixed(2)), wrongTool.n], [1, ['0.09', '0.91'], 0]);
  });
});
