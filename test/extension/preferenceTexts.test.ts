import assert from 'node:assert/strict';
import { sideText, verdictText } from '../../extension/preferences/pairWords';
import { toolUse, toolUseText, wantedBy } from '../../extension/preferences/toolUse';
import { traceText } from '../../extension/preferences/traceText';
import { preferenceConfig } from '../../extension/preferences/trainOnPreferences';
import type { QueuedPair } from '../../trainer/protocol/preferenceState';
import { RunConfig } from '../../trainer/protocol/runConfig';
import type { TraceSummary } from '../../trainer/protocol/trace';
import { pair, says } from '../store/preferences/fixture';
import { sampleTrace } from '../store/runs/sample';

describe('a trace as text', () => {
  it('blind: one block a step, nothing that tells what it was worth or which model it was', () => {
    const { text, blocks } = traceText(sampleTrace('a'), { blind: true });
    assert.equal(
      text,
      `System
    You use tools.

Task
    Find “Grüße” 🙂

Step 1 · calls search
    query: "Grüße"

Result of search
    [
      "mail 3"
    ]

Step 2 · answers
    It is mail 3.

Ended by itself
`,
    );
    assert.deepEqual(
      blocks.map(({ kind, turn, line, end }) => [kind, turn, line, end]),
      [
        ['system', null, 0, 1],
        ['task', null, 3, 4],
        ['call', 0, 6, 7],
        ['result', 0, 9, 12],
        ['answer', 1, 14, 15],
        ['end', null, 17, 17],
      ],
    );
    assert.ok(!/reward|checkpoint|step-00000| ms/.test(text));
  });

  it('not blind: with times, checkpoint and rewards; absent is not zero', () => {
    const { text } = traceText(
      sampleTrace('a', { rewards: [{ name: 'correctness', score: null, weight: 0.5, error: 'threw' }], reward: null }),
      { blind: false },
    );
    assert.match(text, /Result of search \(2 ms\)/);
    assert.match(
      text,
      /checkpoint step-00000, train, step 1\n {4}reward not scored\n {6}correctness not scored × 0\.5 \(threw\)/,
    );
  });

  it('what the answer states and nobody said is told, but not while two answers are compared', () => {
    const trace = sampleTrace('a', { ungrounded: ['mail 4', 'a\u202eb'] });
    assert.match(
      traceText(trace, { blind: false }).text,
      /step 1\n {4}stated, but found neither in the task nor in a result: mail 4, a\\u202eb\n/,
    );
    for (const [ungrounded, blind] of [
      [trace.ungrounded, true],
      [[], false],
      [undefined, false],
    ] as const)
      assert.ok(!traceText({ ...trace, ungrounded: ungrounded?.slice() }, { blind }).text.includes('stated'));
  });

  it('shows failures where they happened, and characters that would hide or turn text', () => {
    const trace = sampleTrace('a', { terminated: false, truncated: 'turnLimit' });
    trace.turns[0]!.calls[0]!.result!.kind = 'timeout';
    trace.turns[1] = { ...trace.turns[1]!, text: '<tool_call>{', parseError: 'no JSON' };
    trace.messages[1]!.content = 'a\u202eb\r\nc';
    const { text } = traceText(trace, { blind: true });
    for (const expected of [
      'Result of search (timeout)',
      'Step 2 · could not be read: no JSON\n    <tool_call>{',
      'Cut off: the limit of turns',
      '    a\\u202eb\n    c\n',
    ])
      assert.ok(text.includes(expected), expected);
  });
});

describe('what the last run did with a tool', () => {
  const summary = (path: string, more = {}) => ({ path, ...more }) as TraceSummary;
  it('counts calls and their ends from the paths, and the open pairs', () => {
    const uses = toolUse(
      [
        summary('search → read✗ → answer'),
        summary('search → ? → …'),
        summary('answer'),
        summary('read → answer', { superseded: true }),
      ],
      [{ tools: ['search'] } as QueuedPair],
      new Map(),
    );
    assert.deepEqual(
      [...uses],
      [
        ['search', { tasks: 0, solved: 0, calls: 2, ok: 2, openPairs: 1 }],
        ['read', { tasks: 0, solved: 0, calls: 1, ok: 0, openPairs: 0 }],
      ],
    );
    assert.deepEqual([...uses.values()].map(toolUseText), ['2 calls, 100 % ok · 1 pair to mark', '1 call, 0 % ok']);
  });

  it('says first how many of its tasks are solved by the newest measurement, also of one that is never called', () => {
    const wanted = wantedBy([
      { id: 'a', prompt: '', calls: [{ name: 'search', arguments: {} }] },
      {
        id: 'b',
        prompt: '',
        calls: [
          { name: 'search', arguments: {} },
          { name: 'search', arguments: { q: 2 } },
        ],
      },
      { id: 'c', prompt: '', calls: [{ name: 'read', arguments: {} }] },
      { id: 'd', prompt: '', answer: '4' },
    ]);
    const of = (phase: string, step: number, taskId: string, solved: boolean | null) =>
      summary('search → answer', { phase, step, taskId, solved });
    const before = [of('before', 0, 'a', true), of('train', 4, 'a', true), of('train', 4, 'c', true)];
    const validated = [...before, of('validation', 2, 'a', true), of('validation', 4, 'b', false)];
    const after = [...validated, ...['a', 'b', 'c', 'd'].map((id) => of('after', 4, id, id === 'a'))];
    const text = (traces: TraceSummary[], name: string) => toolUseText(toolUse(traces, [], wanted).get(name)!);
    assert.equal(text(before, 'search'), 'its one task solved · 3 calls, 100 % ok');
    assert.equal(text(validated, 'search'), 'its one task not solved · 5 calls, 100 % ok');
    assert.equal(text(after, 'search'), '50 % of its 2 tasks solved · 9 calls, 100 % ok');
    assert.equal(text(after, 'read'), 'its one task not solved · 0 calls');
  });
});

describe('words for a pair, and the run on it', () => {
  it('says what the better side says', () => {
    assert.deepEqual(
      [
        verdictText(pair('p'), 'first'),
        verdictText(pair('p'), 'tie'),
        sideText({ messages: [says('x'.repeat(99))] }).length,
      ],
      ['search({"query":"it"})', 'Equally good', 60],
    );
  });

  it('keeps the settings and so the tasks of the run it goes on from; one validation, at the end', () => {
    const base = RunConfig.parse({ toolFile: '/w/tools.ts', seed: 5, taskCount: 99, loraRank: 4, startFrom: '/old' });
    const config = RunConfig.parse(preferenceConfig(base, { workspace: '/w', from: '/w/.coach/runs/r', pairs: 40 }));
    assert.deepEqual(
      [
        config.method,
        config.pairs,
        config.startFrom,
        config.steps,
        config.evalEvery,
        config.seed,
        config.taskCount,
        config.loraRank,
      ],
      ['dpo', '/w/.coach/preferences.jsonl', '/w/.coach/runs/r', 20, 20, 5, 99, 4],
    );
    assert.equal(preferenceConfig(base, { workspace: '/w', from: null, pairs: 1 }).startFrom, undefined);
    const rate = (method: 'grpo' | 'dpo'): number | undefined =>
      preferenceConfig(RunConfig.parse({ ...base, method, learningRate: 2e-3 }), {
        workspace: '/w',
        from: null,
        pairs: 1,
      }).learningRate;
    assert.deepEqual([rate('grpo'), rate('dpo')], [undefined, 2e-3], 'what GRPO learns at is not what DPO learns at');
  });
});
