/** The metrics block by hand, and where it stands beside success. */
import assert from 'node:assert/strict';
import { agentMetrics, type Measured } from '../../trainer/evaluation/agentMetrics';
import { violationRule } from '../../trainer/evaluation/compliance';
import { successOf } from '../../trainer/evaluation/success';
import { metricRows } from '../../trainer/protocol/agentMetrics';
import { wilson } from '../../trainer/protocol/interval';
import { Success } from '../../trainer/protocol/messages';
import type { Task } from '../../trainer/protocol/task';
import type { ToolResultKind, Trace, Turn } from '../../trainer/protocol/trace';
import { metricWords } from '../../webview/components/metricsTable';
import { sampleTool, sampleTrace } from '../store/runs/sample';

type Call = [query: string, kind?: ToolResultKind | null, durationMs?: number];

/** Turns of calls to `search`, each sampled in 10 ms and 5 tokens, and a closing reply. */
function episode(task: Partial<Task>, turns: Call[][], more: Partial<Trace> = {}): Measured {
  const of = (calls: Call[], i: number): Turn => ({
    ...{ start: 100 + 10 * i, end: 105 + 10 * i, text: '', sampleMs: 10 },
    calls: calls.map(([query, kind = 'ok', durationMs = 0], j) => ({
      ...{ id: `${i}-${j}`, name: 'search', arguments: { query } },
      result: kind && { kind, content: '1', policy: 'real', startedAt: 0, durationMs },
    })),
  });
  const ids = Array.from({ length: 120 }, (_, i) => i);
  const trace = sampleTrace('e-0', {
    messages: [
      { role: 'user', content: 'Find it' },
      { role: 'assistant', content: 'Here.' },
    ],
    turns: [...turns, []].map(of),
    tokens: { ids, logprobs: ids.map(() => null), completionMask: ids.map(() => 0), writer: 'p'.repeat(120) },
    ...{ terminated: true, solved: true, durationMs: 100, rewards: [], reward: null },
    ...more,
  });
  return { task: { id: 't', prompt: 'Find it', ...task }, trace };
}
const gold = (...queries: string[]): Partial<Task> => ({
  calls: queries.map((query) => ({ name: 'search', arguments: { query } })),
});
const of = (...episodes: Measured[]) => agentMetrics(episodes, { tools: [sampleTool] });

describe('the metrics block', () => {
  it('calls: failed, refused, none of the gold ones; a gold call excuses one; what a cancel came before is no call', () => {
    // a ok, a again (its gold call is used up), b failed though gold, c refused: 3 of 4 wrong; d was never run
    const one = episode(
      gold('a', 'b'),
      [
        [['a'], ['a']],
        [['b', 'timeout']],
        [
          ['c', 'refused'],
          ['d', null],
        ],
      ],
      {
        solved: false,
      },
    );
    // without gold calls only what failed is wrong: 1 of 2
    const two = episode({ answer: 'Here' }, [[['x'], ['y', 'threw']]]);
    const { tier, air, productivity, success } = of(one, two);
    assert.deepEqual(tier, { n: 6, share: 4 / 6, ci95: wilson(4, 6)! });
    assert.equal(air, (3 + 1) / 2);
    assert.equal(productivity, 1 / 6);
    assert.deepEqual(success, { n: 2, share: 0.5, ci95: wilson(1, 2)! });
  });

  it('overuse looks at tasks that want no tool alone; refusals at those that are tagged', () => {
    const used = episode({ calls: [] }, [[['a']]], { solved: false });
    const left = episode({ calls: [] }, []);
    const refused = episode({ calls: [], tags: ['refusal'] }, []);
    const obeyed = episode({ calls: [], tags: ['refusal'] }, [[['a']]], { solved: false });
    const silent = episode({ calls: [], tags: ['refusal'] }, [], { messages: [{ role: 'assistant', content: ' ' }] });
    const { overuse, crr } = of(used, left, refused, obeyed, silent, episode(gold('a'), [[['a']]]));
    assert.deepEqual([overuse!.n, overuse!.share], [5, 2 / 5]);
    assert.deepEqual([crr!.n, crr!.share], [3, 1 / 3]);
  });

  it('over-refusal looks at tasks that want a call: refused in words, without having tried', () => {
    const said = (content: string): Partial<Trace> => ({ messages: [{ role: 'assistant', content }] });
    const refused = episode(gold('a'), [], said('No tool can do that.'));
    const guessed = episode(gold('a'), [], said('It is 7.'));
    const tried = episode(gold('a'), [[['b']]], said("I can't find it."));
    const due = episode({ calls: [], tags: ['refusal'] }, [], said("I can't do that."));
    const small = episode({ calls: [] }, [], said("I can't sing."));
    const cut = episode(gold('a'), [], { ...said('I cannot'), terminated: false });
    const { overRefusal } = of(refused, guessed, tried, due, small, cut);
    assert.deepEqual([overRefusal!.n, overRefusal!.share], [4, 1 / 4]);
    assert.equal(of(due, small).overRefusal, null);
    assert.match(metricRows([of(refused)]).join('\n'), /refused though it could be done \(over-refusal\),100\.0 %/);
  });

  it('violations: by a compliance reward on the trace, or by the run’s own rules; null where there is none', () => {
    const scored = (score: number | null) => [{ name: 'compliance', score, weight: 1 }];
    const { vr } = of(
      episode({}, [], { rewards: scored(-10) }),
      episode({}, [], { rewards: scored(0) }),
      episode({}, [], { rewards: scored(null) }),
      episode({}, [], { rewards: [{ name: 'toolrla', score: 2, weight: 1, parts: { compliance: -10 } }] }),
    );
    assert.deepEqual([vr!.n, vr!.share], [3, 2 / 3]);
    const said = (content: string) => episode({}, [], { messages: [{ role: 'assistant', content }] });
    const rule = (rewards: string) => violationRule({ rewards }, [sampleTool]);
    const bad = said('This fund has guaranteed returns of 8 %.');
    assert.deepEqual([rule('compliance')(bad), rule('own,compliance:lambda=4')(said('It rose.'))], [true, false]);
    assert.equal(rule('correctness')(bad), null);
    assert.equal(rule('compliance:patterns=/no/such/file')(bad), null);
    const tasks = [bad.task];
    const measured = successOf(tasks, [bad.trace], { tools: [sampleTool], isViolation: rule('compliance') });
    assert.equal(measured.metrics!.vr!.share, 1);
    assert.deepEqual(Success.parse(JSON.parse(JSON.stringify(measured))), measured);
  });

  it('times: the median, and the turns one after the other with the slowest call of each; tokens by their count', () => {
    // 10 + 40 (30 and 40 at once), 10 + 5, 10 for the reply: 75; the others 10
    const slow = episode(
      gold('a'),
      [
        [
          ['a', 'ok', 30],
          ['b', 'ok', 40],
        ],
        [['c', 'ok', 5]],
      ],
      { durationMs: 300 },
    );
    const { latencyP50, criticalPathP50, tokens } = of(slow, episode({}, []), episode({}, [], { durationMs: 80 }));
    assert.deepEqual([latencyP50, criticalPathP50], [100, 10]);
    assert.equal(of(slow).criticalPathP50, 75);
    const cutOff = episode({}, [], { turns: [], durationMs: 9000 }); // in its first turn: there is no path, and not 0 ms
    assert.equal(of(slow, cutOff, cutOff).criticalPathP50, 75);
    assert.equal(of(cutOff).criticalPathP50, null);
    assert.deepEqual(tokens, { written: (15 + 5 + 5) / 3, read: 120 });
    assert.equal(of(slow, episode({}, [])).latencyP50, 200);
  });

  it('null where it does not apply, never 0; in words only what applies', () => {
    const nothing = of();
    assert.ok(Object.values(nothing).every((value) => value === null));
    assert.deepEqual(metricRows([nothing]), []);
    const answer = of(episode({ answer: 'Here' }, [], { tokens: sampleTrace('x').tokens }));
    assert.deepEqual([answer.tier, answer.overuse, answer.crr, answer.vr, answer.productivity], Array(5).fill(null));
    assert.equal(answer.air, 0);
    const untold = { ids: [], logprobs: [], completionMask: [], writer: '' };
    assert.equal(of(episode({}, [], { tokens: untold })).tokens, null);
    const called = of(episode(gold('a'), [[['a']]]));
    assert.deepEqual(metricRows([answer, called])[0], [
      'calls that failed, were refused or were wrong (TIER)',
      '-',
      '0.0 % (0.0 % to 79.3 %, n 1)',
    ]);
    assert.deepEqual(
      metricWords(called, undefined).map(([words]) => words),
      ['metric.tier', 'metric.air', 'metric.productivity', 'metric.overRefusal'].concat([
        'metric.latencyP50',
        'metric.criticalPathP50',
        'metric.tokensWritten',
        'metric.tokensRead',
      ]),
    );
  });
});
