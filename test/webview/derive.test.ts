import assert from 'node:assert/strict';
import type { TrainerEvent } from '../../trainer/protocol/messages';
import { emptyRun, reduceRun, type RunState } from '../../trainer/protocol/runState';
import type { Trace, TraceSummary } from '../../trainer/protocol/trace';
import { align } from '../../webview/derive/alignment';
import { taskPairs, toolUse } from '../../webview/derive/beforeAfter';
import { components, health, rewardWeights } from '../../webview/derive/health';
import { progress } from '../../webview/derive/timing';
import { leftMs, stepMs } from '../../webview/shared/timeLeft';
import { isDead, rankOf, ranked, TraceIndex } from '../../webview/shared/traceIndex';
import { tokenSegments, traceSteps } from '../../webview/derive/traceSteps';
import { recordedRun, until } from './fixture';
import { traceOf } from './traceFixture';

const recording = recordedRun();
const whole = recording.events.reduce(reduceRun, emptyRun);
const fold = (events?: TrainerEvent[]): RunState => events?.reduce(reduceRun, emptyRun) ?? whole;
const indexOf = (run: RunState): TraceIndex => {
  const index = new TraceIndex();
  index.sync(run.traces);
  return index;
};
const summary = (id: string, reward: number | null, more: Partial<TraceSummary> = {}): TraceSummary => ({
  id,
  taskId: 't',
  groupId: 'g',
  phase: 'train',
  step: 1,
  prompt: 'p',
  path: 'a → answer',
  reward,
  advantage: 0,
  solved: true,
  truncated: 'no',
  file: 'f',
  offset: 0,
  length: 1,
  ...more,
});

describe('webview: traces by group', () => {
  it('ranks with ties, and what nothing scored last', () => {
    const traces = [summary('a', 0.2), summary('b', null), summary('c', 1), summary('d', 1)];
    assert.deepEqual(
      ranked(traces).map((t) => t.id),
      ['c', 'd', 'a', 'b'],
    );
    assert.deepEqual(
      traces.map((t) => rankOf(t, traces)),
      [3, null, 1, 1],
    );
  });

  it('knows a dead group: all rewards equal, in training', () => {
    const index = new TraceIndex();
    index.sync([
      summary('a', 1),
      summary('b', 1),
      summary('c', 1, { phase: 'before' }),
      summary('d', 1, { phase: 'before' }),
    ]);
    assert.deepEqual([isDead(index.slice('train', 1)[0]!), isDead(index.slice('before', 1)[0]!)], [true, false]);
  });

  it('looks only at what is new, and leaves out what a resume repeated', () => {
    const index = new TraceIndex();
    const traces = [summary('a', 1), summary('old', 1, { superseded: true })];
    index.sync(traces);
    traces.push(summary('b', 0));
    index.sync(traces);
    assert.deepEqual(
      index.slice('train', 1)[0]!.traces.map((t) => t.id),
      ['a', 'b'],
    );
    assert.ok(index.byId.has('old'));
    assert.equal(index.groupOf('old'), undefined);
  });

  it('finds a group by the trainer’s id', () => {
    assert.equal(indexOf(fold()).group('s30-g3')!.traces.length, 8);
    assert.deepEqual([indexOf(fold()).latestStep(), indexOf(fold()).steps('after')], [60, [60]]);
  });
});

describe('webview: how far and how healthy', () => {
  const middle = fold(until(recording, (e) => e.type === 'stepFinished' && e.step === 38));

  it('takes the median gap for a step, so that a night’s sleep is not speed', () => {
    const curve = [0, 1000, 2000, 90_000_000, 90_001_000].map((t, i) => ({ step: i + 1, t, metrics: {} }));
    assert.equal(stepMs(curve), 1000);
    assert.equal(stepMs(curve.slice(0, 1)), null);
  });

  it('counts steps left and the evaluation at the end; null where it can’t know', () => {
    const left = leftMs(middle, middle.lastEventAt!)!;
    // 22 steps of 0.96 to 1.2 s (64 traces of 1 ms each come with them), and an evaluation that took about 2.9 s before
    assert.ok(left > 22 * 960 && left < 22 * 1300 + 4500, `${left}`);
    assert.equal(leftMs(fold(until(recording, (e) => e.type === 'phaseStarted')), Date.now()), null);
    assert.equal(leftMs(fold(), Date.now()), null);
    assert.deepEqual(progress(middle), { done: 38, total: 60, isSteps: true });
  });

  it('reads the newest step’s health from its traces', () => {
    const now = health(middle, indexOf(middle))!;
    assert.deepEqual([now.step, now.groups, now.traces, now.notScored], [38, 8, 64, 0]);
    const twelve = fold(until(recording, (e) => e.type === 'stepFinished' && e.step === 12));
    assert.equal(health(twelve, indexOf(twelve))!.notScored, 1);
  });

  it('shares the variance among components by weight, and says which one is flat', () => {
    const parts = components(middle);
    // correctness 0.7·0.36 = 0.252, efficiency 0.2·0.18 = 0.036, format 0: shares 0.0635/0.0648, 0.0013/0.0648, 0
    assert.deepEqual(
      parts.map((p) => [p.name, p.share === null ? null : Math.round(100 * p.share), p.flatSince]),
      [
        ['correctness', 98, null],
        ['efficiency', 2, null],
        ['format', 0, 12],
      ],
    );
    assert.deepEqual(Array.from(rewardWeights('correctness:strict=1*0.5, format*2,mine')), [
      ['correctness', 0.5],
      ['format', 2],
      ['mine', 1],
    ]);
  });
});

describe('webview: before and after', () => {
  const run = fold();
  const index = indexOf(run);

  it('sorts tasks by what became of them', () => {
    const pairs = taskPairs(index);
    const count = Object.values(pairs).reduce((sum, list) => sum + list.length, 0);
    assert.equal(count, 240);
    assert.equal(pairs.fixed.length - pairs.broken.length, Math.round(240 * run.result!.gain.mean));
  });

  it('counts tools by path', () => {
    const [use] = toolUse(
      indexOf({
        ...run,
        traces: [
          summary('a', 1, { phase: 'before', path: 'read✗ → answer', solved: false }),
          summary('b', 1, { phase: 'before', path: 'search → read → answer' }),
        ],
      }),
      ['read'],
    );
    assert.deepEqual(use!.before, { traces: 2, used: 2, solved: 1 });
    assert.equal(use!.latest, null);
  });
});

describe('webview: a trace in steps', () => {
  const summaries = fold().traces.filter((t) => t.phase === 'train' && t.step === 30);
  const { trace } = traceOf(summaries.find((t) => t.path === 'searchEmails → readEmail → sendEmail → answer')!, 'run');

  it('lays turns before their calls, and nothing before what is ahead of it', () => {
    const { turns, totalMs } = traceSteps(trace);
    let free = 0;
    for (const turn of turns) {
      assert.ok(turn.startMs >= free);
      for (const call of turn.calls) assert.ok(call.startMs! >= turn.startMs + turn.durationMs - 1e-6);
      free = Math.max(turn.startMs, ...turn.calls.map((c) => c.startMs! + c.durationMs));
    }
    assert.ok(free <= totalMs);
    assert.deepEqual(
      turns.map((t) => t.isAnswer),
      [false, false, false, true],
    );
  });

  it('cuts the tokens into prompt, turns and results, none left out', () => {
    const segments = tokenSegments(trace);
    assert.deepEqual([segments[0]!.writer, segments[1]!.turn, segments[2]!.writer], ['p', 0, 't']);
    assert.equal(
      segments.reduce((sum, s) => sum + s.end - s.start, 0),
      trace.tokens.ids.length,
    );
  });

  it('marks the first step that differs; the order of argument names does not count', () => {
    const swapped = structuredClone(trace);
    swapped.turns[0]!.calls[0]!.arguments = Object.fromEntries(
      Object.entries(swapped.turns[0]!.calls[0]!.arguments).reverse(),
    );
    const other = structuredClone(trace);
    other.turns[1]!.calls[0]!.arguments = { id: 'm-1' };
    const shorter = structuredClone(trace);
    shorter.turns.pop();
    assert.deepEqual(
      align([trace, swapped, other, shorter]).map((c) => c.differsAt),
      [null, null, 1, 3],
    );
    assert.deepEqual(
      align([trace, other], 1).map((c) => c.differsAt),
      [1, null],
      'from the other one it looks the same',
    );
  });

  it('puts equal steps into one row, whatever lies between them', () => {
    const call = (name: string, id = 'x') => ({
      start: 0,
      end: 0,
      text: '',
      sampleMs: 1,
      calls: [{ id: 'c', name, arguments: { id }, result: null }],
    });
    const of = (id: string, ...turns: Trace['turns']): Trace => ({ ...trace, id, turns });
    const base = of('base', call('search'), call('read'), call('send'));
    const detour = of('detour', call('search'), call('list'), call('read'), call('send'));
    const hasty = of('hasty', call('send'));
    const columns = align([base, detour, hasty]);
    const names = columns.map((c) => c.rows.map((step) => (step?.kind === 'call' ? step.name : '–')).join(' '));
    assert.deepEqual(names, ['search – read send', 'search list read send', '– – – send']);
    assert.deepEqual(
      columns.map((c) => [c.differsAt, c.differsRow]),
      [
        [null, null],
        [1, 1],
        [0, 0],
      ],
    );
    // the same tool with another argument stands beside it, and is where they part
    const [, third] = align([base, of('third', call('search'), call('read', 'y'), call('send'))]);
    assert.deepEqual([third!.rows.length, third!.differsAt, third!.differsRow], [3, 1, 1]);
    assert.deepEqual(align([]), []);
  });

  it('aligns two long traces quickly', () => {
    const turns = (seed: number): Trace['turns'] =>
      Array.from({ length: 500 }, (_, i) => ({
        start: 0,
        end: 0,
        text: '',
        sampleMs: 1,
        calls: [
          { id: 'c', name: ['a', 'b', 'c'][(i * 7 + seed * (i % 11)) % 3]!, arguments: { i: i % 50 }, result: null },
        ],
      }));
    const started = process.cpuUsage();
    const columns = align([
      { ...trace, turns: turns(1) },
      { ...trace, turns: turns(2) },
    ]);
    assert.equal(columns[0]!.rows.length, columns[1]!.rows.length);
    assert.equal(columns[1]!.rows.filter((step) => step !== null).length, 500);
    assert.ok(process.cpuUsage(started).user < 1e6);
  });
});
