import assert from 'node:assert/strict';
import { differenceText } from '../../webview/components/verdicts';
import { callText, expectedRows } from '../../webview/derive/expected';
import { writeVerdicts } from '../../trainer/rollout/verdicts/verdicts';
import { trace } from '../rewards/fixtures';
import { STRING, task, tool } from '../tasks/fixtures';

const tools = [tool('find', 'Find.', { name: STRING }), tool('cancel', 'Cancel.', { id: STRING })];
const gold = task('Cancel what Ada has', [
  { name: 'find', arguments: { name: 'Ada' } },
  { name: 'cancel', arguments: { id: 'V1' } },
]);
const told = (...steps: Parameters<typeof trace>[0]) => {
  const one = trace(steps, { terminated: true, truncated: 'no' });
  writeVerdicts(one, gold, tools);
  return one;
};

describe('expected beside actual', () => {
  it('sets made calls beside the gold calls they are nearest to', () => {
    const rows = expectedRows(
      told(
        { calls: [['cancel', { id: 'V2' }]] },
        { calls: [['find', { name: 'Ada' }]] },
        { calls: [['find', { name: 'Bob' }]] },
        { text: 'Cancelled the curse.' },
      ),
    );
    assert.deepEqual(rows, [
      { of: { call: 1 }, expected: 'find(name: "Ada")', actual: 'find(name: "Ada")', differs: false },
      { of: { call: 2 }, expected: 'cancel(id: "V1")', actual: 'cancel(id: "V2")', differs: true },
      { of: { call: 3 }, expected: null, actual: 'find(name: "Bob")', differs: false },
      { of: 'answer', expected: null, actual: 'Cancelled the curse.', differs: true },
    ]);
  });
  it('says what is missing, and nothing of traces of before', () => {
    const rows = expectedRows(told({ calls: [['find', { name: 'Ada' }]] }, { text: '' }))!;
    assert.deepEqual(
      rows.slice(1).map(({ actual, differs }) => [actual, differs]),
      [
        [null, true],
        [null, true],
      ],
    );
    assert.equal(expectedRows(trace([{ text: 'x' }])), null);
  });
  it('has words for each difference', () => {
    const { differences } = told({ calls: [['find', { who: 'Ada' }]] }, { text: 'Found the curse.' });
    assert.deepEqual(differences!.map(differenceText), [
      'Call 1: argument missing, name of find',
      'Call 1: extra argument, who of find',
      'Call 2: cancel was not called',
      'Not grounded: curse',
    ]);
  });
  it('writes arguments in one order', () =>
    assert.equal(callText({ name: 'f', arguments: { b: 1, a: 'x' } }), 'f(a: "x", b: 1)'));
});
