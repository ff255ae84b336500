import assert from 'node:assert/strict';
import {
  duration,
  endText,
  points,
  resultText,
  runDescription,
  runName,
  statusBarText,
  toolFileName,
} from '../../extension/runs/runText';
import { duration as inTerminal } from '../../trainer/app/cli/output';
import { duration as inPanel } from '../../webview/shared/format';
import { emptyRun, reduceRun, type RunState } from '../../trainer/protocol/runState';
import { leftMs } from '../../webview/shared/timeLeft';
import { recordedRun, until } from '../webview/fixture';

const recording = recordedRun({ steps: 60 });
const after = (step: number): RunState =>
  until(recording, (event) => event.type === 'stepFinished' && event.step === step).reduce(reduceRun, emptyRun);
const info = { ...recording.info, result: null, status: 'running' as const, step: 0, reward: null };

describe('words for a run', () => {
  it('names a run by its tools, model and method', () => {
    assert.equal(
      runName({ toolFile: '/w/examples/email/tools.ts', model: 'nano', method: 'grpo' }),
      'email · nano · grpo',
    );
    assert.equal(
      runName({ toolFile: '/w/orders.tools.mts', model: '/models/SmolLM2-135M', method: 'sft' }),
      'orders · SmolLM2-135M · sft',
    );
    assert.equal(toolFileName('/w/src/calendar.js'), 'calendar');
    assert.equal(
      runName({ ...recording.info, label: { name: 'First good one', tags: [], notes: '' } }),
      'First good one',
    );
    assert.equal(
      runName({ ...recording.info, label: { name: '', tags: ['mail'], notes: '' } }),
      runName(recording.info),
    );
  });

  it('tells step, reward and time left in the status bar', () => {
    const state = after(38);
    // 22 steps to go at 0.9 to 1.1 s each, and the evaluation after training: the panel's clock
    const text = statusBarText(state, state.lastEventAt!);
    assert.match(text, /^Coach 38\/60 · reward 0\.\d\d · 2\d s left$/);
  });

  it('says what is measured before the first step, without a number that it does not have', () => {
    const measuring = until(recording, (event) => event.type === 'progressed').reduce(reduceRun, emptyRun);
    assert.equal(statusBarText(measuring, Date.now()), 'Coach measuring before 40/360');
    assert.equal(leftMs(after(1), Date.now()), null);
  });

  it('says that it rehearses, and that what may be forgotten is still measured', () => {
    const started = until(recording, (event) => event.type === 'runStarted').reduce(reduceRun, emptyRun);
    assert.equal(statusBarText(started, Date.now()), 'Coach rehearsing');
    const isOff = {
      ...started,
      manifest: { ...started.manifest!, config: { ...started.manifest!.config, rehearsal: false } },
    };
    assert.equal(statusBarText(isOff, Date.now()), 'Coach starting');
    const measuring = { ...started, phase: 'before' as const, progress: { done: 240, total: 240 } };
    assert.equal(statusBarText(measuring, Date.now()), 'Coach measuring before, further tasks');
  });

  it('counts a pause at a resume as no step time', () => {
    const state = after(20);
    const resumed = {
      ...state,
      curve: state.curve.map((point, i) => (i < 15 ? { ...point, t: point.t - 3_600_000 } : point)),
    };
    assert.ok(leftMs(resumed, resumed.lastEventAt!)! < 60_000);
  });

  it('describes a run by its status', () => {
    assert.match(runDescription(info, after(38)), /^38\/60 · 0\.\d\d( [▲▼])?$/);
    assert.equal(runDescription({ ...info, status: 'stopped', step: 12 }, null), 'stopped at 12/60');
    const result = { n: 40, success: 0.8, ci95: null };
    const evaluations = [{ which: 'before' as const, name: 'held-out', result }];
    const measured = { ...info, status: 'stopped' as const, method: 'evaluated' };
    const told = 'measured: 80 % of 40 tasks';
    assert.equal(runDescription(measured, { ...after(1), status: 'stopped', evaluations }), told);
    assert.equal(runDescription({ ...measured, measured: result }, null), told);
    assert.equal(runDescription(measured, null), 'stopped before it was measured');
    assert.equal(runDescription({ ...measured, method: 'distilled' }, null), 'what a teacher showed');
    assert.equal(runDescription({ ...measured, method: 'imported' }, null), "another agent's traces");
    assert.equal(
      runDescription(info, { ...after(5), status: 'died', error: { border: 'device', message: 'out of memory' } }),
      'died at 5/60: out of memory',
    );
    assert.match(runDescription(recording.info, null), /^\+\d+(\.\d)? pts · n 240$/);
    assert.equal(runDescription({ ...info, problem: 'written by a newer Coach' }, null), 'written by a newer Coach');
  });

  it('calls noise noise', () => {
    const { result } = recording.info;
    assert.equal(
      resultText({ ...result!, gain: { mean: 0.021, ci95: [-0.03, 0.07] } }),
      '+2.1 pts · n 240 · could be chance',
    );
    assert.equal(points(-0.024), '−2.4');
  });

  it('tells a run by the tasks nearest to people, and says where Coach made them up', () => {
    const part = { n: 40, success: 0.3, ci95: [0.2, 0.4] as [number, number] };
    const headline = {
      before: part,
      after: { ...part, success: 0.5 },
      gain: { mean: 0.2, ci95: [0.05, 0.35] as [number, number] },
      verdict: 'a real gain',
    };
    const told = (sources: ('person' | 'use' | 'schema')[]) => ({
      ...recording.info.result!,
      headline: { ...headline, sources },
      toolsWithoutTasks: sources.length > 1 ? [] : ['send'],
    });
    assert.equal(resultText(told(['person', 'use'])), '+20 pts · n 40');
    assert.equal(resultText(told(['schema'])), "+20 pts · n 40 · on Coach's own requests");
    const run = { toolFile: '/w/mail.ts', model: 'nano', method: 'grpo' };
    assert.equal(
      endText(run, told(['person', 'use'])),
      'mail · nano · grpo: held-out tasks written by people or taken from use, solved 30 % → 50 %, +20 points [+5.0, +35], n 40: a real gain.',
    );
    assert.match(
      endText(run, told(['schema'])),
      /from the schemas, solved .* Measured on requests that Coach made up; what people ask may differ: write some in mail\.tasks\.jsonl\. No task covered send\.$/,
    );
    const many = Array.from({ length: 1000 }, (_, i) => `tool${i}`);
    assert.match(endText(run, { ...told(['schema']), toolsWithoutTasks: many }), / tool29, and 970 more\.$/);
  });

  it('rounds a difference', () => {
    assert.equal(points(0.313), '+31');
  });

  it('says times as the panel and the terminal do', () => {
    assert.deepEqual([3, 41, 59, 118, 4_790, 7_200].map(duration), [
      '3 s',
      '41 s',
      '59 s',
      '2 min',
      '1 h 20 min',
      '2 h 00 min',
    ]);
    for (const seconds of [3, 7.3, 61, 4_790]) {
      assert.equal(duration(seconds), inPanel(1000 * seconds));
      assert.equal(duration(seconds), inTerminal(seconds));
    }
  });
});
