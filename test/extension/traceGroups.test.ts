import assert from 'node:assert/strict';
import {
  advantageLabel,
  groupsAt,
  latestMoment,
  moments,
  momentText,
  rewardLabel,
} from '../../extension/traces/traceGroups';
import type { TraceSummary } from '../../trainer/protocol/trace';
import { parseTraceFilter } from '../../trainer/protocol/traceFilter';

const of = (text: string) => parseTraceFilter(text).filter;
const trace = (id: string, more: Partial<TraceSummary> = {}): TraceSummary => ({
  id,
  taskId: 't',
  groupId: 'g',
  phase: 'train',
  step: 1,
  prompt: 'newest mail',
  path: 'search → answer',
  reward: 1,
  advantage: 0,
  solved: true,
  truncated: 'no',
  file: 'traces/1.jsonl',
  offset: 0,
  length: 1,
  ...more,
});

describe('traces in groups', () => {
  const traces = [
    trace('b0', { phase: 'before', step: 0, groupId: 'b0' }),
    trace('a', { groupId: 'g1', reward: 1, advantage: 0.35 }),
    trace('b', { groupId: 'g1', reward: 0.25, advantage: -1.87, solved: false, path: 'search' }),
    trace('c', { groupId: 'g2', prompt: 'Say hello.', path: 'answer' }),
    trace('d', { groupId: 'g2', prompt: 'Say hello.', path: 'answer' }),
    trace('v', { phase: 'validation', step: 1, groupId: 'v0' }),
    trace('old', { step: 2, groupId: 'old', superseded: true }),
  ];

  it('knows the moments of a run in their order, and follows the last step of training', () => {
    assert.deepEqual(moments(traces).map(momentText), ['before training', 'step 1', 'validation at step 1']);
    assert.deepEqual(
      moments(traces).map((m) => m.count),
      [1, 4, 1],
    );
    assert.equal(momentText(latestMoment(moments(traces))!), 'step 1');
    assert.equal(momentText(latestMoment(moments(traces.slice(0, 1)))!), 'before training');
    assert.equal(latestMoment([]), null);
  });

  it('groups by rollout group: solved of judged, and whether the group teaches anything', () => {
    const [first, second] = groupsAt(traces, { phase: 'train', step: 1 });
    assert.deepEqual([first!.solved, first!.judged, first!.isDead], [1, 2, false]);
    assert.deepEqual([second!.solved, second!.judged, second!.isDead], [2, 2, true]);
  });

  it('leaves out steps that a resume has repeated', () => {
    assert.deepEqual(groupsAt(traces, { phase: 'train', step: 2 }), []);
  });

  it('filters by text and by failure, and keeps a group whole', () => {
    const at = { phase: 'train', step: 1 } as const;
    assert.deepEqual(
      groupsAt(traces, at, of('HELLO')).map((g) => g.id),
      ['g2'],
    );
    assert.deepEqual(
      groupsAt(traces, at, of('is:failed')).map((g) => [g.id, g.traces.length]),
      [['g1', 2]],
    );
    assert.deepEqual(groupsAt(traces, at, of('hello is:failed')), []);
  });

  it('never shows an absent score as zero', () => {
    assert.equal(rewardLabel(null), 'not scored');
    assert.equal(rewardLabel(0), '0.00');
    assert.equal(advantageLabel(null), '');
    assert.equal(advantageLabel(-1.87), '−1.87');
  });
});
