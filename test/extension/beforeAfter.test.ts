import assert from 'node:assert/strict';
import { comparedText } from '../../extension/preferences/comparedText';
import { beforeAfterPair } from '../../extension/traces/beforeAfterPair';
import type { TraceSummary } from '../../trainer/protocol/trace';
import { sampleTrace } from '../store/runs/sample';

type Episode = Pick<TraceSummary, 'id' | 'phase' | 'step' | 'checkpoint' | 'superseded'>;
const of = (id: string, phase: TraceSummary['phase'], more: Partial<Episode> = {}): Episode => ({
  id,
  phase,
  step: 0,
  ...more,
});
const ids = ({ before, after }: { before: Episode | null; after: Episode | null }) => [before?.id, after?.id];

describe('before and after training', () => {
  const all = [
    of('b', 'before'),
    of('t', 'train', { step: 3 }),
    of('a', 'after', { step: 9 }),
    of('x', 'after', { step: 9, superseded: true }),
  ];

  it('takes what was measured, the newest of each side, and never a repeated step', () => {
    assert.deepEqual(ids(beforeAfterPair(all, undefined)), ['b', 'a']);
    const tries = [of('u', 'try', { checkpoint: 'base' }), of('v', 'try', { checkpoint: 'step 9' })];
    assert.deepEqual(ids(beforeAfterPair([...all, ...tries], undefined)), ['u', 'v']);
    assert.deepEqual(
      ids(beforeAfterPair([of('v1', 'validation', { step: 1 }), of('v2', 'validation', { step: 2 })], undefined)),
      [undefined, 'v2'],
    );
  });

  it('the trace that is shown stands for its own side', () => {
    assert.deepEqual(ids(beforeAfterPair(all, all[1])), ['b', 't']);
    assert.deepEqual(ids(beforeAfterPair(all, all[0])), ['b', 'a']);
    const old = of('old', 'try'); // of before tries said what answered
    assert.deepEqual(ids(beforeAfterPair([old], old)), [undefined, 'old']);
  });

  it('the texts differ where the episodes do: no time, reward or checkpoint in them', () => {
    const base = sampleTrace('a', { checkpoint: 'base', reward: 0 });
    const same = sampleTrace('b', { checkpoint: 'step 9', reward: 1, startedAt: 99, durationMs: 7 });
    assert.equal(comparedText(base).text, comparedText(same).text);
    const told = sampleTrace('c', {
      verdicts: { callsRight: false, answerRight: null, finished: true },
      expected: { calls: [{ name: 'search', arguments: { query: 'rent' } }], answer: '3 May' },
      differences: [{ what: 'wrongValue', call: 1, tool: 'search', argument: 'query' }],
    });
    const { text, blocks } = comparedText(told);
    assert.match(
      text,
      /\nExpected\n {4}search\n {6}query: "rent"\n {4}answer: 3 May\n\nVerdicts\n {4}calls right: no\n {4}answer right: does not apply\n {4}finished: yes\n {4}call 1: wrong value of search\.query\n$/,
    );
    const last = blocks.at(-1)!;
    const lines = text.split('\n');
    assert.deepEqual([lines[last.line], lines[last.end]], ['Verdicts', '    call 1: wrong value of search.query']);
  });
});
