import assert from 'node:assert/strict';
import { noFacts, isFiltering, matchesTrace, parseTraceFilter, toolsOf } from '../../trainer/protocol/traceFilter';
import type { TraceSummary } from '../../trainer/protocol/trace';

const trace = (more: Partial<TraceSummary> = {}): TraceSummary => ({
  id: 'a',
  taskId: 't',
  groupId: 'g',
  phase: 'train',
  step: 12,
  prompt: 'newest mail',
  path: 'search✗ → read → answer',
  reward: 0.4,
  advantage: 0,
  solved: false,
  truncated: 'no',
  file: 'traces/1.jsonl',
  offset: 0,
  length: 1,
  errors: ['timeout'],
  ...more,
});
const fits = (text: string, one = trace(), facts = noFacts): boolean =>
  matchesTrace(parseTraceFilter(text).filter, one, facts);

describe('what one types to find traces', () => {
  it('reads words, quoted words and conditions', () => {
    const { filter, problems } = parseTraceFilter(
      'Rent "to Ana" tool:Search error:timeout reward<0.5 step:10-30 phase:train is:unmarked',
    );
    assert.deepEqual(filter, {
      words: ['rent', 'to ana'],
      tools: ['search'],
      errors: ['timeout'],
      reward: [{ operator: '<', value: 0.5 }],
      steps: [[10, 30]],
      phases: ['train'],
      is: ['unmarked'],
    });
    assert.deepEqual(problems, []);
    assert.ok(!isFiltering(parseTraceFilter('  ').filter));
  });

  it('says what it does not understand, and looks for it as text', () => {
    for (const [text, why] of [
      ['error:late', /error: must be one of any, unreadable, .*timeout.* got "late"/],
      ['step:x', /needs a number or a range/],
      ['is:good', /is: must be one of solved/],
      ['reward:', /comparison such as reward<0.5/],
    ] as const) {
      const { filter, problems } = parseTraceFilter(text);
      assert.match(problems[0]!, why);
      assert.deepEqual(filter.words, [text]);
    }
    assert.deepEqual(parseTraceFilter('http://x').problems, []);
  });

  it('by tool, kind of error, reward, step, phase', () => {
    assert.deepEqual(toolsOf(trace()), ['search', 'read']);
    assert.deepEqual(
      [
        'tool:search',
        'tool:send',
        'tool:send tool:read',
        'error:timeout',
        'error:threw',
        'error:any',
        'error:unreadable',
      ].map((text) => fits(text)),
      [true, false, true, true, false, true, false],
    );
    assert.deepEqual(
      ['reward<0.5', 'reward>=0.5', 'reward=0.4', 'reward>0.1 reward<0.3'].map((text) => fits(text)),
      [true, false, true, false],
    );
    assert.deepEqual(
      ['step:12', 'checkpoint:10-12', 'step:13', 'phase:after'].map((text) => fits(text)),
      [true, true, false, false],
    );
    assert.ok(fits('checkpoint:base', trace({ phase: 'before', step: 0 })));
    assert.ok(fits('error:unreadable', trace({ path: '? → answer' })));
    assert.ok(fits('error:any', trace({ errors: undefined })), 'runs of before know only that it failed');
  });

  it('an absent reward is no small one', () => {
    assert.deepEqual(
      ['reward<0.5', 'is:unscored', 'is:scored'].map((text) => fits(text, trace({ reward: null }))),
      [false, true, false],
    );
  });

  it('by what the judge and people said', () => {
    const facts = { judged: new Set(['a']), marked: new Set<string>() };
    assert.deepEqual(
      ['is:judged', 'is:unjudged', 'is:marked', 'is:unmarked', 'is:judged is:unmarked'].map((text) =>
        fits(text, trace(), facts),
      ),
      [true, false, false, true, true],
    );
  });
});
